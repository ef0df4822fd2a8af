"""Proving a memory: every invariant of the directory, each broken one with its place and what to do."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from scriptorium_core.facts import ArchiveRows, Chronicle, Rows, TopicRows, chronicle, file_facts
from scriptorium_core.knowledge.mirror import Mirror
from scriptorium_core.knowledge.soundness import (
    archive_faults,
    record_faults,
    standing_faults,
    view_faults,
)
from scriptorium_core.names import CORE_TOPIC
from scriptorium_core.problem import Code, Problem
from scriptorium_core.sources.framing import is_framed
from scriptorium_core.topics import parse_topic
from scriptorium_core.transaction.adopting import is_foreign
from scriptorium_core.views.derive import derive_all

from ..index import is_damage
from ..workspace.breaches import broken
from ..workspace.governing import not_in_force
from . import beside, secrecy
from .model import Counted, Finding, Verified
from .shaping import moment_text
from .vectored import vectors

if TYPE_CHECKING:
    from scriptorium_core.transaction import Snapshot

    from ..workspace import Memory

__all__ = ["verify"]

Progress = Callable[[int, int], None]
Level = Literal["problem", "information"]


def verify(memory: Memory, sessions: Path, progress: Progress | None = None) -> Verified:
    """Prove the memory at its present commit, and what stands beside it: tree, indexes, git, marks.

    An index that is damaged so that it cannot be asked is a finding, which ends the proof.
    """
    findings: list[Finding] = []
    try:
        return _proved(memory, sessions, progress or (lambda done, total: None), findings)
    except sqlite3.DatabaseError as error:
        if not is_damage(error):
            raise
        return Verified(memory.revision, (*findings, Finding("problem", beside.index_damage(memory, error))))


def _proved(memory: Memory, sessions: Path, progress: Progress, findings: list[Finding]) -> Verified:
    """The proof; `findings` grow with it."""
    with memory.reading() as (revision, base):
        proof = _Proof(memory, base, progress, findings)
        proof.note("problem", beside.repository(memory))
        if any(found.problem.code is Code.HISTORY_DAMAGED for found in proof.findings):
            proof.note("information", iter([_UNREAD]))
            return Verified(revision, tuple(proof.findings))
        proof.look()
        if revision is not None:
            proof.files()
            proof.note("problem", iter(broken(memory.history, memory.index.queries, base.facts, revision)))
            proof.note("problem", iter(not_in_force(memory.history, revision)))
            proof.views(revision)
            proof.note("problem", beside.worktree(memory, revision, base, proof.step))
        proof.note("problem", beside.fulltext(memory, revision, base.facts))
        proof.note("problem", vectors(memory.layout, revision, base.facts))
        proof.note("problem", beside.conversations(memory, sessions, base.facts))
    return Verified(revision, tuple(proof.findings), proof.counted())


class _Proof:
    """A proof under way: what was found, and how much was looked at."""

    def __init__(self, memory: Memory, base: Snapshot, progress: Progress, findings: list[Finding]) -> None:
        self.memory, self.base, self._progress = memory, base, progress
        self.findings = findings
        self._paths: tuple[str, ...] = ()
        self._done = 0
        self._counts: dict[str, int] = dict.fromkeys(
            ("topics", "records", "sources", "links", "citations", "views"), 0
        )

    def look(self) -> None:
        """See what files there are."""
        self._paths = tuple(self.base.tree.under(""))

    def counted(self) -> Counted:
        """How much was looked at."""
        return Counted(files=len(self._paths), **self._counts)

    def step(self) -> None:
        """One file more is done; each is looked at twice."""
        self._done += 1
        if self._done % 100 == 0:
            self._progress(self._done, 2 * len(self._paths))

    def note(self, level: Level, found: Iterator[Problem | tuple[Problem]]) -> None:
        """Take findings in; a problem in a tuple of its own is information."""
        for each in found:
            if not isinstance(each, Problem):
                self.findings.append(Finding("information", each[0]))
            else:
                self.findings.append(Finding(level, each))

    def files(self) -> None:
        """Each topic and archive on its own, and beside what the index says of it."""
        facts, mirror = self.base.facts, Mirror(self.base.facts, self._chronicle())
        differing: dict[str, list[str]] = {}
        for rows in self._rows():
            self.note("problem", self._checked(rows))
            for difference in mirror.take(rows):
                differing.setdefault(difference.lookup, []).append(difference.key)
        for difference in mirror.close():
            differing.setdefault(difference.lookup, []).append(difference.key)
        self.note("problem", (fault for faults in facts.broken.values() for fault in faults))
        self.note("problem", (beside.index_fault(self.memory, *each) for each in differing.items()))

    def views(self, revision: str) -> None:
        """The views of the commit; those of a commit by another hand are replaced by our next one."""
        if is_foreign(self.memory.history.entry(revision).trailers):
            self.note("information", iter([_foreign(revision)]))
            return
        data = self.base.tree.get(CORE_TOPIC)
        core = parse_topic(CORE_TOPIC, data)[0] if data is not None else None
        derived = derive_all(self.base.facts, core, self.memory.limits)
        self._counts["views"] = len(derived)
        self.note("problem", view_faults(self.base.tree, derived))

    def _rows(self) -> Iterator[Rows]:
        """Every file that holds facts: version 2 archives behind their contexts, older ones, topics."""
        for path in sorted(self._paths, key=_place):
            self.step()
            data = self.base.tree.get(path) if path.startswith(("sources/", "topics/")) else None
            found = file_facts(path, data) if data is not None else None
            if found is not None and data is not None:
                self.note(secrecy.level(self.memory), secrecy.in_file(path, data, found))
                yield found

    def _checked(self, rows: Rows) -> Iterator[Problem | tuple[Problem]]:
        match rows:
            case TopicRows(records=records):
                self._counts["topics"] += 1
                for record in records:
                    self._counts["records"] += 1
                    self._counts["links"] += len(record.links)
                    self._counts["citations"] += len(record.sources)
                    yield from record_faults(self.base.facts, record)
                    yield from ((fault,) for fault in standing_faults(record))
            case ArchiveRows(sources=sources):
                self._counts["sources"] += len(sources)
                yield from archive_faults(rows)

    def _chronicle(self) -> Chronicle:
        """What the trailers of the history say."""
        history, commit = self.memory.history, self.memory.index.commit
        entries = reversed(list(history.log(commit))) if commit is not None else ()
        return chronicle((moment_text(entry.when)[:10], entry.trailers) for entry in entries)


_UNREAD = Problem(
    Code.HISTORY_DAMAGED,
    "the files were not looked at, because they cannot be read from a damaged history",
    remedy="mend the history first, then verify again",
)


def _place(path: str) -> tuple[int, str, int, str]:
    """The order in which files are read: a context file right before its archive."""
    if not path.startswith("sources/"):
        return (2, path, 0, path)
    archive = path.removesuffix(".jsonl") + ".md" if path.endswith(".jsonl") else path
    return (0 if is_framed(archive) else 1, archive, int(path == archive), path)


def _foreign(revision: str) -> Problem:
    message = f"another program made the commit {revision}; its views are in another form"
    return Problem(Code.VIEW_STALE, message, remedy="the next change replaces them")
