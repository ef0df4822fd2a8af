"""The format `claude-ai`: `conversations.json` of Claude.ai's data export, or one conversation.

[{"uuid": "c1", "name": "Minutes", "updated_at": "2026-03-29T07:30:00Z", "chat_messages": [
  {"uuid": "m1", "sender": "human", "text": "", "content": [],
   "attachments": [{"file_name": "", "extracted_content": "Minutes: …"}],
   "parent_message_uuid": "00000000-0000-4000-8000-000000000000"},
  {"uuid": "m2", "sender": "assistant", "content": [{"type": "text", "text": "Got it."}],
   "parent_message_uuid": "m1"}]}]

The list is flat and holds edits and second tries too. The branch in use ends at
`current_leaf_message_uuid`, or, in an export, which has none, at the newest message that nothing
follows. In old exports no message names a parent: each follows the one that was written before it.

A long text that is pasted becomes an attachment without a name, or `paste.txt`: it is kept word for word
below what was typed, after the line `[pasted text]`. A file is named, `[file: minutes.pdf]`; what stands
in it nobody said.
"""

import re
from collections.abc import Iterator, Mapping
from hashlib import sha256
from types import MappingProxyType
from typing import Any

from attrs import field, frozen

from scriptorium_core.names import NodeId, SessionId
from scriptorium_core.sessions.graph import Node
from scriptorium_core.sources.frame import Origin

from ..items import Item, Sample, Skipped, Source
from ..moments import moment, sortable
from .snapshots import Snapshot, as_object, as_text, conversations, strange, turns

__all__ = ["CLAUDE_AI", "ClaudeAI"]

_PROVIDER = "claude-ai"
_ROOT = "00000000-0000-4000-8000-000000000000"
_ORIGINS: Mapping[str, Origin] = MappingProxyType({"human": Origin.HUMAN, "assistant": Origin.ASSISTANT})
_THOUGHT = frozenset(["thinking", "redacted_thinking", "token_budget", "flag"])
_OF_TOOLS = frozenset(["tool_use", "tool_result"])
_PICTURES = frozenset(["image", "document"])
_PASTE = re.compile(r"(?:paste(?:-[0-9]+)?\.txt)?")
_TRY = "; import conversations.json of the same export"
_PROJECT = f"a project of Claude.ai, not a conversation{_TRY}"
_OTHERS: tuple[tuple[frozenset[str], str], ...] = (
    (frozenset(["prompt_template"]), _PROJECT),
    (frozenset(["uuid", "docs"]), _PROJECT),
    (frozenset(["uuid", "email_address"]), f"the list of an account's users, not a conversation{_TRY}"),
    (frozenset(["conversations_memory"]), f"Claude's own memory of its user, not a conversation{_TRY}"),
    (frozenset(["project_memories"]), f"Claude's own memory of its user, not a conversation{_TRY}"),
)


class ClaudeAI:
    """The importer of Claude.ai's exports."""

    name = "claude-ai"

    def recognises(self, sample: Sample) -> bool:
        """A conversation, also half written; or another file of the export, to say what it is."""
        if sample.value is None:
            return '"chat_messages"' in sample.start
        row = as_object(sample.value)
        return "chat_messages" in row or bool(_other(row))

    def read(self, source: Source) -> Iterator[Item]:
        """The messages of all conversations, and where each of them stands."""
        return conversations(source, _conversation)


@frozen
class _Said:
    """The words of a message, whether tools have a part in it, and why something of it is left out."""

    text: str
    by_tools: bool = False
    faults: tuple[str, ...] = ()


@frozen
class _Message:
    """A message with its id, and the parent that it names; empty if it names none."""

    row: Mapping[str, Any]
    name: str
    parent: str
    said: _Said = field(repr=False)


def _conversation(value: object, line: int) -> Iterator[Item]:
    row = as_object(value)
    listed = row.get("chat_messages")
    if not isinstance(listed, list):
        yield Skipped(_other(row) or "not a conversation: it has no chat_messages", line)
        return
    rows = [item for item in listed if isinstance(item, dict)]
    for _ in range(len(listed) - len(rows)):
        yield Skipped("a message that is no object", line)
    messages: dict[str, _Message] = {}
    for item in rows:
        message = _message(item, messages)
        known = messages.setdefault(message.name, message)
        if known is not message and known != message:
            yield Skipped("a known id with another message", line)
        for fault in message.said.faults:
            yield Skipped(fault, line)
        if as_text(item.get("sender")) not in _ORIGINS:
            yield Skipped(strange("sender", item.get("sender")), line)
    parents = _parents(messages)
    session = as_text(row.get("uuid"))
    yield from turns(
        Snapshot(
            _PROVIDER,
            session,
            as_text(row.get("name")),
            {name: _node(message, SessionId(session), parents[name]) for name, message in messages.items()},
            {name: _changed(message.row) for name, message in messages.items()},
            as_text(row.get("current_leaf_message_uuid")),
            row.get("updated_at"),
        ),
        line,
    )


def _node(message: _Message, session: SessionId, above: str | None) -> Node:
    sender = as_text(message.row.get("sender"))
    origin = _ORIGINS.get(sender, Origin.HARNESS)
    talks = origin is not Origin.HARNESS
    if talks and message.said.by_tools and not message.said.text:
        origin = Origin.TOOL
    return Node(
        id=NodeId(message.name),
        session=session,
        provider=_PROVIDER,
        parent=NodeId(above) if above else None,
        role=sender or "system",
        origin=origin,
        text=message.said.text if talks else "",
        at=moment(message.row.get("created_at")),
    )


def _message(row: Mapping[str, Any], known: Mapping[str, _Message]) -> _Message:
    said = _said(row)
    name = as_text(row.get("uuid"))
    if not name:
        spoken = repr((as_text(row.get("sender")), moment(row.get("created_at")), said.text))
        name = "m-" + sha256(spoken.encode("utf-8", "surrogatepass")).hexdigest()[:32]
        while name in known:
            name += "+"
    return _Message(row, name, as_text(row.get("parent_message_uuid")), said)


def _parents(messages: Mapping[str, _Message]) -> dict[str, str | None]:
    """The parent of each message; one that names none follows the one that was written before it."""
    found: dict[str, str | None] = {}
    before: str | None = None
    # What is sorted keeps its order where the time is the same.
    for name in sorted(messages, key=lambda name: sortable(messages[name].row.get("created_at"))):
        parent = messages[name].parent or before
        found[name] = None if parent == _ROOT else parent
        before = name
    return found


def _changed(row: Mapping[str, Any]) -> str:
    return sortable(row.get("updated_at")) or sortable(row.get("created_at"))


def _said(row: Mapping[str, Any]) -> _Said:
    """The words of a message: its text blocks, or the text of one without, and what was pasted to it."""
    content = row.get("content")
    blocks = content if isinstance(content, list) else [content] if isinstance(content, str) else []
    kinds = {_kind(block) for block in blocks}
    by_tools = bool(kinds & _OF_TOOLS)
    typed = "\n\n".join(filter(None, map(_block_text, blocks)))
    if not typed and not (by_tools and row.get("sender") == "assistant"):
        # Beside tools, the text of an answer says only that a block cannot be shown.
        typed = as_text(row.get("text"))
    attached, faults = _attached(row.get("attachments"))
    given = (typed, *attached, *_files(row))
    strangers = sorted(kinds - _THOUGHT - _OF_TOOLS - _PICTURES - {"text"})
    reasons = (*(strange("block type", kind) for kind in strangers), *_unreadable(row, blocks), *faults)
    return _Said("\n\n".join(filter(None, given)), by_tools, reasons)


def _unreadable(row: Mapping[str, Any], blocks: list[Any]) -> Iterator[str]:
    """Why words may be lost that stand where something else is expected."""
    texts = [
        row.get("text"),
        *(block.get("text") for block in map(as_object, blocks) if _kind(block) == "text"),
    ]
    is_list = isinstance(row.get("content"), list | str | None)
    if not is_list or not all(isinstance(text, str | None) for text in texts):
        yield "a text that is something else"


def _kind(block: object) -> str:
    if isinstance(block, str):
        return "text"
    return as_text(as_object(block).get("type"))


def _block_text(block: object) -> str:
    """The words of a block of text; pictures are named; of a block that is not known nothing is taken."""
    kind = _kind(block)
    if kind in _PICTURES:
        return f"[{kind}]"
    if kind != "text":
        return ""
    return block if isinstance(block, str) else as_text(as_object(block).get("text"))


def _attached(attachments: object) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """What was pasted, and the names of files; and why the words of a file are left out."""
    texts: list[str] = []
    faults: list[str] = []
    for found in attachments if isinstance(attachments, list) else []:
        row = as_object(found)
        name, words = _name(row), as_text(row.get("extracted_content"))
        if words and _PASTE.fullmatch(name):
            texts.append(f"[pasted text]\n{words}")
        else:
            texts.append(f"[file: {name}]" if name else "[file]")
            faults.extend(["the content of an attached file, which nobody said"] if words else [])
    return tuple(texts), tuple(faults)


def _files(row: Mapping[str, Any]) -> Iterator[str]:
    """The other files that came with a message, each once."""
    listed = [row.get("files"), row.get("files_v2")]
    files = [as_object(file) for given in listed if isinstance(given, list) for file in given]
    yield from dict.fromkeys(f"[file: {_name(file)}]" if _name(file) else "[file]" for file in files)


def _name(file: Mapping[str, Any]) -> str:
    return " ".join(as_text(file.get("file_name")).split())


def _other(row: Mapping[str, Any]) -> str:
    """What another file of the export is, empty if it is none."""
    return next((what for keys, what in _OTHERS if keys <= row.keys()), "")


CLAUDE_AI = ClaudeAI()
