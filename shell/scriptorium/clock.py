"""The only place that reads the time and draws chance."""

import os
import time
from datetime import date, datetime, timedelta, timezone

from attrs import frozen

__all__ = ["Moment", "chance", "date_of", "moment", "monotonic", "now", "pause", "time_of"]


@frozen
class Moment:
    """A point in time as git writes it: whole seconds since 1970 and minutes east of UTC."""

    seconds: int
    offset: int = 0


def now() -> datetime:
    """The present, in the local time zone."""
    return datetime.now().astimezone()


def moment() -> Moment:
    """The present, as a commit writes it."""
    present = now()
    shift = present.utcoffset()
    return Moment(int(present.timestamp()), int(shift.total_seconds()) // 60 if shift else 0)


def time_of(point: Moment) -> datetime:
    """A point in time, in its own zone."""
    return datetime.fromtimestamp(point.seconds, timezone(timedelta(minutes=point.offset)))


def date_of(point: Moment) -> date:
    """The day of a point in time, in its own zone."""
    return time_of(point).date()


def monotonic() -> float:
    """Seconds on a clock that never goes back; only differences mean something."""
    return time.monotonic()


def pause(seconds: float) -> None:
    """Wait."""
    time.sleep(seconds)


def chance(size: int) -> str:
    """`size` random bytes as hex digits."""
    return os.urandom(size).hex()
