"""What stands beside the commit and must agree with it: working tree, indexes, repository, marks."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from scriptorium_core.facts import contributes
from scriptorium_core.policy.rules import POLICY_FILE
from scriptorium_core.problem import Code, Problem
from scriptorium_core.recall import Kind
from scriptorium_core.views.core import CORE_VIEW
from scriptorium_core.views.derive import is_view

from .. import files
from ..conversations.schema import refusing
from ..conversations.store import open_store
from ..conversations.unwritten import spoken
from ..fulltext import FullText
from ..history import proof
from ..history.gitindex import is_sound
from ..layout import PROJECTED
from ..refused import Refused

if TYPE_CHECKING:
    from scriptorium_core.facts import Facts
    from scriptorium_core.transaction import Snapshot

    from ..workspace import Memory

__all__ = ["conversations", "fulltext", "index_damage", "index_fault", "repository", "worktree"]

Found = Iterator[Problem | tuple[Problem]]
"""Problems; one in a tuple of its own is information."""

_PORTION = 200
_ANEW = "`doctor --repair` builds it anew; a search that finds it damaged does so too"


def worktree(memory: Memory, revision: str, base: Snapshot, step: Callable[[], None]) -> Found:
    """The files that differ from the commit: a topic is a draft, anything else should not."""
    committed = tuple(base.tree.under(""))
    differing = list(_differing(memory, committed, step))
    if memory.revision != revision:
        message = "the memory was written to meanwhile, so its files were not compared"
        yield (Problem(Code.CONCURRENT_UPDATE, message, remedy="verify again when nobody writes"),)
        return
    refused = dict[Problem, None]()  # a link in the place of a folder is one fault, however much is below
    for path in differing:
        try:
            files.read(memory.layout.root / path, memory.layout.root)
        except Refused as found:
            refused |= dict.fromkeys(found.problems)
        else:
            yield from _changed(path)
    yield from refused
    known = frozenset(committed)
    for path in _present(memory.layout.root):
        if path not in known:
            yield from _additional(path)


def fulltext(memory: Memory, revision: str | None, facts: Facts) -> Found:
    """The full text index: whole, and with a document for each record and each message."""
    place = memory.layout.fulltext.name
    try:
        index = FullText.open(memory.layout.fulltext, memory.zone)
    except Refused as refused:
        yield from refused.problems
        return
    stands = index.stands_for()
    if stands is None:
        if index.damaged():
            yield Problem(Code.INDEX_STALE, "the full text index is damaged", place, remedy=_ANEW)
        elif revision is not None:
            yield (Problem(Code.INDEX_STALE, "there is no full text index yet", place, remedy="search once"),)
        return
    if not index.sound():
        yield Problem(Code.INDEX_STALE, "the full text index is damaged", place, remedy=_ANEW)
    elif stands != revision:
        message = f"the full text index stands for the earlier commit {stands}"
        yield (Problem(Code.INDEX_STALE, message, place, remedy="the next search brings it up to date"),)
    else:
        yield from _counted(memory, index, facts, place)


def repository(memory: Memory) -> Found:
    """The objects of the repository, and git's own index."""
    for line in proof.faults(memory.layout):
        remedy = "copy the directory away, then restore .git from a backup or a remote"
        yield Problem(Code.HISTORY_DAMAGED, line, ".git", remedy=remedy)
    yield from memory.history.barred()
    if (memory.layout.git / "index").exists() and not is_sound(memory.layout):
        message = "git's index is damaged; it only repeats HEAD"
        remedy = "`doctor --repair` makes it anew, and so does the next change"
        yield Problem(Code.INDEX_STALE, message, ".git/index", remedy=remedy)
    elif memory.revision is not None and not proof.index_follows(memory.layout):
        message = "git's index is not that of HEAD: something was staged by hand"
        yield (Problem(Code.DRAFT_IN_THE_WAY, message, ".git/index", remedy="`git reset` forgets it"),)


def conversations(memory: Memory, sessions: Path, facts: Facts) -> Found:
    """That the session store cannot be read; else where its marks and the archives do not agree."""
    if not sessions.is_file():
        return
    try:
        with refusing(sessions):
            found = tuple(_marks(memory, sessions, facts))
    except Refused as refused:
        yield from refused.problems
    else:
        yield from ((each,) for each in found)


def _marks(memory: Memory, sessions: Path, facts: Facts) -> Iterator[Problem]:
    """Where the marks on messages and the archives do not agree, by session."""
    with open_store(sessions) as store:
        for session in store.sessions():
            name = f"{session.provider}/{session.id}"
            lost = unmarked = 0
            for source, mark in spoken(store, session):
                archived = source in facts.sources or source in facts.forgotten
                marked = mark == memory.workspace
                lost += marked and not archived
                unmarked += archived and not marked
            if lost:
                message = f"{lost} messages of {name} are marked as written and not archived"
                yield Problem(Code.SESSION_NODES_UNAVAILABLE, message, sessions.name, remedy=_LOST)
            if unmarked:
                message = f"{unmarked} messages of {name} are archived and not marked"
                yield Problem(
                    Code.SESSION_NODES_UNAVAILABLE,
                    message,
                    sessions.name,
                    remedy="the next pass sets the marks",
                )


_LOST = "if they were not forgotten on purpose, restore the commit that archived them"


def index_damage(memory: Memory, error: Exception) -> Problem:
    """That the index of facts cannot be asked."""
    path = memory.layout.facts
    return Problem(
        Code.INDEX_STALE,
        f"the index of facts is damaged: {error}",
        f"{path.parent.name}/{path.name}",
        remedy="the next question that meets it builds it anew from the files; `doctor --repair` does so now",
    )


def index_fault(memory: Memory, lookup: str, keys: Sequence[str]) -> Problem:
    """That the index of facts does not say what the files say."""
    few = ", ".join(repr(key) for key in keys[:3])
    message = f"the index of facts differs from the files in {lookup}, at {len(keys)} places ({few})"
    path = memory.layout.facts
    return Problem(
        Code.INDEX_STALE,
        message,
        f"{path.parent.name}/{path.name}",
        remedy="remove the file; the next opening builds it anew",
    )


def _differing(memory: Memory, paths: tuple[str, ...], step: Callable[[], None]) -> Iterator[str]:
    for start in range(0, len(paths), _PORTION):
        portion = paths[start : start + _PORTION]
        yield from memory.history.drafts(portion)
        for _ in portion:
            step()


def _changed(path: str) -> Found:
    """A committed file whose copy in the working tree is another one, or is missing."""
    back = f"`git checkout HEAD -- '{path}'` in the memory puts it back"
    if path.startswith("topics/"):
        message = "the topic was edited by hand and is not adopted yet"
        yield (Problem(Code.DRAFT_IN_THE_WAY, message, path, remedy=f"adopt it, or {back}"),)
    elif path == POLICY_FILE:
        message = "the policy was edited by hand and does not hold yet"
        remedy = "`scriptorium policy set` checks it and lets it hold"
        yield (Problem(Code.DRAFT_IN_THE_WAY, message, path, remedy=remedy),)
    elif path.startswith("sources/"):
        yield Problem(Code.SOURCES_CHANGED, "archived evidence was changed in the tree", path, remedy=back)
    elif is_view(path):
        more = "; what it is to say goes into the topic, `scriptorium edit core`" if path == CORE_VIEW else ""
        yield Problem(Code.VIEW_STALE, "the view was changed in the working tree", path, remedy=back + more)


def _additional(path: str) -> Found:
    """A file in a folder of the memory that no commit holds."""
    if path == POLICY_FILE:
        yield from _changed(path)
    elif path.startswith("topics/") and contributes(path):
        message = "the topic was made by hand and is not adopted yet"
        yield (Problem(Code.DRAFT_IN_THE_WAY, message, path, remedy="adopt it, or move it away"),)
    else:
        message = "the file is no part of the memory"
        yield (Problem(Code.DRAFT_IN_THE_WAY, message, path, remedy="move it away if it is not wanted"),)


def _present(root: Path) -> Iterator[str]:
    """The files in the places where memory stands, hidden ones left out; links are not followed."""
    for top in PROJECTED:
        if not top.endswith("/"):
            if os.path.lexists(root / top):
                yield top
            continue
        for here, folders, names in os.walk(root / top):
            folders[:] = sorted(name for name in folders if not name.startswith("."))
            for name in sorted(names):
                if not name.startswith("."):
                    yield (Path(here) / name).relative_to(root).as_posix()


def _counted(memory: Memory, index: FullText, facts: Facts, place: str) -> Iterator[Problem]:
    totals = memory.index.queries.totals()
    held = index.documents()
    hidden = sum(name in facts.sources for name in facts.forgotten)
    for kind, wanted in ((Kind.RECORD, totals.records), (Kind.TURN, totals.sources - hidden)):
        if held[kind] != wanted:
            message = f"the full text index holds {held[kind]} {kind}s of {wanted}"
            yield Problem(Code.INDEX_STALE, message, place, remedy=_ANEW)
