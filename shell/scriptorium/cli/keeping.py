"""Writing that goes on by itself: the keeper."""

import signal
from collections.abc import Iterator
from typing import TYPE_CHECKING

import click

from scriptorium_core.writing.outcome import Failed, NothingDue

from .door import Door
from .exits import exit_of
from .imported import total_lines
from .lines import counted, day_and_time, outcome_line
from .organizing import portion_line
from .safe import one_line, safe
from .shared import command
from .streams import out

if TYPE_CHECKING:
    from scriptorium_core.writing.outcome import Outcome

    from ..service.keeping import Round

__all__: list[str] = []


@command("keep")
@click.option("--once", is_flag=True, help="One round, then end: for cron and timers.")
@click.option("--asked", is_flag=True, hidden=True, help="With --once: look for logs only if it is time.")
def keep_command(door: Door, once: bool, asked: bool) -> int:
    """Keep the memory by itself: take in the logs that grow, write what is due, wait.

    What is looked at, `watch` in settings.toml says (`watch = ["claude-code", "~/exports"]`); without it, and
    without hooks, nothing is taken in. A conversation is written when a whole batch is unwritten, when it was
    idle for half an hour, when it went on in another branch, and when it ended. Failures are waited out and
    shown by `status`. Ends at once, and cleanly, on SIGTERM and Ctrl-C.

    With --json: one object a round.
    """
    with door.service() as service:
        if once:
            done = service.keep_once(scan=not asked)
            door.say("round", done, lambda: "\n".join(_lines(done)) or _nothing(done), done.faults)
            failed = [outcome for each in done.passes for outcome in each.outcomes]
            return next((exit_of(each.code) for each in failed if isinstance(each, Failed)), 0)
        from ..keeper import keep

        def told(done: "Round") -> None:
            if door.json or (lines := list(_lines(done))):
                door.say("round", done, lambda: "\n".join(lines), done.faults)

        def begun() -> None:
            if not door.json:
                out(f"keeping {safe(str(service.root))}; Ctrl-C ends it")

        before = signal.signal(signal.SIGTERM, _ended)
        try:
            keep(service, told, begun)
        except KeyboardInterrupt:
            if not door.json:
                out("ended; what was committed stays")
        finally:
            signal.signal(signal.SIGTERM, before)
    return 0


def _ended(*_: object) -> None:
    raise KeyboardInterrupt


def _lines(done: "Round") -> Iterator[str]:
    """What a round did; nothing where it did nothing."""
    from ..conversations.importing import together

    read = [report for report in done.reports if report.turns_new]
    for report in read:
        yield f"{safe(report.path)}: {counted(report.turns_new, 'new turn')}"
    if len(read) > 1:
        yield from total_lines(together(read), len(read), True)
    for each in done.passes:
        for outcome in each.outcomes:
            if not isinstance(outcome, NothingDue):
                yield f"{safe(each.session)}: {outcome_line(outcome)}"
    for portion in done.organized:
        yield portion_line(portion)
    for fault in done.faults:
        yield f"failed: {one_line(fault.message)}"


def _is_for_agents(outcome: "Outcome") -> bool:
    return isinstance(outcome, NothingDue) and outcome.agent


def _nothing(done: "Round") -> str:
    waiting = [each for each in done.passes for outcome in each.outcomes if _is_for_agents(outcome)]
    if waiting:
        some = counted(len(waiting), "conversation")
        return f"nothing was written: {some} waiting for an agent (`scriptorium pending`)"
    if done.stopped is not None:
        return f"nothing was written: {done.stopped.words}; it goes on at {day_and_time(done.stopped.until)}"
    return "nothing was due"
