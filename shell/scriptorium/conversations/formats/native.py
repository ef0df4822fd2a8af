"""The format `native`: JSON lines, one node a line, as `core/FORMAT.md` describes it.

{"session": "s1", "id": "n1", "role": "user", "text": "My train is at 7:40."}
{"session": "s1", "id": "n2", "role": "assistant", "text": "I will remind you."}
{"session": "s1", "head": "n1"}                     the head moves: a rewind, or another branch
"""

import json
from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Any

from scriptorium_core.names import NodeId, SessionId
from scriptorium_core.sessions.graph import CUT, Node
from scriptorium_core.sessions.pending import MARK
from scriptorium_core.sources.frame import Origin

from ..items import BLANK, Head, Item, Key, Passed, Replaced, Sample, Skipped, Source, Torn, Turn
from ..moments import moment
from ..records import Record, json_lines

__all__ = ["NATIVE", "ORIGINS", "Native"]

ORIGINS: Mapping[str, Origin] = MappingProxyType(
    {
        "user": Origin.HUMAN,
        "human": Origin.HUMAN,
        "assistant": Origin.ASSISTANT,
        "ai": Origin.ASSISTANT,
        "model": Origin.ASSISTANT,
        "tool": Origin.TOOL,
        "function": Origin.TOOL,
        "system": Origin.HARNESS,
        "developer": Origin.HARNESS,
    }
)
"""Where a message comes from whose role alone is known."""

_PROVIDER = "native"
_NO_TURNS = "a head of a session that has no turns"
_ORIGINS: Mapping[str, Origin] = MappingProxyType({origin.value: origin for origin in Origin})
_OWN = frozenset([MARK, CUT])
_AS_METADATA = (("speaker_kind", "speaker_kind"), ("tier", "authority_tier"), ("trust", "trust_state"))


class Native:
    """The importer of the native format."""

    name = "native"

    def recognises(self, sample: Sample) -> bool:
        """A first line, whole or half written, that is an object with a session, and an id or a head."""
        value = sample.value
        if value is None:
            return sample.start.lstrip(BLANK).startswith("{") and '"session"' in sample.start
        return isinstance(value, dict) and "session" in value and ("id" in value or "head" in value)

    def read(self, source: Source) -> Iterator[Item]:
        """The nodes and head moves of a log; a node without `parent` follows the head of its session."""
        heads: dict[Key, NodeId | None] = {}
        for record in json_lines(source.file, source.position, source.line):
            if record.torn:
                yield Torn(record.line)
                return
            if record.replaced:
                yield Replaced(record.line)
            item = _item(record, heads, source)
            if isinstance(item, Turn) and item.head:
                heads[item.session] = item.node.id
            elif isinstance(item, Head):
                heads[item.session] = item.head or heads[item.session]
            yield item
            yield Passed(record.end, record.line)


def _item(record: Record, heads: dict[Key, NodeId | None], source: Source) -> Turn | Head | Skipped:
    if record.fault:
        return Skipped(record.fault, record.line)
    row = record.value
    if not isinstance(row, dict):
        return Skipped("not an object", record.line)
    session = row.get("session")
    if not isinstance(session, str) or not session:
        return Skipped("no session", record.line)
    key = Key(_text(row.get("provider")) or _PROVIDER, session, _text(row.get("title")))
    if key not in heads:
        heads[key] = source.head_of(key.provider, key.id)
    if "id" in row:
        return _turn(row, key, record.line, heads[key])
    # What moves the head of nothing is left out here, so that nothing follows a head that is not kept.
    return _moved(row, key, record.line) if heads[key] else Skipped(_NO_TURNS, record.line)


def _turn(row: Mapping[str, Any], key: Key, line: int, head: NodeId | None) -> Turn | Skipped:
    name, text = row["id"], row.get("text", "")
    if not isinstance(name, str) or not name:
        return Skipped("no id", line)
    if not isinstance(text, str):
        return Skipped("the text is not a string", line)
    parent = row.get("parent", head)
    if not isinstance(parent, str | None):
        return Skipped("the parent is not a string", line)
    role = _text(row.get("role"))
    origin = _origin(row.get("origin", ORIGINS.get(role)))
    if origin is None:
        return Skipped("neither a known role nor a known origin", line)
    node = Node(
        id=NodeId(name),
        session=SessionId(key.id),
        provider=key.provider,
        parent=NodeId(parent) if parent else None,
        role=role or origin.value,
        origin=origin,
        text=text,
        at=moment(row.get("at")),
        speaker_id=_text(row.get("speaker_id")) or None,
        speaker_name=_text(row.get("speaker")),
        scope=_text(row.get("scope")) or None,
        metadata=_metadata(row),
    )
    return Turn(key, node, line, head is None or row.get("head") is not False)


def _moved(row: Mapping[str, Any], key: Key, line: int) -> Head | Skipped:
    head, live = row.get("head"), row.get("live")
    if head is None and live is None and not key.title:
        return Skipped("neither an id nor a head", line)
    listed = tuple(NodeId(node) for node in live if isinstance(node, str)) if isinstance(live, list) else None
    return Head(key, NodeId(head) if isinstance(head, str) and head else None, listed, line)


def _origin(value: object) -> Origin | None:
    return _ORIGINS.get(value) if isinstance(value, str) else None


def _metadata(row: Mapping[str, Any]) -> Mapping[str, str]:
    given = row.get("metadata")
    found = {key: _string(value) for key, value in given.items()} if isinstance(given, dict) else {}
    named = {own: text for key, own in _AS_METADATA if (text := _text(row.get(key)))}
    return {key: value for key, value in (found | named).items() if key not in _OWN}


def _string(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""


NATIVE = Native()
