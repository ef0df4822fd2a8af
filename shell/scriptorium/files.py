"""The only functions that touch the disk of a memory directory.

A write is a temporary file in the same folder, fsync, rename, fsync of the folder: a reader finds
the old bytes or the new ones, never half, and no file is ever absent in between. The small
functions at the end are the steps; every larger one is made of them, by their module names, so that
a test which replaces a step sees every write of the program.

Symbolic links are never followed or replaced below the `root` that a caller names.
"""

import contextlib
import errno
import os
import stat
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path

from scriptorium_core.problem import Code, Problem

from .clock import chance
from .refused import Refused

__all__ = [
    "STEPS",
    "TEMPORARY",
    "disk_problem",
    "ensure_folder",
    "explained",
    "has_temporaries",
    "install",
    "link",
    "make_folder",
    "read",
    "remove",
    "remove_emptied",
    "remove_folder",
    "remove_temporaries",
    "sync",
    "sync_folder",
    "unlink",
    "write_durable",
    "write_many",
    "write_temporary",
]

TEMPORARY = ".scriptorium-"  # what the name of every temporary file begins with
_AT_ONCE = 16  # threads that wait for the disk
_BINARY = getattr(os, "O_BINARY", 0)
_NOFOLLOW = getattr(os, "O_NOFOLLOW", 0)


def read(path: Path, root: Path | None = None) -> bytes | None:
    """The bytes of a regular file, None if there is none.

    Raises Refused where a link or a folder stands in its place, or a link above it below `root`, and where it
    may not be read.
    """
    _refuse_links([path], root)
    try:
        descriptor = os.open(path, os.O_RDONLY | _BINARY | _NOFOLLOW)
    except (FileNotFoundError, NotADirectoryError):
        return None
    except PermissionError as error:
        raise Refused(_unreadable(path, root)) from error
    with os.fdopen(descriptor, "rb") as file:
        return file.read()


def write_durable(path: Path, data: bytes, mode: int = 0o600, root: Path | None = None) -> None:
    """Put `data` at `path`, whole or not at all, and on the disk when this returns."""
    write_many({path: data}, mode, root)


def write_many(
    contents: Mapping[Path, bytes],
    mode: int = 0o600,
    root: Path | None = None,
    put: Callable[[Path, Path], bool] | None = None,
) -> tuple[Path, ...]:
    """Put each of `contents` at its path, in order; one fsync of each folder.

    All bytes are on the disk before the first file is replaced, so a full disk changes nothing.
    `put(temporary, path)`, in the place of a plain rename, may spare a file and say False; the paths of
    those are returned.
    """
    _refuse_links(contents, root)
    for folder in _folders(contents):
        ensure_folder(folder, root=root)
    staged: dict[Path, Path] = {}
    spared: list[Path] = []
    try:
        for path, data in contents.items():
            staged[path] = write_temporary(path.parent, data, mode)
        _together(sync, staged.values())
        for path, temporary in staged.items():
            if put is None:
                install(temporary, path)
            elif not put(temporary, path):
                spared.append(path)
    except OSError:
        _discard(staged.values())
        raise
    _together(sync_folder, _folders(contents))
    return tuple(spared)


def ensure_folder(path: Path, mode: int = 0o700, root: Path | None = None) -> None:
    """Make a folder and the ones above it where they are missing."""
    if path.is_dir() and not path.is_symlink():
        return
    _refuse_links([path / "any"], root)
    missing = []
    while not path.exists():
        missing.append(path)
        path = path.parent
    for folder in reversed(missing):
        make_folder(folder, mode)
        sync_folder(folder.parent)


def remove(path: Path, root: Path) -> None:
    """Remove a file, if it is there, and the folders above it that this leaves empty, below `root`."""
    _refuse_links([path], root)
    with contextlib.suppress(FileNotFoundError, NotADirectoryError):
        unlink(path)
    remove_emptied(path.parent, root)


def remove_emptied(folder: Path, root: Path) -> None:
    """Remove a folder and the ones above it, below `root`, as far as they are empty."""
    while folder != root and folder.is_relative_to(root) and _is_empty(folder):
        with contextlib.suppress(FileNotFoundError):
            remove_folder(folder)
        folder = folder.parent
    if folder.is_dir():
        sync_folder(folder)


def has_temporaries(folder: Path) -> bool:
    """Whether something half written stands in `folder`."""
    return folder.is_dir() and any(name.startswith(TEMPORARY) for name in os.listdir(folder))


def remove_temporaries(folder: Path) -> None:
    """Remove what a killed process left half written in `folder`."""
    if not folder.is_dir():
        return
    for name in os.listdir(folder):
        if name.startswith(TEMPORARY) and (folder / name).is_file():
            with contextlib.suppress(FileNotFoundError):
                unlink(folder / name)


def disk_problem(error: OSError, root: Path) -> Problem:
    """What a failed read or write means to a person; nothing was changed by it."""
    name = Path(os.fsdecode(error.filename)) if error.filename else root
    below = name != root and name.is_relative_to(root)
    place = name.relative_to(root).as_posix() if below else str(name)
    text = f"{place}: {error.strerror or error}"
    match error.errno:
        case errno.ENOSPC | errno.EDQUOT:
            remedy = "free some space on the disk, then try again"
            return Problem(Code.DISK_FAILED, text, place, remedy=remedy)
        case errno.EROFS | errno.EACCES | errno.EPERM:
            return Problem(
                Code.READ_ONLY_PATH, text, place, remedy="make the memory directory writable, then try again"
            )
        case errno.ENOTDIR | errno.EEXIST:
            remedy = "move away the file that stands where a folder must be, or name another place"
            return Problem(Code.DISK_FAILED, text, place, remedy=remedy)
        case errno.ENOENT:
            remedy = "see that it is there, then try again"
            return Problem(Code.DISK_FAILED, text, place, remedy=remedy)
        case _:
            remedy = "see that the disk is sound, then try again"
            return Problem(Code.DISK_FAILED, text, place, remedy=remedy)


@contextlib.contextmanager
def explained(root: Path) -> Iterator[None]:
    """Refused, in words, for what the disk does not allow inside the block."""
    try:
        yield
    except OSError as error:
        raise Refused(disk_problem(error, root)) from error


# --- The steps ---------------------------------------------------------------------------------


def write_temporary(folder: Path, data: bytes, mode: int = 0o600) -> Path:
    """A new file in `folder` with `data`, not yet on the disk for sure."""
    path = folder / f"{TEMPORARY}{chance(8)}.tmp"
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | _BINARY, mode)
    try:
        view = memoryview(data)
        while view:
            view = view[os.write(descriptor, view) :]
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(path)
        raise
    finally:
        os.close(descriptor)
    return path


def sync(path: Path) -> None:
    """Wait until the bytes of a file are on the disk."""
    # A pack is read-only: only root could open it for writing. Windows syncs nothing that is not.
    descriptor = os.open(path, (os.O_RDWR if os.name == "nt" else os.O_RDONLY) | _BINARY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def install(temporary: Path, path: Path) -> None:
    """Give a file its final name, in the place of the one that had it."""
    os.replace(temporary, path)


def link(existing: Path, path: Path) -> None:
    """Give a file a second name; FileExistsError if that name is taken."""
    os.link(existing, path)


def unlink(path: Path) -> None:
    """Take a name away."""
    os.unlink(path)


def make_folder(path: Path, mode: int = 0o700) -> None:
    """Make one folder; not an error if it is there already."""
    with contextlib.suppress(FileExistsError):
        os.mkdir(path, mode)


def remove_folder(path: Path) -> None:
    """Remove one empty folder."""
    os.rmdir(path)


def sync_folder(path: Path) -> None:
    """Wait until the names in a folder are on the disk."""
    if os.name == "nt":
        return
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


STEPS = (
    "write_temporary",
    "sync",
    "install",
    "link",
    "unlink",
    "make_folder",
    "remove_folder",
    "sync_folder",
)


def _together(step: Callable[[Path], None], paths: Iterable[Path]) -> None:
    """Take a step for several paths at once: of syncs that overlap, the disk makes one."""
    waiting = deque(paths)
    failures: list[OSError] = []

    def work() -> None:
        while waiting:
            try:
                step(waiting.popleft())
            except IndexError:
                return  # another thread took the last one
            except OSError as error:
                failures.append(error)

    from threading import Thread  # whoever only reads needs none

    threads = [Thread(target=work) for _ in range(min(len(waiting), _AT_ONCE) - 1)]
    for thread in threads:
        thread.start()
    work()
    for thread in threads:
        thread.join()
    if failures:
        raise failures[0]


def _folders(paths: Iterable[Path]) -> tuple[Path, ...]:
    return tuple(dict.fromkeys(path.parent for path in paths))


def _discard(temporaries: Iterable[Path]) -> None:
    for temporary in temporaries:
        with contextlib.suppress(OSError):
            os.unlink(temporary)


def _is_empty(folder: Path) -> bool:
    try:
        return not any(os.scandir(folder))
    except (FileNotFoundError, NotADirectoryError):
        return folder.parent.is_dir()


def _refuse_links(paths: Iterable[Path], root: Path | None) -> None:
    """Stop where a link, or a thing of the wrong kind, stands at one of `paths` or above it below `root`."""
    folders: set[Path] = set()
    for path in paths:
        _refuse(path, root, folder=False)
        above = path.parent
        while root is not None and above != root and above not in folders and above != above.parent:
            _refuse(above, root, folder=True)
            folders.add(above)
            above = above.parent


def _unreadable(path: Path, root: Path | None) -> Problem:
    place = _place(path, root)
    remedy = f"give yourself the right to read it (`chmod u+r '{place}'`; a folder above it needs u+rx)"
    return Problem(Code.READ_ONLY_PATH, f"{place} may not be read", place, remedy=remedy)


def _place(path: Path, root: Path | None) -> str:
    return path.relative_to(root).as_posix() if root and path.is_relative_to(root) else str(path)


def _refuse(path: Path, root: Path | None, folder: bool) -> None:
    try:
        mode = os.lstat(path).st_mode
    except (FileNotFoundError, NotADirectoryError, PermissionError):
        return  # what may not be looked at cannot be opened either
    if stat.S_ISDIR(mode) if folder else stat.S_ISREG(mode):
        return
    place = _place(path, root)
    found = "a symbolic link" if stat.S_ISLNK(mode) else "not a folder" if folder else "not a regular file"
    raise Refused(
        Problem(
            Code.PATH_OUTSIDE_WORKSPACE,
            f"{place} is {found}; nothing is read or written through it",
            place,
            remedy="move it away, then try again",
        )
    )
