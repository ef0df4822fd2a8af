"""Files that a person names on the command line, read whole; one that cannot be read is a wrong argument."""

from __future__ import annotations

import sys
from pathlib import Path

from .door import Stop

__all__ = ["contents"]

_REMEDY = "name a file that can be read, or `-` for the standard input"


def contents(file: str, remedy: str = _REMEDY, most: int = -1) -> bytes:
    """The bytes of a file, or of the standard input (`-`), at most so many.

    Raises Stop where it cannot be read; `remedy` says what belongs there.
    """
    try:
        if file == "-":
            return sys.stdin.buffer.read(most)
        with Path(file).open("rb") as opened:
            return opened.read(most)
    except (OSError, ValueError) as error:
        from scriptorium_core.problem import Code, Problem

        why = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        problem = Problem(Code.INVALID_ARGUMENT, f"it cannot be read: {why}", file, remedy=remedy)
        raise Stop((problem,)) from error
