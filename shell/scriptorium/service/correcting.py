"""Correcting, adding to and retracting a record that somebody names in words; deciding about one by id."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from attrs import evolve, frozen

from scriptorium_core.knowledge import correcting, judging
from scriptorium_core.knowledge.judging import TARGET, Verdict, text_key
from scriptorium_core.knowledge.resolving import MOST, Found, Unclear, by_name, by_search
from scriptorium_core.names import BlockId, TopicPath
from scriptorium_core.problem import Code, Problem
from scriptorium_core.recall import Query
from scriptorium_core.topics import parse_topic
from scriptorium_core.topics.records import Record
from scriptorium_core.trailers import ids_of
from scriptorium_core.transaction import Edit, Rejected, Snapshot
from scriptorium_core.when import When

from .. import clock
from ..refused import Refused
from .once import is_repeated
from .permitted import speaker
from .shaping import line_of, moment_text

if TYPE_CHECKING:
    from ..workspace import Committed, Memory
    from .place import Place
    from .shown import RecordLine

__all__ = ["Corrected", "Seen", "changed", "judged", "key_of", "left", "seen_of", "today_of"]


@frozen
class Seen:
    """A record as it stands, with the key of what it says: whoever decides about it gives that back."""

    record: RecordLine
    seen: str


@frozen
class Corrected:
    """What became of a record that somebody named.

    `committed` is None where nothing was written because several records could be meant: these are the
    `candidates`, at most eight, the likeliest first. `target` is the record as the commit left it, and
    `replaced` what a corrected one said before, empty where nothing was replaced.
    """

    committed: Committed | None
    target: Seen | None = None
    candidates: tuple[Seen, ...] = ()
    replaced: str = ""


def changed(service: Place, deed: str, target: str, text: str = "") -> Corrected | Rejected:
    """Correct or append to the record that `target` means, or retract it."""
    memory, caller = service.memory(), speaker(service)
    found = None if is_repeated(service) else _target(service, target)
    if isinstance(found, Unclear):
        return Corrected(None, None, tuple(map(seen_of, found.records)))
    moment, today = memory.moment(), today_of(memory)
    clean = memory.redact(text)

    def plan(base: Snapshot) -> Edit | Rejected:
        if found is None:  # the key of the request is known, and the answer is that of its commit
            return Rejected(())
        if deed == Verdict.RETRACT:
            return judging.judged(base, Verdict.RETRACT, found.id, text_key(found), today, caller)
        words = correcting.Words(found.id, text_key(found), clean.text, today, moment_text(moment))
        make = correcting.added if deed == "append" else correcting.corrected
        return make(base, words, caller)

    result = memory.commit(plan, memory.rules(caller))
    if isinstance(result, Rejected):
        return result
    name = found.id if found is not None else ""
    now = left(service, result, name)
    gone = _replaced(service, result, now) if deed == "correct" and now is not None else ""
    return Corrected(evolve(result, redacted=clean.found), now, replaced=gone)


def judged(service: Place, verdict: Verdict, name: str, seen: str) -> Corrected | Rejected:
    """Decide about a record by id, whose text has the key `seen`."""
    memory, caller = service.memory(), speaker(service)
    today = today_of(memory)
    result = memory.commit(
        lambda base: judging.judged(base, verdict, name, seen, today, caller), memory.rules(caller)
    )
    if isinstance(result, Rejected):
        return result
    return Corrected(result, left(service, result, name.strip().removeprefix("^")))


def today_of(memory: Memory) -> When:
    """The day of a memory's clock."""
    day = clock.date_of(memory.moment(), memory.zone)
    return When(day.year, day.month, day.day)


def seen_of(record: Record) -> Seen:
    """A record with the key of what it says."""
    return Seen(line_of(record), text_key(record))


def key_of(service: Place, name: str) -> str:
    """The key of what a record (id) says now, for whoever is about to see it; empty where there is none."""
    with service.memory().reading() as (_, base):
        known = base.facts.records.get(BlockId(name.strip().removeprefix("^")))
        return text_key(known.record) if known is not None else ""


def _target(service: Place, target: str) -> Record | Unclear:
    """The record that somebody means. Raises Refused where there is none, or it was forgotten."""
    from .searching import search

    with service.memory().reading() as (_, base):
        named = by_name(base.facts, target)
    if isinstance(named, Problem):
        raise Refused(named)
    if named is not None:
        return named
    hits = search(service, Query(target, limit=MOST + 1), None).hits
    with service.memory().reading() as (_, base):
        found = by_search(base.facts, target, [Found(BlockId(h.id), h.score, len(h.matched)) for h in hits])
    if found is None:
        message = f"no record is found by {target[:60]!r}"
        raise Refused(Problem(Code.MEMORY_NOT_FOUND, message, "target", remedy="name it by ^id"))
    return found


def left(service: Place, done: Committed, name: str) -> Seen | None:
    """The record as a commit left it; None if it was forgotten since."""
    memory = service.memory()
    with memory.reading() as (_, base):
        named = name or next(iter(_named(service, done)), "")
        known = base.facts.records.get(named)
        if named in base.facts.forgotten:
            return None
        paths: Sequence[str] = (*done.report.topics, *([known.record.path] if known is not None else []))
    return next(map(seen_of, _at(memory, done.revision, paths, named)), None)


def _replaced(service: Place, done: Committed, target: Seen) -> str:
    """What a corrected record said before its commit; a request that is sent again is answered alike."""
    memory, record = service.memory(), target.record
    parents = memory.history.entry(done.revision).parents
    if done.unchanged or not parents:
        return ""
    before = next(_at(memory, parents[0], (record.topic_path,), record.id), None)
    return before.content if before is not None and before.content != record.content else ""


def _at(memory: Memory, commit: str, paths: Sequence[str], name: str) -> Iterator[Record]:
    """The record of a name in topics, as they stood in a commit."""
    tree = memory.history.base(commit)
    texts = ((path, tree.get(path)) for path in paths)
    topics = (parse_topic(TopicPath(path), data)[0] for path, data in texts if data is not None)
    return (record for topic in topics for record in topic.records if name in record.ids)


def _named(service: Place, done: Committed) -> tuple[str, ...]:
    try:
        return ids_of(service.whole().history.entry(done.revision).trailers, TARGET)
    except KeyError:
        return ()
