"""The format `openai`: message lists without ids, as a document, or as JSON lines.

A list is `[{"role", "content"}, …]` or an object with it under `messages`; a document may be a list of
such lists. A line is a list, or one message of the conversation that the file holds, or of the one that
it names (`session_id`, `conversation_id`).

Ids are a chain: the id of a message is a hash of the id before it, the role, the words and the tools.
So a longer list of the same conversation adds what is new, two equal messages in one list stay
two, and a list that differs from some message on is another branch of the same session. A session
without a name is named by its first message that is no instruction of the harness.
"""

import json
from collections.abc import Iterator, Mapping
from hashlib import sha256
from typing import Any, BinaryIO

from attrs import define, evolve, field

from scriptorium_core.names import NodeId, SessionId
from scriptorium_core.sessions.graph import Node
from scriptorium_core.sources.frame import Origin

from ..items import BLANK, Item, Key, Passed, Replaced, Sample, Skipped, Source, Torn, Turn
from ..moments import moment
from ..records import Record, json_elements, json_lines
from .native import ORIGINS

__all__ = ["OPENAI", "OpenAI", "content_text"]

_PROVIDER = "openai"
_NAMES = ("session_id", "conversation_id", "thread_id")
_TIMES = ("timestamp", "created_at", "create_time")
_SAYS = frozenset(["content", "tool_calls"])


class OpenAI:
    """The importer of message lists."""

    name = "openai"

    def recognises(self, sample: Sample) -> bool:
        """A message, a list of messages, or an object that holds one."""
        value = sample.value
        if isinstance(value, list):
            return any(_is_message(item) for item in value[:50])
        if isinstance(value, dict):
            return _is_message(value) or isinstance(value.get("messages"), list)
        # A document, or a first line, that is still half written.
        return (
            value is None
            and sample.start.lstrip(BLANK).startswith(("[", "{"))
            and any(key in sample.start for key in ('"role"', '"messages"'))
        )

    def read(self, source: Source) -> Iterator[Item]:
        """The turns of all lists in order."""
        return _lines(source) if source.position or _in_lines(source.file) else _document(source)


@define
class _Chain:
    """A conversation on its way: turns wait until its first message of talk has named the session."""

    name: str = ""
    title: str = ""
    tip: NodeId | None = None
    waiting: list[tuple[Node, int]] = field(factory=list)

    def add(self, node: Node, line: int) -> Iterator[Turn]:
        self.tip = node.id
        self.waiting.append((node, line))
        if not self.name and node.origin is not Origin.HARNESS:
            self.name = "c-" + node.id.removeprefix("m-")
        if self.name:
            key = Key(_PROVIDER, self.name, self.title)
            for waited, its_line in self.waiting:
                yield Turn(key, evolve(waited, session=SessionId(self.name)), its_line)
            self.waiting = []

    def end(self) -> Iterator[Skipped]:
        for _, line in self.waiting:
            yield Skipped("no talk in the list", line)


def _lines(source: Source) -> Iterator[Item]:
    chains: dict[str, _Chain] = {}
    for record in json_lines(source.file, source.position, source.line):
        if record.torn:
            yield Torn(record.line)
            return
        if record.replaced:
            yield Replaced(record.line)
        if isinstance(record.value, dict) and "messages" not in record.value:
            yield from _message(record.value, _chain_of(record.value, chains, source), record.line)
        else:
            yield from _whole(record, source.session)
        if not any(chain.waiting for chain in chains.values()):
            yield Passed(record.end, record.line, chains[""].name if "" in chains else source.state)


def _chain_of(row: Mapping[str, Any], chains: dict[str, _Chain], source: Source) -> _Chain:
    """The conversation that one message goes on: the one that it names, or that of the file."""
    name = _named(row) or source.session
    if name not in chains:
        stored = name or source.state
        chains[name] = _Chain(stored, tip=source.head_of(_PROVIDER, stored) if stored else None)
    return chains[name]


def _document(source: Source) -> Iterator[Item]:
    chain, line = _Chain(source.session), 0
    source.file.seek(0)
    for record in json_elements(source.file):
        line = record.line
        if record.torn:
            yield Torn(line)
            return
        if record.replaced:
            yield Replaced(line)
        if isinstance(record.value, dict) and "messages" not in record.value:
            yield from _message(record.value, chain, line)
        else:
            yield from _whole(record, source.session)
    yield from chain.end()
    yield Passed(source.file.tell(), line)


def _whole(record: Record, session: str) -> Iterator[Item]:
    """A whole list in one record."""
    match record.value:
        case {"messages": [*rows], **rest}:
            title = rest.get("title")
            chain = _Chain(_named(rest) or session, title if isinstance(title, str) else "")
        case [*rows]:
            chain = _Chain(session)
        case _:
            yield Skipped(record.fault or "neither a message nor a list of messages", record.line)
            return
    for row in rows:
        yield from _message(row, chain, record.line)
    yield from chain.end()


def _message(row: object, chain: _Chain, line: int) -> Iterator[Item]:
    if not isinstance(row, dict) or not isinstance(row.get("role"), str):
        yield Skipped("not a message: no role", line)
    elif row["role"] not in ORIGINS:
        yield Skipped("an unknown role", line)
    else:
        yield from chain.add(_node(row, chain.tip), line)


def _node(row: Mapping[str, Any], above: NodeId | None) -> Node:
    role, text, tools = row["role"], content_text(row.get("content")), _tools(row)
    origin = ORIGINS[role]
    spoken = json.dumps([above or "", role, text, tools])
    name = row.get("name")
    return Node(
        id=NodeId("m-" + sha256(spoken.encode()).hexdigest()[:32]),
        session=SessionId(""),
        provider=_PROVIDER,
        parent=above,
        role=role,
        # A turn that only calls tools says nothing.
        origin=Origin.TOOL if tools and not text.strip() else origin,
        text=text,
        at=next(filter(None, (moment(row.get(key)) for key in _TIMES)), ""),
        speaker_name=name if isinstance(name, str) and origin is Origin.HUMAN else "",
    )


def content_text(content: object) -> str:
    """The words of a message: a string as it is, the parts of a list one a line, other things named."""
    if isinstance(content, str):
        return content
    parts = content if isinstance(content, list) else []
    return "\n".join(text for text in map(_part_text, parts) if text)


def _part_text(part: object) -> str:
    match part:
        case str():
            return part
        case {"text": str(text)}:
            return text
        case {"refusal": str(text)}:
            return text
        case {"image_url": {"url": str(url)}} | {"image_url": str(url)}:
            return "[image]" if url.startswith("data:") else f"[image: {url}]"
        case _:
            return ""


def _tools(row: Mapping[str, Any]) -> list[str]:
    calls = row.get("tool_calls")
    found = [call.get("id") for call in calls if isinstance(call, dict)] if isinstance(calls, list) else []
    return [name for name in (*found, row.get("tool_call_id")) if isinstance(name, str)]


def _named(row: Mapping[Any, Any]) -> str:
    names = (row.get(key) for key in _NAMES)
    return next((name for name in names if isinstance(name, str) and name), "")


def _is_message(value: object) -> bool:
    return isinstance(value, dict) and value.get("role") in ORIGINS and bool(_SAYS & value.keys())


def _in_lines(file: BinaryIO) -> bool:
    """Whether a file is JSON lines: its first line is whole, and a list is not alone."""
    records = json_lines(file)
    first, second = next(records, None), next(records, None)
    return first is not None and (
        isinstance(first.value, dict) or (first.value is not None and second is not None)
    )


OPENAI = OpenAI()
