"""What of memory a writer is shown at the start: an outline of topics, bounded in tokens.

    {"topic": "topics/people/ines.md", "records": 12, "headings": ["Ines"]}
    {"record": "^f785be39", "topic": "topics/people/ines.md", "when": "2026-03-14", "begins": "Ines, Mara …"}
    {"more_topics": 241}

Topics that share words with the batch come first, the rarer the words the earlier, each with those of its
records that share them; the other topics are named as long as there is room. What is held is not shown, nor
are topics that cannot be read.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice

from attrs import frozen

from ..budget import Count
from ..facts.model import Facts
from ..names import TopicPath, path_key
from ..terms import STOP_WORDS, terms
from ..topics.records import Record
from ..when import render_when
from .batch import Said
from .datalines import data_line
from .holding import shown

__all__ = ["BUDGET", "outline"]

BUDGET = 4_000
"""Tokens of an outline, unless somebody asks for another number."""

_WORDS = 16
_LONGEST = 160
_HEADINGS = 12
_RECORDS = 20
_MOST_READ = 20_000
_PATIENCE = 20
_RAREST = 1_000_000


@frozen
class _Match:
    """A topic that shares words with the batch: how much, and its records that do, the best first."""

    path: TopicPath
    weight: int
    records: tuple[Record, ...]


def outline(facts: Facts, items: Sequence[Said], count: Count, budget: int = BUDGET) -> str:
    """The outline for a batch as lines of JSON, at most `budget` tokens by `count`; empty if nothing fits."""
    matches = _matches(facts, items)
    seen = {match.path for match in matches}
    others = (fact.path for fact in facts.topics.values() if fact.path not in seen)
    kept, topics = _fitting((_lines_of(facts, match) for match in matches), count, budget)
    rest = ((line,) for path in sorted(others) for line in _named(facts, path))
    more, named = _fitting(rest, count, budget - sum(map(count, kept)))
    left = len(facts.topics) - topics - named
    lines = [*kept, *more, *([data_line({"more_topics": left}) + "\n"] if left else [])]
    # A counter may count more in the whole than in its parts.
    while lines and count("".join(lines)) > budget:
        lines.pop()
    return "".join(lines)


def _fitting(groups: Iterable[Sequence[str]], count: Count, room: int) -> tuple[list[str], int]:
    """The lines that fit, and of how many topics; a topic whose own line does not fit is left out.

    No more topics are looked at than need be: after some that do not fit, none will.
    """
    kept: list[str] = []
    topics = misses = 0
    for head, *records in filter(None, groups):
        if (price := count(head)) > room:
            misses += 1
            if misses == _PATIENCE:
                break
            continue
        kept.append(head)
        room -= price
        topics += 1
        for line in records:
            if (price := count(line)) <= room:
                kept.append(line)
                room -= price
    return kept, topics


def _matches(facts: Facts, items: Sequence[Said]) -> list[_Match]:
    """The topics that share words with the batch, those that share the rarest first."""
    wanted = {
        term
        for item in items
        for term in terms(f"{item.speaker} {item.text}")
        if len(term) > 1 and term not in STOP_WORDS
    }
    shared: list[tuple[Record, frozenset[str]]] = []
    for known in islice(facts.newest, _MOST_READ) if wanted else ():
        record = known.record
        if record.path not in facts.broken and (common := wanted.intersection(terms(_text(record)))):
            shared.append((record, frozenset(common)))
    rarity = Counter(term for _, each in shared for term in each)
    found: dict[TopicPath, list[tuple[int, Record]]] = {}
    for record, terms_shared in shared:
        weight = sum(_RAREST // rarity[term] for term in terms_shared)
        found.setdefault(record.path, []).append((weight, record))
    return sorted(
        (_match(path, rows) for path, rows in found.items()), key=lambda each: (-each.weight, each.path)
    )


def _match(path: TopicPath, rows: list[tuple[int, Record]]) -> _Match:
    best = sorted(rows, key=lambda row: (-row[0], row[1].lines, row[1].id))
    return _Match(path, best[0][0], tuple(record for _, record in best[:_RECORDS]))


def _text(record: Record) -> str:
    return " ".join((record.path, *record.headings, record.content))


def _lines_of(facts: Facts, match: _Match) -> tuple[str, ...]:
    head = tuple(_named(facts, match.path))
    return (*head, *map(_record_line, shown(facts, match.records))) if head else ()


def _named(facts: Facts, path: TopicPath) -> Iterator[str]:
    """The line of a topic; none where all of it is held."""
    if path in facts.broken:
        return
    records = shown(facts, _records_of(facts, path))
    if records:
        headings = list(
            dict.fromkeys(_clipped(" > ".join(each.headings)) for each in records if each.headings)
        )
        row: Mapping[str, object] = {"topic": path, "records": len(records), "headings": headings[:_HEADINGS]}
        yield data_line(row) + "\n"


def _records_of(facts: Facts, path: TopicPath) -> tuple[Record, ...]:
    known = facts.topics.get(path_key(path))
    found = (facts.records.get(block) for block in (known.ids if known else ()))
    records = {each.record.id: each.record for each in found if each is not None}
    return tuple(record for record in records.values() if record.path == path)


def _record_line(record: Record) -> str:
    words = record.content.split()
    begins = _clipped(" ".join(words[:_WORDS])) + (" …" if len(words) > _WORDS else "")
    row = {
        "record": f"^{record.id}",
        "topic": record.path,
        "when": render_when(record.when),
        "begins": begins,
    }
    return data_line(row) + "\n"


def _clipped(text: str) -> str:
    return text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…"
