"""What every command shares: the options of the home, the form of the answer, and how errors are said."""

import json
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from attrs import define

from scriptorium_core.problem import Problem

from .exits import exit_of
from .safe import one_line, safe, wrapped

if TYPE_CHECKING:
    from ..clock import Moment
    from ..service import Service

__all__ = ["Door", "Stop", "block", "command", "said", "shared"]


class Stop(Exception):
    """A command ends here, with an exit code and the problems that say why."""

    def __init__(self, problems: Sequence[Problem], code: int | None = None) -> None:
        super().__init__("; ".join(problem.message for problem in problems))
        self.problems = tuple(problems)
        self.code = exit_of(problems[0].code) if code is None else code


@define
class Door:
    """The shared options of one call."""

    home: Path | None = None
    memory: Path | None = None
    json: bool = False
    clock: "Moment | None" = None

    @contextmanager
    def service(self) -> "Iterator[Service]":
        """The service of the home that was asked for, closed at the end."""
        from ..clock import moment
        from ..service import Service
        from ..settings import default_home

        home = self.home if self.home or self.memory else default_home()
        fixed = self.clock
        with Service(home, memory=self.memory, moment=(lambda: fixed) if fixed else moment) as service:
            yield service

    def say(self, name: str, value: object, people: Callable[[], str], ok: bool = True) -> None:
        """The answer for people, or one JSON object: `ok` and the value's keys, or the value as `name`."""
        if not self.json:
            click.echo(people().rstrip("\n"))
            return
        from .plain import plain

        data = plain(value)
        fields = data if isinstance(data, Mapping) else {name: data}
        click.echo(json.dumps({"ok": ok, **fields}, ensure_ascii=False, indent=2))

    def notices(self, problems: Sequence[Problem]) -> None:
        """Problems that do not stop the command, on the error stream."""
        if not self.json:
            for problem in problems:
                click.echo(f"note: {said(problem)}", err=True)

    def fail(self, stop: Stop) -> int:
        """Say why the command ends; its exit code."""
        if self.json:
            from .plain import plain

            first = stop.problems[0]
            error = {
                "code": first.code,
                "message": first.message,
                "path": first.path,
                "problems": plain(stop.problems),
            }
            click.echo(json.dumps({"ok": False, "error": error}, ensure_ascii=False, indent=2))
        else:
            click.echo("\n".join(block(problem) for problem in stop.problems), err=True)
        return stop.code

    @contextmanager
    def progress(self, label: str) -> Iterator[Callable[[int, int], None] | None]:
        """A bar on the error stream while long work lasts, only where a person sees it."""
        if self.json or not sys.stderr.isatty():
            yield None
            return
        with click.progressbar(length=1, label=label, file=sys.stderr, show_pos=False) as bar:

            def report(done: int, total: int) -> None:
                bar.length = max(total, 1)
                bar.pos = 0
                bar.update(min(done, total))

            yield report


def block(problem: Problem) -> str:
    """A problem as a person reads it: code and place, what is wrong, what to do."""
    place = problem.path + (f", line {problem.line}" if problem.line else "")
    lines = [f"{problem.code}{'  ' + safe(place) if place else ''}", wrapped(problem.message, "  ")]
    return "\n".join(lines + ([wrapped(f"→ {problem.remedy}", "  ")] if problem.remedy else []))


def said(problem: Problem) -> str:
    """A problem on one line."""
    place = problem.path + (f":{problem.line}" if problem.line else "")
    remedy = f" ({one_line(problem.remedy)})" if problem.remedy else ""
    return f"{problem.code} {safe(place)}: {one_line(problem.message)}{remedy}"


def door(context: click.Context) -> Door:
    """The door of the call."""
    return context.ensure_object(Door)


def command(name: str) -> Callable[[Callable[..., int]], click.Command]:
    """A command with the shared options; its function gets the door first and gives the exit code."""

    def make(function: Callable[..., int]) -> click.Command:
        @wraps(function)
        def call(context: click.Context, **options: Any) -> int:
            return function(door(context), **options)

        return click.command(name)(shared(click.pass_context(call)))

    return make


def shared(command: Callable[..., Any]) -> Callable[..., Any]:
    """The shared options, before or after a command's name."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


def _set(
    name: str, convert: Callable[[Any], Any] = lambda value: value
) -> Callable[[click.Context, click.Parameter, Any], None]:
    def take(context: click.Context, parameter: click.Parameter, value: Any) -> None:
        if value is not None and value is not False:
            setattr(door(context), name, convert(value))

    return take


def _moment(text: str) -> "Moment":
    from datetime import datetime

    from ..clock import Moment

    try:
        point = datetime.fromisoformat(text)
    except ValueError as error:
        raise click.BadParameter(f"{text!r} is not an ISO 8601 time", param_hint="--clock") from error
    shift = (point if point.tzinfo else point.astimezone()).utcoffset()
    return Moment(int(point.timestamp()), int(shift.total_seconds()) // 60 if shift else 0)


_OPTIONS = (
    click.option(
        "--home",
        type=click.Path(path_type=Path),
        callback=_set("home", Path.expanduser),
        expose_value=False,
        help="Where memory and conversations live (default: $SCRIPTORIUM_HOME, else the data folder).",
    ),
    click.option(
        "--memory",
        type=click.Path(path_type=Path),
        callback=_set("memory", Path.expanduser),
        expose_value=False,
        help="A memory directory by itself, wherever it lies.",
    ),
    click.option(
        "--json", is_flag=True, callback=_set("json"), expose_value=False, help="Answer with one JSON object."
    ),
    click.option(
        "--clock",
        metavar="TIME",
        callback=_set("clock", _moment),
        expose_value=False,
        help="Take this ISO 8601 time for the present, so that a replay gives the same commits.",
    ),
)
