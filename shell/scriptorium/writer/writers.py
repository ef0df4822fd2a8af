"""The writers by the name of their setting."""

from pathlib import Path

from scriptorium_core.problem import Code, Problem

from ..refused import Refused
from ..settings import WRITERS, Settings
from .proposal import Writer

__all__ = ["writer_named"]

_NO_MODEL = 'give [api] with model = "provider:model" in settings.toml'


def writer_named(name: str, tape: Path | None = None, settings: Settings | None = None) -> Writer:
    """The writer of that name. Raises Refused where there is none, or where it lacks what it needs."""
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
    if name == "api":
        from .api import Api

        if settings is None or not settings.api.model:
            raise Refused(_problem("the writer api needs a model, and none is set", _NO_MODEL))
        return Api(settings.api, settings.prices.get(settings.api.model))
    raise Refused(_problem(f"there is no writer {name!r}", f"use {' or '.join(WRITERS)}"))


def _problem(message: str, remedy: str) -> Problem:
    return Problem(Code.INVALID_ARGUMENT, message, "writer", remedy=remedy)
