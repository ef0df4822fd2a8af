"""An agent for examples: its settings in a folder of their own, and what it runs from there."""

import json
import os
import subprocess
import tomllib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from attrs import frozen

from cli_example import Ran, fresh_home, run, surroundings
from scriptorium.lock import held
from scriptorium.service import Service
from scriptorium.service.runtime import keeper_lock, take_requests
from scriptorium_core.writing.calls import Call, Event
from scriptorium_core.writing.hosts import EVENTS, Host

__all__ = ["PAYLOADS", "Attached", "attached", "settings"]

_COMMON = {"session_id": "s1", "cwd": "/home/p/trip", "hook_event_name": ""}
PAYLOADS: Mapping[Host, Mapping[Event, Mapping[str, object]]] = {
    Host.CLAUDE_CODE: {
        Event.SESSION_START: {"source": "startup", "model": "m", "permission_mode": "default"},
        Event.PROMPT: {"prompt": "Can Ines eat shellfish?", "permission_mode": "default"},
        Event.TURN: {"stop_hook_active": False, "last_assistant_message": "No."},
        Event.PRE_COMPACT: {"trigger": "auto", "custom_instructions": ""},
        Event.SESSION_END: {"reason": "prompt_input_exit"},
    },
    Host.CODEX: {
        Event.SESSION_START: {"source": "startup", "model": "m", "permission_mode": "default"},
        Event.PROMPT: {"prompt": "Can Ines eat shellfish?", "turn_id": "t1", "model": "m"},
        Event.TURN: {"turn_id": "t1", "stop_hook_active": False, "last_assistant_message": None},
        Event.PRE_COMPACT: {"turn_id": "t1", "trigger": "manual"},
        Event.SESSION_END: {"reason": "exit"},
    },
    Host.GEMINI: {
        Event.SESSION_START: {"source": "startup", "timestamp": "2026-11-30T10:00:00Z"},
        Event.PROMPT: {"prompt": "Can Ines eat shellfish?", "timestamp": "2026-11-30T10:00:00Z"},
        Event.TURN: {
            "prompt": "Can Ines eat shellfish?",
            "prompt_response": "No.",
            "stop_hook_active": False,
        },
        Event.PRE_COMPACT: {"trigger": "auto"},
        Event.SESSION_END: {"reason": "exit"},
    },
}
"""What each agent gives to a hook on the standard input, beside `session_id`, `transcript_path` and `cwd`."""


@frozen
class Attached:
    """A person's folder, and the home of a memory; both hold a space in their names."""

    person: Path
    home: Path

    def hook(self, *words: object) -> Ran:
        """`scriptorium hook …` for this home."""
        return run("--home", self.home, "hook", *words)

    def lines(self, host: Host) -> Mapping[Event, str]:
        """The commands that stand in the settings of an agent."""
        hooks = settings(self.file(host))["hooks"]
        return {event: hooks[name][-1]["hooks"][0]["command"] for event, name in EVENTS[host].items()}

    def file(self, host: Host) -> Path:
        """The settings of an agent."""
        names = {Host.CODEX: "config.toml", Host.OPENCODE: "plugins/scriptorium.js"}
        folder = {Host.OPENCODE: ".config/opencode"}.get(host, f".{host.removesuffix('-code')}")
        return self.person / folder / names.get(host, "settings.json")

    def called(self, host: Host, event: Event, line: str, **more: object) -> Ran:
        """What a hook answers when the agent runs its line as it stands there, and gives what it gives."""
        named = {"hook_event_name": EVENTS[host][event], "transcript_path": None}
        done = subprocess.run(
            ["/bin/sh", "-c", line],
            input=json.dumps({**_COMMON, **PAYLOADS[host][event], **named, **more}),
            env={**surroundings(), "HOME": str(self.person)},
            cwd="/",
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )
        return Ran(done.returncode, done.stdout, done.stderr)

    @contextmanager
    def asked(self) -> Iterator[list[Call]]:
        """What hooks ask for inside the block, while another keeper is at work."""
        found: list[Call] = []
        with Service(self.home) as service:
            layout = service.memory().layout
        with held(keeper_lock(layout)):
            yield found
            found += take_requests(layout)


@pytest.fixture
def attached(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Attached:
    """A person without settings, and the demo's memory."""
    person = tmp_path / "a person"
    person.mkdir()
    for name in [*os.environ]:
        if name.startswith(("XDG_", "CLAUDE", "CODEX", "GEMINI", "OPENCODE", "SCRIPTORIUM")):
            monkeypatch.delenv(name)
    monkeypatch.setenv("HOME", str(person))
    return Attached(person, fresh_home(person))


def settings(path: Path) -> Any:
    """What stands in a file."""
    text = path.read_text("utf-8")
    return tomllib.loads(text) if path.suffix == ".toml" else json.loads(text)
