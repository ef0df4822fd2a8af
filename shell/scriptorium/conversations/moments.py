"""Times as logs spell them, as ISO 8601 text: what is unknown stays unknown, and is never now."""

import re
from datetime import UTC, datetime, timedelta

__all__ = ["moment", "sortable", "spoken_moment"]

# A number is read in the unit that puts it near our time: each is a thousand times finer than the one before.
_FINER = (1e11, 1e14, 1e17)  # from here on milliseconds, microseconds, nanoseconds
_NUMBER = re.compile(r"[0-9]{9,19}(?:\.[0-9]{1,9})?")
_EXTENDED = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_SPOKEN = re.compile(r"(\d{1,2}):(\d{2}) ([ap])m on (\d{1,2}) ([A-Za-z]+), (\d{4})")
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")


def moment(value: object) -> str:
    """A time as text: ISO 8601 as given, a number since 1970 as UTC, else empty.

    A date stays a date, and a time without a zone has none. Numbers are seconds, milliseconds,
    microseconds or nanoseconds, by their size, also as text; 0 is what programs write for no time.
    ISO 8601 without hyphens (`20260422T102100Z`) is spelled with them.
    """
    if isinstance(value, str) and _NUMBER.fullmatch(value):
        return _since_1970(float(value))
    if isinstance(value, str):
        return _iso(value)
    return _since_1970(value) if isinstance(value, int | float) and not isinstance(value, bool) else ""


def sortable(value: object) -> str:
    """A time (as `moment` takes it) in UTC, so spelled that a later one sorts behind; empty if unknown.

    A time without a zone is taken for UTC, a date for its beginning: good enough to tell snapshots apart.
    """
    text = moment(value)
    if not text:
        return ""
    found = datetime.fromisoformat(text)
    zoned = found if found.tzinfo else found.replace(tzinfo=UTC)
    try:
        return zoned.astimezone(UTC).isoformat(timespec="microseconds")
    except OverflowError:  # the first or the last day that there is
        return ""


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


def _since_1970(value: float) -> str:
    try:
        found = _EPOCH + timedelta(seconds=value / 1000 ** sum(value > least for least in _FINER))
    except (OverflowError, ValueError):
        return ""
    if value <= 0:
        return ""
    return found.isoformat(timespec="seconds" if found.microsecond < 1000 else "milliseconds")


def _iso(text: str) -> str:
    try:
        found = datetime.fromisoformat(text)
    except ValueError:
        return ""
    if not text.isprintable():
        return ""
    if _EXTENDED.match(text):
        return text
    return found.isoformat() if "T" in text or " " in text else found.date().isoformat()
