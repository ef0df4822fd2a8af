"""Reading commands as of an earlier revision."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, cast

import click

from .door import Door
from .lines import day_and_time
from .safe import one_line
from .shared import command
from .streams import err

if TYPE_CHECKING:
    from scriptorium_core.problem import Problem

    from ..service import Service
    from ..service.past import AsOf

__all__ = ["READING"]

READING = (
    "search",
    "grep",
    "ask",
    "context",
    "show",
    "topics",
    "core",
    "timeline",
    "recent",
    "relations",
    "digest",
    "why",
    "log",
    "blame",
    "diff",
)
"""The commands that `at` takes."""


@command("at")
@click.argument("revision")
@click.argument("name", metavar="COMMAND", type=click.Choice(READING))
@click.argument("rest", metavar="[ARGS]...", nargs=-1, type=click.UNPROCESSED)
def at_command(door: Door, revision: str, name: str, rest: tuple[str, ...]) -> int:
    """Read as of then: a reading COMMAND, with its own arguments, at an earlier REVISION.

    \b
    scriptorium at 2026-05-01 search "spare keys"
    scriptorium at HEAD~3 show people/mira

    REVISION is a date or time (the newest commit at or before it, in the zone of the commit), HEAD,
    HEAD~2, or four or more digits of a commit's id. It says when memory was committed, not of which days
    it tells. What was pending then is pending; what was forgotten since is not shown.

    COMMAND is search, grep, ask, context, show, topics, core, timeline, recent, relations, digest, why, log,
    blame or diff. Searches go by words alone, and nothing is kept. `traces` and `sessions` are of no commit.
    """
    from .group import cli

    context = click.get_current_context()
    reading = cli.get_command(context, name)
    assert reading is not None
    past = PastDoor(door, revision)
    with reading.make_context(name, list(rest), parent=context, obj=past) as inner:
        door.json = past.json
        code = reading.invoke(inner)
    return code if isinstance(code, int) else 0


at_command.context_settings.update(allow_interspersed_args=False, ignore_unknown_options=True)


class PastDoor(Door):
    """A door whose service answers as of a revision, and whose answers say so."""

    def __init__(self, present: Door, revision: str) -> None:
        super().__init__()
        self.home, self.memory = present.home, present.memory
        self.json, self.clock = present.json, present.clock
        self.revision = revision
        self.point: AsOf | None = None
        self.left_out: tuple[Problem, ...] = ()

    @contextmanager
    def service(self) -> Iterator[Service]:
        """The service as of the revision; what is left out is said at the end."""
        with super().service() as present, present.at(self.revision) as past:
            self.point = past.point
            yield cast("Service", past)  # all that the reading commands ask, and nothing else
            self.left_out = past.notices
        if not self.json:
            point = past.point
            head = f"as of {point.revision[:10]}, {day_and_time(point.at)}, “{one_line(point.subject)}”"
            for note in (head, *(problem.message for problem in self.left_out)):
                err(f"note: {note}")

    def give(self, answer: Mapping[str, Any]) -> None:
        """One JSON object, with what it is the state of in `at`."""
        from ..plain import plain

        point = {**plain(self.point), "left_out": [each.message for each in self.left_out]}
        super().give({**answer, "at": point})
