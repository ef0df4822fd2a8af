"""The format `chatgpt`: `conversations.json` of ChatGPT's data export, a part of it, or one conversation.

[{"id": "c1", "title": "Paint", "update_time": 1767229200.5, "current_node": "k2", "mapping": {
  "root": {"parent": null, "message": null},
  "k1": {"parent": "root", "message": {"id": "m1", "author": {"role": "user"}, "content": {…}}},
  "k2": {"parent": "k1", "message": {"id": "m2", "author": {"role": "assistant"}, "content": {…}}}}}]

A conversation is a tree. Its nodes are known by the id of their message, which a later export repeats; a
node without one, by its key. An edit and a second try of an answer are siblings, and the branch in use
ends at `current_node`, or else at the newest message that nothing follows. The root without a message is
no message: newer exports name it otherwise. Another node without one keeps its place and has no words.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from scriptorium_core.names import NodeId, SessionId
from scriptorium_core.sessions.graph import Node
from scriptorium_core.sources.frame import Origin

from ..items import Item, Sample, Skipped, Source
from ..moments import moment, sortable
from .chatgpt_words import Said, said
from .snapshots import Snapshot, as_object, as_text, conversations, turns

__all__ = ["CHATGPT", "ChatGPT"]

_PROVIDER = "chatgpt"


class ChatGPT:
    """The importer of ChatGPT's exports."""

    name = "chatgpt"

    def recognises(self, sample: Sample) -> bool:
        """A conversation with a mapping, or the beginning of one that is half written or very long."""
        if sample.value is None:
            return '"mapping"' in sample.start
        row = as_object(sample.value)
        return isinstance(row.get("mapping"), dict) or {"mapping", "current_node"} <= row.keys()

    def read(self, source: Source) -> Iterator[Item]:
        """The messages of all conversations, and where each of them stands."""
        return conversations(source, _conversation)


def _conversation(value: object, line: int) -> Iterator[Item]:
    row = as_object(value)
    mapping = row.get("mapping")
    if not isinstance(mapping, dict):
        yield Skipped("not a conversation: it has no mapping", line)
        return
    entries = {key: entry for key, entry in mapping.items() if isinstance(entry, dict)}
    for _ in range(len(mapping) - len(entries)):
        yield Skipped("a node that is no object", line)
    parents = _parents(entries)
    bare = {key for key, entry in entries.items() if entry.get("message") is None and parents[key] is None}
    ids = _ids({key: entry for key, entry in entries.items() if key not in bare})
    session = as_text(row.get("conversation_id")) or as_text(row.get("id"))
    nodes: dict[str, Node] = {}
    for key, name in ids.items():
        message, above = entries[key].get("message"), parents[key]
        spoken = said(message) if isinstance(message, dict) else Said(Origin.HARNESS)
        if message is not None and not isinstance(message, dict):
            yield Skipped("a message that is no object", line)
        for fault in spoken.faults:
            yield Skipped(fault, line)
        parent = None if above is None or above in bare else ids.get(above, above)
        nodes[name] = _node(NodeId(name), SessionId(session), parent, as_object(message), spoken)
    current = as_text(row.get("current_node"))
    yield from turns(
        Snapshot(
            _PROVIDER,
            session,
            as_text(row.get("title")),
            nodes,
            {name: sortable(node.at) for name, node in nodes.items()},
            ids.get(current, current),
            row.get("update_time"),
        ),
        line,
    )


def _node(
    name: NodeId, session: SessionId, above: str | None, message: Mapping[str, Any], spoken: Said
) -> Node:
    model = as_text(as_object(message.get("metadata")).get("model_slug"))
    return Node(
        id=name,
        session=session,
        provider=_PROVIDER,
        parent=NodeId(above) if above else None,
        role=as_text(as_object(message.get("author")).get("role")) or "system",
        origin=spoken.origin,
        text=spoken.text,
        at=moment(message.get("create_time")),
        metadata={"model": model} if model else {},
    )


def _parents(entries: Mapping[str, Mapping[str, Any]]) -> dict[str, str | None]:
    """The key of the parent of each node: the one that it names, or the one that names it as a child."""
    named: dict[str, str] = {}
    for key, entry in entries.items():
        below = entry.get("children")
        for child in below if isinstance(below, list) else []:
            if isinstance(child, str):
                named.setdefault(child, key)
    return {key: as_text(entry.get("parent")) or named.get(key) for key, entry in entries.items()}


def _ids(entries: Mapping[str, Mapping[str, Any]]) -> dict[str, str]:
    """The id of each node by its key: that of its message, or its key if it has none of its own."""
    found: dict[str, str] = {}
    taken: set[str] = set()
    for key, entry in entries.items():
        name = as_text(as_object(entry.get("message")).get("id"))
        if not name or name in taken:
            name = key
        while not name or name in taken:
            name = f"node {name}"
        found[key] = name
        taken.add(name)
    return found


CHATGPT = ChatGPT()
