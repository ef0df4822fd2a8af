"""Records of Claude Code for the examples and the laws, and what a store made of them."""

import json
from pathlib import Path
from typing import Any

from scriptorium.conversations.importing import import_path
from scriptorium.conversations.linking import SessionLink, links_from
from scriptorium.conversations.reports import Report
from scriptorium.conversations.store import Session, Store
from scriptorium.conversations.unwritten import waiting
from scriptorium_core.names import WorkspaceId
from scriptorium_core.sessions.graph import Node

__all__ = [
    "NOW", "Row", "answer", "boundary", "call", "error", "held", "jsonl", "links", "node", "parents",
    "person", "progress", "record", "result", "summary", "take", "words",
]  # fmt: skip

NOW = "2026-05-03T10:00:00+00:00"

Row = dict[str, Any] | str
"""A record, or a line as it stands."""


def record(type: str, uuid: str, parent: str | None, at: str = "", **more: Any) -> dict[str, Any]:
    """A record of the tree in session `S1`; `at` is a time of one day, as `09:00:01`."""
    return {
        "parentUuid": parent, "isSidechain": False, "userType": "external", "cwd": "/home/p/app",
        "sessionId": "S1", "version": "2.1.81", "gitBranch": "main", "type": type, "uuid": uuid,
        "timestamp": f"2026-05-02T{at or '09:00:00'}.000Z", **more,
    }  # fmt: skip


def person(
    uuid: str, parent: str | None, content: object = None, at: str = "", **more: Any
) -> dict[str, Any]:
    """What a person typed, or what stands in their place; `says <uuid>` unless content is given."""
    said = f"says {uuid}" if content is None else content
    return record("user", uuid, parent, at, message={"role": "user", "content": said}, **more)


def answer(uuid: str, parent: str | None, text: str = "", at: str = "", **more: Any) -> dict[str, Any]:
    """What the assistant answered."""
    return _from_model(uuid, parent, {"type": "text", "text": text or f"answers {uuid}"}, at, **more)


def call(uuid: str, parent: str | None, at: str = "", **more: Any) -> dict[str, Any]:
    """A call of a tool."""
    block = {"type": "tool_use", "id": f"toolu_{uuid}", "name": "Bash", "input": {"command": "ls"}}
    return _from_model(uuid, parent, block, at, **more)


def result(
    uuid: str, parent: str | None, content: object = "ok", at: str = "", **more: Any
) -> dict[str, Any]:
    """What a tool gave back."""
    block = {"type": "tool_result", "tool_use_id": f"toolu_{parent}", "content": content}
    return person(uuid, parent, [block], at, toolUseResult={"stdout": content}, **more)


def error(uuid: str, parent: str | None, at: str = "", **more: Any) -> dict[str, Any]:
    """An error of the provider in place of an answer."""
    made = answer(uuid, parent, "API Error: 529 overloaded", at, isApiErrorMessage=True, **more)
    made["message"]["model"] = "<synthetic>"
    return made


def progress(uuid: str, parent: str | None, at: str = "") -> dict[str, Any]:
    """What a hook was at."""
    return record("progress", uuid, parent, at, data={"type": "hook_progress", "hookEvent": "PostToolUse"})


def boundary(uuid: str, above: str | None, at: str = "", **more: Any) -> dict[str, Any]:
    """Where a conversation was compacted below `above`."""
    return record(
        "system", uuid, None, at, subtype="compact_boundary", logicalParentUuid=above,
        content="Conversation compacted", compactMetadata={"trigger": "auto", "preTokens": 9}, **more,
    )  # fmt: skip


def summary(uuid: str, parent: str | None, at: str = "", **more: Any) -> dict[str, Any]:
    """What a compaction put in place of the conversation."""
    text = "This session is being continued from a previous conversation. They said something."
    return person(uuid, parent, text, at, isCompactSummary=True, isVisibleInTranscriptOnly=True, **more)


def jsonl(*rows: Row) -> str:
    """Rows as lines; text stays as it is."""
    return "".join(
        row if isinstance(row, str) else json.dumps(row, ensure_ascii=False) + "\n" for row in rows
    )


def take(store: Store, log: Path, *rows: Row) -> Report:
    """Append lines to a log, and import it."""
    log.parent.mkdir(parents=True, exist_ok=True)
    with log.open("a", encoding="utf-8") as file:
        file.write(jsonl(*rows))
    return import_path(store, log, now=NOW)


def held(store: Store, name: str = "S1") -> Session:
    """The session of this name."""
    found = store.get("claude-code", name)
    assert found is not None
    return found


def node(store: Store, name: str, session: str = "S1") -> Node:
    """The node of this id."""
    return next(found for found in store.nodes(held(store, session)) if found.id == name)


def parents(store: Store, session: str = "S1") -> dict[str, str | None]:
    """The parent of each node."""
    return {found.id: found.parent for found in store.nodes(held(store, session))}


def words(store: Store, session: str = "S1") -> list[tuple[str, str]]:
    """The text and the branch of each message that would enter memory."""
    found = waiting(store, held(store, session), WorkspaceId("w-1"), lambda _: False)
    return [(item.node.text, item.branch) for item in found if item.write]


def links(store: Store, session: str) -> tuple[SessionLink, ...]:
    """Where a session came from."""
    return links_from(store, held(store, session))


def _from_model(uuid: str, parent: str | None, block: dict[str, Any], at: str, **more: Any) -> dict[str, Any]:
    message = {
        "id": more.pop("message_id", f"msg_{uuid}"), "type": "message", "role": "assistant",
        "model": "claude-x", "content": [block], "stop_reason": None,
    }  # fmt: skip
    return record("assistant", uuid, parent, at, requestId=f"req_{uuid}", message=message, **more)
