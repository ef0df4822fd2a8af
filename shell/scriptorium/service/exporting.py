"""Taking a memory, or a part of it, along as plain files, or as lines that other programs read."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

from attrs import frozen

from scriptorium_core.facts.rows import contributes
from scriptorium_core.forgetting import targets_of
from scriptorium_core.knowledge.portable import is_portable, portable
from scriptorium_core.knowledge.withholding import shown
from scriptorium_core.names import topic_prefix
from scriptorium_core.problem import Code, Problem
from scriptorium_core.recall.grounds import ground
from scriptorium_core.views.derive import is_view

from ..refused import Refused
from ..workspace.earlier import Earlier
from .assessing import day_in
from .parcels import Form, Put, form_of, parcel, place_problems
from .past import at

if TYPE_CHECKING:
    from scriptorium_core.transaction import Snapshot

    from ..workspace import Memory
    from .place import Place

__all__ = ["Exported", "export"]

Progress = Callable[[int, int], None]


@frozen
class Exported:
    """What stands at `path` now, of the commit `revision`: so many files of each kind, or records in lines.

    Not along go `pending` records (in lines alone: files say themselves who is trusted) and the messages that
    were `forgotten` and are archived still.
    """

    path: Path
    form: Form
    revision: str
    topics: int = 0
    sources: int = 0
    views: int = 0
    records: int = 0
    pending: int = 0
    forgotten: int = 0


def export(service: Place, path: Path, then: str, topic: str, progress: Progress) -> Exported:
    """Write what the actor may read to a new place, whole or not at all; `then` is a revision or a date."""
    target = Path(os.path.abspath(path))
    prefix = topic_prefix(topic).removeprefix("topics/")
    problems = [*place_problems(target, service.memory().layout.root)]
    with ExitStack() as stack:
        try:
            memory = stack.enter_context(at(service, then)).memory if then else service.memory()
        except Refused as refused:
            raise Refused(*problems, *refused.problems) from refused
        revision, base = stack.enter_context(memory.reading())
        problems += _missing(memory, revision, prefix)
        if problems or revision is None:
            raise Refused(*problems)
        form = form_of(target)
        done = Exported(target, form, revision)
        with parcel(target) as put:
            if form == "jsonl":
                return _records(memory, base, prefix, done, put, progress)
            return _files(memory, base, prefix, done, put, progress)


def _missing(memory: Memory, revision: str | None, prefix: str) -> Iterator[Problem]:
    if revision is None:
        message, remedy = "nothing is committed yet", "write or change something first"
        yield Problem(Code.MEMORY_NOT_FOUND, message, remedy=remedy)
    elif prefix and next(memory.index.queries.topics(f"topics/{prefix}"), None) is None:
        message, remedy = f"no topic begins with {prefix!r}", "`scriptorium topics` lists them"
        yield Problem(Code.MEMORY_NOT_FOUND, message, f"topics/{prefix}", remedy=remedy)


def _records(
    memory: Memory, base: Snapshot, prefix: str, done: Exported, put: Put, progress: Progress
) -> Exported:
    """A line a record, by topic and place; what is not trusted is left out."""
    queries, facts, now = memory.index.queries, base.facts, day_in(memory)
    total = sum(count for _, count in queries.topics(f"topics/{prefix}"))
    broken = frozenset(facts.broken)
    records = pending = 0
    for number, known in enumerate(queries.records_under(f"topics/{prefix}"), 1):
        record = known.record
        progress(number, total)
        if record.path in broken and facts.records[record.id].record.path != record.path:
            continue  # its id is another record's
        if not is_portable(facts, record):
            pending += 1
            continue
        line = json.dumps(portable(facts, record, now), ensure_ascii=False) + "\n"
        put("", line.encode("utf-8", "backslashreplace"))
        records += 1
    return Exported(done.path, done.form, done.revision, records=records, pending=pending)


def _files(
    memory: Memory, base: Snapshot, prefix: str, done: Exported, put: Put, progress: Progress
) -> Exported:
    """Topics, sources and views as they are, without the messages that were forgotten."""
    gone = frozenset(base.facts.forgotten)
    targets = targets_of(gone)
    paths = sorted(_paths(memory, base, prefix))
    topics = sources = views = 0
    for number, path in enumerate(paths, 1):
        progress(number, len(paths))
        found = base.tree.get(path)
        data = shown(path, found, targets) if found is not None else None
        if data is None:
            continue
        put(path, data)
        topics += path.startswith("topics/")
        sources += path.startswith("sources/")
        views += is_view(path)
    known, there = (base.facts.sources.get(name) for name in gone), frozenset(paths)
    archived = sum(1 for each in known if each is not None and each.path in there)
    return Exported(done.path, done.form, done.revision, topics, sources, views, forgotten=archived)


def _paths(memory: Memory, base: Snapshot, prefix: str) -> Iterator[str]:
    yield from filter(contributes, base.tree.under(f"topics/{prefix}"))
    if not prefix:
        yield from filter(contributes, base.tree.under("sources/"))
        if not _tell_too_much(memory):
            yield from filter(is_view, base.tree.under(""))
        return
    for archive in sorted(_cited(memory, base, prefix)):
        context = f"{archive.removesuffix('.md')}.jsonl"
        yield from (path for path in (archive, context) if base.tree.get(path) is not None)


def _tell_too_much(memory: Memory) -> bool:
    """Whether the views of a commit hold what must not be shown any more."""
    queries = memory.index.queries
    if isinstance(memory, Earlier):
        then = memory.index.facts().forgotten
        return any(name not in then and queries.mentions(name) for name in memory.forgotten)
    return bool(queries.returned())


def _cited(memory: Memory, base: Snapshot, prefix: str) -> frozenset[str]:
    """The archives that the records of some topics cite."""
    found = set[str]()
    for known in memory.index.queries.records_under(f"topics/{prefix}"):
        for cited in known.record.sources:
            source = None if cited.place else ground(base.facts, cited).source
            found.add(source.path if source is not None else cited.place.partition("#")[0])
    return frozenset(filter(contributes, found))
