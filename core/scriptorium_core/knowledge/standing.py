"""How far a record may be relied on: what its evidence says, else a default by where it comes from.

The fields `Status: <word> <confidence>`, `Checked`, `Fresh: <word> <days>d` and `Reuse` of the newest
evidence that has a status count. Without one, what was written from a conversation is supported, 0.75, and
what no archived message stands behind is unverified, 0.5. Both are stable: they are fresh for a year.
"""

import re
from datetime import date
from types import MappingProxyType

from attrs import frozen

from ..topics.records import Record
from ..when import When, parse_when

__all__ = ["IMMUTABLE", "Standing", "days_since", "is_stale", "standing_of"]

IMMUTABLE = "immutable"
_AGES = MappingProxyType({"stable": 365, "dynamic": 30, "volatile": 1})
_STATUS = re.compile(r"(\w+)(?:\s+(0(?:\.\d+)?|1(?:\.0+)?))?")
_FRESH = re.compile(r"(\w+)(?:\s+(\d{1,5})d)?")
_CONFIDENCE = MappingProxyType({"verified": 0.95, "supported": 0.75})


@frozen
class Standing:
    """A state (`verified`, `supported`, …), a confidence (0 to 1), and for how many days it is fresh.

    `days` is None where it never grows stale; `since` is the last check, else the date of the evidence.
    """

    state: str
    confidence: float
    days: int | None = 365
    reuse: str = "unless-stale"
    since: When | None = None


def standing_of(record: Record, grounded: bool) -> Standing:
    """The standing of a record; `grounded` says whether an archived message stands behind it."""
    dates = [group.when for group in record.evidence if group.when is not None]
    newest = max(dates, key=lambda when: (when.year, when.month or 0, when.day or 0), default=None)
    named = [dict(group.fields) for group in record.evidence]
    fields = next((fields for fields in reversed(named) if "Status" in fields), dict[str, str]())
    status = _STATUS.fullmatch(fields.get("Status", ""))
    if status is None:
        return Standing(*(("supported", 0.75) if grounded else ("unverified", 0.5)), since=newest)
    fresh = _FRESH.fullmatch(fields.get("Fresh", "stable"))
    kind, days = (fresh[1], fresh[2]) if fresh else ("stable", None)
    return Standing(
        status[1],
        float(status[2]) if status[2] else _CONFIDENCE.get(status[1], 0.5),
        None if kind == IMMUTABLE else int(days) if days else _AGES.get(kind, 365),
        fields.get("Reuse", "unless-stale"),
        parse_when(fields.get("Checked", "")) or newest,
    )


def days_since(when: When | None, today: date) -> int:
    """Days since the last day that a date can mean, 0 where it is not past or nobody knows."""
    if when is None:
        return 0
    month = when.month or 12
    return max((today - date(when.year, month, when.day or 28)).days, 0) if when.year else 0


def is_stale(standing: Standing, today: date) -> bool:
    """Whether the last check is longer ago than the record stays fresh."""
    return standing.days is not None and days_since(standing.since, today) > standing.days
