"""The branch of a memory: read without locks, moved by compare-and-set under git's own lock file.

The lock file appears whole: it is a second name of a file in the staging folder. So a leftover of a
killed process is told from the lock of a living `git`: only ours has its twin there, and whoever
holds the write lock knows that nobody else of us is at work.
"""

import contextlib
import os
import re
from collections.abc import Callable
from pathlib import Path

from scriptorium_core.problem import Code, Problem

from .. import files
from ..layout import Layout
from ..refused import Refused

__all__ = ["branch", "branch_lost", "clear_leftovers", "head", "move"]

_SYMBOLIC = re.compile(rb"ref: (refs/heads/[^\s~^:?*\[\\\x00-\x20\x7f]+)\s*")
_COMMIT = re.compile(rb"[0-9a-f]{40}")


def branch(layout: Layout) -> str:
    """The reference that HEAD names, `refs/heads/main`; raises Refused where HEAD is detached."""
    match = _SYMBOLIC.fullmatch(files.read(layout.git / "HEAD") or b"")
    if match is None or b".." in match[1] or b".invalid" in match[1]:
        raise Refused(
            Problem(
                Code.GIT_COMMIT_FAILED,
                "HEAD of the memory names no branch, so nothing can be written"
                " (it is detached, or kept in an unknown form)",
                ".git/HEAD",
                remedy="`git switch main` in the memory directory, then try again",
            )
        )
    return match[1].decode()


def branch_lost(layout: Layout, known: str) -> Problem:
    """That the branch names no commit any more, though the files stand for the commit `known`."""
    name = branch(layout)
    message = f"the branch of this memory names no commit, though the files stand for {known[:10]}"
    remedy = (
        f"`git update-ref {name} {known}` in the memory directory puts it back, `git switch` takes another"
    )
    return Problem(Code.GIT_COMMIT_FAILED, message, f".git/{name}", remedy=remedy)


def head(layout: Layout) -> str | None:
    """The commit that HEAD stands for, None before the first one."""
    value = files.read(layout.git / "HEAD") or b""
    if _COMMIT.fullmatch(value.strip()):
        return value.strip().decode()
    return _resolve(layout.git, branch(layout))


def move(layout: Layout, old: str | None, new: str, ready: Callable[[], None] = lambda: None) -> bool:
    """Move the branch from `old` to `new`: the commit point. False if it stands elsewhere by now.

    `ready` is called where nothing but the disk can be in the way any more: the branch is locked, and stands
    at `old`. The caller holds the write lock. Raises Refused where another git program holds the branch.
    """
    name = branch(layout)
    reference = layout.git / name
    lock = _lock_of(reference)
    _clear_lock(layout, lock)
    files.ensure_folder(reference.parent)
    staged = files.write_temporary(layout.staging, f"{new}\n".encode())
    try:
        files.sync(staged)
        _take(staged, lock, name)
        if not _swapped(layout.git, name, old, lock, ready):
            return False
        # From here on the commit is there for every reader: no error may say that it is not.
        with contextlib.suppress(OSError):
            files.sync_folder(reference.parent)
        return True
    finally:
        with contextlib.suppress(OSError):
            files.unlink(staged)


def _swapped(git: Path, name: str, old: str | None, lock: Path, ready: Callable[[], None]) -> bool:
    try:
        if _resolve(git, name) == old:
            ready()
            files.install(lock, git / name)
            return True
    except BaseException:
        files.unlink(lock)
        raise
    files.unlink(lock)
    return False


def clear_leftovers(layout: Layout) -> None:
    """Remove the lock file and staged files of a killed process; only with the write lock held."""
    try:
        lock = _lock_of(layout.git / branch(layout))
    except Refused:  # a commit was checked out by hand: it can be read, and we hold no lock of it
        return
    _clear_lock(layout, lock)
    files.remove_temporaries(layout.staging)


def _clear_lock(layout: Layout, lock: Path) -> None:
    """Remove the lock file of a killed process, and its twin: what is staged beside it may be in use."""
    if lock.exists() and layout.staging.is_dir():
        staged = [file for file in layout.staging.iterdir() if file.is_file()]
        twins = [file for file in staged if os.path.samefile(lock, file)]
        for name in (lock, *twins) if twins else ():
            files.unlink(name)


def _take(staged: Path, lock: Path, name: str) -> None:
    try:
        files.link(staged, lock)
    except FileExistsError:
        place = f".git/{name}.lock"
        raise Refused(
            Problem(
                Code.CONCURRENT_UPDATE,
                "another git program holds the branch of this memory",
                place,
                remedy=f"wait for it to end; if none runs, remove {place}",
            )
        ) from None


def _lock_of(reference: Path) -> Path:
    return reference.with_name(f"{reference.name}.lock")


def _resolve(git: Path, name: str) -> str | None:
    """The commit of a reference: a file of its own, else a line of `packed-refs`."""
    value = files.read(git / name)
    if value is not None:
        return _checked(value.strip(), f".git/{name}")
    for line in (files.read(git / "packed-refs") or b"").splitlines():
        identifier, _, packed = line.partition(b" ")
        if packed == name.encode():
            return _checked(identifier, ".git/packed-refs")
    return None


def _checked(value: bytes, place: str) -> str:
    if not _COMMIT.fullmatch(value):
        raise Refused(
            Problem(
                Code.GIT_COMMIT_FAILED,
                f"{place} holds no commit id (SHA-1 repositories with plain reference files are read)",
                place,
                remedy="`git fsck` in the memory directory names the damage",
            )
        )
    return value.decode()
