"""The commands that stand in an agent's settings, and how ours are known there from all others."""

import shlex
from collections.abc import Mapping, Sequence
from pathlib import PurePath

from scriptorium_core.writing.calls import Event
from scriptorium_core.writing.hosts import Host

__all__ = ["SERVER", "calls_us", "command_line", "is_ours", "serves_us"]

SERVER = "scriptorium"
"""The name under which the MCP server is entered."""

_PROGRAM = "scriptorium"


def command_line(words: Sequence[str], host: Host, event: Event) -> str:
    """The line that a shell of the agent runs at an event; quoted, so that paths may hold spaces."""
    return shlex.join([*words, "hook", event, "--agent", host])


def is_ours(line: object, host: Host) -> bool:
    """Whether a line in the settings of an agent was written by `command_line`, for whatever home."""
    if not isinstance(line, str):
        return False
    try:
        words = shlex.split(line)
    except ValueError:
        return False
    *before, hook, event, option, name = words if len(words) > 4 else [""] * 5
    return (hook, option, name) == ("hook", "--agent", host) and event in [*Event] and calls_us(before)


def calls_us(words: Sequence[object]) -> bool:
    """Whether words run this program, by its own name or as a module."""
    named = bool(words) and isinstance(words[0], str) and PurePath(words[0]).name == _PROGRAM
    return named or [*words[1:3]] == ["-m", _PROGRAM]


def serves_us(entry: object) -> bool:
    """Whether an entry of an MCP server is ours: `command` a list, or a program with `args`."""
    if not isinstance(entry, Mapping):
        return False
    command, rest = entry.get("command"), entry.get("args", [])
    words = [*command] if isinstance(command, list) else [command]
    words += [*rest] if isinstance(rest, list) else []
    return calls_us(words) and words[-1] == "mcp"
