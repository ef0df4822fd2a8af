"""Every file of a memory directory that the commit does not hold as it stands, whoever made it.

As with drafts, only those files are read whose inode changed since the last look began, or whose commit did:
that time cannot be set back by an editor, an unpacker or a copy that keeps dates.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from attrs import frozen

from ..layout import Layout
from .drafts import present
from .repository import History
from .worktree import fingerprint

__all__ = ["Looked", "differing"]


@frozen
class Looked:
    """What a look found: when it began by the clock of the disk, at which commit, and the paths, sorted."""

    since: int = 0
    commit: str = ""
    paths: tuple[str, ...] = ()


def differing(history: History, last: Looked) -> Looked:
    """The changed, new and missing files; git's own and the runtime folder left out."""
    layout, head = history.layout, history.head()
    begun = present(layout) or 0
    there = dict(_statuses(layout, layout.root, ""))
    committed = set(history.base(head).under(""))
    suspects = {path for path, changed in there.items() if changed >= last.since}
    suspects |= (there.keys() ^ committed) | set(last.paths) | _changed(history, last.commit or None, head)
    found = sorted(path for path in suspects if _differs(history, head, path))
    return Looked(begun, head or "", tuple(found))


def _changed(history: History, old: str | None, new: str | None) -> set[str]:
    try:
        return set() if old == new else {change.path for change in history.changes(old, new)}
    except KeyError:  # a history that was rewritten since
        return {change.path for change in history.changes(None, new)}


def _statuses(layout: Layout, folder: Path, above: str) -> Iterator[tuple[str, int]]:
    """Path and time of the last change of each file; links are not followed."""
    for entry in os.scandir(folder):
        path = f"{above}{entry.name}"
        if path in (".git", layout.runtime.name):
            continue
        if entry.is_dir(follow_symlinks=False):
            yield from _statuses(layout, Path(entry.path), f"{path}/")
        else:
            yield path, entry.stat(follow_symlinks=False).st_ctime_ns


def _differs(history: History, head: str | None, path: str) -> bool:
    there = fingerprint(history.layout, path)
    return there != (history.tree_id(head, path) if head is not None else None)
