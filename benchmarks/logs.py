"""Logs of any size for the benchmarks, of realistic shape: most bytes are what tools put out."""

import json
from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, datetime, timedelta
from types import MappingProxyType
from typing import BinaryIO

__all__ = ["LOGS", "Made", "block_of"]

_MIB = 1024 * 1024
_ROOT = "0199d0a0-aaaa-7a01-8c00-0000000000aa"
_WORDS = (
    "greenhouse heater circuit larch oak budget ferry harbour violin saffron bicycle passport invoice".split()
)
_OUTPUT = "".join(
    f'src/{word}/{word}.ts:{line}:  const {word} = "{word}";\n' for line in range(9) for word in _WORDS
)

Made = tuple[str, Callable[[int, BinaryIO], None]]
"""The name of a file, and what writes one of at least so many MiB."""


def block_of(target: BinaryIO, size: int, start: int = 0) -> None:
    """Turns of a Codex rollout without a header, at least `size` bytes of them."""
    begun, number = target.tell(), start
    while target.tell() - begun < size:
        for row in _codex_turn(number):
            target.write(_line(row))
        number += 1


def _sentence(number: int, length: int = 12) -> str:
    return (
        " ".join(_WORDS[(number * 7 + place * place) % len(_WORDS)] for place in range(length))
        + f" {number}."
    )


def _time(number: int, part: int = 0) -> str:
    when = datetime(2026, 1, 1, tzinfo=UTC) + timedelta(seconds=number * 20 + part)
    return when.strftime("%Y-%m-%dT%H:%M:%S.000Z")


def _output(number: int) -> str:
    return _OUTPUT[: 2000 + number * 997 % (len(_OUTPUT) - 2000)]


def _line(row: object) -> bytes:
    return json.dumps(row, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"


def _lines(rows: Callable[[int], Iterator[object]], header: object = None) -> Callable[[int, BinaryIO], None]:
    def write(mib: int, target: BinaryIO) -> None:
        if header:
            target.write(_line(header))
        number = 0
        while target.tell() < mib * _MIB:
            for row in rows(number):
                target.write(_line(row))
            number += 1

    return write


def _codex_turn(number: int) -> Iterator[object]:
    def row(part: int, kind: str, **payload: object) -> object:
        return {"timestamp": _time(number, part), "type": kind, "payload": payload}

    def item(part: int, role: str, text: str) -> object:
        content = [{"type": "input_text" if role == "user" else "output_text", "text": text}]
        return row(part, "response_item", type="message", role=role, content=content)

    asked, said = _sentence(number), _sentence(number + 1, 40)
    yield row(0, "turn_context", cwd="/w/shop", model="m", approval_policy="on-request")
    yield item(1, "user", asked)
    yield row(1, "event_msg", type="user_message", message=asked, images=[])
    for call in range(5):
        name = f"call_{number}_{call}"
        yield row(2, "response_item", type="reasoning", summary=[], encrypted_content="gAAA" * 300)
        yield row(
            3,
            "response_item",
            type="function_call",
            name="exec_command",
            arguments='{"cmd":"rg x"}',
            call_id=name,
        )
        yield row(
            4, "response_item", type="function_call_output", call_id=name, output=_output(number + call)
        )
        yield row(5, "event_msg", type="token_count", info={"total_token_usage": {"input_tokens": number}})
    yield row(6, "event_msg", type="agent_message", message=said)
    yield item(6, "assistant", said)


def _claude_code_turn(number: int) -> Iterator[object]:
    above = f"n{number - 1}-end" if number else None

    def row(kind: str, name: str, content: object, part: int) -> object:
        nonlocal above
        message = {
            "role": kind,
            "content": content,
            **({"id": name, "model": "m"} if kind == "assistant" else {}),
        }
        base = {
            "type": kind,
            "uuid": name,
            "parentUuid": above,
            "sessionId": "s1",
            "timestamp": _time(number, part),
        }
        above = name
        return {
            **base,
            "cwd": "/w/shop",
            "version": "2.1.81",
            "isSidechain": False,
            "userType": "external",
            "message": message,
        }

    yield row("user", f"n{number}-ask", _sentence(number), 0)
    for call in range(5):
        name = f"n{number}-{call}"
        use = {"type": "tool_use", "id": name, "name": "Bash", "input": {"command": "rg x"}}
        yield row("assistant", name, [use], 1)
        result = {"type": "tool_result", "tool_use_id": name, "content": _output(number + call)}
        yield row("user", name + "r", [result], 2)
    yield row("assistant", f"n{number}-end", [{"type": "text", "text": _sentence(number + 1, 40)}], 3)


def _pi_turn(number: int) -> Iterator[object]:
    above = f"{number - 1:07x}e" if number else None

    def row(name: str, message: Mapping[str, object], part: int) -> object:
        nonlocal above
        parent, above = above, name
        return {
            "type": "message",
            "id": name,
            "parentId": parent,
            "timestamp": _time(number, part),
            "message": message,
        }

    yield row(f"{number:07x}a", {"role": "user", "content": _sentence(number)}, 0)
    for call in range(5):
        use = [{"type": "toolCall", "id": f"c{call}", "name": "bash", "arguments": {"command": "rg x"}}]
        yield row(f"{number:06x}c{call}", {"role": "assistant", "content": use}, 1)
        text = [{"type": "text", "text": _output(number + call)}]
        result = {"role": "toolResult", "toolCallId": f"c{call}", "toolName": "bash", "content": text}
        yield row(f"{number:06x}d{call}", result, 2)
    yield row(
        f"{number:07x}e",
        {"role": "assistant", "content": [{"type": "text", "text": _sentence(number + 1, 40)}]},
        3,
    )


def _list_turn(number: int) -> Iterator[object]:
    yield {"role": "user", "content": _sentence(number)}
    for call in range(5):
        function = {"name": "bash", "arguments": "{}"}
        calls = [{"id": f"c{number}-{call}", "type": "function", "function": function}]
        yield {"role": "assistant", "content": None, "tool_calls": calls}
        yield {"role": "tool", "tool_call_id": f"c{number}-{call}", "content": _output(number + call)}
    yield {"role": "assistant", "content": _sentence(number + 1, 40)}


def _native_turn(number: int) -> Iterator[object]:
    for part, row in enumerate(_list_turn(number)):
        assert isinstance(row, dict)
        text = row["content"] or ""
        yield {
            "session": "s1",
            "id": f"n{number}-{part}",
            "role": row["role"],
            "text": text,
            "at": _time(number, part),
        }


def _chats(mib: int, target: BinaryIO, chat: Callable[[int], object]) -> None:
    number = 0
    while target.tell() < mib * _MIB:
        target.write((b",\n" if number else b"[") + _line(chat(number)).rstrip())
        number += 1
    target.write(b"]\n")


def _chatgpt(number: int) -> object:
    mapping: dict[str, object] = {"root": {"id": "root", "message": None, "parent": None, "children": []}}
    above = "root"
    for part in range(40):
        name, role = f"{number}-{part}", ("user", "tool", "assistant")[part % 3]
        text = _output(number + part) if role == "tool" else _sentence(number + part, 30)
        content = {"content_type": "text", "parts": [text]}
        message = {
            "id": name,
            "author": {"role": role},
            "create_time": 1.7e9 + number * 99 + part,
            "content": content,
        }
        mapping[name] = {"id": name, "parent": above, "children": [], "message": message}
        above = name
    return {
        "id": f"c{number}",
        "title": "Work",
        "update_time": 1.7e9 + number * 99,
        "current_node": above,
        "mapping": mapping,
    }


def _claude_ai(number: int) -> object:
    messages, above = [], "00000000-0000-4000-8000-000000000000"
    for part in range(20):
        name, sender = f"{number}-{part}", ("human", "assistant")[part % 2]
        blocks: list[object] = [{"type": "text", "text": _sentence(number + part, 30)}]
        if sender == "assistant":
            blocks.insert(
                0, {"type": "tool_result", "content": [{"type": "text", "text": _output(number + part)}]}
            )
        base = {
            "uuid": name,
            "sender": sender,
            "text": "",
            "content": blocks,
            "created_at": _time(number, part),
        }
        messages.append({**base, "parent_message_uuid": above})
        above = name
    return {
        "uuid": f"c{number}",
        "name": "",
        "created_at": _time(number),
        "updated_at": _time(number),
        "chat_messages": messages,
    }


def _transcript(mib: int, target: BinaryIO) -> None:
    number = 0
    while target.tell() < mib * _MIB:
        target.write(f"Mara: {_sentence(number)}\nAssistant: {_output(number)}\n".encode())
        number += 1


LOGS: Mapping[str, Made] = MappingProxyType(
    {
        "native": ("log.jsonl", _lines(_native_turn)),
        "codex": (
            f"rollout-2026-01-01T00-00-00-{_ROOT}.jsonl",
            _lines(
                _codex_turn,
                {"timestamp": _time(0), "type": "session_meta", "payload": {"id": _ROOT, "cwd": "/w"}},
            ),
        ),
        "claude-code": ("s1.jsonl", _lines(_claude_code_turn)),
        "pi": ("s1.jsonl", _lines(_pi_turn, {"type": "session", "version": 3, "id": "s1", "cwd": "/w"})),
        "openai": ("log.jsonl", _lines(_list_turn)),
        "chatgpt": ("conversations.json", lambda mib, target: _chats(mib, target, _chatgpt)),
        "claude-ai": ("conversations.json", lambda mib, target: _chats(mib, target, _claude_ai)),
        "transcript": ("talk.md", _transcript),
    }
)
