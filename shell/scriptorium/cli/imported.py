"""What an import found and did, as people read it: a few lines a log, or one summary of many."""

from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import TYPE_CHECKING

from .lines import counted, table
from .safe import one_line, safe

if TYPE_CHECKING:
    from ..conversations.importing import Report
    from ..service.conversing import FoundLogs

__all__ = ["LINKS", "found_lines", "interrupted_line", "report_lines", "size", "total_lines"]

LINKS = (("continues", "continues"), ("forked_from", "forked from"), ("spawned_by", "begun by an agent of"))
"""How a session came from another one, in words."""

_NAMED = 5


def report_lines(report: "Report") -> str:
    """A log: what was taken, and what was left out and why."""
    if report.problems and not report.sessions:
        return f"{safe(report.path)}: nothing was taken"
    if report.empty:
        return f"{safe(report.path)}: the file is empty; nothing was taken"
    if report.unchanged:
        return f"{safe(report.path)} ({report.format}): unchanged since it was read"
    lines = [f"{safe(report.path)} ({report.format}): {_taken(report)}"]
    lines += [f"  left out: {count:,} {one_line(reason)}" for reason, count in report.skipped.items()]
    lines += [f"    line {line:,}: {one_line(reason)}" for line, reason in report.places]
    if report.torn:
        lines.append(f"  line {report.torn:,} is half written; it is taken the next time")
    return "\n".join([*lines, *_more(report)])


def total_lines(total: "Report", logs: int, is_told: bool) -> Iterator[str]:
    """Many logs in all; where each was told before (`is_told`), only what is more than that."""
    if not logs:
        yield "no log was read"
    elif logs > 1:
        unchanged = f" ({total.unchanged:,} unchanged)" if total.unchanged else ""
        yield f"{counted(logs, 'log')}{unchanged}: {_taken(total)}"
        if not is_told:
            yield from (
                f"  left out: {count:,} {one_line(reason)}" for reason, count in total.skipped.items()
            )
            if total.torn:
                ends = counted(total.torn, "log ends", "logs end")
                yield f"  {ends} in half a record; it is taken the next time"
            yield from _more(total)
    for reason, count in total.passed_over.items():
        yield f"  passed over: {count:,} ({one_line(reason)})"


def found_lines(found: "Sequence[FoundLogs]") -> str:
    """What programs keep: how many logs, how large, and the day of the newest."""
    rows = [("program", "logs", "size", "newest", "in")]
    rows += [
        (
            each.program,
            f"{each.files:,}",
            size(each.bytes),
            f"{datetime.fromtimestamp(each.newest):%Y-%m-%d}" if each.files else "-",
            safe(str(each.path)),
        )
        for each in found
    ]
    return table(rows)


def interrupted_line(done: int, total: int) -> str:
    """How far a stopped import came."""
    share = f"{100 * done // total} % of " if total else ""
    return (
        f"interrupted after {size(done)}, {share}all; what was taken stays."
        " The same command goes on from there."
    )


def size(number: int) -> str:
    """A number of bytes as `12.3 MB`."""
    amount, unit = float(number), "B"
    for unit in ("B", "kB", "MB", "GB", "TB"):
        if amount < 1000 or unit == "TB":
            break
        amount /= 1000
    return f"{amount:.0f} {unit}" if unit == "B" else f"{amount:.1f} {unit}"


def _taken(report: "Report") -> str:
    would = "would take" if report.dry_run else "took"
    if not (report.turns_new or report.turns_known):
        sessions = f" of {counted(len(report.sessions), 'session')}" if report.sessions else ""
        return f"no new turns{sessions}"
    return (
        f"{would} {counted(report.turns_new, 'new turn')} ({report.turns_known:,} known) "
        f"of {counted(len(report.sessions), 'session')} ({report.sessions_new:,} new), "
        f"{counted(report.branches, 'branch', 'branches')}"
    )


def _more(report: "Report") -> Iterator[str]:
    if report.gaps:
        name = counted(report.gaps, "turn names", "turns name")
        yield f"  {name} a parent that is missing; what came before it in the log is put above"
    if report.cut:
        yield f"  {counted(report.cut, 'turn')} closed a circle, which was cut"
    if report.copies:
        stand = "stands" if report.copies == 1 else "stand"
        yield f"  {report.copies:,} of them {stand} in another session too, as a fork's copy: kept once"
    if report.replaced:
        yield f"  {counted(report.replaced, 'record')} held characters that are none; each became U+FFFD"
    for what, count in report.noted.items():
        yield f"  {counted(count, 'record')} {what}"
    for kind, words in LINKS:
        if count := report.links.get(kind, 0):
            yield f"  {counted(count, 'session')} {words} another"
    if report.excluded:
        sessions = counted(len(report.excluded), "session")
        yield f"  kept out: {sessions} with {counted(report.turns_excluded, 'turn')}"
        for name, why in list(report.excluded.items())[:_NAMED]:
            yield f"    {safe(name)}: {one_line(why)}"
