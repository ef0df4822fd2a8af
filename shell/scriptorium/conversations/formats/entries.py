"""The entries of a session of Pi or OpenClaw as nodes: their place in the tree, and who says what.

{"type": "session", "version": 3, "id": UUID, "timestamp": ISO, "cwd": PATH, "parentSession": PATH}
{"type": "message", "id": "a1b2c3d4", "parentId": null, "timestamp": ISO, "message": {"role": "user", …}}
{"type": "label", "id": "b2c3d4e5", "parentId": "a1b2c3d4", "timestamp": ISO, "targetId": …, "label": …}

The id of an entry is its own, unique in its session. An entry without one (version 1 had none) gets a
hash of the id before it and of what it says: the program itself draws ids at random when it opens such
a log, and what was imported before must then be found again under the ids that it has.

A fork copies entries with their ids, but no labels, and hangs what stood below a label elsewhere: below
the label's parent, or still below the label, which is then nowhere. So nothing hangs below a label here.
"""

import json
import re
from collections.abc import Callable, Iterator, Mapping
from hashlib import sha256
from pathlib import PurePath
from types import MappingProxyType
from typing import Any

from attrs import define, evolve, field, frozen

from scriptorium_core.names import NodeId, SessionId
from scriptorium_core.sessions.graph import Node
from scriptorium_core.sources.frame import Origin

from ..items import BLANK, Head, Item, Key, Linked, Passed, Replaced, Sample, Skipped, Source, Torn, Turn
from ..moments import moment, sortable
from ..records import first_value, json_lines

__all__ = ["Header", "Said", "Thread", "Voice", "begins_log", "header_of", "lines", "words"]

_HOMES = frozenset((".openclaw", ".clawdbot", ".moltbot"))
_DERIVED = "v1-"
_MANY = 50
_HEADER = re.compile(r'\{\s*"type"\s*:\s*"session"\s*[,}]')
_ID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){0,3}(?:-[0-9a-f]{12})?")
_ORIGINS: Mapping[str, Origin] = MappingProxyType(
    {
        "user": Origin.HUMAN,
        "assistant": Origin.ASSISTANT,
        "toolResult": Origin.TOOL,
        "bashExecution": Origin.TOOL,
        "custom": Origin.HARNESS,
        "branchSummary": Origin.SUMMARY,
        "compactionSummary": Origin.SUMMARY,
    }
)
_KINDS: Mapping[str, Origin] = MappingProxyType(
    {
        "compaction": Origin.SUMMARY,
        "branch_summary": Origin.SUMMARY,
        "model_change": Origin.HARNESS,
        "thinking_level_change": Origin.HARNESS,
        "custom": Origin.HARNESS,
        "custom_message": Origin.HARNESS,
        "session_info": Origin.HARNESS,
    }
)
# Version 3 has another word for it; opening an old log rewrites it.
_RENAMED: Mapping[str, str] = MappingProxyType({"hookMessage": "custom"})
_SPOKEN = frozenset([Origin.HUMAN, Origin.ASSISTANT])


@frozen
class Header:
    """The first line of a log; what it does not say is empty. `parent` is the path of the forked log."""

    id: str = ""
    cwd: str | None = None
    at: str = ""
    parent: str = ""


@frozen
class Said:
    """What a message really holds: who speaks, and the words without what the program put around them."""

    origin: Origin
    text: str
    speaker_name: str = ""
    speaker_id: str | None = None


Voice = Callable[[Said, Mapping[str, Any]], Said]
"""What one program's habits make of a message: as it looks by its role, and the message itself."""


@define
class Thread:
    """A session on its way: where its tip is, and which ids of the log stand for other ones.

    `other` is the id of the session that it was forked from, `spawned_by` of the one whose agent began it;
    `known` are the ids that were derived for entries of this session before.
    """

    key: Key
    header: Header
    voice: Voice
    other: str = ""
    spawned_by: str = ""
    known: frozenset[str] = frozenset()
    last: NodeId | None = None
    stand_for: dict[str, NodeId | None] = field(factory=dict)
    copied: set[NodeId] | None = field(init=False)

    def __attrs_post_init__(self) -> None:
        self.copied = set() if self.header.parent else None

    def restore(self, state: Mapping[str, Any]) -> bool:
        """Take up a `state`; False if the log has to be read from its start for what it does not hold."""
        match state:
            case {"last": str() | None as last, "for": dict(found)}:
                self.last = NodeId(last) if last else None
                self.stand_for = {name: NodeId(node) if node else None for name, node in found.items()}
                self.copied = None
                return True
            case _:
                return False

    @property
    def state(self) -> Mapping[str, Any]:
        """What to go on with, small; empty where it would not be."""
        if self.known or self.copied is not None or len(self.stand_for) > _MANY:
            return {}
        return {"last": self.last, "for": self.stand_for}

    def items(self, entry: object, line: int, at: str = "") -> Iterator[Item]:
        """What one entry gives; `at` is its time if it has none itself."""
        if not isinstance(entry, dict):
            yield Skipped("not an object", line)
            return
        match entry.get("type"):
            case "session":
                if entry.get("id", self.header.id) != self.header.id:
                    yield Skipped("the header of another session", line)
            case "label":
                yield from self._label(entry, line)
            case "message":
                yield from self._message(entry, line, at)
            case str(kind):
                yield from self._turn(entry, kind, Said(_KINDS.get(kind, Origin.HARNESS), ""), line, at)
                if kind not in _KINDS:
                    yield Skipped(f"an unknown record type '{kind[:40]}'", line)
            case _:
                yield Skipped("not an entry: no type", line)

    def _message(self, entry: Mapping[str, Any], line: int, at: str) -> Iterator[Item]:
        message = entry.get("message")
        role = message.get("role") if isinstance(message, dict) else None
        if not isinstance(message, dict) or not isinstance(role, str):
            yield Skipped("a message without a role", line)
            return
        role = _RENAMED.get(role, role)
        said = self.voice(_spoken(role, message), message)
        yield from self._turn(entry, role, said, line, at or moment(message.get("timestamp")))
        if role not in _ORIGINS:
            yield Skipped(f"an unknown role '{role[:40]}'", line)

    def _turn(self, entry: Mapping[str, Any], role: str, said: Said, line: int, at: str) -> Iterator[Item]:
        own = moment(entry.get("timestamp"))
        parent = self._parent(entry, own)
        node = self._id(entry, parent, [role, said.text, own])
        is_first, self.last = self.last is None, node
        if self.copied is not None:
            self.copied.add(node)
        if entry.get("type") == "session_info" and isinstance(entry.get("name"), str):
            self.key = evolve(self.key, title=entry["name"].strip())
        yield Turn(
            self.key,
            Node(
                id=node,
                session=SessionId(self.key.id),
                provider=self.key.provider,
                parent=parent,
                role=role,
                origin=said.origin,
                text=said.text if said.origin in _SPOKEN else "",
                at=own or at,
                speaker_id=said.speaker_id,
                speaker_name=said.speaker_name,
                scope=self.header.cwd,
                metadata=_metadata(entry),
            ),
            line,
        )
        if is_first and self.other:
            yield Linked(self.key, "forked_from", self.other, line)
        if is_first and self.spawned_by:
            yield Linked(self.key, "spawned_by", self.spawned_by, line)

    def _label(self, entry: Mapping[str, Any], line: int) -> Iterator[Head]:
        """A label is no message; but where it hangs is where the conversation goes on."""
        above = self._parent(entry, moment(entry.get("timestamp")))
        if isinstance(entry.get("id"), str):
            self.stand_for[entry["id"]] = above
        if above != self.last and above is not None:
            yield Head(self.key, above, None, line)
        self.last = above

    def _parent(self, entry: Mapping[str, Any], at: str) -> NodeId | None:
        if "parentId" not in entry:
            return self.last
        given = entry["parentId"]
        if not isinstance(given, str) or not given:
            return None
        if self.copied is not None and (not at or sortable(at) >= sortable(self.header.at)):
            self.copied = None  # what is no older than the fork was not copied
        if given in self.stand_for:
            return self.stand_for[given]
        was_label = self.copied is not None and given not in self.copied
        return self.last if was_label else NodeId(given)

    def _id(self, entry: Mapping[str, Any], parent: NodeId | None, says: list[str]) -> NodeId:
        given = entry.get("id")
        if isinstance(given, str) and given and not self.known:
            return NodeId(given)
        chained = json.dumps([parent or "", entry.get("type"), *says])
        derived = NodeId(_DERIVED + sha256(chained.encode()).hexdigest()[:32])
        if not isinstance(given, str) or not given:
            return derived
        if derived not in self.known:
            return NodeId(given)
        self.stand_for[given] = derived
        return derived


def begins_log(sample: Sample) -> bool:
    """Whether a file begins with a header, whole or half written, or, if that is lost, with an entry."""
    match sample.value:
        case {"type": "session", **rest}:
            return not rest.keys().isdisjoint(("id", "cwd", "version"))
        case {"type": "message", "message": {"role": str()}, "id": str(name), "parentId": str() | None}:
            return _ID.fullmatch(name) is not None
        case None:
            return _HEADER.match(sample.start.lstrip(BLANK)) is not None
        case _:
            return False


def header_of(value: object) -> Header:
    """The header that a record is; empty if it is none."""
    if not isinstance(value, dict) or value.get("type") != "session":
        return Header()
    return Header(
        _text(value.get("id")),
        _project(_text(value.get("cwd"))),
        moment(value.get("timestamp")),
        _text(value.get("parentSession")) or _text(value.get("branchedFrom")),
    )


def _project(folder: str) -> str | None:
    """The project directory; an agent that works in its own home, as OpenClaw does, is in none."""
    return folder if folder and _HOMES.isdisjoint(PurePath(folder).parts) else None


def lines(source: Source, begun: Callable[[Header], Thread]) -> Iterator[Item]:
    """The items of a log of JSON lines; `begun` makes the thread of the session with that header."""
    thread = begun(header_of(first_value(source.file)))
    derived = (node.id for node in source.nodes_of(thread.key.provider, thread.key.id))
    if not source.position or not thread.restore(_state(source.state)):
        thread.known = frozenset(node for node in derived if node.startswith(_DERIVED))
        for record in json_lines(source.file) if source.position else ():
            # The last record that was taken can have got its line break since.
            if record.end > source.position + len("\r\n"):
                break
            for _ in thread.items(record.value, record.line):
                pass  # all of it is taken; only what the thread remembers of it is wanted
    for record in json_lines(source.file, source.position, source.line):
        if record.torn:
            yield Torn(record.line)
            return
        if record.replaced:
            yield Replaced(record.line)
        if record.fault:
            yield Skipped(record.fault, record.line)
        else:
            yield from thread.items(record.value, record.line)
        yield Passed(record.end, record.line, json.dumps(thread.state))


def words(content: object) -> str:
    """The words of a message: a string, or blocks of text and images; thoughts and calls are none."""
    if isinstance(content, str):
        return content
    blocks = content if isinstance(content, list) else []
    return "\n".join(text for text in map(_block, blocks) if text)


def _block(block: object) -> str:
    match block:
        case str():
            return block
        case {"type": "text", "text": str(text)}:
            return text
        case {"type": "image"}:
            return "[image]"
        case _:
            return ""


def _spoken(role: str, message: Mapping[str, Any]) -> Said:
    origin, content = _ORIGINS.get(role, Origin.HARNESS), message.get("content")
    text = words(content) if origin in _SPOKEN else ""
    # A turn that only calls tools says nothing.
    calls = isinstance(content, list) and any(
        isinstance(block, dict) and block.get("type") == "toolCall" for block in content
    )
    return Said(Origin.TOOL if calls and not text.strip() else origin, text)


def _metadata(entry: Mapping[str, Any]) -> Mapping[str, str]:
    message = entry.get("message")
    model = message.get("model") if isinstance(message, dict) else None
    return {"model": model} if isinstance(model, str) and model else {}


def _state(text: str) -> Mapping[str, Any]:
    try:
        state = json.loads(text)
    except ValueError:
        return {}
    return state if isinstance(state, dict) else {}


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""
