"""The only place that reads the time, knows the time zones, and draws chance."""

import os
import time
from datetime import date, datetime, timedelta, timezone, tzinfo
from typing import NamedTuple

__all__ = [
    "Moment",
    "Zone",
    "chance",
    "date_of",
    "moment",
    "monotonic",
    "now",
    "pause",
    "session_id",
    "system_zone",
    "time_of",
    "zone_named",
]

Zone = tzinfo
"""A time zone: of a point in time it tells how far its clocks are from UTC."""


class Moment(NamedTuple):
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


def date_of(point: Moment, zone: tzinfo | None = None) -> date:
    """The day of a point in time in `zone`, else in its own."""
    return (time_of(point).astimezone(zone) if zone is not None else time_of(point)).date()


def zone_named(name: str) -> tzinfo | None:
    """The time zone of an IANA name (`Europe/Berlin`), None if it is empty. Raises KeyError for any other."""
    if not name:
        return None
    from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError) as error:
        raise KeyError(name) from error


def system_zone() -> str:
    """The IANA name of the zone that the computer is set to, `UTC` where that cannot be told."""
    from zoneinfo import ZoneInfoNotFoundError

    import tzlocal

    try:
        name = tzlocal.get_localzone_name()
        zone_named(name)
    except (ZoneInfoNotFoundError, KeyError, ValueError, OSError):
        return "UTC"
    return name


def monotonic() -> float:
    """Seconds on a clock that never goes back; only differences mean something."""
    return time.monotonic()


def pause(seconds: float) -> None:
    """Wait."""
    time.sleep(seconds)


def chance(size: int) -> str:
    """`size` random bytes as hex digits."""
    return os.urandom(size).hex()


def session_id() -> str:
    """A random UUID, as programs take it for the id of a session."""
    import uuid

    return str(uuid.uuid4())
