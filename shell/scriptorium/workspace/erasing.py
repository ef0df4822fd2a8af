"""Erasing from the whole history: begun by a note of what goes, and finished whoever finishes it.

The order is what makes a crash harmless. What needs the old words comes first (the session store, files of
the runtime folder), then the references move to the new history, then the files follow, and only then
the old objects go. Each step done again changes nothing, so a killed erasure is simply done again.
"""

import json
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

from attrs import evolve, frozen

from scriptorium_core.forgetting import Targets, Words
from scriptorium_core.names import BlockId, SourceId
from scriptorium_core.problem import Code, Problem
from scriptorium_core.views.core import CORE_VIEW
from scriptorium_core.views.derive import is_view

from .. import files
from ..conversations.erasing import ErasedTurns, erase_turns
from ..embeddings.clearing import discard_vectors
from ..fulltext import FullText
from ..history import History, Projection
from ..history import references as refs
from ..history.aside import edited_views, put_aside
from ..history.purge import purge, renew_index
from ..history.refs import branch, move
from ..history.rewrite import Rewriting
from ..index import Index
from ..layout import Layout
from ..lock import held
from ..refused import Refused
from ..traces import erase_traces
from .remains import clear_runtime, elsewhere, remaining

__all__ = ["Erased", "begin", "finish", "finish_waiting", "is_pending"]

Progress = Callable[[int, int], None]
_PATIENCE = 60.0
_REMOTE = "refs/remotes/"


@frozen
class Erased:
    """What an erasure did, and where copies may still be.

    `commits` were written anew; `objects` is what the repository holds now; `turns` were erased in the
    session store; `references` were moved, `dropped` taken away; `remaining` are files of the home that
    still hold some of the words (a record that says the same, say); `copies` says in words who else may
    have them.
    """

    revision: str | None
    commits: int = 0
    objects: int = 0
    turns: int = 0
    references: tuple[str, ...] = ()
    dropped: tuple[str, ...] = ()
    remaining: tuple[str, ...] = ()
    copies: tuple[str, ...] = ()


def is_pending(layout: Layout) -> bool:
    """Whether an erasure was begun and not finished."""
    return layout.erasing.is_file()


def begin(layout: Layout, targets: Targets, sessions: Path) -> None:
    """Note what is to be erased, with what an erasure before it has left to do, before it is forgotten.

    Once it is, the erasure will be finished, whoever finishes it; of what never was, nothing is erased.
    """
    known = _noted(layout)[0] if is_pending(layout) else Targets(frozenset(), frozenset())
    note = {
        "day": targets.day,
        "earlier": dict(sorted(known.days.items())),
        "ids": sorted(known.ids | targets.ids),
        "sources": sorted(known.sources | targets.sources),
        "sessions": str(sessions.absolute()),
    }
    files.write_durable(layout.erasing, json.dumps(note).encode(), root=layout.root)


def finish(
    layout: Layout, history: History, index: Index, progress: Progress, timeout: float = _PATIENCE
) -> Erased:
    """Erase what was noted; Refused, and it stays noted, where the disk or somebody else is in the way."""
    with files.explained(layout.root), held(layout.lock, timeout), held(layout.repack_lock, timeout):
        noted, sessions = _noted(layout)
        _whole(history.recover(is_view))
        # Whatever is put aside of a person's text is to lose the words with the rest of the runtime folder.
        for path in edited_views(layout, history.drafts((CORE_VIEW,))):
            put_aside(layout, path)
        targets = _forgotten(noted, history, index)
        if not targets.ids | targets.sources:  # done by another process, or its commit was not made
            files.remove(layout.erasing, layout.root)
            return Erased(history.head())
        rewriting = Rewriting(layout, targets, progress)
        try:
            done, words, turns = _rewritten(layout, rewriting, sessions)
        finally:
            rewriting.close()
        _whole(history.project(lambda path: is_view(path) or path.startswith("sources/"), keep=False))
        renew_index(layout, tuple(history.changes(None, history.head())))
        history.close()
        kept = purge(layout, (*refs.read_all(layout).values(), *refs.stashed(layout)), progress)
        _indexes(layout, history, index)
        left = remaining(sessions.parent, layout, words)
        files.remove(layout.erasing, layout.root)
        copies = (*elsewhere(layout), *_told(turns))
        return evolve(done, objects=kept, turns=turns.turns, remaining=left, copies=copies)


def finish_waiting(layout: Layout, history: History, index: Index) -> tuple[Problem, ...]:
    """Finish what a killed process began to erase; what is in the way, unless somebody is at it."""
    try:
        finish(layout, history, index, lambda done, total: None, timeout=0)
    except Refused as refused:
        return tuple(each for each in refused.problems if each.code is not Code.CONCURRENT_UPDATE)
    return ()


def _rewritten(layout: Layout, rewriting: Rewriting, sessions: Path) -> tuple[Erased, Words, ErasedTurns]:
    """The history written anew and the references on it; before that, what needs the old words."""
    found = refs.read_all(layout)
    own, stale = branch(layout), tuple(name for name in found if name.startswith(_REMOTE))
    named = (value for name, value in found.items() if name not in stale)
    commits = rewriting.survey((*named, *refs.stashed(layout)))
    turns = erase_turns(sessions, rewriting.targets.sources, rewriting.words)
    erase_traces(layout, rewriting.targets, rewriting.words)
    clear_runtime(layout, rewriting.words)
    others = rewriting.write(commits)
    moved = [
        (name, value, new)
        for name, value in found.items()
        if name not in stale and (new := rewriting.successor(value)) != value
    ]
    for name, _, new in moved:
        if name != own:
            refs.settle(layout, name, new)
    refs.follow_stash(layout, rewriting.successor, rewriting.words.message)
    _point(layout, own, {name: (old, new) for name, old, new in moved})
    _unpack(layout, found, stale)
    head = next((new for name, _, new in moved if name == own), found.get(own))
    done = Erased(head, others, references=tuple(name for name, _, _ in moved), dropped=stale)
    return done, rewriting.words, turns


def _point(layout: Layout, own: str, moved: Mapping[str, tuple[str, str]]) -> None:
    """Move the memory's own branch: from here on every reader sees the new history."""
    if own in moved and not move(layout, *moved[own]):
        raise Refused(_overtaken())


def _unpack(layout: Layout, found: Iterable[str], stale: tuple[str, ...]) -> None:
    """Give each reference that stays a file of its own; take away what was known of other repositories."""
    current = refs.read_all(layout)
    for name in found:
        if name in stale:
            refs.drop(layout, name)
        elif not (layout.git / name).is_file():
            refs.settle(layout, name, current[name])
    refs.drop_packed(layout)


def _indexes(layout: Layout, history: History, index: Index) -> None:
    index.rebuild()
    log = layout.facts.with_name(f"{layout.facts.name}-wal")
    if log.exists() and log.stat().st_size:
        raise Refused(_busy(layout.facts.name, "another process reads the index of facts"))
    index.follow(history, history.head())
    discard_vectors(layout.vectors)
    if not FullText.open(layout.fulltext).discard():
        raise Refused(_busy(layout.fulltext.name, "another process is writing to the full text index"))


def _whole(projection: Projection) -> None:
    if projection.problems:
        raise Refused(*projection.problems)


def _noted(layout: Layout) -> tuple[Targets, Path]:
    note = json.loads(files.read(layout.erasing, layout.root) or b"{}")
    ids = frozenset(map(BlockId, note.get("ids", ())))
    sources = frozenset(map(SourceId, note.get("sources", ())))
    sessions = Path(note.get("sessions", layout.sessions))
    # A home that was moved meanwhile has its conversations where they always stand.
    earlier = tuple((SourceId(name), day) for name, day in note.get("earlier", {}).items())
    noted = Targets(ids, sources, note.get("day", ""), earlier=earlier)
    return noted, sessions if sessions.is_file() else layout.sessions


def _forgotten(targets: Targets, history: History, index: Index) -> Targets:
    """Those of the targets that have tombstones."""
    index.follow(history, history.head())
    with index.snapshot() as facts:
        ids = frozenset(each for each in targets.ids if each in facts.forgotten)
        sources = frozenset(each for each in targets.sources if each in facts.forgotten)
        return evolve(targets, ids=ids, sources=sources)


def _told(turns: ErasedTurns) -> tuple[str, ...]:
    """What the session store knows of further copies, in words."""
    logs = (f"the log {name}, which was imported, still holds the words" for name in turns.logs)
    said = (f"the message {name} repeats the words; erase it too if it should go" for name in turns.repeated)
    return (*logs, *said)


def _overtaken() -> Problem:
    message = "the history was moved by another program while it was rewritten"
    return Problem(
        Code.CONCURRENT_UPDATE, message, ".git", remedy="try again; what was begun is finished then"
    )


def _busy(place: str, message: str) -> Problem:
    remedy = "end it, then open the memory again: that finishes the erasure"
    return Problem(Code.CONCURRENT_UPDATE, message, place, remedy=remedy)
