"""The format `gemini`: the chats of Gemini CLI, `~/.gemini/tmp/<project>/chats/session-<time>-<id>.jsonl`.

{"sessionId": "…", "projectHash": "…", "startTime": "…", "kind": "main"}
{"id": "m1", "timestamp": "…", "type": "user", "content": [{"text": "…"}], "displayContent": "…"}
{"id": "m2", "timestamp": "…", "type": "gemini", "content": "…", "toolCalls": […], "tokens": {…}}
{"$set": {"lastUpdated": "…"}}           the session is told anew
{"$rewindTo": "m1"}                      this message and all behind it are taken back

A message comes again, in full, whenever something of it changes; its words do not. What `$set` gives as
`messages` is what the model is sent from then on, after a compression a summary: only where no message came
before are they the conversation. Before version 0.30 a chat was one document with its `messages`. Of a user's
message, `displayContent` is what the person typed; what hooks added stands in `<hook_context>`.
"""

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from attrs import define, field

from scriptorium_core.names import NodeId, SessionId
from scriptorium_core.sessions.graph import Node
from scriptorium_core.sources.frame import Origin

from ..items import Head, Item, Key, Passed, Replaced, Sample, Skipped, Source, Torn, Turn
from ..moments import moment
from ..records import Record, json_elements, json_lines
from .snapshots import as_object, as_text

__all__ = ["GEMINI", "Gemini"]

_PROVIDER = "gemini"
_HOOKED = re.compile(r"\s*<hook_context>.*?</hook_context>", re.DOTALL)
_DOCUMENT = b"{"  # the whole first line of a document, and of no log


@define
class _Chat:
    """A chat as far as it was read: the parent of each message that is known, and where the head is."""

    source: Source
    session: str = ""
    subagent: bool = False
    above: dict[str, str | None] = field(factory=dict)
    head: str | None = None

    @property
    def key(self) -> Key:
        return Key(_PROVIDER, self.session)

    @property
    def state(self) -> str:
        return json.dumps([self.session, self.subagent])

    def go_on(self, state: str) -> None:
        """Take up a log where it was left."""
        self.session, self.subagent = json.loads(state)
        self._recall()

    def begin(self, header: Mapping[str, Any]) -> None:
        """What stands in a header; a log is of one session."""
        self.subagent = header.get("kind", "subagent" if self.subagent else "") == "subagent"
        if not self.session:
            self.session = as_text(header.get("sessionId"))
            self._recall()

    def rewound(self, name: str, line: int) -> Iterator[Item]:
        """The head before a message that was taken back; of one that is not known, the whole chat was."""
        self.head = self.above.get(name)
        if self.head is not None:
            yield Head(self.key, NodeId(self.head), None, line)

    def said(self, message: object, line: int) -> Iterator[Item]:
        """A message, the first time that it comes."""
        row = as_object(message)
        name, kind = as_text(row.get("id")), row.get("type")
        if not name or kind not in ("user", "gemini"):
            return
        if not self.session:
            yield Skipped("no session", line)
            return
        if name in self.above:
            return
        person = Origin.AGENT if self.subagent else Origin.HUMAN
        node = Node(
            id=NodeId(name),
            session=SessionId(self.session),
            provider=_PROVIDER,
            parent=NodeId(self.head) if self.head else None,
            role="user" if kind == "user" else "assistant",
            origin=person if kind == "user" else Origin.ASSISTANT,
            text=_typed(row) if kind == "user" else _words(row.get("content")),
            at=moment(row.get("timestamp")),
        )
        self.above[name], self.head = self.head, name
        yield Turn(self.key, node, line)

    def _recall(self) -> None:
        self.head = self.source.head_of(_PROVIDER, self.session)
        for node in self.source.nodes_of(_PROVIDER, self.session) if self.session else ():
            self.above[node.id] = node.parent


class Gemini:
    """The importer of the chats of Gemini CLI."""

    name = "gemini"

    def recognises(self, sample: Sample) -> bool:
        """A first value, whole or half written, with a session and the hash of a project."""
        if sample.value is None:
            return '"sessionId"' in sample.start and '"projectHash"' in sample.start
        return isinstance(sample.value, dict) and {"sessionId", "projectHash"} <= sample.value.keys()

    def read(self, source: Source) -> Iterator[Item]:
        """The messages of a chat, and where it was rewound."""
        chat = _Chat(source)
        if source.state:
            chat.go_on(source.state)
        source.file.seek(0)
        if source.file.readline().strip() == _DOCUMENT:
            yield from _document(chat)
            return
        for record in json_lines(source.file, source.position, source.line):
            if record.torn:
                yield Torn(record.line)
                return
            yield from _record(chat, record)
            yield Passed(record.end, record.line, chat.state)


def _document(chat: _Chat) -> Iterator[Item]:
    """A chat in one document, which is written anew with each message."""
    chat.source.file.seek(0)
    for record in json_elements(chat.source.file):
        if record.torn:
            yield Torn(record.line)
            return
        yield from _record(chat, record)
    yield Passed(chat.source.file.tell(), 0, chat.state)


def _record(chat: _Chat, record: Record) -> Iterator[Item]:
    if record.replaced:
        yield Replaced(record.line)
    if record.fault or not isinstance(record.value, dict):
        yield Skipped(record.fault or "not an object", record.line)
        return
    row: Mapping[str, Any] = record.value
    if isinstance(row.get("$rewindTo"), str):
        yield from chat.rewound(row["$rewindTo"], record.line)
    elif isinstance(row.get("id"), str):
        yield from chat.said(row, record.line)
    else:
        header = as_object(row.get("$set", row))
        chat.begin(header)
        messages = header.get("messages")
        # A document holds all of them each time; in a log, what comes later is not what was said.
        if isinstance(messages, list) and ("$set" not in row or not chat.above):
            for message in messages:
                yield from chat.said(message, record.line)


def _typed(row: Mapping[str, Any]) -> str:
    shown = _words(row.get("displayContent"))
    return _HOOKED.sub("", shown or _words(row.get("content"))).strip()


def _words(content: object) -> str:
    """The text of a text, a part, or a list of parts; thoughts are none."""
    if isinstance(content, str):
        return content
    parts = content if isinstance(content, list) else [content]
    rows = (part if isinstance(part, str) else as_object(part) for part in parts)
    texts = (
        row if isinstance(row, str) else "" if row.get("thought") else as_text(row.get("text"))
        for row in rows
    )
    return "\n\n".join(text for text in texts if text)


GEMINI = Gemini()
