"""The day that a text names by words such as `yesterday`, seen from the day on which it was said.

English, and of German, French, Spanish and Chinese the words that mean a day and nothing else (`morgen` is
a morning, too, and `hier` is a place). A text that names several days (`yesterday … from now on`) names none.
"""

import re
from collections.abc import Iterator
from datetime import date, timedelta

from ..when import When

__all__ = ["named_day"]

_NUMBERS = ("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_NAMED = re.compile(
    r"(?P<before>\bday before yesterday\b|\bvorgestern\b|\bavant-hier\b|\banteayer\b|前天)"
    r"|(?P<after>\bday after tomorrow\b|\bübermorgen\b|\baprès-demain\b|\bpasado mañana\b|后天)"
    r"|(?P<past>\byesterday\b|\blast night\b|\bgestern\b|\bayer\b|昨天|昨晚)"
    r"|(?P<next>\btomorrow\b|(?<!après-)\bdemain\b|明天)"
    r"|(?P<same>\b(?:today|tonight|now|this (?:morning|afternoon|evening))\b"
    r"|\b(?:heute|jetzt|aujourd'hui|hoy)\b|今天)"
    rf"|\b(?P<ago>[0-9]{{1,3}}|{'|'.join(_NUMBERS)}) days ago\b"
    rf"|\blast (?P<weekday>{'|'.join(_WEEKDAYS)})\b"
    r"|\blast (?P<span>month|year)\b",
    re.IGNORECASE,
)
_SHIFTS = (("before", -2), ("after", 2), ("past", -1), ("next", 1), ("same", 0))
_OWNED = re.compile(r"['’]s\b")


def named_day(text: str, said: When | None) -> When | None:
    """The one day, month or year that the text names; None if it names none or several, or `said` is no day.

    What belongs to a day (`yesterday's build`) says nothing of when the rest is true.
    """
    if said is None or not said.day:
        return None
    found = set(_named(text, date(said.year, said.month, said.day)))
    return found.pop() if len(found) == 1 else None


def _named(text: str, said: date) -> Iterator[When]:
    for match in _NAMED.finditer(text):
        if _OWNED.match(text, match.end()):
            continue
        if match["span"]:
            yield _span(match["span"].lower(), said)
            continue
        try:
            day = said + timedelta(days=_shift(match, said))
        except OverflowError:  # before the first day that there is
            continue
        yield When(day.year, day.month, day.day)


def _shift(match: re.Match[str], said: date) -> int:
    """How many days lie between the day on which it was said and the day that is meant."""
    if ago := match["ago"]:
        return -(int(ago) if ago.isdigit() else _NUMBERS.index(ago.lower()) + 2)
    if weekday := match["weekday"]:
        return -((said.weekday() - _WEEKDAYS.index(weekday.lower()) - 1) % 7 + 1)
    return next(shift for name, shift in _SHIFTS if match[name])


def _span(name: str, said: date) -> When:
    if name == "year":
        return When(max(said.year - 1, 1))
    return When(said.year, said.month - 1) if said.month > 1 else When(max(said.year - 1, 1), 12)
