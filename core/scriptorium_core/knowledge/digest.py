"""What a topic is about in one line of at most 220 characters: a view for people, never given as evidence."""

from collections.abc import Iterable, Sequence

from attrs import frozen

from ..names import TopicPath
from ..recall.documents import without_targets
from ..topics.records import Record
from ..when import render_when

__all__ = ["LONGEST", "Digest", "digest_of"]

LONGEST = 220
"""Characters of a line."""

_ELLIPSIS = "…"


@frozen
class Digest:
    """A topic, the number of its records, the first and the last day of its evidence, and its line."""

    path: TopicPath
    records: int
    first: str
    last: str
    line: str


def digest_of(path: TopicPath, records: Sequence[Record]) -> Digest:
    """The digest of a topic: its headings, then how its records begin, the newest evidence first."""
    dates = sorted({render_when(when) for record in records for when in record.whens})
    newest = sorted(records, key=lambda record: max(map(render_when, record.whens), default=""), reverse=True)
    headings = dict.fromkeys(heading for record in records for heading in record.headings)
    words = (" ".join(without_targets(record.content).split()) for record in newest)
    line = _fitted(", ".join(headings), tuple(words))
    return Digest(path, len(records), dates[0] if dates else "", dates[-1] if dates else "", line)


def _fitted(head: str, parts: Iterable[str]) -> str:
    """As many parts behind the head as the line takes; the last one is cut at a word."""
    line = _cut(" ".join(head.split()), LONGEST // 2)
    for part in parts:
        joint = ": " if line and ": " not in line else " · " if line else ""
        room = LONGEST - len(line) - len(joint)
        if room < 24:
            return line
        line += joint + _cut(part, room)
    return line


def _cut(text: str, most: int) -> str:
    if len(text) <= most:
        return text
    whole, _, _ = text[: most - 1].rpartition(" ")
    return f"{whole or text[: most - 1]}{_ELLIPSIS}"
