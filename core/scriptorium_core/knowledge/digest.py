"""What a topic is about in one line of at most 220 characters: a view for people, never given as evidence.

It has no room to say how far a record may be relied on: so nothing stands in it that may not go along with a
question, that waits for consent, or that holds no more.
"""

from collections.abc import Iterable, Sequence
from datetime import date

from attrs import frozen

from ..facts.model import Facts
from ..names import TopicPath
from ..recall.documents import without_targets
from ..recall.grounds import grounds, trust_of
from ..sources.header import Trust
from ..topics.notes import is_closed, stands_aside
from ..topics.records import Record
from ..when import render_when
from .gate import assessed, barred

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


def digest_of(facts: Facts, path: TopicPath, records: Sequence[Record], now: date) -> Digest:
    """The digest of a topic on the day `now`: its headings, then how its records begin, the newest first."""
    dates = sorted({render_when(when) for record in records for when in record.whens})
    told = [record for record in records if _is_told(facts, record, now)]
    newest = sorted(told, key=lambda record: max(map(render_when, record.whens), default=""), reverse=True)
    headings = dict.fromkeys(heading for record in told for heading in record.headings)
    words = (" ".join(without_targets(record.content).split()) for record in newest)
    line = _fitted(", ".join(headings), tuple(words))
    return Digest(path, len(records), dates[0] if dates else "", dates[-1] if dates else "", line)


def _is_told(facts: Facts, record: Record, now: date) -> bool:
    if is_closed(record) or stands_aside(record) or barred(assessed(facts, record, now)) is not None:
        return False
    return trust_of(facts, record, grounds(facts, record)) is Trust.TRUSTED


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
