"""What every command shares: the form of the answer, and how errors are said."""

from __future__ import annotations

import re
import shlex
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from .safe import one_line, safe, wrapped
from .streams import encoding, err, out

if TYPE_CHECKING:
    from scriptorium_core.problem import Problem

    from ..clock import Moment
    from ..service import Service

__all__ = ["Door", "Stop", "block", "said"]


class Stop(Exception):
    """A command ends here, with an exit code and the problems that say why."""

    def __init__(self, problems: Sequence[Problem], code: int | None = None) -> None:
        from .exits import exit_of

        super().__init__("; ".join(problem.message for problem in problems))
        self.problems = tuple(problems)
        self.code = exit_of(problems[0].code) if code is None else code


class Door:
    """The shared options of one call."""

    def __init__(self) -> None:
        self.home: Path | None = None
        self.memory: Path | None = None
        self.json = False
        self.clock: Moment | None = None

    @contextmanager
    def service(self) -> Iterator[Service]:
        """The service of the home that was asked for, closed at the end."""
        from ..clock import moment
        from ..service import Service
        from ..settings import default_home

        home = self.home if self.home or self.memory else default_home()
        for place in (home, self.memory):
            _see_it_may_be_a_folder(place)
        fixed = self.clock
        with Service(home, memory=self.memory, moment=(lambda: fixed) if fixed else moment) as service:
            yield service

    def say(self, name: str, value: object, people: Callable[[], str], wrong: Sequence[Problem] = ()) -> None:
        """The answer for people, or one JSON object: `ok` and the value's keys, or the value as `name`.

        With something `wrong` in an answer, `ok` is false and `error` stands beside it.
        """
        if not self.json:
            out(people().rstrip("\n"))
            return
        from ..plain import error, plain

        data = plain(value)
        fields = data if isinstance(data, Mapping) else {name: data}
        faults = {"error": error(self.placed(wrong))} if wrong else {}
        self.give({"ok": not wrong, **faults, **fields})

    def give(self, answer: Mapping[str, Any]) -> None:
        """One JSON object on the standard output."""
        from ..plain import written

        out(written(answer, encoding(sys.stdout)))

    def notices(self, problems: Sequence[Problem]) -> None:
        """Problems that do not stop the command, on the error stream; JSON holds them in `notices`."""
        if not self.json:
            for problem in self.placed(problems):
                err(f"note: {said(problem)}")

    def blame(self, problems: Sequence[Problem]) -> None:
        """Problems of an answer in full, on the error stream; JSON holds them in `error`."""
        if not self.json and problems:
            err("\n".join(map(block, self.placed(problems))))

    def placed(self, problems: Sequence[Problem]) -> tuple[Problem, ...]:
        """The problems, the commands of their remedies at the home or the memory that was asked for.

        Without that they would mean another one; a command that names a place itself is left as it is.
        """
        given = (("--home", self.home), ("--memory", self.memory))
        words = [word for name, path in given if path is not None for word in (name, str(path))]
        if not words:
            return tuple(problems)

        def remedy(text: str) -> str:
            return re.sub("`scriptorium (?=[a-z])", lambda _: f"`scriptorium {shlex.join(words)} ", text)

        return tuple(problem._replace(remedy=remedy(problem.remedy)) for problem in problems)

    def fail(self, stop: Stop) -> int:
        """Say why the command ends; its exit code."""
        if self.json:
            from ..plain import error

            self.give({"ok": False, "error": error(self.placed(stop.problems))})
        self.blame(stop.problems)
        return stop.code

    def end(self, code: str, message: str, exit_code: int) -> int:
        """Say why the command ends where no problem of the memory is the cause; the exit code."""
        if self.json:
            error = {"code": code, "message": message, "path": "", "problems": []}
            self.give({"ok": False, "error": error})
        else:
            err(message)
        return exit_code

    def teller(self) -> Callable[[str], None] | None:
        """What says on the error stream how a writer gets on, line by line, only where a person sees it."""
        if self.json or not sys.stderr.isatty():
            return None
        return lambda line: err(f"  {one_line(line)}")

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


def _see_it_may_be_a_folder(place: Path | None) -> None:
    """Stop where a file stands at the place of a folder, or above it: the place is a wrong argument."""
    if place is None:
        return
    standing = next((each for each in (place, *place.parents) if each.exists()), place)
    if standing.exists() and not standing.is_dir():
        from scriptorium_core.problem import Code, Problem

        message, remedy = f"{standing} is a file, and no folder", "name another place, or move the file away"
        raise Stop((Problem(Code.INVALID_ARGUMENT, message, str(place), remedy=remedy),))


def block(problem: Problem) -> str:
    """A problem as a person reads it: code and place, what is wrong, what to do."""
    place = problem.path + (f", line {problem.line}" if problem.line else "")
    lines = [f"{problem.code}{'  ' + safe(place) if place else ''}", wrapped(problem.message, "  ")]
    return "\n".join(lines + ([wrapped(f"→ {problem.remedy}", "  ")] if problem.remedy else []))


def said(problem: Problem) -> str:
    """A problem on one line."""
    place = problem.path + (f":{problem.line}" if problem.line else "")
    remedy = f" ({one_line(problem.remedy)})" if problem.remedy else ""
    return f"{problem.code}{' ' + safe(place) if place else ''}: {one_line(problem.message)}{remedy}"
