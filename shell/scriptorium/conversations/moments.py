"""Times as logs spell them, as ISO 8601 text: what is unknown stays unknown, and is never now."""

import re
from datetime import UTC, datetime, timedelta

__all__ = ["moment", "spoken_moment"]

_MILLISECONDS = 1e11
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_SPOKEN = re.compile(r"(\d{1,2}):(\d{2}) ([ap])m on (\d{1,2}) ([A-Za-z]+), (\d{4})")
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")


def moment(value: object) -> str:
    """A time as text: ISO 8601 as given, seconds or milliseconds since 1970 as UTC, else empty."""
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        return ""
    if isinstance(value, str):
        return value if _is_iso(value) else ""
    try:
        seconds = value / 1000 if abs(value) > _MILLISECONDS else value
        found = _EPOCH + timedelta(seconds=seconds)
    except (OverflowError, ValueError):
        return ""
    return found.isoformat(timespec="seconds" if found.microsecond == 0 else "milliseconds")


def spoken_moment(text: object) -> str:
    """`1:56 pm on 8 May, 2023` as local time without a zone, `2023-05-08T13:56`; else empty."""
    found = _SPOKEN.fullmatch(text.strip()) if isinstance(text, str) else None
    if found is None or found[5][:3].lower() not in _MONTHS:
        return ""
    hour = int(found[1]) % 12 + (12 if found[3] == "p" else 0)
    month = _MONTHS.index(found[5][:3].lower()) + 1
    try:
        when = datetime(int(found[6]), month, int(found[4]), hour, int(found[2]))
    except ValueError:
        return ""
    return when.isoformat(timespec="minutes")


def _is_iso(text: str) -> bool:
    try:
        datetime.fromisoformat(text)
    except ValueError:
        return False
    return text.isprintable()
