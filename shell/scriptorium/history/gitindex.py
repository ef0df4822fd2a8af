"""Git's own index as a projection: it follows HEAD behind git's lock, or a commit by hand takes memory back.

`git commit` and `git commit -a` read HEAD first, then the index and the files. So both must never be older
than HEAD where a git program can commit them:

    .git/index.lock taken   the branch locked, and found where it was   index replaced   branch moved
    files replaced          .git/index.lock let go   the marker set

Whoever commits by hand does so wholly before, and the branch is found elsewhere and nothing is replaced; or
is told by git that the lock exists; or read the old HEAD, from which git itself will not move the branch any
more; or sees the new index and the new files. An index that was replaced *after* the branch would be older
than HEAD for a moment, and git reads it before it asks for the lock. Without the lock, whoever commits
between index and branch would commit our tree as their own, and the transaction, made again on that, would
create its records twice.

The lock is a second name of the index as it was, with a third one in the staging folder: that tells it from
the lock of a living git, and a process that was killed leaves behind what the index stood for by the marker.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Sequence
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING

from .. import files
from ..clock import pause
from ..layout import Layout
from .program import start
from .trees import Change

if TYPE_CHECKING:
    import subprocess

    from dulwich.index import ConflictedIndexEntry, IndexEntry

__all__ = ["Following", "follow", "is_left", "is_sound", "put_back"]

_TRIES, _PAUSE = 20, 0.05  # another git program may hold the index for a moment
_NOTHING = "0" * 40
_BEGINNING, _HEADER, _SUM = b"DIRC", 12, 20  # of an index: how it begins, and so many bytes at each end
_BEFORE = "index-before"  # in the staging folder: the index as it was, empty for none


class Following:
    """A change of the index that is under way; only with the write lock held.

    `anew` says that `changes` are all files of the commit: where it is not known what the index held before,
    something may be left in it. The git program changes it in 6 ms at 10,000 files and runs beside the
    writing of the commit; dulwich needs 120 ms and takes its place where git is not installed. `failure` is
    why it cannot follow: it stays as it was then.
    """

    def __init__(self, layout: Layout, changes: Sequence[Change], anew: bool = False) -> None:
        self.failure = ""
        self._layout, self._changes, self._anew = layout, changes, anew
        self._child: subprocess.Popen[bytes] | None = None
        self._fresh: Path | None = None
        try:
            if _taken(layout):
                self._fresh = self._begun()
            else:
                self.failure = f"another git program holds {_lock(layout).name}"
        except BaseException:
            self.put_back()
            raise

    def install(self) -> None:
        """Let the changed index take its place, if it could be made."""
        self._wait()
        if self._fresh is not None and not self.failure:
            files.install(self._fresh, _index(self._layout))
            self._fresh = None

    def put_back(self) -> None:
        """The commit does not stand: the index is what it was, and free."""
        self._wait()
        # What the disk does not allow now, the next opening does.
        with contextlib.suppress(OSError):
            put_back(self._layout)
            self._discard()

    def release(self) -> None:
        """Let the index go as it is now: before the marker is set, or what is left would seem to be owed."""
        self._wait()
        if _is_ours(self._layout):
            files.unlink(_lock(self._layout))
        _drop(_before(self._layout))
        self._discard()

    def _begun(self) -> Path:
        layout = self._layout
        known = b"" if self._anew else files.read(_before(layout)) or b""
        fresh = files.write_temporary(layout.staging, known, 0o644)
        if not known:
            files.unlink(fresh)  # an empty file is no index for git, none is an empty one
        # Git writes no index where there is none and nothing comes in: a first commit that holds no file.
        some = bool(known or self._changes)
        self._child = start(layout, ("update-index", "-z", "--index-info"), index=fresh) if some else None
        if self._child is None:
            _drop(fresh)
            fresh = files.write_temporary(layout.staging, _by_dulwich(known, self._changes), 0o644)
            files.sync(fresh)
        elif self._child.stdin is not None:
            with contextlib.suppress(BrokenPipeError):  # it ended early, and its errors say why
                self._child.stdin.write(b"".join(map(_line, self._changes)))
                self._child.stdin.close()
        return fresh

    def _wait(self) -> None:
        child, self._child = self._child, None
        if child is not None and child.stderr is not None:
            errors = child.stderr.read().decode("utf-8", "replace").strip()
            child.stderr.close()
            if child.wait() != 0:
                self.failure = errors or "git update-index failed"

    def _discard(self) -> None:
        if self._fresh is not None:
            _drop(self._fresh)


def follow(layout: Layout, changes: Sequence[Change], anew: bool = False) -> str:
    """Change the index where HEAD stands already; what went wrong, empty if nothing did."""
    index = Following(layout, changes, anew)
    try:
        index.install()
    except BaseException:
        index.put_back()
        raise
    index.release()
    return index.failure


def is_sound(layout: Layout) -> bool:
    """Whether there is an index, and it ends in the sum of what it holds (in zeros where git makes none)."""
    from hashlib import sha1

    data = files.read(_index(layout)) or b""
    body, sum_ = data[:-_SUM], data[-_SUM:]
    whole = sum_ in (sha1(body, usedforsecurity=False).digest(), bytes(_SUM))
    return whole and body.startswith(_BEGINNING) and len(body) >= _HEADER


def is_left(layout: Layout) -> bool:
    """Whether a process was killed while it held the index, unless one holds it right now."""
    return _before(layout).exists()


def put_back(layout: Layout) -> None:
    """Make the index what it was before a process that was killed took it; only with the write lock held."""
    lock, index, before = _lock(layout), _index(layout), _before(layout)
    if _is_ours(layout):
        if not lock.stat().st_size:
            _drop(index)
        elif not _same(lock, index):  # to rename one name of a file to another one of it does nothing
            files.install(lock, index)
        _drop(lock)
    _drop(before)


def _taken(layout: Layout) -> bool:
    """Whether the index is locked for us now; one that a killed process of ours left is taken on as it is."""
    lock, index, before = _lock(layout), _index(layout), _before(layout)
    for _ in range(_TRIES):
        if _is_ours(layout):
            return True
        if lock.exists():
            pause(_PAUSE)
            continue
        _drop(before)
        try:
            if index.exists():
                files.link(index, before)
            else:
                files.install(files.write_temporary(layout.staging, b""), before)
            files.link(before, lock)
        except (FileExistsError, FileNotFoundError):
            continue  # a git program was faster
        if _same(before, index) or not index.exists():
            return True
        files.unlink(lock)  # and so it was here: what we hold is an older one
    _drop(before)
    return False


def _lock(layout: Layout) -> Path:
    return layout.git / "index.lock"


def _index(layout: Layout) -> Path:
    return layout.git / "index"


def _before(layout: Layout) -> Path:
    return layout.staging / _BEFORE


def _is_ours(layout: Layout) -> bool:
    return _same(_lock(layout), _before(layout))


def _same(one: Path, other: Path) -> bool:
    try:
        return os.path.samefile(one, other)
    except FileNotFoundError:
        return False


def _drop(path: Path) -> None:
    if path.exists():
        with contextlib.suppress(FileNotFoundError):
            files.unlink(path)


def _line(change: Change) -> bytes:
    mode = change.mode if change.new else 0
    return f"{mode:o} {change.new or _NOTHING}\t{change.path}\0".encode("utf-8", "surrogateescape")


def _by_dulwich(known: bytes, changes: Sequence[Change]) -> bytes:
    from hashlib import sha1

    from dulwich.index import read_index_dict, write_index_dict

    entries = read_index_dict(BytesIO(known)) if known else {}
    for change in changes:
        name = change.path.encode("utf-8", "surrogateescape")
        entries.pop(name, None)
        if change.new:
            entries[name] = _index_entry(change.mode, change.new)
    out = BytesIO()
    write_index_dict(out, entries)
    return out.getvalue() + sha1(out.getvalue(), usedforsecurity=False).digest()


def _index_entry(mode: int, blob: str) -> IndexEntry | ConflictedIndexEntry:
    from dulwich.index import IndexEntry
    from dulwich.objects import ObjectID

    return IndexEntry((0, 0), (0, 0), 0, 0, mode, 0, 0, 0, ObjectID(blob.encode()))
