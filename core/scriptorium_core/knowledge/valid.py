"""What held at a date: a record's evidence holds from its own date until the day that `Until` names.

Who asks for May is not answered by what was so until April and is so again since July. Where the words of
a record are those of a later time, what held before is told in the words of the messages behind it.
"""

from collections.abc import Iterator
from datetime import date

from ..facts.model import Facts
from ..recall.grounds import ground
from ..topics.records import Evidence, Record
from ..when import When, last_day, parse_when

__all__ = ["said_at", "valid_at"]

_CLOSED = "Until"


def valid_at(record: Record, when: When) -> tuple[Evidence, ...]:
    """The evidence of a record that held on any day of a date; what has no date held from the beginning."""
    return tuple(group for group in record.evidence if _held(group, when))


def said_at(facts: Facts, record: Record, when: When | None) -> str | None:
    """What a record says of a date (None: of now); None where nothing of it held then."""
    if when is None:
        return record.content
    found = valid_at(record, when)
    open_ones = [group for group in record.evidence if not _until(group)]
    last = open_ones or record.evidence[-1:]
    if any(group in last for group in found):
        return record.content
    return "\n".join(dict.fromkeys(_words(facts, found))) if found else None


def _held(group: Evidence, when: When) -> bool:
    until = _until(group)
    end = parse_when(until) if until else None
    if until and end is None:
        return False
    begun = group.when is None or _first(group.when) <= _last(when)
    return begun and (end is None or _first(end) > _first(when))


def _words(facts: Facts, groups: tuple[Evidence, ...]) -> Iterator[str]:
    for group in groups:
        for cited in group.sources:
            source = ground(facts, cited).source
            if source is not None and source.trusted and not source.withheld:
                yield source.text


def _until(group: Evidence) -> str:
    return next((value for name, value in group.fields if name == _CLOSED), "")


def _first(when: When) -> date:
    return date(when.year, when.month or 1, when.day or 1)


def _last(when: When) -> date:
    month = when.month or 12
    return date(when.year, month, when.day or last_day(when.year, month))
