"""How much speakers whom nobody knows may bring, all of them together: another name is no other quota.

What counts is what waits for the owner's consent. So nothing needs to be counted beside the archives:
a restart forgets nothing, and what is promoted or forgotten makes room.
"""

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime, timedelta

from attrs import frozen

from ..problem import Code, Problem

__all__ = ["QUOTA", "Held", "Quota", "Usage", "overdrawn", "usage"]


@frozen
class Quota:
    """Messages in any `seconds`, bytes of UTF-8 each, and bytes of all that waits."""

    messages: int = 600
    seconds: int = 3600
    each: int = 64 * 1024
    total: int = 64 * 1024 * 1024


QUOTA = Quota()


@frozen
class Held:
    """A message that waits: when it was received (ISO 8601, empty if unknown), and its bytes."""

    received: str
    size: int


@frozen
class Usage:
    """The times of the messages that the period counts, oldest first, and the bytes of all that wait."""

    times: tuple[datetime, ...]
    size: int


def usage(held: Iterable[Held], now: datetime, quota: Quota = QUOTA) -> Usage:
    """What waiting messages use up at a time, which has a zone; one without a time counts by its size."""
    since = now - timedelta(seconds=quota.seconds)
    times: list[datetime] = []
    size = 0
    for message in held:
        size += message.size
        received = _time(message.received)
        # A time that is yet to come counts, too: else a clock that was set back would lift the limit.
        if received is not None and received > since:
            times.append(received)
    return Usage(tuple(sorted(times)), size)


def overdrawn(
    used: Usage, sizes: Sequence[int], written: int, now: datetime, quota: Quota = QUOTA
) -> tuple[Problem, ...]:
    """Why messages of these sizes, with records of `written` bytes in all, are refused; empty: they are not.

    A record costs no quota of its own, but for each message there may be no more of them than fits one.
    """
    faults: list[Problem] = []
    large = max(sizes, default=0)
    if large > quota.each:
        message = f"a message may have {quota.each:,} bytes; this one has {large:,}"
        faults.append(_refuse(message, "shorten it"))
    if written > quota.each * len(sizes):
        message = f"the records may have {quota.each * len(sizes):,} bytes in all; these have {written:,}"
        faults.append(_refuse(message, "shorten them; each new source makes room"))
    faults += _too_many(used, len(sizes), now, quota)
    left = max(quota.total - used.size, 0)
    if sum(sizes) > left:
        message = f"{quota.total:,} bytes may wait for the owner; {left:,} are left of them"
        faults.append(_refuse(message, "there is room again when the owner has promoted or forgotten some"))
    return tuple(faults)


def _too_many(used: Usage, fresh: int, now: datetime, quota: Quota) -> Iterable[Problem]:
    left = max(quota.messages - len(used.times), 0)
    if fresh <= left:
        return
    allowed = f"{quota.messages:,} messages may come in {_period(quota)}"
    message = f"{allowed}; {left:,} are left, {fresh:,} were brought"
    if fresh > quota.messages:
        yield _refuse(message, "bring fewer at a time")
        return
    # So many of the oldest must first fall out of the period.
    last = used.times[len(used.times) + fresh - quota.messages - 1]
    free = max(last, now - timedelta(seconds=quota.seconds)) + timedelta(seconds=quota.seconds)
    at = free.astimezone(now.tzinfo).isoformat(timespec="seconds")
    yield _refuse(message, f"there is room for them again at {at}")


def _period(quota: Quota) -> str:
    return "an hour" if quota.seconds == 3600 else f"{quota.seconds:,} seconds"


def _time(text: str) -> datetime | None:
    try:
        found = datetime.fromisoformat(text)
    except ValueError:
        return None
    return found if found.tzinfo is not None else found.replace(tzinfo=UTC)


def _refuse(message: str, remedy: str) -> Problem:
    return Problem(Code.NOT_PERMITTED, f"of unknown speakers {message}", "sources", remedy=remedy)
