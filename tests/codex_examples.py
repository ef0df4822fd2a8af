"""Invented records of Codex rollouts for the examples and the laws about them."""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from scriptorium.conversations.linking import links_from
from scriptorium.conversations.store import Session, Store
from scriptorium.conversations.unwritten import waiting
from scriptorium_core.names import WorkspaceId
from scriptorium_core.sessions.graph import Node

__all__ = [
    "BEGUN",
    "CHILD",
    "FORK",
    "HARNESS",
    "OURS",
    "PARENT",
    "ROOT",
    "Row",
    "answer",
    "asked",
    "back",
    "branches",
    "copied",
    "head_text",
    "header",
    "held",
    "links",
    "nodes",
    "record",
    "reply",
    "rollout",
    "shown",
    "texts",
    "turn",
    "wait",
    "written",
]

ROOT = "0199d0a0-aaaa-7a01-8c00-0000000000aa"
CHILD = "0199d5b4-bbbb-7a02-8c00-0000000000bb"
OURS = WorkspaceId("w-1")

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


def written(folder: Path, rows: Iterable[Row], name: str = ROOT, tail: str = "") -> Path:
    """A rollout file of these rows, and of what stands after them."""
    path = folder / f"rollout-2026-06-01T10-00-00-{name}.jsonl"
    path.write_text(rollout(rows) + tail)
    return path


def held(store: Store, session: str = ROOT) -> Session:
    found = store.get("codex", session)
    assert found is not None
    return found


def nodes(store: Store, session: str = ROOT) -> list[Node]:
    return list(store.nodes(held(store, session)))


def texts(store: Store, session: str = ROOT) -> list[str]:
    return [node.text for node in nodes(store, session)]


def branches(store: Store, session: str = ROOT) -> dict[str, str]:
    found = waiting(store, held(store, session), OURS, lambda _: False)
    return {item.node.text: item.branch for item in found if item.write}


def links(store: Store) -> list[tuple[str, str]]:
    return [(link.kind, link.other) for link in links_from(store, held(store, CHILD))]


def head_text(store: Store, session: str = ROOT) -> str:
    head = held(store, session).head
    return next(node.text for node in nodes(store, session) if node.id == head)


HARNESS = [
    "<environment_context>\n  <cwd>/w/shop</cwd>\n</environment_context>",
    "# AGENTS.md instructions for /w/shop\n\n<INSTRUCTIONS>\nYou are Marlow.\n</INSTRUCTIONS>",
    "<user_instructions>\n\nYou are Marlow, " + "a terse engineer. " * 900 + "\n\n</user_instructions>",
    "<turn_aborted>\nThe user interrupted the turn.\n</turn_aborted>",
    "<skill>\n<name>deploy</name>\nRun it.\n</skill>",
    '<subagent_notification>\n{"agent_id": "x"}\n</subagent_notification>',
    '<hook_prompt hook_run_id="7">Check it.</hook_prompt>',
    "<user_shell_command>\n<command>ls</command>\n</user_shell_command>",
    "Another language model started to solve this problem and produced a summary of its thinking process.",
]

PARENT = [
    header("10:00:00.000"),
    *turn("10:01", "Prices are in cents.", "Noted."),
    *turn("10:05", "Round up.", "Done."),
]


def copied(rows: list[Row], at: str = "14:00:00") -> list[Row]:
    return [{**row, "timestamp": f"2026-06-01T{at}.{n:03}Z"} for n, row in enumerate(rows, 1)]


FORK = [
    header("14:00:00.000", CHILD, forked_from_id=ROOT),
    *copied(PARENT),
    record("14:00:00.500", "event_msg", type="thread_settings_applied"),
    *turn("14:03", "Add a EUR column.", "Added."),
]

BEGUN = [
    *PARENT,
    *turn("10:06", "In Cork.", "OK."),
    back("10:07:00.000", 2),
    *turn("10:08", "Round down.", "Fine."),
]


def wait(rows: list[Row], at: str) -> list[Row]:
    return [
        {**row, "timestamp": f"2026-06-01T{at}:{n // 1000:02}.{n % 1000:03}Z"} for n, row in enumerate(rows)
    ]
