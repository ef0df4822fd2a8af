"""Every file of a memory directory that the commit does not hold as it stands, whoever made it.

Git knows from its index which files it need not read; where it is not installed, each is read here.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from ..layout import Layout
from .program import start
from .repository import History
from .worktree import fingerprint

__all__ = ["differing"]

_STATUS = ("status", "--porcelain=v1", "-z", "--untracked-files=all", "--ignored=traditional", "--no-renames")


def differing(history: History) -> tuple[str, ...]:
    """The paths, sorted: changed, new and missing files; git's own and the runtime folder left out."""
    layout, head = history.layout, history.head()
    child = start(layout, _STATUS, output=True)
    if child is None:
        return tuple(sorted(_compared(history, head)))
    said, _ = child.communicate()
    if child.returncode != 0:
        return tuple(sorted(_compared(history, head)))
    found = {os.fsdecode(entry[3:]) for entry in said.split(b"\0") if len(entry) > 3}
    # An index that does not follow HEAD would tell of files that are as they were committed.
    return tuple(sorted(path for path in found if _is_ours(layout, path) and _differs(history, head, path)))


def _compared(history: History, head: str | None) -> Iterator[str]:
    base, layout = history.base(head), history.layout
    found = set(_files(layout, layout.root, ""))
    for path in found | set(base.under("")):
        if _differs(history, head, path):
            yield path


def _files(layout: Layout, folder: Path, above: str) -> Iterator[str]:
    for entry in os.scandir(folder):
        path = f"{above}{entry.name}"
        if not _is_ours(layout, path):
            continue
        if entry.is_dir(follow_symlinks=False):
            yield from _files(layout, Path(entry.path), f"{path}/")
        else:
            yield path


def _is_ours(layout: Layout, path: str) -> bool:
    return not path.endswith("/") and path.split("/", maxsplit=1)[0] not in (".git", layout.runtime.name)


def _differs(history: History, head: str | None, path: str) -> bool:
    return fingerprint(history.layout, path) != (history.tree_id(head, path) if head is not None else None)
