"""A new folder or file outside a memory that appears whole or not at all, and never in the place of another.

What is written stands beside its place under a name of its own until it is whole and on the disk. A killed
process leaves nothing but that, and the next one that writes to the same place clears it away.
"""

from __future__ import annotations

import contextlib
import errno
import os
import re
import shutil
from collections.abc import Callable, Iterator
from hashlib import sha256
from pathlib import Path
from typing import BinaryIO, Literal
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from scriptorium_core.problem import Code, Problem

from .. import files
from ..lock import held
from ..refused import Refused

__all__ = ["Form", "Put", "form_of", "parcel", "place_problems"]

Form = Literal["folder", "zip", "jsonl"]
Put = Callable[[str, bytes], None]
"""Takes what stands at a path of the parcel; in lines the path counts for nothing."""

_ENDING = re.compile(r"\.(?=[0-9]*[a-z])[a-z0-9]{1,8}", re.IGNORECASE)  # a number is none: `notes-2026.05`
_BEGINNING = (1980, 1, 1, 0, 0, 0)  # the first time that a zip knows: the same parcel has the same bytes
_FILES, _BYTES = 64, 4 * 1024 * 1024  # are written at once


def form_of(target: Path) -> Form:
    """What the name of a place says that is to be there."""
    match target.suffix.casefold():
        case ".zip":
            return "zip"
        case ".jsonl":
            return "jsonl"
        case _:
            return "folder"


def place_problems(target: Path, root: Path) -> Iterator[Problem]:
    """Why nothing can be made at a place, for a memory that lies at `root`."""
    above = target.parent.resolve()
    if root in (above / target.name, above, *above.parents):
        yield _unfit(target, "it is inside the memory", "name a place outside the memory directory")
    if not target.parent.is_dir():
        yield _unfit(target, f"there is no folder {target.parent}", "make it, or name another place")
    yield from _misnamed(target)
    if not os.path.lexists(target):
        return
    if form_of(target) != "folder" or target.is_symlink() or not target.is_dir() or any(os.scandir(target)):
        yield _taken(target)
    elif os.path.ismount(target):
        yield _unfit(target, "a disk begins there", "name a new folder in it")


@contextlib.contextmanager
def parcel(target: Path) -> Iterator[Put]:
    """What fills a new folder, zip or file of lines; it is at `target` when the block ends, whole.

    Raises Refused where another process is at it, or the disk does not allow it.
    """
    mark = sha256(os.fsencode(target.name)).hexdigest()[:16]
    lock, temporary = (target.parent / f"{files.TEMPORARY}{mark}.{end}" for end in ("lock", "tmp"))
    with _explained(target), _alone(lock, target):
        _clear(temporary)
        try:
            with _filling(form_of(target), temporary) as put:
                yield put
            _place(temporary, target)
            files.sync_folder(target.parent)
        finally:
            _clear(temporary)


def _filling(form: Form, temporary: Path) -> contextlib.AbstractContextManager[Put]:
    match form:
        case "folder":
            return _folder(temporary)
        case "zip":
            return _zip(temporary)
        case "jsonl":
            return _lines(temporary)


@contextlib.contextmanager
def _folder(temporary: Path) -> Iterator[Put]:
    waiting: dict[Path, bytes] = {}
    files.make_folder(temporary)

    def flush() -> None:
        files.write_many(waiting, root=temporary)
        waiting.clear()

    def put(path: str, data: bytes) -> None:
        waiting[temporary / path] = data
        if len(waiting) >= _FILES or sum(map(len, waiting.values())) >= _BYTES:
            flush()

    yield put
    flush()


@contextlib.contextmanager
def _zip(temporary: Path) -> Iterator[Put]:
    with _opened(temporary) as file, ZipFile(file, "w", ZIP_DEFLATED, compresslevel=6) as made:

        def put(path: str, data: bytes) -> None:
            info = ZipInfo(path, _BEGINNING)
            info.create_system, info.external_attr, info.compress_type = 3, 0o600 << 16, ZIP_DEFLATED
            made.writestr(info, data)

        yield put
    files.sync(temporary)


@contextlib.contextmanager
def _lines(temporary: Path) -> Iterator[Put]:
    with _opened(temporary) as file:

        def put(path: str, data: bytes) -> None:
            file.write(data)

        yield put
    files.sync(temporary)


def _opened(temporary: Path) -> BinaryIO:
    """A new file that only its owner may read, to be written."""
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
    return os.fdopen(os.open(temporary, flags, 0o600), "wb")


def _place(temporary: Path, target: Path) -> None:
    """Give what is whole its name; what came there meanwhile stays."""
    if temporary.is_dir():
        if target.is_dir():
            files.remove_folder(target)  # an empty one: another is not removed
        if os.path.lexists(target):
            raise Refused(_taken(target))
        files.install(temporary, target)
        return
    try:
        files.link(temporary, target)
    except FileExistsError as error:
        raise Refused(_taken(target)) from error
    except OSError:  # a stick, say, whose files have one name each
        if os.path.lexists(target):
            raise Refused(_taken(target)) from None
        files.install(temporary, target)


@contextlib.contextmanager
def _alone(lock: Path, target: Path) -> Iterator[None]:
    """Nobody else who fills the same place."""
    with contextlib.ExitStack() as stack:
        try:
            stack.enter_context(held(lock, timeout=0))
        except Refused as refused:
            busy = refused.problems[0].code is Code.CONCURRENT_UPDATE
            raise Refused(_busy(target)) if busy else refused from None
        try:
            yield
        finally:
            with contextlib.suppress(OSError):
                files.unlink(lock)


def _clear(temporary: Path) -> None:
    if temporary.is_dir():
        shutil.rmtree(temporary, ignore_errors=True)
    else:
        with contextlib.suppress(OSError):
            files.unlink(temporary)


@contextlib.contextmanager
def _explained(target: Path) -> Iterator[None]:
    """Refused, in words, for what the disk does not allow."""
    try:
        yield
    except OSError as error:
        if error.errno in (errno.ENOTEMPTY, errno.EEXIST):
            raise Refused(_taken(target)) from error
        found = files.disk_problem(error, target.parent)
        denied = found.code is Code.READ_ONLY_PATH
        remedy = "name a folder that you may write to" if denied else found.remedy
        raise Refused(found._replace(path=str(target), remedy=remedy)) from error


def _misnamed(target: Path) -> Iterator[Problem]:
    """Why a name that means a folder here means something else to whoever typed it; nothing if it is one."""
    if target.name == "-":
        message = "memory is exported to a place, not to the standard output"
        yield _unfit(target, message, "name a new folder, a .zip or a .jsonl")
    elif form_of(target) == "folder" and _ENDING.fullmatch(target.suffix) and not target.is_dir():
        remedy = "end the name in .zip or .jsonl; a folder that is to end so has to be made before"
        yield _unfit(target, f"nothing is exported as {target.suffix}", remedy)


def _taken(target: Path) -> Problem:
    what = "a folder with something in it" if target.is_dir() and not target.is_symlink() else "a file"
    message = f"there is {what} already, and nothing is overwritten"
    return _unfit(target, message, "name another place, or move it away")


def _busy(target: Path) -> Problem:
    message = "another process writes to the same place"
    return Problem(Code.CONCURRENT_UPDATE, message, str(target), remedy="wait for it to end, or name another")


def _unfit(target: Path, message: str, remedy: str) -> Problem:
    return Problem(Code.INVALID_ARGUMENT, message, str(target), remedy=remedy)
