"""What would be written by itself, and when: the facts read, the core asked, the answer in words."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING

from scriptorium_core.budget import Count, estimate
from scriptorium_core.sessions.talk import said
from scriptorium_core.writing.cadence import DAY, Pace, Plan, Stop, Talk, cap, plan, seconds_of
from scriptorium_core.writing.costs import by_model, spent, spent_on
from scriptorium_core.writing.explaining import explain
from scriptorium_core.writing.leasing import open_leases
from scriptorium_core.writing.status import WriterStatus
from scriptorium_core.writing.watching import Watched

from ..clock import Moment
from ..conversations.activity import talks
from ..lock import holder
from ..writer.leases import read_leases
from .kept import Coming, Keeper, Leased, Outlook, Overdue, Spending, Stopped
from .runtime import keeper_lock, read_costs, read_status, read_watched, requests_left
from .shaping import moment_text

if TYPE_CHECKING:
    from ..conversations.store import Store
    from ..layout import Layout
    from ..settings import Settings
    from ..workspace import Memory
    from .place import Place

__all__ = ["outlook", "pace_of", "planned", "stopped_in_words"]

_FREE = ("extractive", "recorded")


def pace_of(settings: Settings) -> Pace:
    """The settings as the core takes them."""
    hours, minutes = settings.organize_at.split(":")
    return Pace(
        settings.idle_minutes * 60,
        settings.scan_minutes * 60 if settings.watch else 0,
        int(hours) * 60 + int(minutes),
        settings.batch_tokens,
        settings.daily_tokens,
        settings.writer not in _FREE,
        settings.writer == "agent",
    )


def planned(
    service: Place, memory: Memory, store: Store | None, count: Count, ended: Collection[str] = ()
) -> Plan:
    """What is due now, and when the next thing is."""
    return _planned(service, memory, _talks(service, memory, store, count), ended)


def outlook(service: Place, memory: Memory, store: Store | None) -> Outlook:
    """What a keeper would do, whether one runs or not; sizes are estimated."""
    now = service.moment()
    status, watched = read_status(memory.layout), read_watched(memory.layout)
    pace = pace_of(service.settings)
    found = _talks(service, memory, store, estimate)
    ahead = _planned(service, memory, found, ())
    stopped = stopped_in_words(ahead.stop, status, now)
    keeper = _keeper(service, memory, watched)
    organize = ahead.organize
    return Outlook(
        due=tuple(Coming(each.talk, each.why, moment_text(now)) for each in ahead.due),
        waits=tuple(Coming(each.talk, each.why, _text(each.until, now), each.code) for each in ahead.waits),
        overdue=tuple(
            _overdue(each, status, stopped, keeper, now)
            for each in found
            if now.seconds - each.active_at > DAY
        ),
        stopped=stopped,
        next_at=_text(ahead.next_at, now) if ahead.due or ahead.waits or pace.scan else "",
        organize_at=_text(organize.at, now) if organize is not None else "",
        organize_why=organize.why if organize is not None else "",
        organized_at=status.organized_at,
        offered=status.offered_on(moment_text(now)[:10]),
        cap=cap(pace),
        keeper=keeper,
        injected=watched.injected,
        hook_failed=watched.hook_failed,
        spending=_spending(memory, moment_text(now)[:10]),
        leases=_leased(memory.layout, now),
    )


def _leased(layout: Layout, now: Moment) -> tuple[Leased, ...]:
    """The batches that agents have at this time."""
    return tuple(
        Leased(each.batch, each.session, each.holder, each.tokens, _text(each.until, now), each.attempts)
        for each in open_leases(read_leases(layout), now.seconds)
    )


def _spending(memory: Memory, today: str) -> Spending:
    month = [entry for entry in read_costs(memory.layout) if entry.day.startswith(today[:7])]
    return Spending(spent_on(month, today), spent(month), by_model(month))


def stopped_in_words(found: Stop | None, status: WriterStatus, now: Moment) -> Stopped | None:
    """Why no pass is made, for a person."""
    if found is None:
        return None
    until = _text(found.until, now)
    if not found.code:
        words = f"the tokens of the day are spent ({status.offered:,} went to the writer)"
        return Stopped(until, "", words, "nothing to do: it goes on tomorrow; `daily_tokens` sets the number")
    told = explain(found.code)
    return Stopped(until, found.code, told.words, told.remedy)


def _talks(service: Place, memory: Memory, store: Store | None, count: Count) -> tuple[Talk, ...]:
    if store is None:
        return ()
    now, pace = service.moment(), pace_of(service.settings)

    def spoken(text: str) -> int:
        return count(said(text))

    return talks(store, memory.workspace, spoken, pace, now.seconds, now.offset)


def _planned(service: Place, memory: Memory, found: tuple[Talk, ...], ended: Collection[str]) -> Plan:
    now = service.moment()
    return plan(
        found,
        read_status(memory.layout),
        pace_of(service.settings),
        now.seconds,
        now.offset,
        scanned_at=seconds_of(read_watched(memory.layout).scanned_at),
        ended=ended,
        leased={each.session: each.until for each in open_leases(read_leases(memory.layout), now.seconds)},
    )


def _keeper(service: Place, memory: Memory, watched: Watched) -> Keeper:
    return Keeper(
        holder(keeper_lock(memory.layout)),
        service.settings.watch,
        watched.scanned_at,
        watched.scan_failed,
        requests_left(memory.layout),
    )


def _overdue(
    talk: Talk, status: WriterStatus, stopped: Stopped | None, keeper: Keeper, now: Moment
) -> Overdue:
    """A session that has been unwritten for a day, with the reason that is nearest to it."""
    tried = status.tried.get(talk.name)
    if tried is not None:
        reason, remedy = f"{tried.code}: {explain(tried.code).words}", explain(tried.code).remedy
    elif stopped is not None:
        reason, remedy = stopped.words, stopped.remedy
    elif not keeper.process:
        reason, remedy = "no keeper runs, and no hook asks", "`scriptorium keep` writes it"
    else:
        reason, remedy = "the keeper has not come to it yet", "nothing to do"
    return Overdue(talk.name, _text(talk.active_at, now), reason, remedy)


def _text(seconds: int | None, now: Moment) -> str:
    return moment_text(Moment(seconds, now.offset)) if seconds is not None else ""
