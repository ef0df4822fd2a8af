"""Searching: the full text index proposes, the snapshot decides what is shown and with which evidence."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from datetime import date, tzinfo
from typing import TYPE_CHECKING, NamedTuple

from scriptorium_core import recall
from scriptorium_core.knowledge.gate import assessed, standing_in
from scriptorium_core.knowledge.valid import said_at
from scriptorium_core.policy.actor import OWNER
from scriptorium_core.problem import Code, Problem
from scriptorium_core.recall import Document, Hit, Kind, Nothing, Query
from scriptorium_core.recall.alternatives import side_by_side
from scriptorium_core.recall.documents import record_document, turn_document
from scriptorium_core.recall.grounds import branch_of
from scriptorium_core.topics.notes import is_closed
from scriptorium_core.when import render_when

from ..clock import zone_named
from ..fulltext import FullText
from ..refused import Refused
from .assessing import day_of
from .found import Found, FoundItem
from .glance import glance
from .shaping import alternatives_of, branches_of, citations_of, turn_of
from .using import by_meaning, troubles

if TYPE_CHECKING:
    from scriptorium_core.facts import Facts

    from ..index import Queries
    from ..layout import Layout
    from ..workspace import Memory
    from .place import Place

__all__ = ["Ready", "answer", "answer_and_hits", "as_seen", "at_rest", "empty", "passes", "ready", "search"]


class Ready(NamedTuple):
    """A commit, what is known of it, and an index that stands for it, or for `notices` why not.

    `index` is None where nothing is committed yet; `layout` is that of the memory. `hidden` are the ids of
    records and messages that whoever asks may not see: they are in neither.
    """

    layout: Layout
    revision: str | None
    facts: Facts
    fulltext: FullText | None
    notices: tuple[Problem, ...] = ()
    hidden: frozenset[str] = frozenset()


@contextmanager
def at_rest(service: Place, action: str) -> Iterator[Ready | None]:
    """The memory as it stands, if nothing has to be brought up to date first; opens no more than it reads.

    Of it, what the actor may do this `action` with.
    """
    with glance(service) as seen:
        if seen is None:
            yield None
            return
        zone = zone_named(service.settings.timezone)
        index = service.searched = FullText.open(seen.layout.fulltext, zone, service.searched)
        found = Ready(seen.layout, seen.revision, seen.facts, index)
        found = as_seen(service, found, seen.queries, action)
        yield found if index.commit == seen.revision else None


@contextmanager
def ready(
    service: Place, progress: Callable[[int, int], None] | None = None, action: str = "search"
) -> Iterator[Ready]:
    """The memory with an index that is brought up to its commit, and that knows meanings where one can."""
    meaning, told = by_meaning(service, progress)
    with _indexed(service, progress, action) as found:
        if meaning is not None and found.fulltext is not None and found.revision is not None:
            asked = meaning.asked(found.layout, found.revision, found.fulltext.zone, found.hidden)
            found.fulltext.near = asked
        yield found._replace(notices=(*found.notices, *told)) if told else found


@contextmanager
def _indexed(service: Place, progress: Callable[[int, int], None] | None, action: str) -> Iterator[Ready]:
    with at_rest(service, action) as found:
        if found is not None:
            yield found
            return
    silent = progress or (lambda done, total: None)
    memory = service.whole()
    with memory.reading(silent) as (revision, base):
        if revision is None:
            yield Ready(memory.layout, None, base.facts, None)
            return
        index = FullText.open(memory.layout.fulltext, memory.zone)
        notices = _followed(memory, revision, base.facts, index, silent)
        brought = Ready(memory.layout, revision, base.facts, index, notices)
        yield as_seen(service, brought, memory.index.queries, action)


def as_seen(service: Place, found: Ready, queries: Queries, action: str) -> Ready:
    """A memory that is ready to be searched, without what may not be; the engine never proposes it."""
    if service.actor == OWNER:
        return found
    from scriptorium_core.facts.permitted import permitted_facts
    from scriptorium_core.policy.rules import Right

    from .permitted import sight

    may = sight(service, Right(action))
    if may is None:
        return found
    hidden = tuple(path for path in queries.paths() if not may(path))
    if found.fulltext is not None:
        found.fulltext.hide(hidden)
    gone = frozenset(name for name, path in queries.names() if not may(path)) if hidden else frozenset[str]()
    return found._replace(facts=permitted_facts(found.facts, may), hidden=gone)


def search(service: Place, query: Query, progress: Callable[[int, int], None] | None) -> Found:
    """What a query finds at the present commit."""
    asked = recall.wanted(query)
    if isinstance(asked, Nothing):
        with glance(service) as seen:
            return Found(
                seen.revision if seen is not None else service.memory().revision, None, nothing=asked
            )
    with ready(service, progress) as found:
        if found.revision is None or found.fulltext is None:
            return Found(None, None, nothing=empty())
        done = answer(found.revision, found.facts, found.fulltext, query, found.notices, day_of(service))
        return done._replace(notices=tuple(dict.fromkeys((*done.notices, *troubles(service)))))


def answer(
    revision: str, facts: Facts, index: FullText, query: Query, notices: tuple[Problem, ...], now: date
) -> Found:
    """What a query finds in an index, as it holds in the facts of a commit, assessed on the day `now`."""
    return answer_and_hits(revision, facts, index, query, notices, now)[0]


def answer_and_hits(
    revision: str, facts: Facts, index: FullText, query: Query, notices: tuple[Problem, ...], now: date
) -> tuple[Found, tuple[Hit, ...]]:
    """The same, and the hits of which it was made."""
    items: dict[tuple[Kind, str], FoundItem] = {}

    def judge(document: Document) -> Hashable | None:
        """How a document stands in the snapshot; None if nothing of it is shown."""
        item = _item(facts, query, document, index.zone, now)
        if item is None:
            return None
        items[document.kind, document.id] = item
        told = item.assessment
        return told and (told.decision, told.state), item.branch, item.scopes, _is_former(facts, item)

    hits = index.search(query, judge)
    if isinstance(hits, Nothing):
        return Found(revision, index.commit, (), hits, notices), ()
    found = [
        items[hit.document.kind, hit.document.id]._replace(
            score=hit.score, reasons=hit.reasons, matched=hit.matched
        )
        for hit in hits
    ]
    nothing = None if found else _withheld(query)
    return Found(revision, index.commit, _grouped(found), nothing, notices), hits


def _followed(
    memory: Memory, revision: str, facts: Facts, index: FullText, progress: Callable[[int, int], None]
) -> tuple[Problem, ...]:
    """Bring the index to the commit; why the answer is of an older one, if it is."""
    from .indexing import bring_up

    spoilt = index.damaged()
    try:
        done = bring_up(memory, revision, facts, index, progress)
    except Refused as refused:
        return refused.problems
    if not done and index.stands_for() != revision:
        return (_behind(memory),)
    return (_renewed(memory),) if spoilt else ()


def _grouped(items: list[FoundItem]) -> tuple[FoundItem, ...]:
    """The hits with alternatives side by side; none is hidden, and the best of each group keeps its place."""
    names = [f"{item.kind}:{item.id}" for item in items]
    others = [[f"{Kind.RECORD}:{each.id}" for each in item.alternatives] for item in items]
    return tuple(items[place] for place in side_by_side(names, others))


def _item(facts: Facts, query: Query, document: Document, zone: tzinfo | None, now: date) -> FoundItem | None:
    """A document as it stands in the snapshot; None if it is gone, held back, or in a quarantined topic."""
    if document.kind is Kind.RECORD:
        return _record(facts, query, document.id, now)
    return _turn(facts, query, document, zone)


def _record(facts: Facts, query: Query, block: str, now: date) -> FoundItem | None:
    known = facts.records.get(block)
    if known is None or known.record.path in facts.broken:
        return None
    document = record_document(facts, known.record)
    content = said_at(facts, known.record, query.valid_at)
    if content is None or not passes(facts, query, document):
        return None
    return _found(document, content)._replace(
        branch=branch_of(facts, known.record),
        citations=citations_of(facts, known.record),
        branches=branches_of(known.record),
        alternatives=alternatives_of(facts, known.record),
        assessment=assessed(facts, known.record, now, query.current_required, query.least),
    )


def passes(facts: Facts, query: Query, document: Document) -> bool:
    """Whether a document passes every filter of a query, those too that the snapshot decides."""
    if not recall.admits(query, document):
        return False
    if document.kind is not Kind.RECORD:
        return not query.standing
    known = facts.records.get(document.id)
    if known is None:
        return True  # it is gone: nothing that a filter takes away
    held = said_at(facts, known.record, query.valid_at) is not None
    return held and (not query.standing or standing_in(facts, known.record).state in query.standing)


def _is_former(facts: Facts, item: FoundItem) -> bool:
    known = facts.records.get(item.id) if item.kind is Kind.RECORD else None
    return known is not None and is_closed(known.record)


def _turn(facts: Facts, query: Query, found: Document, zone: tzinfo | None) -> FoundItem | None:
    source = facts.sources.get(found.id)
    document = turn_document(source, found.order, zone) if source is not None else None
    if source is None or document is None or not passes(facts, query, document):
        return None
    if source.id in facts.forgotten or source.withheld:
        return None
    turn, cited_by = turn_of(source), facts.citing.get(source.place, ())
    return _found(document, turn.text)._replace(branch=turn.branch, turn=turn, cited_by=cited_by)


def _found(document: Document, content: str) -> FoundItem:
    return FoundItem(
        id=document.id,
        kind=document.kind,
        content=content,
        path=document.path,
        headings=document.headings,
        dates=tuple(map(render_when, document.dates)),
        score=0.0,
        reasons=(),
        matched=(),
        branch="unknown",
        scopes=document.scopes,
    )


def empty() -> Nothing:
    """That nothing can be found, because nothing is there."""
    return Nothing(recall.Why.NO_MATCH, "the memory holds nothing yet")


def _withheld(query: Query) -> Nothing:
    if query.standing and Kind.RECORD not in query.kinds:
        return Nothing(recall.Why.NO_MATCH, "messages have no standing: ask for records by it")
    others: list[str] = []
    if query.valid_at is not None:
        others.append(f"of which nothing held in {render_when(query.valid_at)}")
    if query.standing:
        others.append(f"that do not stand as {' or '.join(query.standing)}")
    message = " or ".join(others) or "that were just changed, or whose topic is quarantined"
    if query.standing and Kind.TURN in query.kinds:
        message += "; and messages have no standing"
    return Nothing(recall.Why.NO_MATCH, f"the words occur only in records {message}")


def _renewed(memory: Memory) -> Problem:
    message = "the full text index was damaged, and has been built anew"
    return Problem(Code.INDEX_STALE, message, memory.layout.fulltext.name, remedy="nothing is to be done")


def _behind(memory: Memory) -> Problem:
    return Problem(
        Code.CONCURRENT_UPDATE,
        "another process is bringing the full text index up to date; what it brings is not found yet",
        memory.layout.fulltext.name,
        remedy="search again in a moment",
    )
