"""Reading conversations in: from files, folders and archives, or from where programs keep their logs."""

import sys
from collections.abc import Callable, Collection, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from scriptorium_core.problem import Code, Problem

from .door import Door, Stop
from .endings import INTERRUPTED
from .exits import exit_of
from .imported import found_lines, interrupted_line, report_lines, total_lines
from .shared import command
from .streams import err, out

if TYPE_CHECKING:
    from ..conversations.importing import Report, Wish
    from ..layout import TalkPlace
    from ..service import Service

__all__: list[str] = []

_FILE = click.Path(path_type=Path)
_FEW = 5
_MANY = 20
_NOTHING = "no program keeps conversations here that this one can read; name a file, a folder or an archive"
_HOW = "nothing was imported: say --yes to import it"
_REFUSED = "nothing was imported"


@command("import")
@click.argument("paths", nargs=-1, type=_FILE)
@click.option(
    "--auto", is_flag=True, help="Look where programs keep their logs, show what is there, and ask."
)
@click.option("--yes", is_flag=True, help="Import what --auto finds without asking.")
@click.option(
    "--exclude", multiple=True, metavar="SESSION", help="An id that never enters, now or later; repeatable."
)
@click.option("--format", "form", metavar="NAME", help="The format of the logs (default: by their content).")
@click.option("--session", default="", help="The name of the conversation, for a log that names none.")
@click.option("--again", is_flag=True, help="Read a known file from its start; nothing is taken twice.")
@click.option("--dry-run", is_flag=True, help="Say what would be taken, and take nothing.")
@click.option("--verbose", "-v", is_flag=True, help="A line for each log, also where there are many.")
def import_command(
    door: Door,
    paths: tuple[Path, ...],
    auto: bool,
    yes: bool,
    exclude: tuple[str, ...],
    form: str | None,
    session: str,
    again: bool,
    dry_run: bool,
    verbose: bool,
) -> int:
    """Read conversations from files, folders and archives into the session store.

    What is a log, and of which format, its content says: logs of Claude Code, Codex, Gemini CLI, Pi and
    OpenClaw, exports of ChatGPT and Claude.ai (the zip as it came), message lists, transcripts. A log may be
    compressed (.zst, .gz).

    A file may grow and be read again: only what is new is taken, half a last line waits for the next
    time, and records that cannot be read are counted and named. Nothing enters memory before `write`.

    With --json: `reports` (one a log; one a folder or archive, `files` 0, with what was `passed_over`),
    `totals`, and `found` with --auto. Stopped by Ctrl-C, what was taken stays, and the exit code is 130.
    """
    from ..conversations.importing import Wish
    from ..layout import TalkPlace, writer_sessions

    if not paths and not auto:
        raise click.UsageError("name a file, a folder or an archive, or say --auto")
    wish = Wish(form, session, again, dry_run, exclude)
    places = [TalkPlace(path) for path in paths]
    with door.service() as service:
        for provider, name in writer_sessions():
            service.exclude_session(provider, name, "a writer of memory ran in it")
        if not auto:
            return _run(door, service, places, wish, verbose)
        return _auto(door, service, places, wish, verbose, yes)


def _auto(
    door: Door, service: "Service", places: "Sequence[TalkPlace]", wish: "Wish", verbose: bool, yes: bool
) -> int:
    """Show what programs keep, and import it if that is wanted."""
    from ..layout import talk_places

    known = talk_places()
    found = service.found_logs(known)
    if not any(each.files for each in found) and not places:
        door.say("found", {"found": found, "reports": ()}, lambda: _NOTHING)
        return 0
    if not door.json:
        err(found_lines(found))
    if not (yes or wish.dry_run):
        if door.json or not sys.stdin.isatty():
            door.say("found", {"found": found, "reports": ()}, lambda: _HOW)
            return 0
        if not click.confirm("Import them?", err=True):
            door.say("found", {"found": found, "reports": ()}, lambda: _REFUSED)
            return 0
    return _run(door, service, [*places, *known], wish, verbose, found)


def _run(
    door: Door,
    service: "Service",
    places: "Sequence[TalkPlace]",
    wish: "Wish",
    verbose: bool,
    found: Sequence[object] | None = None,
) -> int:
    from ..conversations.importing import together

    reports: list[Report] = []
    with door.progress("importing") as progress:
        reached = _Reached(progress)
        try:
            for report in service.importing(places, wish, reached.step):
                reports.append(report)
        except KeyboardInterrupt:
            reached.is_stopped = True
    named = {str(place.path) for place in places}
    faults = [report.problems or _rubbish(report, wish.format, named) for report in reports]
    failed = [problem for fault in faults for problem in fault]
    if not reached.is_stopped and reports and all(faults):
        raise Stop(failed)
    total = together(reports)

    def people() -> str:
        logs = [report for report in reports if report.files]
        told = logs if verbose or len(logs) <= _FEW else []
        lines = [report_lines(report) for report in told]
        # Of a log that was begun and not ended the line of the interrupt tells.
        if logs or not reached.is_stopped:
            lines += total_lines(total, len(logs), bool(told))
        return "\n".join(lines)

    answer = {"reports": tuple(reports), "totals": total} | ({} if found is None else {"found": found})
    if reached.is_stopped:
        return _stopped(door, interrupted_line(reached.done, reached.total), answer, people)
    door.say("reports", answer, people, failed)
    door.blame(failed[:_MANY])
    if len(failed) > _MANY and not door.json:
        err(f"… and {len(failed) - _MANY:,} more; --json lists all")
    return exit_of(failed[0].code) if failed else 0


class _Reached:
    """How far an import has come, in bytes."""

    def __init__(self, progress: Callable[[int, int], None] | None) -> None:
        self._progress = progress
        self.done = self.total = 0
        self.is_stopped = False

    def step(self, done: int, total: int) -> None:
        """Note how far it is, and show it."""
        self.done, self.total = done, total
        if self._progress is not None:
            self._progress(done, total)


def _stopped(door: Door, message: str, answer: Mapping[str, object], people: Callable[[], str]) -> int:
    """Say what was taken before a person stopped the import; the exit code."""
    if door.json:
        from ..plain import plain

        error = {"code": "INTERRUPTED", "message": message, "path": "", "problems": []}
        door.give({"ok": False, "error": error, **plain(answer)})
    else:
        if told := people():
            out(told)
        err(message)
    return INTERRUPTED


def _rubbish(report: "Report", format: str | None, named: Collection[str]) -> tuple[Problem, ...]:
    """A file that is all rubbish is no log, whatever its format was said to be."""
    if report.path not in named or report.sessions or report.excluded or not report.skipped:
        return ()
    line, reason = report.places[0] if report.places else (0, "nothing in it is a message")
    message = f"nothing in it can be read as {report.format}: {reason}"
    remedy = "give the right --format" if format else "name the file in which the conversations are"
    return (Problem(Code.INVALID_ARGUMENT, message, report.path, line, remedy),)
