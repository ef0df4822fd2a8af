"""What is indexed: one document a record or source frame, as the terms and keys that an engine stores.

An engine needs of a document its `bag` (what it is found by), its `keys` and its `span` (what it is
filtered by). The bag holds the terms of each field as often as the field counts:

| field | times | terms |
|---|---|---|
| content, speaker | 1 | the text; who said it |
| headings, path | 2 | the headings above a record; its topic (the path of an archive says nothing) |
| dates | 1 | `2026`, `2026-04`, `2026-04-03` and the name of the month |

A key is `kind:value`. Topics and sources have one for each step of their path, so that a prefix of whole
steps is one key.
"""

import re
from collections.abc import Iterable, Iterator
from enum import StrEnum
from functools import lru_cache
from typing import NamedTuple

from ..sources.kinds import Trust
from ..terms import fold, terms
from ..when import When

__all__ = [
    "Document",
    "FieldTerms",
    "Kind",
    "bag",
    "date_terms",
    "field_terms",
    "is_named",
    "keys",
    "scope_key",
    "sitting",
    "span",
    "speaker_key",
    "steps",
]

_HEADING_TIMES = 2
_MONTHS = tuple(
    "january february march april may june july august september october november december".split()
)
_LABEL = r"(.+) \((.+)\)"  # compiled where a label needs it
_DATE = r"\d{4}(?:-(?:0[1-9]|1[0-2])(?:-(?:0[1-9]|[12]\d|3[01]))?)?"


class Kind(StrEnum):
    """A record of a topic, or a turn of a conversation (a source frame)."""

    RECORD = "record"
    TURN = "turn"


class Document(NamedTuple):
    """One thing that can be found.

    `id` is the block id of a record or the source id of a turn, `path` its file in the memory directory
    (`topics/trips/lima.md`, `sources/chat/_v2/s1.md`), `speaker` a label (`Bo (4402)`), `others` those
    of the further speakers that a record cites, `sources` the source ids it cites. `order` counts the turns
    of an archive from 0: neighbours in it are neighbours in the conversation. `scopes` are the projects in
    which it was said, empty where it holds everywhere.
    """

    id: str
    kind: Kind
    content: str
    path: str
    headings: tuple[str, ...] = ()
    dates: tuple[When, ...] = ()
    speaker: str = ""
    scopes: tuple[str, ...] = ()
    trust: Trust = Trust.TRUSTED
    sources: tuple[str, ...] = ()
    order: int = 0
    others: tuple[str, ...] = ()


class FieldTerms(NamedTuple):
    """The terms of a document by field, without repetition for weight."""

    content: tuple[str, ...]
    headings: tuple[str, ...]
    path: tuple[str, ...]
    dates: tuple[str, ...]


def field_terms(document: Document) -> FieldTerms:
    """Which terms stand in which field; the speaker's count as content."""
    return FieldTerms(
        terms(document.content) + _label_terms(" ".join((document.speaker, *document.others))),
        tuple(term for heading in document.headings for term in _name_terms(heading)),
        _name_terms(_topic(document)),
        tuple(term for date in document.dates for term in date_terms(date)),
    )


def is_named(document: Document, matched: Iterable[str]) -> bool:
    """Whether the terms of a question name a heading above a document, or its topic.

    A number alone does not: the 12 of a room is not that of a sprint.
    """
    words = frozenset(term for term in matched if not term.isdecimal())
    names = (*document.headings, _topic(document))
    return any(not words.isdisjoint(_name_terms(name)) for name in names)


def bag(document: Document) -> tuple[str, ...]:
    """All terms that a document is found by, each as often as it counts."""
    fields = field_terms(document)
    return fields.content + (fields.headings + fields.path) * _HEADING_TIMES + fields.dates


def date_terms(date: When) -> tuple[str, ...]:
    """The terms of a date: `2026`, `2026-04`, `2026-04-03` and `april`."""
    year = f"{date.year:04}"
    if not date.month:
        return (year,)
    month = f"{year}-{date.month:02}"
    day = (f"{month}-{date.day:02}",) if date.day else ()
    return (year, month, *day, *_label_terms(_MONTHS[date.month - 1]))


@lru_cache(maxsize=4096)
def _name_terms(name: str) -> tuple[str, ...]:
    """The terms of a heading or a path; a step that is a date is found as one, never by a 12 in it."""
    steps = name.split("/")
    days = [step for step in steps if re.fullmatch(_DATE, step)]
    if not days:
        return _label_terms(name)
    others = "/".join(step for step in steps if step not in days)
    dated = (date_terms(When(*map(int, day.split("-")))) for day in days)
    return (*terms(others), *(term for date in dated for term in date))


@lru_cache(maxsize=4096)
def _label_terms(text: str) -> tuple[str, ...]:
    """The terms of a name, a heading or a path, which many documents share."""
    return terms(text)


def keys(document: Document) -> tuple[str, ...]:
    """What a document can be filtered by."""
    return tuple(dict.fromkeys(_keys(document)))


def _keys(document: Document) -> Iterator[str]:
    yield f"trust:{document.trust}"
    yield from (f"topic:{step}" for step in steps(_topic(document)))
    sources = document.sources if document.kind is Kind.RECORD else (document.id, *document.sources)
    yield from (f"source:{step}" for source in sources for step in steps(source))
    yield from map(scope_key, document.scopes)
    for speaker in (document.speaker, *document.others):
        yield from _speaker_keys(speaker)


@lru_cache(maxsize=1024)
def _speaker_keys(speaker: str) -> tuple[str, ...]:
    """The keys of a label with its parts, which many documents share."""
    label = re.fullmatch(_LABEL, speaker)
    return tuple(speaker_key(name) for name in (speaker, *(label.groups() if label else ())) if name)


def steps(path: str) -> tuple[str, ...]:
    """The path and all that is above it: `a`, `a/b`, `a/b/c`."""
    parts = path.split("/") if path else []
    return tuple("/".join(parts[: depth + 1]) for depth in range(len(parts)))


def scope_key(directory: str) -> str:
    """The key of a project directory, however its slashes are written."""
    folder = directory.replace("\\", "/").rstrip("/") or "/"
    return f"scope:{folder}"


def speaker_key(name: str) -> str:
    """The key of a speaker's name, id, or label with both; case does not count."""
    return f"speaker:{fold(name)}"


def span(document: Document) -> tuple[int, int] | None:
    """The first and last day of all dates as `yyyymmdd`, an open month ending on day 31; None if undated."""
    if not document.dates:
        return None
    firsts = [date.year * 10000 + (date.month or 1) * 100 + (date.day or 1) for date in document.dates]
    lasts = [date.year * 10000 + (date.month or 12) * 100 + (date.day or 31) for date in document.dates]
    return min(firsts), max(lasts)


def sitting(document: Document) -> str:
    """Which conversation a turn belongs to: the turns of one archive on one day."""
    return f"{document.path}#{document.dates[0] if document.dates else ''}"


def _topic(document: Document) -> str:
    if document.kind is not Kind.RECORD:
        return ""
    return document.path.removeprefix("topics/").removesuffix(".md")
