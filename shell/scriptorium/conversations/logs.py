"""Finding logs: what lies in a file, a folder or an archive, told apart by content, without reading it all.

Each file is found once, whatever links lead to it, under the name that it has without them. A folder is
searched with all folders in it, but those of version control and of installed packages. Its files, and
those of an archive, come in the order of the time in their names, else of their last change, so that
parents mostly stand before their forks, and an index of titles after its sessions.
"""

import contextlib
import os
import re
import stat
import zipfile
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from datetime import UTC, datetime
from functools import partial
from hashlib import sha256
from pathlib import Path, PurePosixPath
from typing import BinaryIO

from attrs import field, frozen

from scriptorium_core.problem import Code, Problem

from ..layout import TalkPlace
from ..refused import Refused
from .packed import START, members, packing, unpacked

__all__ = ["Found", "Log", "Search", "known_log", "logs_in", "search"]

_NEVER = frozenset([".git", ".hg", ".svn", "node_modules", "__pycache__", "__MACOSX"])
_TIME = re.compile(r"\d{4}-\d\d-\d\d(?:T\d\d[-:]\d\d[-:]\d\d)?")
_END = 4096
_UP = ("/", "//", "..")


@frozen
class Found:
    """A file that may be a log: its path without links, how a person names it, its size and last change."""

    path: Path
    shown: str
    size: int
    changed: float


@frozen
class Search:
    """What lies at a place: files, what could not be looked into, and why each other thing was left out."""

    place: TalkPlace
    is_folder: bool
    files: tuple[Found, ...]
    faults: tuple[Problem, ...] = ()
    passed_over: tuple[str, ...] = ()


@frozen
class Log:
    """A log where it lies.

    `path` is the file without links, for a member of an archive with the name inside. `shown` is how a person
    names it. `stamp` tells whether a packed log has changed, empty for one that is not packed. `opened` gives
    a file that can be read from any place, or raises Refused.
    """

    path: Path
    shown: str
    stamp: str
    opened: Callable[[], AbstractContextManager[BinaryIO]] = field(eq=False, repr=False)

    @property
    def name(self) -> str:
        """The path as text, under which reading is remembered; bytes that are no text become escapes."""
        return str(self.path).encode("utf-8", "backslashreplace").decode()


def search(place: TalkPlace) -> Search:
    """The files at a place, each once; nothing is opened. A path that is no folder is the one file."""
    root = place.path
    try:
        status = root.stat()
    except OSError as error:
        return Search(place, False, (), (_unreadable(root, error),))
    if not stat.S_ISDIR(status.st_mode):
        if not stat.S_ISREG(status.st_mode):
            return Search(place, False, (), (_special(root),))
        return Search(place, False, (_found(root, str(root), status),))
    walk = _Walk(place.suffixes)
    walk.enter(root)
    return Search(
        place,
        True,
        tuple(sorted(walk.files.values(), key=_order)),
        tuple(walk.faults),
        tuple(walk.passed_over),
    )


@contextlib.contextmanager
def known_log(name: str) -> Iterator[BinaryIO | None]:
    """The content of a log that was found before, by its `name`; None if it is gone.

    Raises Refused or OSError where it cannot be read.
    """
    path = Path(name)
    lies_in = next((each for each in (path, *path.parents) if each.is_file()), None)
    found = _found(lies_in, str(lies_in), lies_in.stat()) if lies_in else None
    for log in logs_in(found) if found else ():
        if log.name == name:
            with log.opened() as file:
                yield file
            return
    yield None


def logs_in(found: Found) -> Iterator[Log]:
    """The log that a file is, or those in an archive; raises Refused or OSError where it cannot be read."""
    with found.path.open("rb") as file:
        start = file.read(START)
        kind = packing(start)
        if kind == "zip":
            yield from _members(found, file)
        elif kind:
            yield Log(found.path, found.shown, _stamp(found, file), lambda: _unpacked_file(found))
        else:
            yield Log(found.path, found.shown, "", lambda: found.path.open("rb"))


class _Walk:
    """A search on its way; folders are remembered, so that a link that leads in a circle ends it."""

    def __init__(self, suffixes: tuple[str, ...]) -> None:
        self.suffixes = suffixes
        self.files: dict[Path, Found] = {}
        self.faults: list[Problem] = []
        self.passed_over: list[str] = []
        self.seen: set[tuple[int, int]] = set()

    def enter(self, root: Path) -> None:
        """Take up what stands in a folder and in those below it."""
        folders = [root]
        while folders:
            folder = folders.pop()
            try:
                status = folder.stat()
                if (status.st_dev, status.st_ino) in self.seen:
                    continue
                self.seen.add((status.st_dev, status.st_ino))
                with os.scandir(folder) as entries:
                    names = sorted(entry.name for entry in entries)
            except OSError as error:
                self.faults.append(_unreadable(folder, error))
                continue
            folders += filter(None, [self._look(folder / name) for name in names])

    def _look(self, path: Path) -> Path | None:
        try:
            status = path.stat()
        except OSError:
            self.passed_over.append("a link that leads nowhere")
            return None
        if stat.S_ISDIR(status.st_mode):
            return None if path.name in _NEVER else path
        if not stat.S_ISREG(status.st_mode):
            self.passed_over.append("not a file")
        elif self.suffixes and not path.name.endswith(self.suffixes):
            self.passed_over.append("no log")
        else:
            found = _found(path, str(path), status)
            self.files.setdefault(found.path, found)
        return None


def _found(path: Path, shown: str, status: os.stat_result) -> Found:
    return Found(Path(os.path.realpath(path)), shown, status.st_size, status.st_mtime)


def _order(found: Found) -> tuple[str, str]:
    changed = datetime.fromtimestamp(found.changed, UTC).isoformat()
    return _time(found.path.name, changed), str(found.path)


def _order_inside(info: zipfile.ZipInfo) -> tuple[str, str]:
    changed = "{:04}-{:02}-{:02}T{:02}-{:02}-{:02}".format(*info.date_time)
    return _time(info.filename.rpartition("/")[2], changed), info.filename


def _time(name: str, changed: str) -> str:
    """When a log was begun as its name says, else when it was changed, so that one sorts with the other."""
    named = _TIME.search(name)
    return (named[0] if named else changed).replace(":", "-")


def _members(found: Found, file: BinaryIO) -> Iterator[Log]:
    try:
        archive = zipfile.ZipFile(file)
    except (zipfile.BadZipFile, NotImplementedError, ValueError) as error:
        message = f"{found.shown} is a damaged archive: {error}"
        raise Refused(_problem(found.shown, message, "copy or download it again")) from error
    with archive:
        for info in sorted(members(archive, found.shown), key=_order_inside):
            name = info.filename
            yield Log(
                found.path.joinpath(*(part for part in PurePosixPath(name).parts if part not in _UP)),
                f"{found.shown}/{name}",
                f"{info.file_size}-{info.CRC:08x}",
                partial(_unpacked_member, archive, info, found.shown),
            )


@contextlib.contextmanager
def _unpacked_file(found: Found) -> Iterator[BinaryIO]:
    with unpacked(lambda: found.path.open("rb"), found.shown) as whole:
        yield whole


@contextlib.contextmanager
def _unpacked_member(archive: zipfile.ZipFile, info: zipfile.ZipInfo, shown: str) -> Iterator[BinaryIO]:
    with unpacked(lambda: archive.open(info), f"{shown}/{info.filename}") as whole:
        yield whole


def _stamp(found: Found, file: BinaryIO) -> str:
    """Size, time of change, and what stands at both ends of a compressed file."""
    status = os.fstat(file.fileno())
    file.seek(0)
    ends = file.read(_END)
    file.seek(max(0, status.st_size - _END))
    ends += file.read(_END)
    return f"{status.st_size}-{status.st_mtime_ns}-{sha256(ends).hexdigest()[:16]}"


def _unreadable(path: Path, error: OSError) -> Problem:
    message = f"{path}: {error.strerror or error}"
    return _problem(str(path), message, "name a file or a folder that can be read")


def _special(path: Path) -> Problem:
    return _problem(str(path), f"{path} is neither a file nor a folder", "name a file or a folder")


def _problem(shown: str, message: str, remedy: str) -> Problem:
    return Problem(Code.INVALID_ARGUMENT, message, shown, remedy=remedy)
