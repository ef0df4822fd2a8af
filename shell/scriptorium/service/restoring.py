"""Going back by going on: an earlier text, or the inverse of a commit, as a new commit."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from scriptorium_core.names import BlockId, TopicPath
from scriptorium_core.problem import Code, Problem
from scriptorium_core.transaction import Rejected
from scriptorium_core.transaction.restoring import restored_records, restored_topic
from scriptorium_core.transaction.undoing import undone
from scriptorium_core.tree import Tree

from .revisions import parent_of, revision

if TYPE_CHECKING:
    from scriptorium_core.changes import Caller
    from scriptorium_core.transaction import Edit, Snapshot

    from ..workspace import Committed, Memory

__all__ = ["restore", "undo"]


def restore(
    memory: Memory, names: Sequence[str], since: str, drop: bool, caller: Caller
) -> Committed | Rejected:
    """Some records, or one topic, as of the revision `since`; `drop` lets go of what a topic got later."""
    commit = revision(memory, since, "since").commit
    old = Tree(memory.history.base(commit))
    path = _topic(old, names)
    if isinstance(path, Problem):
        return Rejected((path,))

    def plan(base: Snapshot) -> Edit | Rejected:
        if path is not None:
            return restored_topic(old, base, path, commit, drop)
        ids = [BlockId(name.strip().removeprefix("^")) for name in names]
        return restored_records(old, _differing(memory, commit, memory.index.commit), base, ids, commit)

    return memory.commit(plan, memory.rules(caller))


def undo(memory: Memory, name: str, caller: Caller) -> Committed | Rejected:
    """What a commit did to topics, taken back; later changes stay, or are named as conflicts."""
    entry = revision(memory, name, "commit")
    if len(entry.parents) > 1:
        return Rejected((_of_two(entry.commit),))
    parent = parent_of(entry)
    before, after = (Tree(memory.history.base(commit)) for commit in (parent, entry.commit))
    paths = _differing(memory, parent, entry.commit)

    def plan(base: Snapshot) -> Edit | Rejected:
        return undone(before, after, base, paths, entry.commit, entry.subject)

    return memory.commit(plan, memory.rules(caller))


def _of_two(commit: str) -> Problem:
    message = f"{commit[:10]} united two histories: to take it back is to take back all that one of them did"
    return Problem(
        Code.INVALID_ARGUMENT, message, remedy="`log` shows the commits of both; undo the one you mean"
    )


def _differing(memory: Memory, old: str | None, new: str | None) -> list[str]:
    return [change.path for change in memory.history.changes(old, new) if change.path.startswith("topics/")]


def _topic(old: Tree, names: Sequence[str]) -> TopicPath | Problem | None:
    """The one topic that the names mean, None if they mean records."""
    paths = [found for name in names if (found := _named(old, name)) is not None]
    if paths and len(names) > 1:
        message = "a topic is restored alone"
        return Problem(Code.INVALID_ARGUMENT, message, paths[0], remedy="restore one topic, or some records")
    return paths[0] if paths else None


def _named(old: Tree, name: str) -> TopicPath | None:
    bare = name.strip()
    path = bare if bare.startswith("topics/") else f"topics/{bare}"
    path = path if path.endswith(".md") else f"{path}.md"
    is_path = "/" in bare or bare.endswith(".md")
    return TopicPath(path) if is_path or old.get(path) is not None else None
