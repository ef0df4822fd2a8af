"""What would be written by itself, and how that went so far, as `status` shows it."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from .lines import counted, day_and_time
from .safe import one_line, safe

if TYPE_CHECKING:
    from ..service.kept import Coming, Keeper, Outlook, Spending, Spent
    from ..service.model import Failure, Status

__all__ = ["ahead_lines"]

_NAMED = 3


def ahead_lines(status: "Status", attached: Sequence[str] = ()) -> Iterator[str]:
    """The lines below what memory holds; the fewer, the better it goes. `attached` agents call it."""
    ahead = status.outlook
    yield f"keeper     {_keeper(ahead.keeper)}"
    late = {each.session for each in ahead.overdue}  # said once, with the reason, further below
    yield from _coming("due", [each for each in ahead.due if each.session not in late], "now")
    yield from _coming("waits", ahead.waits, "when something new is said")
    for taken in ahead.leases:
        held = f"{one_line(taken.holder)} has {taken.batch} until {day_and_time(taken.until)}"
        yield f"taken      {safe(taken.session)}: the agent {held} ({taken.tokens:,} tokens)"
    if ahead.stopped is not None:
        stopped = ahead.stopped
        yield f"stopped    until {day_and_time(stopped.until)}: {stopped.words} → {stopped.remedy}"
    if ahead.organize_at:
        yield f"organize   would be at {day_and_time(ahead.organize_at)}: {ahead.organize_why}"
    if ahead.organized_at:
        yield f"organized  last at {day_and_time(ahead.organized_at)}"
    if ahead.cap is not None:
        yield f"today      {ahead.offered:,} of {ahead.cap:,} tokens went to the writer"
    yield from _spent(ahead.spending)
    yield f"agents     {_given(ahead, attached)}"
    if status.last.success_at:
        yield f"written    last at {day_and_time(status.last.success_at)}"
    if status.last.failure is not None:
        yield _failed(status.last.failure, status.last.outcome == "failure")
    for each in ahead.overdue[:_NAMED]:
        since = day_and_time(each.since)
        yield f"overdue    {safe(each.session)}, since {since}: {one_line(each.reason)} → {each.remedy}"
    if len(ahead.overdue) > _NAMED:
        yield f"overdue    and {len(ahead.overdue) - _NAMED:,} more"
    for name, fault in (("scan", ahead.keeper.scan_failed), ("hook", ahead.hook_failed)):
        if fault is not None:
            yield f"{name}       failed at {day_and_time(fault.at)}: {one_line(fault.words)}"


def _spent(found: "Spending") -> Iterator[str]:
    """What models took, where one was asked this month."""
    if found.month.passes:
        yield f"spent      today {_took(found.today)}; this month {_took(found.month)}"
        for model, took in found.models.items() if len(found.models) > 1 else ():
            yield f"           {one_line(model)}: {_took(took)}"


def _took(took: "Spent") -> str:
    tokens = f"{took.tokens_in:,} tokens in, {took.tokens_out:,} out"
    if took.unpriced == took.passes:
        return f"{tokens}, cost unknown" if took.passes else "nothing"
    unknown = f" and {counted(took.unpriced, 'pass', 'passes')} of unknown cost" if took.unpriced else ""
    return f"{tokens}, ${took.cost:,.2f}{unknown}"


def _keeper(keeper: "Keeper") -> str:
    watched = f"watches {', '.join(map(safe, keeper.watch))}" if keeper.watch else "watches no logs"
    scanned = f"; looked at {day_and_time(keeper.scanned_at)}" if keeper.scanned_at else ""
    asked = f"; {counted(keeper.requests, 'request')} of hooks wait" if keeper.requests else ""
    runs = f"runs as {keeper.process}" if keeper.process else "does not run (`scriptorium keep`)"
    return f"{runs}; {watched}{scanned}{asked}"


def _coming(label: str, found: "Sequence[Coming]", otherwise: str) -> Iterator[str]:
    for each in found[:_NAMED]:
        code = f" ({each.code})" if each.code else ""
        at = day_and_time(each.at) if each.at and label != "due" else otherwise
        yield f"{label:<10} {safe(each.session)}: {at}: {each.why}{code}"
    if len(found) > _NAMED:
        yield f"{label:<10} and {len(found) - _NAMED:,} more"


def _given(ahead: "Outlook", attached: Sequence[str]) -> str:
    """What an agent was given last; before the first time, which ones will be given something."""
    given = ahead.injected
    if given is None and attached:
        verb = "is" if len(attached) == 1 else "are"
        return f"{' and '.join(attached)} {verb} attached; memory goes along from the next session on"
    if given is None:
        return "none has asked for memory yet; `scriptorium hook install` attaches one"
    where = f"{day_and_time(given.at)}, {given.event} of session {one_line(given.session) or 'unknown'}"
    why = f": {given.why_not}" if given.why_not else ""
    return f"last given {'nothing' if why else f'{given.tokens:,} tokens'} at {where}{why}"


def _failed(failure: "Failure", stands: bool) -> str:
    """The last failure; in full while nothing has gone well since."""
    session = f" {safe(failure.session)}" if failure.session else ""
    head = f"failed     {day_and_time(failure.at)}{session}: {failure.code}"
    if not stands:
        return f"{head}; it went well since"
    again = "it is tried again" if failure.retryable else "it needs you"
    message = f" ({one_line(failure.message)})" if failure.message else ""
    return f"{head}, {again}: {failure.words}{message} → {failure.remedy}"
