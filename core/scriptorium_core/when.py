"""Partial dates: a year, a month or a day, and windows between them; and the place of times among them.

A time with an offset is a point in time, and falls on the day that the workspace's zone has then. A time
without one is *assumed* to be of that zone; a date is that day, wherever one is. Where no zone is set, a
time counts in the zone in which it was given. Times are ordered by the point in time (`time_order`): one
without an offset is read in the workspace's zone (in UTC where none is set), a date stands before all
times of its day there, and what is unknown stands last.
"""

import re
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from typing import NamedTuple

__all__ = [
    "UNDATED",
    "When",
    "Window",
    "day_of",
    "is_assumed",
    "last_day",
    "local_time",
    "overlaps",
    "parse_when",
    "render_when",
    "time_order",
]

UNDATED = "undated"
# [0-9], not \d: a digit of another script is text, not a date.
_FORM = re.compile(r"([0-9]{4})(?:-([0-9]{2})(?:-([0-9]{2}))?)?")
_INSTANT = re.compile(r"([0-9]{4}-[0-9]{2}-[0-9]{2})(?:[T ].*)?")


class When(NamedTuple):
    """A date of year, month or day precision; a missing part is 0."""

    year: int
    month: int = 0
    day: int = 0

    def __str__(self) -> str:
        return render_when(self)


class Window(NamedTuple):
    """Days from `start` to `end`, both included; None is open."""

    start: When | None = None
    end: When | None = None


def last_day(year: int, month: int) -> int:
    """The number of days of a month; the calendar of the standard library loads all languages to say it."""
    if month == 2:
        return 29 if year % 4 == 0 and (year % 100 != 0 or year % 400 == 0) else 28
    return 30 if month in (4, 6, 9, 11) else 31


def parse_when(text: str) -> When | None:
    """The date that `text` spells (`YYYY`, `YYYY-MM`, `YYYY-MM-DD`), None if it is not a real one."""
    match = _FORM.fullmatch(text)
    if match is None:
        return None
    year, month, day = (int(part) if part else 0 for part in match.groups())
    if year == 0 or (match[2] and not 1 <= month <= 12):
        return None
    if match[3] and not 1 <= day <= last_day(year, month):
        return None
    return When(year, month, day)


def render_when(when: When | None) -> str:
    """`YYYY`, `YYYY-MM`, `YYYY-MM-DD` or `undated`."""
    if when is None:
        return UNDATED
    parts = [f"{when.year:04}"] + [f"{part:02}" for part in (when.month, when.day) if part]
    return "-".join(parts)


def day_of(instant: str, zone: tzinfo | None = None) -> When | None:
    """The day on which an ISO 8601 time or date falls in `zone`, else in its own; None if there is none."""
    match = _INSTANT.fullmatch(instant)
    if match is None:
        return None
    found = local_time(instant, zone)
    return When(found.year, found.month, found.day) if found is not None else parse_when(match[1])


def local_time(instant: str, zone: tzinfo | None) -> datetime | None:
    """A time with an offset as the clocks of `zone` show it; None for any other, or where no zone is set."""
    found = _time(instant)
    if found is None or found.tzinfo is None or zone is None:
        return None
    try:
        return found.astimezone(zone)
    except OverflowError:  # the first or the last day that there is
        return None


def is_assumed(instant: str) -> bool:
    """Whether a time of day is given without saying in which zone."""
    found = _time(instant)
    return found is not None and found.tzinfo is None


def time_order(instant: str, zone: tzinfo | None = None) -> tuple[int, timedelta, int]:
    """A key that sorts ISO 8601 times and dates, whatever their precision and zone; see the module."""
    found, day = _time(instant), parse_when(instant)
    if found is None and day is None:
        return 1, timedelta(0), 0
    here = found if found is not None else _beginning(day or When(1))
    offset = here.utcoffset() if here.tzinfo is not None else here.replace(tzinfo=zone or UTC).utcoffset()
    return 0, here.replace(tzinfo=None) - datetime.min - (offset or timedelta(0)), int(found is not None)


def _time(instant: str) -> datetime | None:
    """A time of day on a date; None where there is no time of day, or it is not one."""
    if len(instant) <= len("2026-01-01") or _INSTANT.fullmatch(instant) is None:
        return None
    try:
        return datetime.fromisoformat(instant)
    except ValueError:
        return None


def _beginning(day: When) -> datetime:
    return datetime.combine(date(day.year, day.month or 1, day.day or 1), time())


def overlaps(when: When, window: Window) -> bool:
    """Whether any day of `when` lies in `window`."""
    first, last = _first_day(when), _last_day(when)
    after_start = window.start is None or last >= _first_day(window.start)
    before_end = window.end is None or first <= _last_day(window.end)
    return after_start and before_end


def _first_day(when: When) -> When:
    return When(when.year, when.month or 1, when.day or 1)


def _last_day(when: When) -> When:
    month = when.month or 12
    return When(when.year, month, when.day or last_day(when.year, month))
