"""A row of a message list as a message, in whatever dialect it is written.

{"role": "user", "content": "…"}                              {"from": "human", "value": "…"}
{"type": "response_item", "payload": {"role": …}}             {"role": "user", "message": {"content": […]}}
{"type": "message", "id": …, "parentId": …, "message": {…}}   {"type": "function_call", "call_id": …}

What lies around a message (`payload`, `message`) says what it does not say itself: its time, its role.
"""

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Any

from attrs import frozen

from scriptorium_core.sources.frame import Origin

from ..moments import moment
from .native import ORIGINS

__all__ = ["LISTS", "Message", "content_text", "message_of", "named"]

LISTS = ("conversations", "conversation", "history", "items")
"""Keys under which an object can hold its list, beside `messages`."""

_ROLES: Mapping[str, Origin] = MappingProxyType(
    {
        **ORIGINS,
        "gpt": Origin.ASSISTANT,
        "bot": Origin.ASSISTANT,
        "chatbot": Origin.ASSISTANT,
        "toolresult": Origin.TOOL,
        "tool_result": Origin.TOOL,
    }
)
_AROUND = ("payload", "message")
_DEPTH = 3
_SPEAKS = ("sender", "from", "author", "speaker", "type")
_SAYS = ("content", "text", "value", "body", "message", "parts")
_TIMES = ("timestamp", "created_at", "createdAt", "create_time", "created", "time", "date", "ts")
_NAMES = ("session_id", "conversation_id", "thread_id", "sessionId", "conversationId", "threadId")
_PARENTS = ("parentId", "parent_id", "parentUuid", "parent")
_CALLS = frozenset(
    ["function_call", "custom_tool_call", "local_shell_call", "tool_use", "tool-call", "toolCall"]
)
_RESULTS = frozenset(["function_call_output", "custom_tool_call_output", "tool_result", "tool-result"])
_THOUGHTS = frozenset(["reasoning", "thinking", "redacted_thinking"])


@frozen
class Message:
    """A message: its role as given, where it comes from, its words, and the ids of its tool calls.

    `id` and `parent` are those that the row gives; `follows` says that it names no parent at all.
    """

    role: str
    origin: Origin
    text: str
    tools: tuple[str, ...] = ()
    at: str = ""
    name: str = ""
    model: str = ""
    id: str = ""
    parent: str = ""
    follows: bool = True


def message_of(row: object) -> Message | str:
    """The message of a row, or why there is none; an empty reason where there is nothing to miss."""
    if not isinstance(row, dict):
        return "not a message: no role"
    whole = _unwrapped(row)
    kind = _text(whole.get("type"))
    if kind in _THOUGHTS and "role" not in whole:
        return ""
    if kind in _CALLS | _RESULTS and "role" not in whole:
        role = "assistant" if kind in _CALLS else "tool"
        return _message(whole, role, Origin.TOOL, _ids([whole]))
    role = _text(whole.get("role")) or _role(map(whole.get, _SPEAKS))
    if role.lower() not in _ROLES:
        return "an unknown role" if role else "not a message: no role"
    return _message(whole, role, _ROLES[role.lower()], _tools(whole))


def named(row: Mapping[Any, Any]) -> str:
    """The session that a row, or an object with a list, names; empty if none."""
    return next((name for name in map(_unwrapped(row).get, _NAMES) if isinstance(name, str) and name), "")


def content_text(content: object) -> str:
    """The words of a message: a string as it is, the parts of a list one a line, other things named."""
    if isinstance(content, str):
        return content
    parts = content if isinstance(content, list) else [content]
    return "\n".join(text for text in map(_part_text, parts) if text)


def _message(whole: Mapping[str, Any], role: str, origin: Origin, tools: tuple[str, ...]) -> Message:
    text = content_text(next((whole[key] for key in _SAYS if whole.get(key) is not None), None))
    name = _text(whole.get("name"))
    parents = [key for key in _PARENTS if key in whole]
    return Message(
        role,
        # A turn that only calls tools, or brings what they gave, says nothing.
        Origin.TOOL if tools and not text.strip() else origin,
        text,
        tools,
        next(filter(None, (moment(whole.get(key)) for key in _TIMES)), ""),
        name if origin is Origin.HUMAN else "",
        _text(whole.get("model")),
        _text(whole.get("uuid")) or _text(whole.get("id")),
        _text(whole.get(parents[0])) if parents else "",
        not parents,
    )


def _unwrapped(row: Mapping[str, Any]) -> Mapping[str, Any]:
    whole = row
    for _ in range(_DEPTH):
        inner = next((whole[key] for key in _AROUND if isinstance(whole.get(key), dict)), None)
        if inner is None:
            return whole
        around = {key: value for key, value in whole.items() if key not in _AROUND}
        # The id that other rows name as their parent is that of the row.
        own = {key for key in ("id", "uuid") if key in around}
        whole = around | {key: value for key, value in inner.items() if key not in own}
    return whole


def _role(speakers: Iterable[object]) -> str:
    """The first that is a role, of things that can be a name, a role, or an object with one."""
    named = (_text(value.get("role")) if isinstance(value, dict) else _text(value) for value in speakers)
    return next((name for name in named if name.lower() in _ROLES), "")


def _tools(whole: Mapping[str, Any]) -> tuple[str, ...]:
    calls, content = whole.get("tool_calls"), whole.get("content")
    blocks = content if isinstance(content, list) else []
    called = whole.get("function_call")
    found = [*_ids(calls if isinstance(calls, list) else ())]
    found += [_text(whole.get("tool_call_id"))]
    found += [_text(called.get("name"))] if isinstance(called, dict) else []
    found += _ids(block for block in blocks if _kind(block) in _CALLS | _RESULTS)
    return tuple(name for name in found if name)


def _ids(calls: Iterable[object]) -> tuple[str, ...]:
    keys = ("id", "call_id", "tool_use_id", "toolCallId", "name")
    found = (
        next((_text(call.get(key)) for key in keys if _text(call.get(key))), "")
        for call in calls
        if isinstance(call, dict)
    )
    return tuple(name for name in found if name)


def _part_text(part: object) -> str:
    if _kind(part) in _THOUGHTS:
        return ""
    match part:
        case str():
            return part
        case {"text": str(text)} | {"refusal": str(text)}:
            return text
        case {"image_url": {"url": str(url)}} | {"image_url": str(url)}:
            return "[image]" if url.startswith("data:") else f"[image: {url}]"
        case {"parts": [*parts]}:
            return content_text(parts)
        case {"content_type": "image_asset_pointer", "asset_pointer": str(pointer)}:
            return f"[image: {pointer}]"
        case {"type": "image"}:
            return "[image]"
        case {"file": {"filename": str(name)}} | {"type": "input_file", "filename": str(name)}:
            return f"[file: {name}]"
        case _:
            return ""


def _kind(part: object) -> str:
    return _text(part.get("type")) if isinstance(part, dict) else ""


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""
