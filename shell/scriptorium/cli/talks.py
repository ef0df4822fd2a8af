"""Conversations: listed, written into memory, played back."""

from collections.abc import Iterator
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING

import click

from scriptorium_core.problem import Problem

from .door import Door
from .endings import AGAIN
from .exits import exit_of
from .imported import LINKS
from .lines import counted, day_and_time, outcome_line, table
from .safe import one_line, safe
from .shared import command

if TYPE_CHECKING:
    from scriptorium_core.writing.estimating import Estimate
    from scriptorium_core.writing.outcome import Failed

    from ..conversations.linking import Exclusion
    from ..conversations.unwritten import Summary
    from ..service.model import Pass

__all__ = ["problem_of"]

_FILE = click.Path(path_type=Path)


@command("sessions")
def sessions_command(door: Door) -> int:
    """List the conversations as they came in: messages, how many are not written yet, records that cite them.

    Below a conversation stands from which others it came. With --json: `sessions`, and `excluded`, what
    never enters.
    """
    with door.service() as service:
        found = service.sessions()
        out = service.excluded_sessions()

    def people() -> str:
        rows = [("session", "messages", "unwritten", "records", "last said", "title")]
        notes: list[str] = []
        for each in found:
            pending = "-" if each.excluded else f"{each.pending:,}"
            name = safe(f"{each.session.provider}/{each.session.id}")
            last = day_and_time(each.said_at) if each.said_at else "unknown"
            counts = f"{each.messages:,}", pending, f"{len(each.gave):,}"
            rows.append((name, *counts, last, one_line(each.session.title)))
            notes.append("".join(f"\n  {line}" for line in _came(each)))
        lines = table(rows).split("\n")
        told = [lines[0], *(line + note for line, note in zip(lines[1:], notes, strict=True))]
        listed = "\n".join(told) if found else "no conversation was imported yet: `scriptorium import FILE`"
        return "\n".join([listed, *(_kept_out(each) for each in out)])

    door.say("sessions", {"sessions": found, "excluded": out}, people)
    return 0


def _came(summary: "Summary") -> Iterator[str]:
    """From which others a conversation came, and that it never enters, if that is so."""
    words = dict(LINKS)
    for link in summary.links:
        at = f" at {safe(link.node)}" if link.node else ""
        yield f"{words[link.kind]} {safe(link.other)}{at}"
    if summary.excluded:
        yield f"never enters memory: {one_line(summary.excluded)}"


def _kept_out(excluded: "Exclusion") -> str:
    name = f"{excluded.provider}/{excluded.id}" if excluded.provider else excluded.id
    return f"never enters: {safe(name)}: {one_line(excluded.reason)}"


@command("write")
@click.argument("sessions", nargs=-1)
@click.option("--all", "everything", is_flag=True, help="Every conversation (the default without names).")
@click.option("--force", is_flag=True, help="Also what is less than a whole batch, until nothing waits.")
@click.option(
    "--writer", metavar="NAME", help="extractive (no model), api, command, agent, recorded (a tape)."
)
@click.option("--take-over", is_flag=True, help="Also what an agent has taken: its lease ends.")
@click.option("--estimate", is_flag=True, help="Say what it would take and cost; write nothing.")
@click.option("--tape", type=_FILE, help="The tape that the recorded writer plays.")
@click.option("--record", type=_FILE, help="Record on this tape what the writer does.")
def write_command(
    door: Door,
    sessions: tuple[str, ...],
    everything: bool,
    force: bool,
    writer: str | None,
    take_over: bool,
    estimate: bool,
    tape: Path | None,
    record: Path | None,
) -> int:
    """Write the unwritten part of conversations into memory, one commit a batch.

    Evidence and records land in the same commit. Whatever is killed in between, no message is lost and
    none is written twice.
    """
    if sessions and everything:
        raise click.UsageError("name conversations or give --all, not both")
    if estimate:
        with door.service() as service:
            found = service.estimate(sessions or None, force=force, writer=writer)
        door.say("estimate", found, lambda: "\n".join(_estimated(found)))
        return 0
    with door.service() as service:
        # What a model says as it works tells more than a bar, and does not go with one.
        told = door.teller() if (writer or service.settings.writer) in ("api", "command") else None
        with nullcontext() if told else door.progress("writing") as progress:
            passes = service.write(
                sessions or None,
                force=force,
                writer=writer,
                tape=tape,
                record=record,
                progress=progress,
                told=told,
                take_over=take_over,
            )
    code = _said(door, passes)
    # Who asked for all of it did not get all of it.
    return code or (AGAIN if force and any(map(_is_taken, passes)) else 0)


def _is_taken(done: "Pass") -> bool:
    from scriptorium_core.writing.outcome import NothingDue

    return any(isinstance(outcome, NothingDue) and outcome.holder for outcome in done.outcomes)


@command("replay")
@click.argument("tape", type=_FILE)
@click.argument("sessions", nargs=-1)
def replay_command(door: Door, tape: Path, sessions: tuple[str, ...]) -> int:
    """Write what is unwritten as TAPE says.

    The same conversations, tape and --clock give the same commits, byte for byte. That a model would be given
    other prompts or tools now than when the tape was recorded is said, and changes nothing.
    """
    with door.service() as service, door.progress("replaying") as progress:
        passes = service.replay(tape, sessions or None, progress=progress)
    return _said(door, passes)


def _estimated(found: "Estimate") -> Iterator[str]:
    if not (found.sessions or found.below):
        yield "nothing waits to be written"
        return
    batches = counted(found.batches, "batch", "batches")
    yield f"{counted(found.sessions, 'session')} in {batches}: about {found.tokens:,} tokens of messages"
    if found.below:
        yield f"{counted(found.below, 'session')} with less than a batch would wait: see --force"
    if not found.model:
        yield "the writer asks no model: it costs nothing"
        return
    known = (
        f"by {counted(found.measured, 'pass', 'passes')} so far"
        if found.measured
        else "a guess before the first pass; a model that works with tools takes more"
    )
    took = f"{found.tokens_in:,} tokens in, {found.tokens_out:,} out"
    yield f"{one_line(found.model)} would take about {took} ({known})"
    if found.cost is None:
        yield f'what that costs is unknown: give [prices."{one_line(found.model)}"] in settings.toml'
    else:
        yield f"about ${found.cost:,.2f}"


def _said(door: Door, passes: "tuple[Pass, ...]") -> int:
    """Say what came of the passes; the exit code is that of the first failure."""
    from scriptorium_core.writing.outcome import Failed

    failures = [outcome for each in passes for outcome in each.outcomes if isinstance(outcome, Failed)]
    problems = [problem for failure in failures for problem in failure.problems or (problem_of(failure),)]
    differing = tuple(dict.fromkeys(line for each in passes for line in each.differences))

    def people() -> str:
        lines = [
            f"{safe(each.session)}: {outcome_line(outcome)}" for each in passes for outcome in each.outcomes
        ]
        lines += [f"the tape was recorded with another prompt: {safe(each)}" for each in differing]
        return "\n".join(lines) or "no conversation was imported yet: `scriptorium import FILE`"

    door.say("passes", passes, people, problems)
    door.blame(problems)
    return exit_of(failures[0].code) if failures else 0


def problem_of(failure: "Failed") -> Problem:
    """What a failure without problems of its own says to a person."""
    from scriptorium_core.writing.explaining import explain

    told = explain(failure.code)
    message = f"{told.words}: {failure.message}" if failure.message else told.words
    return Problem(failure.code, message, remedy=told.remedy)
