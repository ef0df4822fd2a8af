"""Organizing topics, and writing what is archived and cited nowhere."""

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

import click

from scriptorium_core.problem import Problem

from .door import Door
from .exits import exit_of
from .lines import counted, few, outcome_line
from .safe import one_line, safe
from .shared import command

if TYPE_CHECKING:
    from scriptorium_core.writing.outcome import Failed, Outcome, Wrote

    from ..organizer import Portion

__all__ = ["portion_line"]

_FILE = click.Path(path_type=Path)
_WRITER = "Another writer than that of the settings; extractive needs no model."
_TAPE = "The tape that the recorded writer plays."


@command("organize")
@click.argument("topics", nargs=-1)
@click.option("--dry-run", is_flag=True, help="Show the diff, and commit nothing.")
@click.option("--writer", metavar="NAME", help=_WRITER)
@click.option("--tape", type=_FILE, help=_TAPE)
def organize_command(
    door: Door, topics: tuple[str, ...], dry_run: bool, writer: str | None, tape: Path | None
) -> int:
    """Put TOPICS in order, or all of memory in portions of what belongs together, a commit each.

    Records that say the same become one, topics beyond 64 KiB are cut; a writer with a model also merges,
    splits and moves. Nothing new is written: no source, no date, no number that is not there already, and at
    most a fifth of what a portion holds is deleted. `undo` takes any of the commits back. A run that ended
    early goes on where it was.
    """
    with door.service() as service:
        found = tuple(service.organize(topics, writer=writer, tape=tape, dry_run=dry_run, told=door.teller()))
    problems = _problems(portion.outcome for portion in found)

    def people() -> str:
        if dry_run:
            shown = [portion.patch for portion in found if portion.patch]
            left = [portion_line(portion) for portion in found if not portion.patch]
            return "\n".join([*shown, *left]) or "there is no topic yet"
        return "\n".join(map(portion_line, found)) or "there is no topic yet"

    door.say("organize", {"dry_run": dry_run, "portions": found}, people, problems)
    door.blame(problems)
    return exit_of(problems[0].code) if problems else 0


@command("backfill")
@click.option("-n", "--limit", type=click.IntRange(min=1), help="At most so many messages.")
@click.option("--writer", metavar="NAME", help=_WRITER)
@click.option("--tape", type=_FILE, help=_TAPE)
def backfill_command(door: Door, limit: int | None, writer: str | None, tape: Path | None) -> int:
    """Write the archived messages that no topic cites yet, in batches, a commit each.

    Each message is offered once, also where nothing of it was worth keeping. What waits for consent, and what
    was forgotten, is left.
    """
    with door.service() as service:
        found = tuple(service.backfill(writer=writer, tape=tape, limit=limit, told=door.teller()))
    problems = _problems(found)
    door.say("backfill", {"batches": found}, lambda: "\n".join(map(_batch, found)), problems)
    door.blame(problems)
    return exit_of(problems[0].code) if problems else 0


def portion_line(portion: "Portion") -> str:
    """What became of a portion, in one line."""
    from scriptorium_core.writing.outcome import NothingToKeep, Wrote

    where = safe(portion.topics[0]) if portion.topics else "memory"
    more = f" and {counted(len(portion.topics) - 1, 'more topic')}" if portion.topics[1:] else ""
    match portion.outcome:
        case Wrote() as wrote:
            told = f"{one_line(wrote.summary) or 'organized'}{_ids(wrote)} ({wrote.commit[:10]})"
        case NothingToKeep() as nothing:
            told = f"in order ({one_line(nothing.reason)})"
        case outcome:
            told = outcome_line(outcome)
    return f"{where}{more}: {told}"


def _ids(wrote: "Wrote") -> str:
    done = (("created", wrote.created), ("updated", wrote.updated), ("deleted", wrote.deleted))
    parts = [f"{name} {few(f'^{each}' for each in ids)}" for name, ids in done if ids]
    return f"; {', '.join(parts)}" if parts else ""


def _batch(outcome: "Outcome") -> str:
    from scriptorium_core.writing.outcome import NothingDue, NothingToKeep

    match outcome:
        case NothingDue():
            return "nothing is archived that no topic cites and no writer was asked for"
        case NothingToKeep():
            return f"nothing to keep: {one_line(outcome.reason).removeprefix('nothing to keep: ')}"
        case _:
            return outcome_line(outcome)


def _problems(outcomes: "Iterable[Outcome]") -> list[Problem]:
    from scriptorium_core.writing.outcome import Failed

    failures = [outcome for outcome in outcomes if isinstance(outcome, Failed)]
    return [problem for failure in failures for problem in failure.problems or (_problem(failure),)]


def _problem(failure: "Failed") -> Problem:
    from scriptorium_core.writing.explaining import explain

    told = explain(failure.code)
    message = f"{told.words}: {failure.message}" if failure.message else told.words
    return Problem(failure.code, message, remedy=told.remedy)
