"""What an agent gives to a tool, against the schema of that tool: all that is wrong with it at once."""

from collections.abc import Mapping
from typing import Any

from scriptorium_core.problem import Code, Problem

from .tool import Tool

__all__ = ["faults"]

_LONGEST = 200
_MOST = 20


def faults(tool: Tool, given: Mapping[str, Any]) -> tuple[Problem, ...]:
    """Why a call cannot be made, each fault with its place; what the core decodes is left to the core."""
    if not tool.checked:
        return ()
    from jsonschema import Draft202012Validator

    found = Draft202012Validator(dict(tool.takes)).iter_errors(given)
    known = ", ".join(tool.takes.get("properties", ())) or "nothing"
    # A schema of ours is flat, so that what is given is looked into no deeper than that.
    return tuple(
        Problem(
            Code.INVALID_ARGUMENT,
            _words(error.message),
            ".".join(str(step) for step in error.absolute_path) or "arguments",
            remedy=f"{tool.name} takes: {known}",
        )
        for error, _ in zip(found, range(_MOST), strict=False)
    )


def _words(message: str) -> str:
    if len(message) <= _LONGEST:
        return message
    # The value that was given stands first, and what is wrong with it last.
    return f"{message[: _LONGEST // 2]}…{message[-_LONGEST // 2 :]}"
