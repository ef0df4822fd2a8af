"""Bringing the full text index to a commit: what the files that differ hold goes in, the rest stays."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING

from scriptorium_core.facts import contributes, messages_in
from scriptorium_core.recall.documents import record_document, turn_documents
from scriptorium_core.recall.turns import Turns, archive_of, changed_grounds, changed_turns
from scriptorium_core.trailers import ids_of

from ..fulltext import FullText

if TYPE_CHECKING:
    from scriptorium_core.facts import Facts
    from scriptorium_core.recall import Document

    from ..history import Change
    from ..workspace import Memory

__all__ = ["bring_up", "changes_since", "documents", "documents_in", "forgotten_between"]

Progress = Callable[[int, int], None]


def bring_up(memory: Memory, revision: str, facts: Facts, index: FullText, progress: Progress) -> bool:
    """Make the index stand for `revision`, whose facts are given; false if another process is at it."""
    base = index.stands_for()
    if base == revision:
        return True
    changes = changes_since(memory, base, revision) if base is not None else None
    if base is None or changes is None:
        totals = memory.index.queries.totals()
        # Every document asks whether it was forgotten: a question each would be most of the questions asked.
        known = facts._replace(forgotten=dict(facts.forgotten.items()))
        counted = _counted(documents(memory, known), totals.records + totals.sources, progress)
        return index.rebuild(revision, counted)
    topics = {change.path for change in changes if change.path.startswith("topics/")}
    archives = {archive_of(change.path) for change in changes if change.path.startswith("sources/")}
    named = forgotten_between(memory, base, revision)
    gone, fresh = list(named), {turn.id: turn for turn in _remembered(memory, facts, named)}
    for path in sorted(archives):
        before, after = _turns(memory, base, path), _turns(memory, revision, path)
        ids, turns = changed_turns(before, after, memory.zone)
        gone += ids
        fresh |= {turn.id: turn for turn in turns if turn.id not in facts.forgotten}
        topics |= _topics_citing(facts, changed_grounds(before, after))
    found = (known for path in sorted(topics) for known in memory.index.queries.records_in(path))
    records = (record_document(facts, known.record) for known in found)
    return index.update(base, revision, (*fresh.values(), *records), sorted(topics), gone)


def documents(memory: Memory, facts: Facts) -> Iterator[Document]:
    """Every document of the snapshot that is open."""
    for known in memory.index.queries.records_under("topics/"):
        yield record_document(facts, known.record)
    for path in facts.archives:
        yield from documents_in(memory, facts, path)


def documents_in(memory: Memory, facts: Facts, path: str) -> Iterator[Document]:
    """The records of a topic, or the messages of an archive that are not forgotten, in their order."""
    if path.startswith("topics/"):
        yield from (record_document(facts, known.record) for known in memory.index.queries.records_in(path))
    else:
        turns = turn_documents(memory.index.queries.sources_in(path), memory.zone)
        yield from (turn for turn in turns if turn.id not in facts.forgotten)


def changes_since(memory: Memory, base: str, revision: str) -> tuple[Change, ...] | None:
    """The files that differ, None where the history does not know the base any more."""
    try:
        return tuple(change for change in memory.history.changes(base, revision) if contributes(change.path))
    except KeyError:
        return None


def forgotten_between(memory: Memory, base: str, revision: str) -> frozenset[str]:
    """What was forgotten on the way between two commits: its archives do not differ."""
    # The second is empty unless somebody went back, or to another branch, or two histories were united.
    way = (*memory.history.log(revision, until=base), *memory.history.log(base, until=revision))
    return frozenset(name for entry in way for name in ids_of(entry.trailers, "Forgotten"))


def _remembered(memory: Memory, facts: Facts, names: Iterable[str]) -> Iterator[Document]:
    """Those of the messages that are there, though they were forgotten once."""
    there = {name for name in names if name in facts.sources and name not in facts.forgotten}
    for path in sorted({facts.sources[name].path for name in there}):
        yield from (turn for turn in documents_in(memory, facts, path) if turn.id in there)


def _turns(memory: Memory, commit: str, path: str) -> Turns:
    tree = memory.history.base(commit)
    return messages_in(path, tree.get(path), tree.get(path.removesuffix(".md") + ".jsonl"))


def _topics_citing(facts: Facts, places: Iterable[str]) -> set[str]:
    """The topics with a record that cites one of the places."""
    citing = (block for place in places for block in facts.citing.get(place, ()))
    return {known.record.path for block in citing if (known := facts.records.get(block)) is not None}


def _counted(found: Iterable[Document], total: int, progress: Progress) -> Iterator[Document]:
    for number, document in enumerate(found):
        if number % 500 == 0:
            progress(number, total)
        yield document
    progress(total, total)
