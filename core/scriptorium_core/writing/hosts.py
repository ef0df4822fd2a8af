"""The agents whose hooks call us: what each calls our events, and the form in which it takes an answer.

All of them give one JSON object with the fields of `calls`; Codex may give `transcript_path` as null, which
says nothing. Text for the conversation goes back as `hookSpecificOutput.additionalContext`; where there is
none, nothing is printed, which each of them takes for consent. OpenCode has no hooks that run a command: a
plugin of ours calls, and takes the text as it is.
"""

import json
from collections.abc import Mapping
from enum import StrEnum
from types import MappingProxyType

from .calls import Event

__all__ = ["EVENTS", "Host", "answer_for"]


class Host(StrEnum):
    """The program around an agent."""

    CLAUDE_CODE = "claude-code"
    CODEX = "codex"
    GEMINI = "gemini"
    OPENCODE = "opencode"


_CLAUDE = MappingProxyType(
    {
        Event.SESSION_START: "SessionStart",
        Event.PROMPT: "UserPromptSubmit",
        Event.TURN: "Stop",
        Event.PRE_COMPACT: "PreCompact",
        Event.SESSION_END: "SessionEnd",
    }
)
EVENTS: Mapping[Host, Mapping[Event, str]] = MappingProxyType(
    {
        Host.CLAUDE_CODE: _CLAUDE,
        Host.CODEX: _CLAUDE,
        Host.GEMINI: {
            Event.SESSION_START: "SessionStart",
            Event.PROMPT: "BeforeAgent",
            Event.TURN: "AfterAgent",
            Event.PRE_COMPACT: "PreCompress",
            Event.SESSION_END: "SessionEnd",
        },
        Host.OPENCODE: {},
    }
)
"""What a host calls our events in its settings and in its answers; none where it takes plain text."""


def answer_for(host: Host, event: Event, text: str) -> str:
    """`text` for the conversation in the form of a host; empty if there is none."""
    name = EVENTS[host].get(event)
    if not text or name is None:
        return text
    return json.dumps({"hookSpecificOutput": {"hookEventName": name, "additionalContext": text}})
