"""A point in time as a person names it, and whether something had happened by then.

A day, month or year ends on the clock of each event: what was committed in Lima late on the first of May
belongs to the first of May. So does a time of day without a zone; one with a zone is the same for all.
"""

from datetime import datetime, timedelta

from attrs import frozen

from ..when import When, last_day, parse_when

__all__ = ["AsOf", "as_of", "had_happened"]

_EPOCH = datetime(1970, 1, 1)
_DAY = 86_400


@frozen
class AsOf:
    """The first second after it, since 1970: on the clock of each event, or if `zoned` on that of all."""

    end: int
    zoned: bool = False


def as_of(text: str) -> AsOf | None:
    """`2026`, `2026-05`, `2026-05-01`, or an ISO 8601 time; None if it is neither."""
    when = parse_when(text)
    if when is not None:
        return AsOf(_end(when))
    if not text[:1].isdigit() or "-" not in text:  # ISO 8601 without hyphens may be a revision
        return None
    try:
        point = datetime.fromisoformat(text)
    except ValueError:
        return None
    shift = point.utcoffset()
    local = point.replace(tzinfo=None) - _EPOCH
    return AsOf(_whole(local - shift if shift is not None else local) + 1, shift is not None)


def had_happened(asked: AsOf, seconds: int, offset: int) -> bool:
    """Whether an event (seconds since 1970, minutes east of UTC) lies in it or before."""
    return (seconds if asked.zoned else seconds + 60 * offset) < asked.end


def _end(when: When) -> int:
    month = when.month or 12
    last = datetime(when.year, month, when.day or last_day(when.year, month))
    return _whole(last - _EPOCH) + _DAY


def _whole(span: timedelta) -> int:
    """Seconds, without the part of one."""
    return span.days * _DAY + span.seconds
