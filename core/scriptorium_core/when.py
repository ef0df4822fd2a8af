"""Partial dates: a year, a month or a day, and windows between them."""

import re
from calendar import monthrange

from attrs import frozen

__all__ = ["UNDATED", "When", "Window", "day_of", "overlaps", "parse_when", "render_when"]

UNDATED = "undated"
# [0-9], not \d: a digit of another script is text, not a date.
_FORM = re.compile(r"([0-9]{4})(?:-([0-9]{2})(?:-([0-9]{2}))?)?")
_INSTANT = re.compile(r"([0-9]{4}-[0-9]{2}-[0-9]{2})(?:[T ].*)?")


@frozen(order=True)
class When:
    """A date of year, month or day precision; a missing part is 0."""

    year: int
    month: int = 0
    day: int = 0

    def __str__(self) -> str:
        return render_when(self)


@frozen
class Window:
    """Days from `start` to `end`, both included; None is open."""

    start: When | None = None
    end: When | None = None


def parse_when(text: str) -> When | None:
    """The date that `text` spells (`YYYY`, `YYYY-MM`, `YYYY-MM-DD`), None if it is not a real one."""
    match = _FORM.fullmatch(text)
    if match is None:
        return None
    year, month, day = (int(part) if part else 0 for part in match.groups())
    if year == 0 or (match[2] and not 1 <= month <= 12):
        return None
    if match[3] and not 1 <= day <= monthrange(year, month)[1]:
        return None
    return When(year, month, day)


def render_when(when: When | None) -> str:
    """`YYYY`, `YYYY-MM`, `YYYY-MM-DD` or `undated`."""
    if when is None:
        return UNDATED
    parts = [f"{when.year:04}"] + [f"{part:02}" for part in (when.month, when.day) if part]
    return "-".join(parts)


def day_of(instant: str) -> When | None:
    """The day on which an ISO 8601 time falls, in its own zone; None if there is none."""
    match = _INSTANT.fullmatch(instant)
    return parse_when(match[1]) if match else None


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
    return When(when.year, month, when.day or monthrange(when.year, month)[1])
