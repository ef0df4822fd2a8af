"""What of a memory no commit holds: drafts and a person's own files, the settings, and the conversations.

The session store is copied as SQLite copies a database that is in use; while neither it nor its log of
changes was touched, the copy of the last sealing stands for it.
"""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Iterable, Iterator
from pathlib import Path

from attrs import frozen

from scriptorium_core.sealing.places import HOME, MEMORY, is_kept

from .. import files
from ..layout import Layout
from ..refused import Refused

__all__ = ["SESSIONS", "Beside", "beside", "copied", "portions", "signature"]

SESSIONS = "sessions.sqlite3"
_SETTINGS = "settings.toml"
_PORTION = (
    1024 * 1024
)  # a whole number of the pages of a database: what did not change stays the same portion


@frozen
class Beside:
    """A file beside the history: its bytes, or that it is `gone`, or that it cannot go along."""

    root: str
    path: str
    data: bytes = b""
    gone: bool = False
    passed_over: bool = False


def beside(home: Path, layout: Layout, paths: Iterable[str]) -> Iterator[Beside]:
    """The files at `paths`, which differ from the commit, then the settings of the home."""
    root = layout.root
    for path in paths:
        try:
            data = files.read(root / path, root)
        except Refused:  # a link, a socket, a file of another user
            yield Beside(MEMORY, path, passed_over=True)
            continue
        kept = is_kept(MEMORY, path)
        yield Beside(MEMORY, path, data or b"", gone=data is None, passed_over=not kept)
    with contextlib.suppress(Refused):
        settings = files.read(home / _SETTINGS)
        if settings is not None:
            yield Beside(HOME, _SETTINGS, settings)


def portions(data: bytes) -> Iterator[bytes]:
    """The bytes of a file as they are sealed, bit by bit; one empty bit for an empty file."""
    for start in range(0, max(len(data), 1), _PORTION):
        yield data[start : start + _PORTION]


def signature(path: Path) -> str:
    """What changes with every change of a database; empty where there is none."""
    found = []
    for name in (path, path.with_name(f"{path.name}-wal")):
        with contextlib.suppress(FileNotFoundError, NotADirectoryError):
            status = name.stat()
            found.append(f"{status.st_ino}:{status.st_size}:{status.st_mtime_ns}:{status.st_ctime_ns}")
    return " ".join(found) if path.exists() else ""


@contextlib.contextmanager
def copied(path: Path, folder: Path) -> Iterator[Iterator[bytes]]:
    """The portions of a copy of the database at `path`, which is made in `folder` and removed after."""
    files.ensure_folder(folder)
    place = folder / f"{files.TEMPORARY}sessions.tmp"
    place.unlink(missing_ok=True)
    place.touch(0o600)
    try:
        with (
            contextlib.closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=rw", uri=True)) as source,
            contextlib.closing(sqlite3.connect(place)) as target,
        ):
            source.backup(target)
        with place.open("rb") as file:
            yield iter(lambda: file.read(_PORTION), b"")
    finally:
        place.unlink(missing_ok=True)
