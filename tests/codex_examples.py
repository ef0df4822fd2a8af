"""Invented records of Codex rollouts for the examples and the laws about them."""

import json
from collections.abc import Iterable
from typing import Any

__all__ = [
    "CHILD",
    "ROOT",
    "answer",
    "asked",
    "back",
    "header",
    "record",
    "reply",
    "rollout",
    "shown",
    "turn",
]

ROOT = "0199d0a0-aaaa-7a01-8c00-0000000000aa"
CHILD = "0199d5b4-bbbb-7a02-8c00-0000000000bb"

Row = dict[str, Any]


def record(at: str, kind: str, **payload: object) -> Row:
    """A line of a rollout; `at` is a time of 1 June 2026, or a whole one."""
    return {"timestamp": at if "T" in at else f"2026-06-01T{at}Z", "type": kind, "payload": payload}


def header(at: str, name: str = ROOT, **more: object) -> Row:
    """The header of a thread."""
    base = {"id": name, "timestamp": record(at, "")["timestamp"], "cwd": "/w/shop", "source": "cli"}
    return record(at, "session_meta", **{**base, **more})


def asked(at: str, *texts: str, role: str = "user") -> Row:
    """A message as an item: of the user, unless another role is given."""
    content = [
        {"type": "output_text" if role == "assistant" else "input_text", "text": text} for text in texts
    ]
    return record(at, "response_item", type="message", role=role, content=content)


def shown(at: str, text: str) -> Row:
    """A message of the user as an event."""
    return record(at, "event_msg", type="user_message", message=text, images=[])


def reply(at: str, *texts: str) -> Row:
    """An answer as an item."""
    return asked(at, *texts, role="assistant")


def answer(at: str, text: str) -> Row:
    """An answer as an event."""
    return record(at, "event_msg", type="agent_message", message=text)


def turn(at: str, question: str, said: str) -> list[Row]:
    """A question and an answer in the same minute, each in both forms."""
    return [
        asked(f"{at}:00.010", question),
        shown(f"{at}:00.011", question),
        record(
            f"{at}:01.000", "response_item", type="function_call", name="exec", arguments="{}", call_id="c"
        ),
        record(f"{at}:02.000", "response_item", type="function_call_output", call_id="c", output="ok\n" * 3),
        answer(f"{at}:03.000", said),
        reply(f"{at}:03.001", said),
    ]


def back(at: str, turns: int) -> Row:
    """The last turns are taken back."""
    return record(at, "event_msg", type="thread_rolled_back", num_turns=turns)


def rollout(rows: Iterable[Row]) -> str:
    """Rows as the lines of a file."""
    return "".join(json.dumps(row, ensure_ascii=False, separators=(",", ":")) + "\n" for row in rows)
