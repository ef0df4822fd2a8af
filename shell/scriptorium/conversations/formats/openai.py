"""The format `openai`: message lists without ids, as a document, or as JSON lines.

A list is `[{"role", "content"}, …]` or an object with it under `messages`; a document may be a list of
such lists. A line is a list, or one message of the conversation that the file holds, or of the one that
it names (`session_id`, `conversation_id`). Messages come in several dialects (`openai_rows`).

Ids are a chain: the id of a message is a hash of the id before it, the role, the words and the tools.
So a longer list of the same conversation adds what is new, two equal messages in one list stay
two, and a list that differs from some message on is another branch of the same session. A message whose
row names the row above it hangs there. A session without a name is named by its first message that is no
instruction of the harness. Where the session is known, the words of an instruction are not hashed: clients
write a date or what they remember into it each time, and what was said stays the same.
"""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from hashlib import sha256
from typing import Any, BinaryIO, cast

from attrs import define, evolve, field

from scriptorium_core.names import NodeId, SessionId
from scriptorium_core.sessions.graph import Node
from scriptorium_core.sources.frame import Origin

from ..items import BLANK, Item, Key, Passed, Replaced, Sample, Skipped, Source, Torn, Turn
from ..records import Record, json_elements, json_lines
from .openai_rows import LISTS, Message, message_of, named

__all__ = ["OPENAI", "OpenAI"]

_PROVIDER = "openai"
_GIVEN = "id"
_BEGINNINGS = ('"role"', '"messages"', '"conversations"', '"from"')


class OpenAI:
    """The importer of message lists."""

    name = "openai"

    def recognises(self, sample: Sample) -> bool:
        """A message, a list of messages, or an object that holds one."""
        value = sample.value
        if isinstance(value, list):
            return _is_list(value)
        if isinstance(value, dict):
            return _is_message(value) or _rows(value) is not None
        # A document, or a first line, that is still half written.
        return (
            value is None
            and sample.start.lstrip(BLANK).startswith(("[", "{"))
            and any(key in sample.start for key in _BEGINNINGS)
        )

    def read(self, source: Source) -> Iterator[Item]:
        """The turns of all lists in order."""
        return _lines(source) if source.position or _in_lines(source.file) else _document(source)


@define
class _Chain:
    """A conversation on its way: turns wait until its first message of talk has named the session.

    `stored` gives the nodes of the session where reading goes on; they are asked for only if a row names
    one above it that did not come just before.
    """

    name: str = ""
    title: str = ""
    tip: NodeId | None = None
    stored: Callable[[str, str], Iterable[Node]] | None = None
    ids: dict[str, NodeId] = field(factory=dict)
    waiting: list[tuple[Node, int]] = field(factory=list)

    def add(self, message: Message, line: int) -> Iterator[Turn]:
        node = _node(message, self._above(message), bool(self.name))
        if message.id:
            self.ids[message.id] = node.id
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

    def _above(self, message: Message) -> NodeId | None:
        if message.follows:
            return self.tip
        if not message.parent:
            return None
        if message.parent not in self.ids and self.stored and self.name:
            nodes, self.stored = self.stored(_PROVIDER, self.name), None
            given = {node.metadata[_GIVEN]: node.id for node in nodes if _GIVEN in node.metadata}
            self.ids = given | self.ids
        # A row above that is nowhere is a gap: the order of the list bridges it.
        return self.ids.get(message.parent, self.tip)


def _lines(source: Source) -> Iterator[Item]:
    chains: dict[str, _Chain] = {}
    for record in json_lines(source.file, source.position, source.line):
        if record.torn:
            yield Torn(record.line)
            return
        if record.replaced:
            yield Replaced(record.line)
        if isinstance(record.value, dict) and _rows(record.value) is None:
            yield from _message(record.value, _chain_of(record.value, chains, source), record.line)
        else:
            yield from _whole(record, source.session)
        if not any(chain.waiting for chain in chains.values()):
            yield Passed(record.end, record.line, chains[""].name if "" in chains else source.state)


def _chain_of(row: Mapping[str, Any], chains: dict[str, _Chain], source: Source) -> _Chain:
    """The conversation that one message goes on: the one that it names, or that of the file."""
    name = named(row) or source.session
    if name not in chains:
        stored = name or source.state
        tip = source.head_of(_PROVIDER, stored) if stored else None
        chains[name] = _Chain(stored, tip=tip, stored=source.nodes_of if tip else None)
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
        if isinstance(record.value, dict) and _rows(record.value) is None:
            yield from _message(record.value, chain, line)
        else:
            yield from _whole(record, source.session)
    yield from chain.end()
    yield Passed(source.file.tell(), line)


def _whole(record: Record, session: str) -> Iterator[Item]:
    """A whole list in one record."""
    about = record.value if isinstance(record.value, dict) else {}
    rows = record.value if isinstance(record.value, list) else _rows(about)
    if rows is None:
        yield Skipped(record.fault or "neither a message nor a list of messages", record.line)
        return
    title = about.get("title")
    chain = _Chain(named(about) or session, title if isinstance(title, str) else "")
    for row in rows:
        yield from _message(row, chain, record.line)
    yield from chain.end()


def _message(row: object, chain: _Chain, line: int) -> Iterator[Item]:
    match message_of(row):
        case Message() as message:
            yield from chain.add(message, line)
        case "":
            return
        case reason:
            yield Skipped(reason, line)


def _node(message: Message, above: NodeId | None, is_named: bool) -> Node:
    # In a tree the same words may stand twice below one message: what tells them apart is their own id.
    own = [] if message.follows or not message.id else [message.id]
    words = "" if is_named and message.origin is Origin.HARNESS else message.text
    spoken = json.dumps([above or "", message.role, words, message.tools, *own])
    given = {_GIVEN: message.id} if message.id else {}
    return Node(
        id=NodeId("m-" + sha256(spoken.encode()).hexdigest()[:32]),
        session=SessionId(""),
        provider=_PROVIDER,
        parent=above,
        role=message.role,
        origin=message.origin,
        # What tools gave and what a program was told is no talk: it has a place, and no words.
        text=message.text if message.origin in (Origin.HUMAN, Origin.ASSISTANT) else "",
        at=message.at,
        speaker_name=message.name,
        metadata=given | ({"model": message.model} if message.model else {}),
    )


def _rows(value: Mapping[str, Any]) -> list[object] | None:
    """The list that an object holds; None if it holds none."""
    if isinstance(value.get("messages"), list):
        return cast("list[object]", value["messages"])
    return next((rows for rows in map(value.get, LISTS) if isinstance(rows, list) and _is_list(rows)), None)


def _is_list(rows: list[object]) -> bool:
    return any(_is_message(row) or (isinstance(row, dict) and "messages" in row) for row in rows[:50])


def _is_message(value: object) -> bool:
    """Whether a row has a role and says something or calls a tool; a role alone is not enough."""
    message = message_of(value)
    return isinstance(message, Message) and bool(message.text or message.tools or _is_blank(value))


def _is_blank(value: object) -> bool:
    return isinstance(value, dict) and not {"content", "tool_calls"}.isdisjoint(value)


def _in_lines(file: BinaryIO) -> bool:
    """Whether a file is JSON lines: its first line is whole, and a list is not alone."""
    records = json_lines(file)
    first, second = next(records, None), next(records, None)
    return first is not None and (
        isinstance(first.value, dict) or (first.value is not None and second is not None)
    )


OPENAI = OpenAI()
