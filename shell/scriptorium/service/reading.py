"""Reading what memory holds: a record, a topic, a message, and the lists, each from one commit."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from typing import TYPE_CHECKING

from scriptorium_core.facts import Facts, Known, SourceFact, TopicFact
from scriptorium_core.facts.scopes import holds_in
from scriptorium_core.knowledge.gate import assessed, barred, doubts
from scriptorium_core.knowledge.judging import text_key
from scriptorium_core.knowledge.offer import Left, Part
from scriptorium_core.knowledge.soundness import standing_faults
from scriptorium_core.names import CORE_TOPIC, path_key, topic_prefix
from scriptorium_core.problem import Code, Problem
from scriptorium_core.recall.documents import record_document
from scriptorium_core.recall.grounds import branch_of, ground, grounds, trust_of
from scriptorium_core.sources.header import Trust
from scriptorium_core.when import parse_when

from ..refused import Refused
from .assessing import day_in
from .gone import forgotten
from .model import CoreShown, Day, Recent, RecentRow, Row, Timeline, TopicLine
from .shaping import alternatives_of, branches_of, group_of, line_of, lines_of, turn_of
from .shown import RecordShown, Shown, SourceShown, TopicShown

if TYPE_CHECKING:
    from scriptorium_core.facts import Event
    from scriptorium_core.knowledge.assess import Assessment
    from scriptorium_core.topics.records import Cited, Record
    from scriptorium_core.transaction import Snapshot

    from ..workspace import Memory

__all__ = [
    "core",
    "core_shown",
    "find",
    "is_trusted",
    "recent",
    "show",
    "shown_record",
    "shown_source",
    "timeline",
    "topics",
]


def show(memory: Memory, name: str) -> Shown:
    """Whatever the name means: a message, a record, a topic, in this order."""
    with memory.reading() as (revision, base):
        found = find(memory, base.facts, name)
        if isinstance(found, Known):
            return shown_record(revision, base.facts, found, day_in(memory))
        if isinstance(found, SourceFact):
            return shown_source(revision, base.facts, found)
        return _topic(revision, base, found, day_in(memory))


def find(memory: Memory, facts: Facts, name: str) -> Known | SourceFact | TopicFact:
    """What `name` means. Raises Refused where it means nothing, or something that was forgotten."""
    bare = name.strip()
    block = bare.removeprefix("^")
    named = facts.places.get(bare, bare)
    paths = map(path_key, _paths(bare))
    found = (
        facts.sources.get(named)
        or facts.records.get(block)
        or next((topic for path in paths if (topic := facts.topics.get(path)) is not None), None)
    )
    # A message that was forgotten stays archived until it is erased, and is not shown.
    if isinstance(found, SourceFact) and (found.withheld or found.id in facts.forgotten):
        raise Refused(_unknown(memory, facts, named, block))
    if found is None:
        raise Refused(_unknown(memory, facts, named, block))
    return found


def shown_record(revision: str | None, facts: Facts, known: Known, now: date) -> RecordShown:
    """A record in full, assessed on the day `now`."""
    record = known.record
    backlinks = (linking for block in record.ids for linking in facts.backlinks.get(block, ()))
    return RecordShown(
        revision=revision,
        record=line_of(record),
        aliases=record.aliases,
        groups=tuple(group_of(facts, group) for group in record.evidence),
        links=lines_of(facts, record.links),
        backlinks=lines_of(facts, backlinks),
        trusted=is_trusted(facts, record),
        branch=branch_of(facts, record),
        # An alias has an order of its own; the identity's is the record's.
        order=facts.records.get(record.id, known).order,
        legacy=record.legacy,
        problems=(*facts.broken.get(record.path, ()), *standing_faults(record)),
        branches=branches_of(record),
        alternatives=alternatives_of(facts, record),
        scopes=record_document(facts, record).scopes,
        assessment=assessed(facts, record, now),
        seen=text_key(record),
    )


def shown_source(revision: str | None, facts: Facts, source: SourceFact) -> SourceShown:
    """A message in full."""
    return SourceShown(revision, turn_of(source, None), lines_of(facts, facts.citing.get(source.place, ())))


def topics(memory: Memory, prefix: str) -> tuple[TopicLine, ...]:
    """The topics below a prefix."""
    with memory.reading() as (_, base):
        broken = dict(base.facts.broken.items())
        return tuple(
            TopicLine(path, records, broken.get(path, ()))
            for path, records in memory.index.queries.topics(topic_prefix(prefix))
        )


def core(memory: Memory, scope: str = "") -> CoreShown:
    """The resident block as it is rendered from `topics/core.md`, with what it leaves out.

    With a `scope`, a project directory, only what holds there.
    """
    with memory.reading() as (revision, base):
        return core_shown(memory, revision, base, scope)


def core_shown(memory: Memory, revision: str | None, base: Snapshot, scope: str = "") -> CoreShown:
    """The resident block of a snapshot."""
    from scriptorium_core.topics import parse_topic
    from scriptorium_core.views.change import Change
    from scriptorium_core.views.core import core_view

    from .. import tokens
    from .counting import counting

    budget, counter = memory.limits.core_tokens, tokens.counter_name()
    data = base.tree.get(CORE_TOPIC)
    if data is None:
        return CoreShown(revision, "", 0, budget, counter)
    topic, _ = parse_topic(CORE_TOPIC, data)
    trusts = Change(base.facts, {}, {}, (), {}).trusts

    now = day_in(memory)
    known = {record.id: assessed(base.facts, record, now) for record in topic.records}
    barring = {block: reason for block, found in known.items() if (reason := barred(found)) is not None}

    def meant(record: Record) -> bool:
        if branch_of(base.facts, record) == "abandoned" or record.id in barring:
            return False
        return not scope or holds_in(record_document(base.facts, record).scopes, scope)

    with counting(memory.layout) as count:
        view = core_view(topic, trusts, count, budget, meant, lambda record: doubts(record, known[record.id]))
    aside = tuple(block for block in view.aside if block not in barring)
    lists = (view.shown, view.omitted, view.withheld, len(topic.records), aside, scope)
    assessments: dict[str, Assessment] = {
        block: found for block, found in known.items() if block in view.shown
    }
    left = tuple(
        Left(Part.RECORD, block, 0.0, reason, known[block])
        for block, reason in barring.items()
        if block in view.aside
    )
    return CoreShown(revision, view.text, view.tokens, budget, counter, *lists, assessments, left)


def timeline(memory: Memory, day: str) -> Timeline:
    """The dates at and below a date, and what happened on them."""
    asked = day.strip()
    if asked and parse_when(asked) is None:
        raise Refused(_no_date(asked))
    with memory.reading() as (revision, base):
        found = [Day(each, records) for each, records in memory.index.queries.days(asked)]
        now = day_in(memory)
        rows = (row for each in found for row in _rows(base.facts, each.date, now))
        return Timeline(revision, asked, tuple(found), tuple(rows) if asked else ())


def recent(memory: Memory, limit: int) -> Recent:
    """The newest records."""
    with memory.reading() as (revision, base):
        newest, now = base.facts.newest[: max(limit, 0)], day_in(memory)
        return Recent(revision, tuple(_recent_row(base.facts, known, now) for known in newest), limit)


def _topic(revision: str | None, base: Snapshot, topic: TopicFact, now: date) -> TopicShown:
    text = (base.tree.get(topic.path) or b"").decode("utf-8", "replace")
    records = {
        known.record.id: known.record for block in topic.ids if (known := base.facts.records.get(block))
    }
    found: dict[str, Assessment] = {name: assessed(base.facts, each, now) for name, each in records.items()}
    return TopicShown(revision, topic.path, text, lines_of(base.facts, topic.ids), topic.problems, found)


def _paths(name: str) -> Iterator[str]:
    """The topics that a person may mean by a name, the exact one first."""
    inside = name if name.startswith("topics/") else f"topics/{name.lstrip('/')}"
    yield inside
    yield f"{inside}.md"


def _rows(facts: Facts, day: str, now: date) -> list[Row]:
    rows = (_row(facts, day, event, now) for event in facts.days.get(day, ()))
    return sorted(rows, key=lambda row: (row.sources, row.record))


def _row(facts: Facts, day: str, event: Event, now: date) -> Row:
    known = facts.records.get(event.record)
    trusted = known is not None and is_trusted(facts, known.record)
    sources = tuple(_name(facts, cited) for cited in event.sources)
    found = assessed(facts, known.record, now) if known is not None else None
    return Row(day, event.record, event.path, event.quote, sources, trusted, found)


def _recent_row(facts: Facts, known: Known, now: date) -> RecentRow:
    sources = tuple(_name(facts, cited) for cited in known.record.sources)
    record, found = known.record, assessed(facts, known.record, now)
    return RecentRow(line_of(record), known.order, sources, is_trusted(facts, record), found)


def is_trusted(facts: Facts, record: Record) -> bool:
    """Whether all that a record rests on is there and trusted; else it is pending."""
    return trust_of(facts, record, grounds(facts, record)) is Trust.TRUSTED


def _name(facts: Facts, cited: Cited) -> str:
    """The source id of a citation; the place or handle that it names where nothing is archived there."""
    source = ground(facts, cited).source
    return source.id if source is not None else cited.place or cited.target


def _unknown(memory: Memory, facts: Facts, bare: str, block: str) -> Problem:
    for name in (block, bare):
        if name in facts.forgotten:
            return forgotten(memory, facts, name)
    return Problem(
        Code.MEMORY_NOT_FOUND,
        f"there is no record, topic or message {bare!r}",
        bare,
        remedy="search for its words, or list the topics",
    )


def _no_date(asked: str) -> Problem:
    message = f"{asked!r} is not a date"
    return Problem(Code.INVALID_ARGUMENT, message, "day", remedy="give YYYY, YYYY-MM or YYYY-MM-DD")
