"""Reading where this process cannot write: databases as they lie, and folders by links to their files.

SQLite keeps files beside a database even while it only reads, and the full text engine takes a lock. On a
read-only file system, and in folders of somebody else, neither can be. Nobody asks here before opening has
failed: whoever may write pays nothing for it.
"""

import os
import sqlite3
from pathlib import Path

from scriptorium_core.problem import Code, Problem

from .refused import Refused

__all__ = ["Still", "as_it_lies", "in_memory", "is_writable", "linked", "see_it_is_writable"]


class Still(sqlite3.Connection):
    """A database that is read as it lies, without locks; what was read since it `moved` may be in pieces."""

    path = Path()
    mark: object = None

    def moved(self) -> bool:
        """Whether somebody who may write has written to it since it was opened."""
        return _mark(self.path) != self.mark


def is_writable(folder: Path) -> bool:
    """Whether something can be made in a folder or, where there is none, in the next one above it."""
    while not os.path.lexists(folder):
        folder = folder.parent
    return os.access(folder, os.W_OK)


def see_it_is_writable(folder: Path) -> None:
    """Raise Refused with READ_ONLY_PATH where nothing can be made in a folder."""
    if not is_writable(folder):
        message = "nothing can be written here: the file system is read-only, or the folder somebody else's"
        remedy = "make the memory directory writable, then try again"
        raise Refused(Problem(Code.READ_ONLY_PATH, message, str(folder), remedy=remedy))


def as_it_lies(path: Path) -> Still | None:
    """The database at `path`, in whose folder nothing can be written; None where it cannot be read so.

    That is where there is none, and where a log that holds something lies beside it: without the log
    it may be in pieces, and SQLite reads the log with files of its own alone.
    """
    mark, log = _mark(path), _mark(path.with_name(f"{path.name}-wal"))
    if mark is None or (log is not None and log[-1]):
        return None
    where = f"{path.absolute().as_uri()}?mode=ro&immutable=1"
    found = sqlite3.connect(where, uri=True, isolation_level=None, check_same_thread=False, factory=Still)
    found.path, found.mark = path, mark
    return found


def in_memory(source: sqlite3.Connection | None = None) -> sqlite3.Connection:
    """A database of this process alone, with what stands in `source`."""
    own = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
    if source is not None:
        source.backup(own)
    return own


def linked(folder: Path, owner: object) -> Path:
    """A private folder with links to the files of another; it goes when `owner` does.

    What is written there replaces links, and never what they lead to. Raises Refused where there is no room.
    """
    import shutil
    import tempfile
    import weakref

    try:
        above = Path(tempfile.mkdtemp(prefix="scriptorium-"))
        weakref.finalize(owner, shutil.rmtree, above, ignore_errors=True)
        place = above / folder.name
        place.mkdir(0o700)
        for path in folder.iterdir() if folder.is_dir() else ():
            if path.suffix != ".lock":
                (place / path.name).symlink_to(path.absolute())
    except OSError as error:
        raise Refused(_no_room(folder, error)) from error
    return place


def _mark(path: Path) -> tuple[int, ...] | None:
    """What changes when somebody writes to a file, its size last; None where there is none."""
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_dev, status.st_ino, status.st_mtime_ns, status.st_ctime_ns, status.st_size


def _no_room(folder: Path, error: OSError) -> Problem:
    message = f"{folder.name} cannot be read where nothing can be written: {error.strerror or error}"
    remedy = "make the memory directory writable, or let TMPDIR name a folder that is"
    return Problem(Code.READ_ONLY_PATH, message, folder.name, remedy=remedy)
