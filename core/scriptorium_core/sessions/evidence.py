"""Nodes of a conversation as frames of evidence, with their context.

The source id of a node is `provider/session/node`. Where one of the three breaks the rule of source
ids, or holds a `%`, the offending characters are percent-encoded as UTF-8 bytes, so that two nodes
never share an id; an empty part is a single `%`. A provider or session whose file name would be
longer than 200 bytes is cut to 80 of them and ends in `~` and 32 hex digits of its SHA-256.

Who speaks is read from the node: an assistant's turn is the assistant's, of no tier. A person's turn
is the owner's unless the log names a speaker who is somebody else. The metadata keys `speaker_kind`,
`authority_tier` (`owner`, `paired` or `none`) and `trust_state` (`pending`) say otherwise.
"""

from collections.abc import Sequence
from hashlib import sha256
from itertools import accumulate
from typing import Protocol
from urllib.parse import quote

from ..names import SourceId, percent
from ..sources.frame import Branch, Context, Frame, Origin, Provenance, Tier, Trust
from .graph import Node
from .talk import said

__all__ = ["Placed", "context", "frame", "frames", "provenance", "source_of"]

_BREAKS = frozenset("[]()<>%")
_LONGEST = 200
_KEPT = 80


class Placed(Protocol):
    """A node and the state of the branch that it stands on."""

    @property
    def node(self) -> Node:
        """The node itself."""
        ...

    @property
    def branch(self) -> Branch:
        """The state of its branch."""
        ...


def frames(placed: Sequence[Placed], principal: str) -> tuple[tuple[Frame, ...], tuple[Context, ...]]:
    """For each node its frame and its context, in order; `principal` is the owner's id."""
    return (
        tuple(frame(item.node, principal) for item in placed),
        tuple(context(item.node, item.branch) for item in placed),
    )


def frame(node: Node, principal: str) -> Frame:
    """The frame of a node of talk: its words verbatim, without our own injected blocks."""
    return Frame(
        id=source_of(node),
        role=node.role,
        content=said(node.text),
        at=_writable(node.at),
        speaker_id=node.speaker_id,
        speaker_name=node.speaker_name,
        provenance=provenance(node, principal),
    )


def context(node: Node, branch: Branch) -> Context:
    """Where the frame of `node` stood in its conversation."""
    return Context(
        id=source_of(node),
        origin=node.origin,
        session=node.session,
        node=node.id,
        parent=node.parent,
        branch=branch,
        scope=node.scope,
        at=_writable(node.at),
    )


def provenance(node: Node, principal: str) -> Provenance:
    """Who said it, with which authority, and whether it is trusted."""
    trust = Trust.PENDING if node.metadata.get("trust_state") == Trust.PENDING else Trust.TRUSTED
    if node.origin is not Origin.HUMAN:
        return Provenance(principal, node.metadata.get("speaker_kind", "assistant"), None, trust)
    owner = not (node.speaker_id or node.speaker_name) or node.speaker_id == principal
    kind = node.metadata.get("speaker_kind", "owner" if owner else "human")
    return Provenance(principal, kind, _tier(node, kind), trust)


def source_of(node: Node) -> SourceId:
    """The source id of a node; the same for its copies in forks."""
    provider, session = _short(_safe(node.provider, "/")), _short(_safe(node.session, "/"))
    if provider in (".", ".."):
        provider = provider.replace(".", "%2E")
    return SourceId(f"{provider}/{session}/{_safe(node.id, '')}")


def _writable(at: str) -> str:
    return at if at.isprintable() and "[" not in at and "]" not in at else ""


def _tier(node: Node, kind: str) -> Tier | None:
    given = node.metadata.get("authority_tier", "owner" if kind == "owner" else "none")
    return next((tier for tier in Tier if tier == given), None)


def _safe(part: str, also: str) -> str:
    if part.isprintable() and _BREAKS.isdisjoint(part) and part and not (also and also in part):
        return part
    return "".join(_encode(char) if _must_go(char, also) else char for char in part) or "%"


def _must_go(char: str, also: str) -> bool:
    return char in _BREAKS or char == also or not char.isprintable()


def _encode(char: str) -> str:
    return quote(char.encode("utf-8", "replace"), safe="").replace("(", "%28").replace(")", "%29")


def _short(part: str) -> str:
    if len(part) <= _LONGEST // 12 or len(percent(part)) <= _LONGEST:
        return part
    sizes = accumulate(len(percent(char)) for char in part)
    kept = "".join(char for char, size in zip(part, sizes, strict=True) if size <= _KEPT)
    return f"{kept}~{sha256(part.encode()).hexdigest()[:32]}"
