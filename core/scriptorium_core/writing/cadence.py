"""What is due by itself, and when the next thing is: pure decisions about sessions, failures and the clock.

Nothing here remembers anything. A time that was kept counts only while the clock stands behind it: after
a jump back what waited is due once, after a sleep what was missed is due once, and whatever is done is
kept with the present, so that it is not due again at once. No jump makes a run late for ever.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from datetime import datetime, timedelta, timezone
from enum import StrEnum
from types import MappingProxyType

from attrs import frozen

from .outcome import WRITER_WIDE, backoff
from .status import WriterStatus, given_up

__all__ = [
    "DAILY_TOKENS",
    "DAY",
    "Due",
    "Organize",
    "Pace",
    "Plan",
    "Stop",
    "Talk",
    "Wait",
    "Why",
    "cap",
    "is_idle",
    "plan",
    "seconds_of",
    "spent",
    "stop",
]

DAY = 86_400
DAILY_TOKENS = 500_000
"""What a writer that costs is offered on one day, unless a person has set it otherwise."""

_NONE: Mapping[str, int] = MappingProxyType({})
_WIDE_WAIT = 3_600
_ENOUGH_BATCHES = 5
_ENOUGH_TOKENS = 40_000


class Why(StrEnum):
    """Why something is due, or for what it waits."""

    ENDED = "the session has ended"
    LEFT = "the conversation went on in another branch"
    FULL = "a whole batch is unwritten"
    IDLE = "the conversation has been idle"
    BELOW = "less than a batch is unwritten; it is written when the conversation is idle"
    FAILED = "the last pass failed and is tried again"
    AGENT = "it waits for an agent to take and write it (`scriptorium pending`)"
    LEASED = "an agent has taken it to write it"
    HANDLED = "the last pass failed; it is not tried again before something new is said"


@frozen
class Pace:
    """What a person may set: seconds, a minute of the local day, tokens.

    `scan` is 0 where nothing is watched; `daily_tokens` None is the default of a writer that `costs`, and
    no cap for one that does not. With `agent` nobody is asked: what is due waits for an agent to take it.
    """

    idle: int = 1_800
    scan: int = 300
    organize_at: int = 180
    batch_tokens: int = 16_000
    daily_tokens: int | None = None
    costs: bool = False
    agent: bool = False


@frozen
class Talk:
    """A session with unwritten messages, as far as it matters here.

    `name` is `provider/id`; `state` changes when something comes to it; `active_at` is seconds since 1970;
    `tokens` need not be counted beyond a batch; `left` are the ends of branches that its head has left.
    """

    name: str
    state: str
    active_at: int
    tokens: int
    left: tuple[str, ...] = ()


@frozen
class Due:
    """A pass to be made now: over one branch that was left, if `branch` names its end, else over all."""

    talk: str
    why: Why
    force: bool
    branch: str = ""


@frozen
class Wait:
    """A session that is not written yet: until when (None: until something else happens), and why."""

    talk: str
    why: Why
    until: int | None
    code: str = ""


@frozen
class Stop:
    """No pass is made before `until`: `code` of the failure that is waited out, empty for the daily cap."""

    until: int
    code: str = ""


@frozen
class Organize:
    """When topics would be organized (a time gone by: now), and why."""

    at: int
    why: str


@frozen
class Plan:
    """What is due now, what waits, and when to look again (`next_at`, later than now unless work is due)."""

    scan: bool
    due: tuple[Due, ...]
    waits: tuple[Wait, ...]
    stop: Stop | None
    organize: Organize | None
    next_at: int


def plan(
    talks: Sequence[Talk],
    status: WriterStatus,
    pace: Pace,
    now: int,
    offset: int = 0,
    *,
    scanned_at: int | None = None,
    ended: Collection[str] = (),
    leased: Mapping[str, int] = _NONE,
) -> Plan:
    """What to do at `now` (seconds since 1970, `offset` minutes east of UTC); `ended` are session names.

    `leased` are sessions of which an agent has taken a batch, and until when.

    What failed least comes first, so that one bad conversation never keeps the others waiting.
    """
    due: list[Due] = []
    waits: list[Wait] = []
    for talk in sorted(talks, key=lambda each: _failures(status, each.name)):
        if leased.get(talk.name, now) > now:
            waits.append(Wait(talk.name, Why.LEASED, leased[talk.name]))
            continue
        for step in _steps(talk, status, pace, now, talk.name in ended):
            if isinstance(step, Wait):
                waits.append(step)
            elif pace.agent:
                waits.append(Wait(talk.name, Why.AGENT, None))
                break
            else:
                due.append(step)
    stopped = stop(status, pace, now, offset)
    scans = pace.scan > 0 and not _within(scanned_at, now, pace.scan)
    times = [wait.until for wait in waits if wait.until is not None] + ([now] if due else [])
    if stopped is not None:
        times = [max(time, stopped.until) for time in times]
    if pace.scan:
        times.append(now if scans or scanned_at is None else scanned_at + pace.scan)
    next_at = min(times, default=now + (pace.scan or pace.idle))
    return Plan(scans, tuple(due), tuple(waits), stopped, _organize(status, pace, now, offset), next_at)


def stop(status: WriterStatus, pace: Pace, now: int, offset: int = 0) -> Stop | None:
    """Why no pass may be made now: a failure that is waited out, or the tokens of the day are spent."""
    failure = status.failure
    if failure is not None and status.outcome == "failure":
        least = backoff(status.failures) if failure.retryable else 0
        wait = _WIDE_WAIT if failure.code in WRITER_WIDE else least
        end = _end(failure.at, wait, failure.until if failure.retryable else "", now, offset)
        if end is not None:
            return Stop(end, failure.code)
    return spent(status, pace, now, offset)


def spent(status: WriterStatus, pace: Pace, now: int, offset: int = 0) -> Stop | None:
    """That the tokens of the day are spent, until the next one."""
    limit = cap(pace)
    if limit is not None and status.offered_on(_day(now, offset)) >= limit:
        return Stop(_next_local(now, offset, 0))
    return None


def cap(pace: Pace) -> int | None:
    """How many tokens a writer is offered on one local day, None for any number."""
    return pace.daily_tokens if pace.daily_tokens is not None else DAILY_TOKENS if pace.costs else None


def is_idle(talk: Talk, pace: Pace, now: int) -> bool:
    """Whether nobody has said anything for long enough; so is one whose time lies ahead of the clock."""
    return not _within(talk.active_at, now, pace.idle)


def seconds_of(text: str, offset: int = 0) -> int | None:
    """An ISO 8601 time in seconds since 1970, None where it is none; without a zone it stands in `offset`."""
    if "T" not in text and " " not in text:
        return None
    try:
        point = datetime.fromisoformat(text)
        zoned = point if point.tzinfo else point.replace(tzinfo=timezone(timedelta(minutes=offset)))
        return int(zoned.timestamp())
    except (ValueError, OverflowError):
        return None


def _steps(talk: Talk, status: WriterStatus, pace: Pace, now: int, ended: bool) -> Iterator[Due | Wait]:
    tried = status.tried.get(talk.name)
    if tried is not None and given_up(status, talk.name, talk.state):
        yield Wait(talk.name, Why.HANDLED, None, tried.code)
        return
    if tried is not None and tried.retryable:
        end = _end(tried.at, backoff(tried.failures), "", now, 0)
        if end is not None:
            yield Wait(talk.name, Why.FAILED, end, tried.code)
            return
    if ended or is_idle(talk, pace, now):
        yield Due(talk.name, Why.ENDED if ended else Why.IDLE, True)
        return
    for branch in talk.left:
        yield Due(talk.name, Why.LEFT, True, branch)
    if talk.tokens >= pace.batch_tokens:
        yield Due(talk.name, Why.FULL, False)
    elif not talk.left:
        yield Wait(talk.name, Why.BELOW, talk.active_at + pace.idle)


def _organize(status: WriterStatus, pace: Pace, now: int, offset: int) -> Organize | None:
    """At the set minute after enough was written, or after a day in which something was."""
    if not status.batches:
        return None
    enough = status.batches >= _ENOUGH_BATCHES or status.tokens >= _ENOUGH_TOKENS
    begun = seconds_of(status.organized_at or status.since, offset)
    kept = seconds_of(status.success_at, offset) if enough else begun
    if kept is None or kept > now:
        kept = now if enough else now - DAY  # the clock went back: what was waited for is over
    needed = kept if enough else kept + DAY
    written = f"{status.batches} batches and {status.tokens:,} tokens were written since the last time"
    return Organize(
        _next_local(needed, offset, pace.organize_at),
        written if enough else "something was written and a day has passed",
    )


def _end(at: str, wait: int, until: str, now: int, offset: int) -> int | None:
    """When a wait that began `at` ends; None if it is over, or the clock went back behind its beginning."""
    begun = seconds_of(at, offset)
    if begun is None or begun > now:
        return None
    end = max(begun + wait, seconds_of(until, offset) or 0)
    return end if end > now else None


def _within(since: int | None, now: int, length: int) -> bool:
    return since is not None and 0 <= now - since < length


def _failures(status: WriterStatus, name: str) -> int:
    tried = status.tried.get(name)
    return tried.failures if tried is not None else 0


def _day(now: int, offset: int) -> str:
    """The local date, ISO 8601; a number of days where no calendar reaches."""
    days = (now + offset * 60) // DAY
    try:
        return (datetime(1970, 1, 1) + timedelta(days=days)).date().isoformat()
    except OverflowError:
        return str(days)


def _next_local(now: int, offset: int, minute: int) -> int:
    """The next time after `now` at which the local clock shows this minute of the day."""
    local = now + offset * 60
    at = local // DAY * DAY + minute * 60
    return (at if at > local else at + DAY) - offset * 60
