"""The writers by the name of their setting."""

from pathlib import Path

from scriptorium_core.problem import Code, Problem

from ..refused import Refused
from ..settings import WRITERS
from .proposal import Writer

__all__ = ["writer_named"]


def writer_named(name: str, tape: Path | None = None) -> Writer:
    """The writer of that name. Raises Refused where there is none, or where it lacks its tape."""
    if name == "recorded":
        from .recorded import Player, read_tape

        if tape is None:
            raise Refused(
                _problem("the recorded writer plays a tape, and none was named", "give --tape FILE")
            )
        return Player(read_tape(tape))
    if name == "extractive":
        from .extractive import Extractive

        return Extractive()
    raise Refused(_problem(f"there is no writer {name!r}", f"use {' or '.join(WRITERS)}"))


def _problem(message: str, remedy: str) -> Problem:
    return Problem(Code.INVALID_ARGUMENT, message, "writer", remedy=remedy)
