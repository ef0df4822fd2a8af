"""The lines of a transcript, one at a time: who begins to speak where, dates, a title, and the rest.

Mara: text            **Mara:** text          **Mara**: text
[12:03] Mara: text    12:03 Mara: text        Mara (12:03): text
## Mara               ## Mara (12:03)         ## Mara:

A name begins its line, and a colon behind it is followed by white space or the end. List items, quotations,
indented lines, addresses and whatever stands between code fences begin nothing.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from types import MappingProxyType
from typing import Literal

from attrs import define, field, frozen

from ..moments import moment

__all__ = ["ASSISTANTS", "OWNERS", "Line", "Manner", "front_matter", "known_name", "lines_of", "person"]

OWNERS = frozenset("user human you me owner i".split())
"""Names under which the owner of the memory speaks."""

ASSISTANTS = frozenset("assistant ai claude chatgpt gpt bot gemini copilot".split())
"""Names under which an assistant speaks; also with a version behind it, as in `Claude 4`."""

Manner = Literal["plain", "bold", "heading", "stamped"]
"""How a line says who speaks."""

_NAME = r"(?P<name>[^\W\d_][\w.'’ -]{0,38}?)"
_HOUR = r"[0-9]{1,2}:[0-9]{2}(?::[0-9]{2})?"
_CLOCK = re.compile(_HOUR)
_BEHIND = r"(?: \((?P<late>[^()]{1,24})\))?"  # a time, or a model
_LATER = _BEHIND.replace("late", "later")
_SAYS = r"(?:[ \t]+(?P<said>.*))?"
_STAMP = rf"(?:\[(?P<day>[0-9]{{4}}-[0-9]{{2}}-[0-9]{{2}}[ T])?(?P<time>{_HOUR})\]|(?P<bare>{_HOUR}))[ \t]+"
_FORMS: Mapping[Manner, re.Pattern[str]] = MappingProxyType(
    {
        "heading": re.compile(rf"#{{1,6}} +{_NAME}{_BEHIND}(?: [-–—] (?P<time>{_HOUR}))?:?[ \t]*"),
        "bold": re.compile(rf"(?:\*\*|__){_NAME}{_BEHIND}(?::(?:\*\*|__)|(?:\*\*|__){_LATER}:){_SAYS}"),
        "stamped": re.compile(rf"{_STAMP}(?:\*\*)?{_NAME}(?:\*\*)?:(?:\*\*)?{_SAYS}"),
        "plain": re.compile(rf"{_NAME}{_BEHIND}:{_SAYS}"),
    }
)
_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")
_HEADING = re.compile(r"#{1,6} +(.*?)[ \t#]*")
_DATE = re.compile(r"(?:#{1,6} +|[-=*]{2,} *)?([0-9]{4}-[0-9]{2}-[0-9]{2})(?: *[-=*]{2,}|:)?[ \t]*")
_VERSION = re.compile(r"[-\s]?(?:[0-9v].*|opus.*|sonnet.*|haiku.*|pro|flash|mini)?")
_KEYS = frozenset("title date participants session tags created author source".split())
_LONGEST_HEAD = 200
# What stands before a colon again and again without being anybody.
_NOBODY = frozenset(
    """
    advantages answer author caution cons context date definition details disadvantages error example
    examples file from hint important info ingredients input key link name note notes output pros
    question re reason result section source step steps subject summary time tip title to todo topic
    type url value version warning
    """.split()
)


@frozen
class Line:
    """A line of a transcript: its number from 1 and its text without the line break.

    If it looks as if `name` spoke from here on, then in that `manner`, and `said` are the first words; `time`
    is `12:03`, with a date before it if there was one. `date` and `title` are those of a heading.
    """

    number: int
    text: str
    name: str = ""
    manner: Manner | None = None
    said: str = ""
    time: str = ""
    date: str = ""
    title: str = ""


def lines_of(texts: Iterable[str], first: int = 1) -> Iterator[Line]:
    """The lines of a text that has no front matter, numbered from `first`."""
    fences = _Fences()
    for number, given in enumerate(texts, first):
        text = given.rstrip("\r\n")
        line = Line(number, text) if fences.hold(text) else _line(number, text)
        if line.said:
            fences.hold(line.said)
        yield line


def person(name: str) -> Literal["owner", "assistant", "other"]:
    """Who a name is."""
    folded = name.casefold()
    if folded in OWNERS:
        return "owner"
    found = re.match(r"[a-z]+", folded)
    is_assistant = found and found[0] in ASSISTANTS and _VERSION.fullmatch(folded[found.end() :])
    return "assistant" if is_assistant else "other"


def known_name(name: str, manner: Manner) -> bool:
    """Whether a name that nothing else vouches for can be somebody's, if it comes more than once."""
    is_capital = name[0].isupper() or not name[0].islower() or manner == "stamped"
    return is_capital and name.casefold() not in _NOBODY and len(name.split()) <= 3


def front_matter(texts: Iterator[str]) -> tuple[Mapping[str, str | tuple[str, ...]], list[str], int]:
    """What stands between two lines `---` at the start, the lines read besides, and how many lines that were.

    `key: value`, `key: [a, b]` and items `- a` below a key are read; what is more is not. A rule at the start
    is none: some key must be one that a transcript has.
    """
    first = next(texts, None)
    if first is None:
        return {}, [], 0
    if first.removeprefix("\ufeff").strip() != "---":
        return {}, [first.removeprefix("\ufeff")], 0
    read, found, key = [first], dict[str, str | tuple[str, ...]](), ""
    for text in islice(texts, _LONGEST_HEAD):
        read.append(text)
        line = text.strip()
        if line in ("---", "..."):
            return (found, [], len(read)) if found.keys() & _KEYS else ({}, read, 0)
        if item := re.fullmatch(r"- +(.+)", line):
            before = found.get(key, ())
            found[key] = (*(before if isinstance(before, tuple) else ()), _bare(item[1]))
        elif pair := re.fullmatch(r"([A-Za-z_]+):\s*(.*)", line):
            key = pair[1].lower()
            found[key] = _value(pair[2])
    return {}, read, 0


def _value(text: str) -> str | tuple[str, ...]:
    if text.startswith("[") and text.endswith("]"):
        return tuple(_bare(part) for part in text[1:-1].split(",") if part.strip())
    return _bare(text)


def _bare(text: str) -> str:
    return text.strip().strip("\"'")


@define
class _Fences:
    open: str = field(default="")

    def hold(self, text: str) -> bool:
        """Whether a line is code, or opens or closes it."""
        mark = _FENCE.match(text)
        if self.open:
            if mark and mark[1].startswith(self.open) and not text.strip().strip("`~"):
                self.open = ""
            return True
        self.open = mark[1] if mark else ""
        return mark is not None


def _line(number: int, text: str) -> Line:
    if (date := _DATE.fullmatch(text)) and moment(date[1]):
        return Line(number, text, date=date[1])
    for manner, form in _FORMS.items():
        if found := form.fullmatch(text):
            groups = {key: value for key, value in found.groupdict().items() if value}
            times = (groups.get(key, "") for key in ("time", "bare", "late", "later"))
            time = next((given for given in times if _CLOCK.fullmatch(given)), "")
            return Line(
                number,
                text,
                groups["name"].removesuffix(" said"),
                manner,
                groups.get("said", ""),
                groups.get("day", "") + time,
                title=groups["name"] if manner == "heading" else "",
            )
    title = _HEADING.fullmatch(text)
    return Line(number, text, title=title[1] if title else "")
