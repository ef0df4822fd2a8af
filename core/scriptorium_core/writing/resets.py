"""When a provider's limit is lifted, as its headers or its words say.

| where | form |
|---|---|
| `retry-after`, `retry-after-ms` | seconds or a date of HTTP; milliseconds |
| `anthropic-ratelimit-*-reset` | ISO 8601 |
| `x-ratelimit-reset-*` | `6m0s`, `20ms`, seconds, or seconds or milliseconds since 1970 |
| words | `complaints.waits_until` |

Of several limits those count that are used up (`…-remaining-…` is 0), all if none says so; the last one wins.
"""

import re
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime, timedelta
from types import MappingProxyType

from .complaints import waits_until

__all__ = ["lifted"]

_LONGEST = timedelta(days=32)
_UNITS = MappingProxyType({"ms": 0.001, "s": 1.0, "m": 60.0, "h": 3600.0, "d": 86_400.0})
_SPAN = re.compile(r"(?:\d+(?:\.\d+)?(?:ms|s|m|h|d))+")
_PART = re.compile(r"(\d+(?:\.\d+)?)(ms|s|m|h|d)")
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_HTTP = re.compile(r"\w{3}, (\d\d) (\w{3}) (\d{4}) (\d\d):(\d\d):(\d\d) GMT")


def lifted(headers: Mapping[str, str], text: str, now: datetime) -> str:
    """ISO 8601 in the zone of `now`; empty where nobody says, or says what cannot be meant."""
    found = _after(headers, now) or _reset(headers, now)
    if found is None:
        return waits_until(text, now)
    if not timedelta(0) < found - now <= _LONGEST:
        return ""
    whole = found.astimezone(now.tzinfo)
    if whole.microsecond:
        whole = whole.replace(microsecond=0) + timedelta(seconds=1)
    return whole.isoformat()


def _after(headers: Mapping[str, str], now: datetime) -> datetime | None:
    if (ms := _number(headers.get("retry-after-ms", ""))) is not None:
        return _later(now, ms / 1000)
    value = headers.get("retry-after", "").strip()
    if (seconds := _number(value)) is not None:
        return _later(now, seconds)
    if match := _HTTP.fullmatch(value):
        day, month, year, *time = match.groups()
        if month.lower() in _MONTHS:
            return _date(int(year), _MONTHS.index(month.lower()) + 1, int(day), *map(int, time))
    return None


def _reset(headers: Mapping[str, str], now: datetime) -> datetime | None:
    times = [(spent, time) for spent, time in _resets(headers, now)]
    used_up = [time for spent, time in times if spent]
    return max(used_up or [time for _, time in times], default=None)


def _resets(headers: Mapping[str, str], now: datetime) -> Iterator[tuple[bool, datetime]]:
    """Each limit: whether it is used up, and when it is lifted."""
    for name, value in headers.items():
        if "ratelimit" not in name or "reset" not in name:
            continue
        time = _point(value.strip(), now)
        if time is not None:
            yield headers.get(name.replace("reset", "remaining"), "").strip() == "0", time


def _point(value: str, now: datetime) -> datetime | None:
    if (number := _number(value)) is not None:
        if number > 1e11:
            return _since_1970(number / 1000)
        return _since_1970(number) if number > 1e8 else _later(now, number)
    if _SPAN.fullmatch(value):
        return _later(now, _span(value))
    return _iso(value)


def _span(text: str) -> float:
    return sum(float(number) * _UNITS[unit] for number, unit in _PART.findall(text))


def _number(value: str) -> float | None:
    return float(value) if re.fullmatch(r"\d{1,15}(?:\.\d{1,9})?", value.strip()) else None


def _iso(value: str) -> datetime | None:
    try:
        point = datetime.fromisoformat(value)
    except ValueError:
        return None
    return point if point.tzinfo is not None else point.replace(tzinfo=UTC)


def _date(year: int, month: int, day: int, hour: int, minute: int, second: int) -> datetime | None:
    try:
        return datetime(year, month, day, hour, minute, second, tzinfo=UTC)
    except ValueError:
        return None


def _since_1970(seconds: float) -> datetime | None:
    return _later(datetime(1970, 1, 1, tzinfo=UTC), seconds)


def _later(point: datetime, seconds: float) -> datetime | None:
    try:
        return point + timedelta(seconds=seconds)
    except OverflowError:
        return None
