"""Which code of a problem is which error of the protocol: the one table of this door.

What a tool cannot do is an answer of that tool, `{"ok": false, "error": …}`, so that an agent reads all
problems and mends them. A resource has no such answer: there the table gives the number of the error.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any

from mcp.shared.exceptions import MCPError
from mcp_types import INTERNAL_ERROR, INVALID_PARAMS, INVALID_REQUEST

from scriptorium_core.problem import Code, Problem

from .. import files, plain
from ..refused import Refused

__all__ = ["NUMBERS", "error_of", "fault", "problems_of", "protocol_error"]

_OF: Mapping[int, tuple[Code, ...]] = MappingProxyType(
    {
        # The caller named something that is not there, or cannot be.
        INVALID_PARAMS: (
            Code.INVALID_ARGUMENT,
            Code.PATH_OUTSIDE_WORKSPACE,
            Code.MEMORY_NOT_FOUND,
            Code.FORGOTTEN,
            Code.MISSING_SESSION_ID,
            Code.SESSION_NODES_UNAVAILABLE,
        ),
        # What was asked for is understood, and does not happen.
        INVALID_REQUEST: (
            Code.NOT_PERMITTED,
            Code.READ_ONLY_PATH,
            Code.APPEND_ONLY_REQUIRED,
            Code.CONCURRENT_UPDATE,
            Code.INVALID_TOPIC_FORMAT,
            Code.MISSING_SOURCE,
            Code.SOURCE_PENDING,
            Code.SOURCES_CHANGED,
            Code.BLOCK_LOST,
            Code.LINK_DANGLING,
            Code.PATCH_CONFLICT,
            Code.TOO_MANY_DELETIONS,
            Code.DRAFT_IN_THE_WAY,
            Code.COMMIT_REJECTED,
        ),
    }
)

NUMBERS: Mapping[Code, int] = MappingProxyType(
    dict.fromkeys(Code, INTERNAL_ERROR) | {code: number for number, codes in _OF.items() for code in codes}
)


def error_of(problems: Sequence[Problem]) -> dict[str, Any]:
    """The answer of a tool that says why it did nothing, with all problems."""
    return {"ok": False, "error": dict(plain.error(problems))}


def fault(error: Exception) -> dict[str, Any]:
    """The answer where the program is at fault: its kind alone, no words that might be somebody's."""
    message = f"a fault of the program, not of yours: {type(error).__name__}"
    return {"ok": False, "error": {"code": "PROGRAM_FAULT", "message": message, "path": "", "problems": []}}


def protocol_error(problems: Sequence[Problem]) -> MCPError:
    """The same as an error of the protocol."""
    body = error_of(problems)
    return MCPError(NUMBERS[problems[0].code], problems[0].message, body["error"])


def problems_of(error: Exception) -> tuple[Problem, ...]:
    """The problems that an expected failure is; none for a fault of the program."""
    if isinstance(error, Refused):
        return error.problems
    if isinstance(error, OSError):
        found = files.disk_problem(error, Path())
        return (found._replace(path="", message=error.strerror or "the disk refused it"),)
    return ()
