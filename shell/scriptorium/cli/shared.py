"""A command and the options that every one has, before or after its name."""

from collections.abc import Callable
from functools import update_wrapper
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from .door import Door

if TYPE_CHECKING:
    from ..clock import Moment

__all__ = ["CURRENT", "SURE", "command", "options"]

CURRENT = "Ask for current data: what can change needs a check before it is relied on."
SURE = "The least confidence with which a record is relied on without a check."

_PATH = click.Path(path_type=Path)
_HOME = "Where memory and conversations live (default: $SCRIPTORIUM_HOME, else the data folder)."
_MEMORY = (
    "A memory directory, wherever it lies; conversations, settings, tokens and keys are those of its folder,"
    " unless --home names another."
)
_JSON = "Answer with one JSON object."
_LATEST = 253_402_214_400  # seconds since 1970: the last day of 9999, which every time zone can write
_CLOCK = "Take this ISO 8601 time for the present, so that a replay gives the same commits."


def command(name: str) -> Callable[[Callable[..., int]], click.Command]:
    """A command with the shared options; its function gets the door first and gives the exit code."""

    def make(function: Callable[..., int]) -> click.Command:
        def call(context: click.Context, /, **given: Any) -> int:
            return function(_door(context), **given)

        made = click.command(name)(click.pass_context(update_wrapper(call, function)))
        made.params += options()
        return made

    return make


def options() -> list[click.Parameter]:
    """The options, each of which sets the field of the door that has its name."""
    return [
        _option("--home", _HOME, _folder, type=_PATH),
        _option("--memory", _MEMORY, _folder, type=_PATH),
        _option("--json", _JSON, bool, is_flag=True),
        _option("--clock", _CLOCK, _moment, metavar="TIME"),
    ]


def _option(name: str, help: str, convert: Callable[[Any], Any], **more: Any) -> click.Option:
    def take(context: click.Context, parameter: click.Parameter, value: Any) -> None:
        if value is not None and value is not False:
            setattr(_door(context), name.removeprefix("--"), convert(value))

    return click.Option([name], help=help, callback=take, expose_value=False, **more)


def _door(context: click.Context) -> Door:
    return context.ensure_object(Door)


def _folder(path: Path) -> Path:
    try:
        return path.expanduser()
    except RuntimeError as error:
        raise click.BadParameter(f"{path}: {error}") from error


def _moment(text: str) -> "Moment":
    from datetime import datetime

    from ..clock import Moment

    try:
        point = datetime.fromisoformat(text)
        zoned = point if point.tzinfo else point.astimezone()
        shift = zoned.utcoffset()
        seconds = int(zoned.timestamp())
    except (ValueError, OverflowError) as error:
        raise click.BadParameter(f"{text!r} is not an ISO 8601 time", param_hint="--clock") from error
    if not 0 <= seconds < _LATEST:
        raise click.BadParameter(f"{text!r} is not a time from 1970 to 9999", param_hint="--clock")
    return Moment(seconds, int(shift.total_seconds()) // 60 if shift else 0)
