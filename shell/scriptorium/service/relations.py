"""What links to what: of a memory by topic, of a topic by record, of a record line by line."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from datetime import date
from itertools import islice
from typing import TYPE_CHECKING

from attrs import frozen

from scriptorium_core.facts import Known, SourceFact
from scriptorium_core.knowledge.gate import assessed
from scriptorium_core.problem import Code, Problem

from ..refused import Refused
from .assessing import day_in
from .reading import find, is_trusted
from .shaping import line_of

if TYPE_CHECKING:
    from scriptorium_core.facts import Facts, TopicFact
    from scriptorium_core.knowledge.assess import Assessment
    from scriptorium_core.topics.records import Record

    from ..workspace import Memory
    from .shown import RecordLine

__all__ = ["Related", "RelatedLine", "Relations", "TopicLinks", "relations"]

_BRIEF = 5  # rows of each list of a record that is shown among the others of its topic


@frozen
class TopicLinks:
    """A topic, how many links lead out of its records, and how many lead to them; one inside counts twice."""

    path: str
    links: int
    backlinks: int


@frozen
class RelatedLine:
    """A record at an end of a link; not `trusted`: it is pending."""

    record: RecordLine
    trusted: bool
    assessment: Assessment


@frozen
class Related:
    """A record, what it links to in the order of its text, and what links to it, by id.

    The lists may be cut: `of_links` and `of_backlinks` count all.
    """

    line: RelatedLine
    links: tuple[RelatedLine, ...]
    backlinks: tuple[RelatedLine, ...]
    of_links: int
    of_backlinks: int


@frozen
class Relations:
    """What links to what: the `topics` of the whole memory, or the `records` of what was `asked` for.

    Only links whose target stands in the memory count. The list may be cut: `of` counts all.
    """

    revision: str | None
    asked: str
    topics: tuple[TopicLinks, ...] = ()
    records: tuple[Related, ...] = ()
    of: int = 0


def relations(memory: Memory, name: str, limit: int) -> Relations:
    """The relations of the whole memory if `name` is empty, else those of a record or of a topic."""
    asked = name.strip()
    with memory.reading() as (revision, base):
        if not asked:
            topics = _topics(memory.index.queries.relations())
            return Relations(revision, asked, tuple(topics[:limit]), of=len(topics))
        facts, now = base.facts, day_in(memory)
        found = find(memory, facts, asked)
        if isinstance(found, SourceFact):
            raise Refused(_message(found))
        if isinstance(found, Known):
            return Relations(revision, asked, records=(_related(facts, found.record, now, limit),), of=1)
        linked = _linked(facts, found)
        rows = (_related(facts, record, now, _BRIEF) for record in linked[:limit])
        return Relations(revision, asked, records=tuple(rows), of=len(linked))


def _topics(pairs: Iterable[tuple[str, str]]) -> list[TopicLinks]:
    out, into = Counter[str](), Counter[str]()
    for source, target in pairs:
        out[source] += 1
        into[target] += 1
    return [TopicLinks(path, out[path], into[path]) for path in sorted({*out, *into})]


def _linked(facts: Facts, topic: TopicFact) -> list[Record]:
    """The records of a topic that have relations, in order."""
    known = (facts.records.get(block) for block in topic.ids)
    records = {each.record.id: each.record for each in known if each is not None}
    return [record for record in records.values() if _out(facts, record) or _into(facts, record)]


def _related(facts: Facts, record: Record, now: date, limit: int) -> Related:
    out, into = _out(facts, record), _into(facts, record)
    links, backlinks = (
        tuple(_line(facts, each, now) for each in islice(ends.values(), limit)) for ends in (out, into)
    )
    return Related(_line(facts, record, now), links, backlinks, len(out), len(into))


def _out(facts: Facts, record: Record) -> dict[str, Record]:
    return _standing(facts, record.links)


def _into(facts: Facts, record: Record) -> dict[str, Record]:
    return _standing(facts, (each for block in record.ids for each in facts.backlinks.get(block, ())))


def _standing(facts: Facts, blocks: Iterable[str]) -> dict[str, Record]:
    """The records of these ids that there are, each once, by identity."""
    known = (facts.records.get(block) for block in dict.fromkeys(blocks))
    return {found.record.id: found.record for found in known if found is not None}


def _line(facts: Facts, record: Record, now: date) -> RelatedLine:
    return RelatedLine(line_of(record), is_trusted(facts, record), assessed(facts, record, now))


def _message(found: SourceFact) -> Problem:
    message = f"{found.id} is a message; what links are records"
    remedy = f"`scriptorium show {found.id}` names the records that cite it"
    return Problem(Code.INVALID_ARGUMENT, message, found.id, remedy=remedy)
