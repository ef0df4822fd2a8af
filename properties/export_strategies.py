"""Strategies for exports of accounts: trees that grow from export to export, and documents with damage."""

import json
from collections.abc import Mapping
from typing import Any

from hypothesis import strategies as st

from strategies import awkward_texts

__all__ = ["FORMATS", "anything", "damaged", "document", "growing"]

FORMATS = ("chatgpt", "claude-ai")
_NOON = 1767268800
_ROOT = "00000000-0000-4000-8000-000000000000"
_ROLES = ("user", "assistant")
_KEYS = (
    "mapping", "message", "parent", "children", "author", "role", "content", "parts", "content_type", "text",
    "id", "create_time", "metadata", "weight", "current_node", "chat_messages", "uuid", "sender",
    "parent_message_uuid", "attachments", "extracted_content", "files", "type", "created_at", "updated_at",
)  # fmt: skip


@st.composite
def growing(draw: st.DrawFn, format: str) -> list[list[dict[str, Any]]]:
    """Exports of one account, the oldest first; in each its chats have a few messages more."""
    chats = [draw(_chat(name)) for name in draw(st.sampled_from((["c1"], ["c1", "c2"])))]
    sizes = draw(st.lists(st.integers(1, 7), min_size=1, max_size=3).map(sorted))
    return [[_export(format, chat, size) for chat in chats] for size in sizes]


def document(exports: list[dict[str, Any]], indent: int | None = None) -> bytes:
    """An export as the bytes of its file."""
    return json.dumps(exports, indent=indent, ensure_ascii=False).encode()


@st.composite
def damaged(draw: st.DrawFn, value: Any) -> Any:
    """A document in which anything may stand where something else is expected."""
    if draw(st.integers(0, 9)) == 0:
        return draw(anything())
    if isinstance(value, dict):
        items = [(key, draw(damaged(each))) for key, each in value.items()]
        return dict(draw(st.permutations(items)))
    return [draw(damaged(each)) for each in value] if isinstance(value, list) else value


def anything() -> st.SearchStrategy[Any]:
    """Any small JSON value, with the keys of the formats in it."""
    plain = st.none() | st.booleans() | st.integers() | st.floats() | awkward_texts()
    return st.recursive(
        plain,
        lambda each: st.lists(each, max_size=3) | st.dictionaries(st.sampled_from(_KEYS), each, max_size=4),
        max_leaves=6,
    )


@st.composite
def _chat(draw: st.DrawFn, name: str) -> Mapping[str, Any]:
    """A chat as it will be in the end: messages in the order in which they came, each with its parent."""
    count = draw(st.integers(1, 7))
    messages = [
        {
            "name": f"{name}-{index}",
            "parent": None if index == 0 else draw(st.none() | st.integers(0, index - 1)),
            "text": draw(awkward_texts()),
            "role": draw(st.sampled_from(_ROLES)),
            "is_timed": draw(st.booleans()),
        }
        for index in range(count)
    ]
    # Where the reader of the chat stood when an export was made.
    stood = [draw(st.none() | st.integers(0, index)) for index in range(count)]
    return {"name": name, "messages": messages, "stood": stood}


def _export(format: str, chat: Mapping[str, Any], size: int) -> dict[str, Any]:
    """The chat as an export has it that was made after its first `size` messages."""
    messages = chat["messages"][:size]
    stood = chat["stood"][len(messages) - 1]
    title = f"with {len(messages)}"
    if format == "claude-ai":
        return {
            "uuid": chat["name"],
            "name": title,
            "updated_at": f"2026-01-01T12:{len(messages):02}:30Z",
            "chat_messages": [_claude(index, messages) for index in range(len(messages))],
            "current_leaf_message_uuid": None if stood is None else messages[stood]["name"],
        }
    mapping = {f"k{index}": _chatgpt(index, messages) for index in range(len(messages))}
    return {
        "id": chat["name"],
        "title": title,
        "update_time": _NOON + 60 * len(messages) + 30,
        "current_node": None if stood is None else f"k{stood}",
        "mapping": mapping | {"root": {"id": "root", "message": None, "parent": None, "children": []}},
    }


def _chatgpt(index: int, messages: list[dict[str, Any]]) -> dict[str, Any]:
    found = messages[index]
    said = {
        "id": found["name"],
        "author": {"role": found["role"]},
        "create_time": _NOON + 60 * index + 0.25 if found["is_timed"] else None,
        "content": {"content_type": "text", "parts": [found["text"]]},
    }
    parent = "root" if found["parent"] is None else f"k{found['parent']}"
    return {"id": f"k{index}", "message": said, "parent": parent, "children": []}


def _claude(index: int, messages: list[dict[str, Any]]) -> dict[str, Any]:
    found = messages[index]
    time = f"2026-01-01T12:{index:02}:00Z"
    return {
        "uuid": found["name"],
        "sender": "human" if found["role"] == "user" else "assistant",
        "text": "" if found["is_timed"] else found["text"],
        "content": [{"type": "text", "text": found["text"]}] if found["is_timed"] else [],
        "created_at": time,
        "updated_at": time,
        "attachments": [{"file_name": "", "extracted_content": found["text"]}] if index % 3 == 1 else [],
        "parent_message_uuid": _ROOT if found["parent"] is None else messages[found["parent"]]["name"],
    }
