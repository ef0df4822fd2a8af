"""The sources that a request brings: what was just said, archived by the same transaction.

The ids follow from the caller and the whole list: the same call twice gives the same ids, and
changes nothing the second time.
"""

from collections.abc import Mapping
from hashlib import sha256

from attrs import frozen

from ..names import NodeId, SessionId, SourceId, anchor, archive_path
from ..sources.frame import Context, Frame, Origin, Provenance, Trust
from .model import Caller, NewSource

__all__ = ["Brought", "bring"]

_JOINT = "\x1f"


@frozen
class Brought:
    """Frames and their contexts, and the place of each by its label and by its source id."""

    frames: tuple[Frame, ...]
    contexts: tuple[Context, ...]
    places: Mapping[str, str]


def bring(sources: tuple[NewSource, ...], caller: Caller) -> Brought:
    """The frames of a request's own sources."""
    if not sources:
        return Brought((), (), {})
    seed = _JOINT.join(
        (caller.principal_id, caller.speaker_kind, caller.speaker_id, caller.tier or "", caller.origin)
    )
    said = [_JOINT.join((source.role, source.content, source.observed_at)) for source in sources]
    thread = _digest("\n".join((seed, *said)))
    ids = [
        SourceId(f"{caller.provider}/{thread}/{_digest(_JOINT.join((seed, thread, str(ordinal), text)))}")
        for ordinal, text in enumerate(said)
    ]
    pairs = list(zip(ids, sources, strict=True))
    places = {source.label: place(identity) for identity, source in pairs}
    return Brought(
        tuple(_frame(identity, source, caller) for identity, source in pairs),
        tuple(_context(identity, source, caller) for identity, source in pairs),
        places | {identity: place(identity) for identity in ids},
    )


def place(source: SourceId) -> str:
    """Where a source of archive version 2 stands."""
    return f"{archive_path(source)}#{anchor(source)}"


def _frame(identity: SourceId, source: NewSource, caller: Caller) -> Frame:
    trust = Trust.TRUSTED if caller.tier is not None else Trust.PENDING
    provenance = Provenance(caller.principal_id, caller.speaker_kind, caller.tier, trust)
    return Frame(
        identity,
        source.role,
        source.content,
        source.observed_at,
        caller.speaker_id if _is_caller(source) else None,
        caller.speaker_name if _is_caller(source) else "",
        provenance if _is_caller(source) else provenance._replace(speaker_kind="unknown", tier=None),
    )


def _is_caller(source: NewSource) -> bool:
    """Whether it is the caller's own word; what another role said carries no authority."""
    return source.role == "user"


def _context(identity: SourceId, source: NewSource, caller: Caller) -> Context:
    origins = {"assistant": Origin.ASSISTANT, "tool": Origin.TOOL, "system": Origin.HARNESS}
    _, thread, message = identity.split("/", 2)
    origin = origins.get(source.role, caller.origin)
    return Context(identity, origin, SessionId(thread), NodeId(message), at=source.observed_at)


def _digest(text: str) -> str:
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]
