"""Drafts: files that differ from HEAD because a person or an agent saved them.

A whole scan looks at every file's status, and reads only those whose inode changed since the last
scan began: that time cannot be set back by an editor, an unpacker or a copy that keeps dates. What
was a draft then is read again. The outcome is kept in the runtime folder and may be lost.
"""

import contextlib
import os
from collections.abc import Iterable, Iterator
from pathlib import Path

from .. import files
from ..layout import Layout
from .trees import Trees
from .worktree import fingerprint

__all__ = ["drafts_among", "present", "scan"]

_KEPT = "scanned.json"


def drafts_among(layout: Layout, trees: Trees, tree: bytes | None, paths: Iterable[str]) -> tuple[str, ...]:
    """Those of `paths` whose file differs from the one in `tree`, missing files included."""
    return tuple(path for path in paths if fingerprint(layout, path) != _committed(trees, tree, path))


def scan(layout: Layout, trees: Trees, tree: bytes | None, prefix: str) -> tuple[str, ...]:
    """The paths below the folder `prefix` (`topics/`) that differ from `tree`, sorted."""
    since, known = _last(layout, prefix)
    begun = present(layout)
    found = dict(_statuses(layout.root / prefix, prefix))
    committed = set(trees.under(tree, prefix))
    suspects = {path for path, changed in found.items() if changed >= since or path in known}
    suspects |= found.keys() ^ committed
    drafts = drafts_among(layout, trees, tree, sorted(suspects))
    if begun is not None:
        _keep(layout, prefix, begun, drafts)
    return drafts


def _committed(trees: Trees, tree: bytes | None, path: str) -> str | None:
    identifier = trees.file(tree, path)
    return None if identifier is None else identifier.decode()


def _statuses(folder: str | Path, prefix: str) -> Iterator[tuple[str, int]]:
    """Path and time of the last change of each file below a folder; links are not followed."""
    try:
        entries = list(os.scandir(folder))
    except (FileNotFoundError, NotADirectoryError, PermissionError):
        return  # what is committed there counts as missing, and is looked at one by one
    for entry in entries:
        if entry.name.startswith("."):
            continue
        if entry.is_dir(follow_symlinks=False):
            yield from _statuses(entry.path, f"{prefix}{entry.name}/")
        else:
            yield prefix + entry.name, entry.stat(follow_symlinks=False).st_ctime_ns


def present(layout: Layout) -> int | None:
    """The present by the clock of the disk, which may differ from the machine's; None if it is read-only."""
    with contextlib.suppress(OSError):  # full, read-only, or a recovery has just cleaned up
        temporary = files.write_temporary(layout.runtime, b"")
        present = temporary.stat().st_ctime_ns
        files.unlink(temporary)
        return present
    return None


def _last(layout: Layout, prefix: str) -> tuple[int, frozenset[str]]:
    """When the last scan of `prefix` began and what it found; the beginning of time if unknown."""
    from json import loads

    try:
        since, drafts = loads(files.read(layout.runtime / _KEPT) or b"{}")[prefix]
        return int(since), frozenset(map(str, drafts))
    except (ValueError, KeyError, TypeError):
        return 0, frozenset()


def _keep(layout: Layout, prefix: str, begun: int, drafts: tuple[str, ...]) -> None:
    from json import dumps

    with contextlib.suppress(OSError):
        temporary = files.write_temporary(layout.runtime, dumps({prefix: [begun, drafts]}).encode())
        files.install(temporary, layout.runtime / _KEPT)
