"""Forgetting: a record or a message leaves the present memory, and at wish its whole history."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING

from attrs import evolve, frozen

from scriptorium_core.facts import Facts
from scriptorium_core.forgetting import Earlier, Scope, retract, scope_of
from scriptorium_core.forgetting.telling import told_in, told_of
from scriptorium_core.names import SourceId, TopicPath
from scriptorium_core.problem import Problem
from scriptorium_core.topics import parse_topic
from scriptorium_core.topics.records import Record
from scriptorium_core.transaction import Edit, Rejected, Snapshot

from ..embeddings.clearing import forget_vectors
from ..refused import Refused
from ..workspace import erasing
from ..workspace.breaches import commits_of
from .permitted import see_it_is_allowed, speaker

if TYPE_CHECKING:
    from ..workspace import Memory
    from .place import Place

__all__ = ["Forgotten", "forget"]

Progress = Callable[[int, int], None]


@frozen
class Forgotten:
    """What was forgotten, or with a dry run would be.

    `records` and `sources` never come back. `shared` are messages that stay because a record that stays
    cites them; `losing` are records that lost a citation; `unlinked` those whose links became plain text.
    `kept_in_sessions` counts messages whose words the session store keeps: only erasing takes them away
    there. `erased` says what an erasure did.
    """

    revision: str | None
    records: tuple[str, ...]
    sources: tuple[str, ...]
    shared: tuple[str, ...] = ()
    losing: tuple[str, ...] = ()
    unlinked: tuple[str, ...] = ()
    kept_in_sessions: int = 0
    erased: erasing.Erased | None = None
    dry_run: bool = False


def forget(
    service: Place,
    names: Sequence[str],
    erase: bool,
    unlink: bool,
    reason: str,
    dry_run: bool,
    progress: Progress | None,
) -> Forgotten | Rejected:
    """Forget what the names mean, in one commit; with `erase` also in every earlier commit."""
    memory, caller = service.memory(), speaker(service)
    if erase:
        see_it_is_allowed(service, "forget")
        memory = service.whole()
    found: list[Scope] = []

    def plan(base: Snapshot) -> Edit | Rejected:
        earlier = Earlier(*_earlier(memory, base.facts, names, erase), _lost(memory, base.facts, names))
        scope = scope_of(base.facts, names, memory.today(), earlier, erase)
        if not isinstance(scope, Scope):
            return Rejected(scope)
        found[:] = [scope]
        edit = retract(base, scope, caller, unlink, reason, erase)
        if not isinstance(edit, Rejected) and service.whole().claim is not None:
            edit = evolve(edit, trailers=(*edit.trailers, *told_of(scope)))
        if erase and not dry_run and not isinstance(edit, Rejected):
            erasing.begin(memory.layout, scope.targets, service.sessions_path)
        return edit

    if dry_run:
        with memory.reading() as (revision, base):
            edit = plan(base)
        return edit if isinstance(edit, Rejected) else _answer(service, revision, found[0], dry_run=True)
    result = memory.commit(plan, memory.rules(caller))
    if isinstance(result, Rejected):
        if erase:
            erasing.finish_waiting(memory.layout, memory.history, memory.index)
        return result
    if not erase:
        if not found:  # a request with a key that came again
            return _once_more(service, result.revision)
        forget_vectors(memory.layout.vectors, (*found[0].targets.ids, *found[0].targets.sources))
        return _answer(service, result.revision, found[0])
    show = progress or (lambda done, total: None)
    try:
        done = erasing.finish(memory.layout, memory.history, memory.index, show)
    except Refused as refused:
        raise Refused(*map(_not_yet, refused.problems)) from refused
    return _answer(service, done.revision, found[0], done)


def _not_yet(problem: Problem) -> Problem:
    """What is in the way of an erasure, once the commit stands that forgets."""
    return problem._replace(message=f"it is forgotten, and not erased yet: {problem.message}")


def _answer(
    service: Place,
    revision: str | None,
    scope: Scope,
    erased: erasing.Erased | None = None,
    dry_run: bool = False,
) -> Forgotten:
    targets = scope.targets
    kept = len(targets.sources) if erased is None and service.sessions_path.is_file() else 0
    return Forgotten(
        revision,
        tuple(sorted(targets.ids)),
        tuple(sorted(targets.sources)),
        scope.shared,
        scope.losing,
        scope.linking,
        kept,
        erased,
        dry_run,
    )


def _once_more(service: Place, revision: str) -> Forgotten:
    """What was answered when the commit was made that forgot."""
    return _answer(service, revision, told_in(service.whole().history.entry(revision).trailers))


def _earlier(
    memory: Memory, facts: Facts, names: Sequence[str], erase: bool
) -> tuple[dict[str, Record], dict[str, tuple[SourceId, ...]]]:
    """Records that were deleted, or forgotten and are now to be erased, as they last stood."""
    records, sources = dict[str, Record](), dict[str, tuple[SourceId, ...]]()
    for name in (each.strip().removeprefix("^") for each in names):
        known = name in facts.records or (name in facts.forgotten and not erase)
        record = None if known else _last(memory, name)
        if record is not None:
            places = (cited.place for cited in record.sources)
            alone = (facts.places.get(place) for place in places if not facts.citing.get(place))
            records[name] = record
            sources[name] = tuple(source for source in alone if source is not None)
    return records, sources


def _lost(memory: Memory, facts: Facts, names: Sequence[str]) -> frozenset[SourceId]:
    """Messages among the names that a commit by another hand took away."""
    gone = (each.strip() for each in names if each.strip() not in facts.sources)
    mentions = memory.index.queries.mentions
    return frozenset(
        SourceId(name) for name in gone if any(each.name == "Altered" for each in mentions(name))
    )


def _last(memory: Memory, name: str) -> Record | None:
    """The record as it stood before the newest commit that took its id away."""
    mentions = memory.index.queries.mentions(name)
    gone = [each.commit for each in mentions if each.name == "Deleted"]
    adopting = (each.commit for each in mentions if each.name == "Lost")
    gone += (commit for top in adopting for commit in commits_of(memory.history, top)[1:])
    for commit in reversed(gone):
        for record in _taken_away(memory, commit):
            if name in record.ids:
                return record
    return None


def _taken_away(memory: Memory, commit: str) -> Iterator[Record]:
    """The records of the topics that a commit changed, as they were before it."""
    parents = memory.history.entry(commit).parents
    for change in memory.history.changes(parents[0] if parents else None, commit):
        if change.path.startswith("topics/") and change.old is not None:
            yield from parse_topic(TopicPath(change.path), memory.history.blob(change.old))[0].records
