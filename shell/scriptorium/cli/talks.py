"""Conversations: read from files, listed, written into memory, played back."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from scriptorium_core.problem import Code, Problem

from .door import Door, Stop
from .exits import exit_of
from .lines import counted, outcome_line, table
from .safe import one_line, safe
from .shared import command

if TYPE_CHECKING:
    from scriptorium_core.writing.outcome import Failed

    from ..conversations.importing import Report
    from ..service.model import Pass

__all__: list[str] = []

_FILE = click.Path(path_type=Path)


@command("import")
@click.argument("paths", nargs=-1, required=True, type=_FILE)
@click.option("--format", "form", metavar="NAME", help="native, openai or locomo (default: by the content).")
@click.option("--session", default="", help="The name of the conversation, for a log that names none.")
@click.option("--again", is_flag=True, help="Read a known file from its start; nothing is taken twice.")
@click.option("--dry-run", is_flag=True, help="Say what would be taken, and take nothing.")
def import_command(
    door: Door, paths: tuple[Path, ...], form: str | None, session: str, again: bool, dry_run: bool
) -> int:
    """Read conversations from files into the session store.

    A file may grow and be read again: only what is new is taken, half a last line waits for the next
    time, and records that cannot be read are counted and named. Nothing enters memory before `write`.
    """
    with door.service() as service, door.progress("importing") as progress:
        reports = service.import_paths(
            paths, format=form, session=session, again=again, dry_run=dry_run, progress=progress
        )
    faults = [report.problems or _unreadable(report) for report in reports]
    failed = [problem for fault in faults for problem in fault]
    if all(faults):
        raise Stop(failed)
    door.say("reports", reports, lambda: "\n".join(map(_report, reports)), failed)
    door.blame(failed)
    return exit_of(failed[0].code) if failed else 0


@command("sessions")
def sessions_command(door: Door) -> int:
    """List the conversations, oldest first, with the number of messages that are not written yet."""
    with door.service() as service:
        found = service.sessions()

    def people() -> str:
        rows = [("session", "unwritten", "updated", "title")]
        rows += [
            (
                safe(f"{each.session.provider}/{each.session.id}"),
                f"{each.pending:,}",
                each.session.updated_at[:16],
                one_line(each.session.title),
            )
            for each in found
        ]
        return table(rows) if found else "no conversation was imported yet: `scriptorium import FILE`"

    door.say("sessions", found, people)
    return 0


@command("write")
@click.argument("sessions", nargs=-1)
@click.option("--all", "everything", is_flag=True, help="Every conversation (the default without names).")
@click.option("--force", is_flag=True, help="Also what is less than a whole batch, until nothing waits.")
@click.option("--writer", metavar="NAME", help="extractive (needs no model) or recorded (plays a tape).")
@click.option("--tape", type=_FILE, help="The tape that the recorded writer plays.")
@click.option("--record", type=_FILE, help="Record on this tape what the writer does.")
def write_command(
    door: Door,
    sessions: tuple[str, ...],
    everything: bool,
    force: bool,
    writer: str | None,
    tape: Path | None,
    record: Path | None,
) -> int:
    """Write the unwritten part of conversations into memory, one commit a batch.

    Evidence and records land in the same commit. Whatever is killed in between, no message is lost and
    none is written twice.
    """
    if sessions and everything:
        raise click.UsageError("name conversations or give --all, not both")
    with door.service() as service, door.progress("writing") as progress:
        passes = service.write(
            sessions or None, force=force, writer=writer, tape=tape, record=record, progress=progress
        )
    return _said(door, passes)


@command("replay")
@click.argument("tape", type=_FILE)
@click.argument("sessions", nargs=-1)
def replay_command(door: Door, tape: Path, sessions: tuple[str, ...]) -> int:
    """Write what is unwritten as TAPE says.

    The same conversations, tape and --clock give the same commits, byte for byte.
    """
    with door.service() as service, door.progress("replaying") as progress:
        passes = service.replay(tape, sessions or None, progress=progress)
    return _said(door, passes)


def _said(door: Door, passes: "tuple[Pass, ...]") -> int:
    """Say what came of the passes; the exit code is that of the first failure."""
    from scriptorium_core.writing.outcome import Failed

    failures = [outcome for each in passes for outcome in each.outcomes if isinstance(outcome, Failed)]
    problems = [problem for failure in failures for problem in failure.problems or (_problem(failure),)]

    def people() -> str:
        lines = [
            f"{safe(each.session)}: {outcome_line(outcome)}" for each in passes for outcome in each.outcomes
        ]
        return "\n".join(lines) or "no conversation was imported yet: `scriptorium import FILE`"

    door.say("passes", passes, people, problems)
    door.blame(problems)
    return exit_of(failures[0].code) if failures else 0


def _problem(failure: "Failed") -> Problem:
    remedy = "try again later" if failure.retryable else "mend the cause, then write again"
    return Problem(failure.code, failure.message, remedy=remedy)


def _unreadable(report: "Report") -> tuple[Problem, ...]:
    """A file that is all rubbish is no log, whatever its format was said to be."""
    if report.sessions or not report.skipped:
        return ()
    line, reason = report.places[0] if report.places else (0, "nothing in it is a message")
    message, remedy = f"nothing in it can be read as {report.format}: {reason}", "give the right --format"
    return (Problem(Code.INVALID_ARGUMENT, message, report.path, line, remedy),)


def _report(report: "Report") -> str:
    if not report.format and report.problems:
        return f"{safe(report.path)}: nothing was taken"
    if report.empty:
        return f"{safe(report.path)}: the file is empty; nothing was taken"
    would = "would take" if report.dry_run else "took"
    lines = [
        f"{safe(report.path)} ({report.format}): {would} {counted(report.turns_new, 'new turn')} "
        f"({report.turns_known:,} known) of {counted(len(report.sessions), 'session')} "
        f"({report.sessions_new:,} new), {counted(report.branches, 'branch', 'branches')}"
    ]
    lines += [f"  left out: {count:,} {one_line(reason)}" for reason, count in report.skipped.items()]
    lines += [f"    line {line:,}: {one_line(reason)}" for line, reason in report.places]
    if report.torn:
        lines.append(f"  line {report.torn:,} is half written; it is taken the next time")
    if report.gaps:
        lines.append(
            f"  {report.gaps:,} turns name a parent that is missing; they follow the turn before them"
        )
    if report.cut:
        lines.append(f"  {report.cut:,} turns closed a circle, which was cut")
    if report.copies:
        lines.append(f"  {report.copies:,} turns are copies that a fork made of known ones")
    if report.replaced:
        lines.append(f"  {report.replaced:,} records held characters that are none; each became U+FFFD")
    return "\n".join(lines)
