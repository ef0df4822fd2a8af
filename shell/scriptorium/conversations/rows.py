"""Nodes of the core as rows of the store, and back."""

from collections.abc import Mapping
from typing import Any

import orjson

from scriptorium_core.names import NodeId, SessionId
from scriptorium_core.sessions.graph import Node
from scriptorium_core.sessions.pending import MARK
from scriptorium_core.sessions.talk import talks
from scriptorium_core.sources.frame import Origin

__all__ = ["INSERT", "SELECT", "Row", "copy_row", "node_of", "own_metadata", "row_of"]

Row = tuple[Any, ...]

INSERT = (
    "INSERT INTO nodes (session, id, home, same, parent, after, talk, mark, role, origin, at, speaker_id,"
    " speaker_name, scope, metadata, text) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
)
# n: the row of the session that is read; h: the first copy, which has the words; s: its session.
SELECT = (
    "SELECT n.id, n.parent, n.after, n.mark, n.metadata, h.role, h.origin, h.at, h.speaker_id,"
    " h.speaker_name, h.scope, h.text, s.id, s.provider, n.session, n.num, h.num, h.metadata"
    " FROM nodes n JOIN nodes h ON h.num = coalesce(n.home, n.num) JOIN sessions s ON s.num = h.session "
)


def row_of(node: Node, after: NodeId | None, session: int, key: int) -> Row:
    """A new message as a row of its own, behind the node `after`; `key` is its `message_key`."""
    return (
        session, node.id, None, key, node.parent, after, talks(node.origin, node.text), "", node.role,
        node.origin.value, node.at, node.speaker_id, node.speaker_name, node.scope,
        _metadata(own_metadata(node)), node.text,
    )  # fmt: skip


def copy_row(node: Node, after: NodeId | None, session: int, key: int, first: Row) -> Row:
    """A fork's copy as a row: its place, and the mark of the first copy, of which `first` is (num, mark)."""
    own = {name: value for name, value in own_metadata(node).items() if name.startswith("cut_")}
    home, mark = first
    return (
        session, node.id, home, key, node.parent, after, talks(node.origin, node.text), mark,
        None, None, None, None, None, None, _metadata(own), None,
    )  # fmt: skip


def node_of(row: Row) -> Node:
    """A selected row as a node; a copy has the words and the session of the first one."""
    metadata: dict[str, str] = {**_mapping(row[17]), **_mapping(row[4])}
    if row[3]:
        metadata[MARK] = row[3]
    return Node(
        id=NodeId(row[0]),
        session=SessionId(row[12]),
        provider=row[13],
        parent=row[1],
        role=row[5],
        origin=Origin(row[6]),
        text=row[11],
        at=row[7],
        speaker_id=row[8],
        speaker_name=row[9],
        scope=row[10],
        metadata=metadata,
        after=row[2],
    )


def own_metadata(node: Node) -> Mapping[str, str]:
    """The metadata that a log may bring: a mark is set by this program alone."""
    if MARK not in node.metadata:
        return node.metadata
    return {key: value for key, value in node.metadata.items() if key != MARK}


def _metadata(metadata: Mapping[str, str]) -> str | None:
    return orjson.dumps(dict(metadata)).decode() if metadata else None


def _mapping(text: str | None) -> Mapping[str, str]:
    return dict(orjson.loads(text)) if text else {}
