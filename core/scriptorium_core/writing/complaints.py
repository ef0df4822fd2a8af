"""What a provider or its program says when it does not answer, as a code and the time until which to wait.

Programs and servers say it in words of their own, and some say it as if it were the answer. Only what
failed, or a short answer behind which nothing was done, is asked about here: a conversation may be about
limits and logins too.
"""

import re
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from types import MappingProxyType

from attrs import frozen

from ..problem import Code

__all__ = ["Complaint", "complaint", "waits_until"]


@frozen
class Complaint:
    """The code, and the ISO 8601 time before which trying again is useless, empty if that was not said."""

    code: Code
    until: str = ""


def _words(*patterns: str) -> re.Pattern[str]:
    return re.compile("|".join(patterns), re.IGNORECASE)


def _status(numbers: str) -> str:
    return rf"(?:status|error|code|http(?:/[\d.]+)?)[\s:\"'=]{{0,4}}(?:code[\s:\"'=]{{0,4}})?(?:{numbers})\b"


_OLD = _words(r"(?:unknown|unexpected|unrecognized|invalid) (?:option|argument|flag)", r"unknown arguments?:")
_KNOWN = (
    (Code.WRITER_PRECONDITION_FAILED, _OLD),
    (
        Code.MODEL_RATE_LIMIT,
        _words(
            r"limit (?:was |is |has been )?reached",
            r"hit (?:your|the) [\w\s-]{0,30}limit",
            r"reached your [\w\s-]{0,40}limit",
            r"rate[ _-]?limit",
            r"usage_limit",
            r"too many requests",
            r"quota (?:was |is |has been )?exceeded|exceeded your [\w\s]{0,20}quota",
            r"resource[ _]?(?:has been )?exhausted",
            _status("429"),
        ),
    ),
    (
        Code.MODEL_AUTHENTICATION,
        _words(
            r"not (?:logged|signed) in",
            r"please run /login|(?:please|must) (?:log|sign) ?in|\bauth login\b|\bcodex login\b",
            r"(?:invalid|incorrect|missing|no) (?:x-)?api[ _-]?key",
            r"api[ _-]?key (?:is )?(?:missing|not (?:found|set|valid))",
            r"authentication[ _](?:error|failed|required)",
            r"set an auth method",
            r"(?:token|credentials?) (?:has |have |is |are )?(?:expired|invalid|revoked|not found)",
            r"unauthorized",
            _status("401"),
        ),
    ),
    (
        Code.MODEL_AUTHORIZATION,
        _words(
            r"permission[ _](?:error|denied for model)",
            r"(?:does not|do not|don't) have access to",
            r"forbidden",
            _status("403"),
        ),
    ),
    (
        Code.MODEL_CONTEXT_LENGTH,
        _words(r"prompt is too long", r"context[ _-](?:length|window)", r"maximum context"),
    ),
    (
        Code.MODEL_CONTENT_POLICY,
        _words(r"content[ _](?:policy|filter)", r"(?:violat|against)[\w\s]{0,40}polic", r"usage policy"),
    ),
    (
        Code.MODEL_PROVIDER_INTERNAL,
        _words(
            r"overloaded",
            r"internal server error|service unavailable|bad gateway",
            _status("5\\d\\d"),
        ),
    ),
    (
        Code.MODEL_INVALID_REQUEST,
        _words(
            r"model[\s\w\"'`./:-]{0,80}(?:not found|does not exist|is not supported|not available)",
            r"(?:unknown|invalid) model|modelnotfound",
            r"invalid_request|not_found_error",
            _status("400|404"),
        ),
    ),
    (
        Code.MODEL_TRANSPORT,
        _words(
            r"could not resolve|getaddrinfo|enotfound",
            r"connection (?:refused|reset|error|closed|failed)|econn\w+|unable to connect",
            r"network (?:error|is unreachable)|fetch failed|error sending request|stream disconnected",
        ),
    ),
    (Code.MODEL_TIMEOUT, _words(r"timed? ?out\b", r"deadline exceeded")),
)


def complaint(text: str, now: datetime) -> Complaint | None:
    """What `text` complains of, None if of nothing that is known; `now` has a zone."""
    for code, pattern in _KNOWN:
        if pattern.search(text):
            return Complaint(code, waits_until(text, now) if code is Code.MODEL_RATE_LIMIT else "")
    return None


# --- Until when ------------------------------------------------------------------------------------

_EPOCH = re.compile(r"(?:\||resets?_?at[\"']?\s*[:=]\s*[\"']?)(\d{10})\b")
_SECONDS = re.compile(
    r"(?:resets?_in_seconds|retry[-_ ]after)[\"']?\s*[:=]?\s*[\"']?(\d+(?:\.\d+)?)\s*s?", re.I
)
_IN = re.compile(
    r"(?:in|after)((?:[\s,]*(?:and\s+)?\d+(?:\.\d+)?\s*(?:ms|[dhms]|days?|hours?|hrs?|min(?:ute)?s?|sec(?:ond)?s?)\b)+)",
    re.I,
)
_PART = re.compile(r"(\d+(?:\.\d+)?)\s*(ms|[dhms])", re.I)
_ISO = re.compile(r"(\d{4}-\d\d-\d\d)(?:T| at |\s)(\d\d:\d\d(?::\d\d)?)(?:\.\d+)?\s*(Z|UTC|[+-]\d\d:?\d\d)?")
_CLOCK = re.compile(
    r"(?:resets?|try again|available|access)[\s·∙:]*(?:at|on)?\s*"
    r"(?:([a-z]{3})[a-z]*\.? (\d{1,2})(?:st|nd|rd|th)?,?(?: (\d{4}),?)?(?: at)?\s+)?"
    r"(\d{1,2})(?::(\d\d))?\s*(am|pm)?(?!\d)\s*(\(?utc\)?)?",
    re.IGNORECASE,
)
_UNITS = MappingProxyType({"d": 86_400.0, "h": 3_600.0, "m": 60.0, "s": 1.0, "ms": 0.001})
_MONTHS: tuple[str, ...] = tuple("jan feb mar apr may jun jul aug sep oct nov dec".split())
_LONGEST = timedelta(days=31)


def waits_until(text: str, now: datetime) -> str:
    """The time to which `text` puts one off, ISO 8601 to the second; empty if it names none to come.

    A time of the day without a date is the next one in the zone of `now`, whose local time is meant.
    """
    for point in _points(text, now):
        if now < point <= now + _LONGEST:
            return point.isoformat(timespec="seconds")
    return ""


def _points(text: str, now: datetime) -> Iterator[datetime]:
    if found := _EPOCH.search(text):
        yield datetime.fromtimestamp(int(found[1]), now.tzinfo)
    if found := _SECONDS.search(text):
        yield now + timedelta(seconds=min(float(found[1]), 1e9))
    if found := _ISO.search(text):
        yield from _dated(f"{found[1]}T{found[2]}", found[3] or "", now)
    if found := _IN.search(text):
        parts = _PART.findall(found[1])
        yield now + timedelta(seconds=sum(min(float(n), 1e6) * _UNITS[unit.lower()] for n, unit in parts))
    if found := _CLOCK.search(text):
        yield from _on_the_clock(found, now)


def _dated(text: str, zone: str, now: datetime) -> Iterator[datetime]:
    try:
        point = datetime.fromisoformat(text + ("+00:00" if zone in ("Z", "UTC") else zone))
    except ValueError:
        return
    yield point if point.tzinfo else point.replace(tzinfo=now.tzinfo)


def _on_the_clock(found: re.Match[str], now: datetime) -> Iterator[datetime]:
    month, day, year, hour, minute, half, utc = found.groups()
    hours = int(hour) % 12 + 12 * (half.lower() == "pm") if half else int(hour)
    if int(hour) > (12 if half else 23) or (half is None and minute is None):
        return
    local = now.astimezone(UTC) if utc else now
    try:
        point = local.replace(hour=hours, minute=int(minute or 0), second=0, microsecond=0)
        if month is not None:
            number = _MONTHS.index(month.lower()) + 1
            point = point.replace(year=int(year or local.year), month=number, day=int(day))
            if point < local and year is None:
                point = point.replace(year=local.year + 1)
    except ValueError:
        return
    yield point if point > local or month is not None else point + timedelta(days=1)
