"""A staged edit in a real directory, for a writer that is a program.

    staging/4f0c…/topics/      the topics, to be written as the program likes
    staging/4f0c…/sources/     the archives, to be read: mode 0444
    staging/4f0c….lock         held while the directory is in use: what nobody holds is cleared away

What is read back goes through the checks of a transaction like any other edit. Files anywhere else than
below `topics/` are dropped and named, as are topics of more than 4 MiB; links are never followed.
"""

import contextlib
import os
import stat
from collections.abc import Collection, Iterator
from pathlib import Path

from attrs import frozen

from scriptorium_core.names import topic_path
from scriptorium_core.problem import Code, Problem
from scriptorium_core.tree import Tree

from . import files
from .clock import chance
from .layout import Layout
from .lock import held
from .refused import Refused

__all__ = ["LONGEST_TOPIC", "Collected", "clear_leftovers", "collected", "laid_out"]

_LOCK = ".lock"
_TOPICS, _SOURCES = "topics/", "sources/"
LONGEST_TOPIC = 4 * 1024 * 1024
"""In bytes; a larger one is dropped."""

_MOST_NAMED = 100


@frozen
class Collected:
    """The edited tree, and what was dropped and why."""

    tree: Tree
    dropped: tuple[Problem, ...]


@contextlib.contextmanager
def laid_out(layout: Layout, tree: Tree) -> Iterator[Path]:
    """A directory with the topics and archives of `tree`, gone when the block ends.

    Raises Refused where the disk does not take it.
    """
    clear_leftovers(layout)
    folder = layout.staging / chance(8)
    lock = folder.with_name(folder.name + _LOCK)
    with files.explained(layout.root), held(lock, timeout=0):
        try:
            for top in (_TOPICS, _SOURCES):
                files.ensure_folder(folder / top, root=layout.root)
                for path in tree.under(top):
                    _lay(layout, folder / path, tree.get(path) or b"", 0o600 if top == _TOPICS else 0o444)
            yield folder
        finally:
            _clear(folder)
            files.unlink(lock)


def collected(folder: Path, tree: Tree, own: Collection[str] = ()) -> Collected:
    """What a program made of the directory that was laid out from `tree`, without the files named in `own`.

    A changed or missing archive is in the edited tree, so that the checks refuse it.
    """
    _unshut(folder)
    found = {path: each for path, each in _walk(folder, "") if path not in own}
    dropped: list[Problem] = []
    for top in (_TOPICS, _SOURCES):
        for path in tree.under(top):
            if path not in found:
                tree = tree.remove(path)
    for path, state in sorted(found.items()):
        fault = _fault(path, state, tree)
        if fault is not None:
            dropped.append(fault)
        elif (data := files.read(folder / path, folder)) is not None and data != tree.get(path):
            tree = tree.put(path, data)
    return Collected(tree, _bounded(dropped))


def clear_leftovers(layout: Layout) -> None:
    """Remove the directories of processes that were killed."""
    for lock in layout.staging.glob(f"*{_LOCK}"):
        with contextlib.suppress(Refused, OSError), held(lock, timeout=0):
            _clear(lock.with_name(lock.name.removesuffix(_LOCK)))
            files.unlink(lock)


def _lay(layout: Layout, path: Path, data: bytes, mode: int) -> None:
    """Put a file there; it need not outlive the process, and waits for no disk."""
    files.ensure_folder(path.parent, root=layout.root)
    files.install(files.write_temporary(path.parent, data, mode), path)


def _walk(folder: Path, above: str) -> Iterator[tuple[str, os.stat_result]]:
    """Path and state of everything below a folder that is no folder."""
    for entry in sorted(os.scandir(folder), key=lambda entry: entry.name):
        path = f"{above}{entry.name}"
        if entry.is_dir(follow_symlinks=False):
            yield from _walk(Path(entry.path), f"{path}/")
        else:
            yield path, entry.stat(follow_symlinks=False)


def _fault(path: str, state: os.stat_result, tree: Tree) -> Problem | None:
    """Why a file is dropped, None if it is taken."""
    if not stat.S_ISREG(state.st_mode):
        return _drop(path, "it is a link or no regular file", Code.PATH_OUTSIDE_WORKSPACE)
    if path.startswith(_SOURCES) and tree.get(path) is not None:
        return None
    if not path.startswith(_TOPICS):
        return _drop(path, "only topics are taken", Code.READ_ONLY_PATH)
    if state.st_size > LONGEST_TOPIC:
        return _drop(path, "it is larger than 4 MiB", Code.INVALID_TOPIC_FORMAT)
    fault = topic_path(path)
    return _drop(path, fault.message, fault.code) if isinstance(fault, Problem) else None


def _bounded(dropped: list[Problem]) -> tuple[Problem, ...]:
    """No more than can be read; a program may leave whole trees of files behind."""
    if len(dropped) <= _MOST_NAMED:
        return tuple(dropped)
    more = _drop("", f"and {len(dropped) - _MOST_NAMED:,} more files", Code.READ_ONLY_PATH)
    return (*dropped[:_MOST_NAMED], more)


def _drop(path: str, why: str, code: Code) -> Problem:
    return Problem(code, f"the file was dropped: {why}", path, remedy="write below topics/, in files *.md")


def _unshut(folder: Path) -> None:
    """Let ourselves into every folder; a program may have shut some."""
    for here, folders, _ in os.walk(folder):
        for name in folders:
            if not (inner := Path(here) / name).is_symlink():
                os.chmod(inner, 0o700)


def _clear(folder: Path) -> None:
    _unshut(folder)
    for here, folders, names in os.walk(folder, topdown=False):
        for name in names:
            files.unlink(Path(here) / name)
        for name in folders:
            inner = Path(here) / name
            if inner.is_symlink():
                files.unlink(inner)
            else:
                files.remove_folder(inner)
    if folder.is_dir():
        files.remove_folder(folder)
