"""The writers by the name of their setting."""

from collections.abc import Callable
from pathlib import Path

from attrs import frozen

from scriptorium_core.problem import Code, Problem
from scriptorium_core.sources.redact import Redact

from ..clock import Moment
from ..layout import Layout
from ..refused import Refused
from ..settings import WRITERS, Settings
from .proposal import Writer

__all__ = ["Around", "writer_named"]

_NO_PROGRAM = 'give [command] with program = "claude" in settings.toml, or run `scriptorium setup`'
_NO_MODEL = 'give [api] with model = "provider:model" in settings.toml'


@frozen
class Around:
    """What a writer that is a program is run with: where, what keeps its own sessions out, the present."""

    layout: Layout
    exclude: Callable[[str, str], None]
    moment: Callable[[], Moment]
    redact: Redact


def writer_named(
    name: str,
    tape: Path | None = None,
    settings: Settings | None = None,
    around: Callable[[], Around] | None = None,
) -> Writer:
    """The writer of that name. Raises Refused where there is none, or where it lacks what it needs.

    `around` is asked once it is known that nothing else is lacking.
    """
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
    if name == "agent":
        from .agent import Agent

        return Agent()
    if name == "api":
        from .api import Api

        if settings is None or not settings.api.model:
            raise Refused(_problem("the writer api needs a model, and none is set", _NO_MODEL))
        return Api(settings.api, settings.prices.get(settings.api.model))
    if name == "command":
        from .command import Commanded

        if settings is None or around is None or not settings.command.program:
            raise Refused(_problem("the writer command needs a program, and none is set", _NO_PROGRAM))
        found = around()
        return Commanded(settings.command, found.layout, found.exclude, found.moment, found.redact)
    raise Refused(_problem(f"there is no writer {name!r}", f"use {' or '.join(WRITERS)}"))


def _problem(message: str, remedy: str) -> Problem:
    return Problem(Code.INVALID_ARGUMENT, message, "writer", remedy=remedy)
