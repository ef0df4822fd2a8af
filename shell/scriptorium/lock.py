"""The write lock: one writer at a time, let go by the kernel when its holder dies.

A plain `flock` and not a library: `filelock` costs 25 ms of imports at the start of every process,
and these are its few lines.
"""

import contextlib
import os
import sys
from collections.abc import Iterator
from pathlib import Path

from scriptorium_core.problem import Code, Problem

from .clock import monotonic, pause
from .files import disk_problem
from .refused import Refused

if sys.platform == "win32":
    import msvcrt
else:
    import fcntl

__all__ = ["held", "holder", "try_lock"]

_PATIENCE = 10.0
_STEP = 0.02
_LOCKED_BYTE = 1 << 20  # Windows locks ranges: one far behind the holder's number, which stays readable


@contextlib.contextmanager
def held(path: Path, timeout: float = _PATIENCE) -> Iterator[None]:
    """Hold the lock at `path` inside the block; wait for it at most `timeout` seconds.

    Raises Refused with CONCURRENT_UPDATE, naming the process that holds it, and with READ_ONLY_PATH
    where the disk takes no lock.
    """
    try:
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    except OSError as error:
        raise Refused(disk_problem(error, path.parent.parent)) from error
    try:
        _wait(descriptor, path, timeout)
        _sign(descriptor)
        yield
    finally:
        os.close(descriptor)


def try_lock(descriptor: int) -> bool:
    """Take the lock of an open file if nobody has it; closing the file lets it go."""
    try:
        if sys.platform == "win32":
            os.lseek(descriptor, _LOCKED_BYTE, os.SEEK_SET)
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        else:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except (BlockingIOError, PermissionError):
        return False
    return True


def holder(path: Path) -> str:
    """Who holds the lock at `path`, as `process 4711`; empty if nobody does."""
    try:
        descriptor = os.open(path, os.O_RDWR)
    except OSError:
        return ""
    try:
        return "" if try_lock(descriptor) else _holder(descriptor)
    finally:
        os.close(descriptor)


def _wait(descriptor: int, path: Path, timeout: float) -> None:
    limit = monotonic() + timeout
    while not try_lock(descriptor):
        if monotonic() >= limit:
            raise Refused(_busy(path, _holder(descriptor)))
        pause(_STEP)


def _sign(descriptor: int) -> None:
    """Say who holds it; on a full disk nobody does, and it is held all the same."""
    with contextlib.suppress(OSError):
        os.ftruncate(descriptor, 0)
        os.lseek(descriptor, 0, os.SEEK_SET)
        os.write(descriptor, f"{os.getpid()}\n".encode())


def _holder(descriptor: int) -> str:
    os.lseek(descriptor, 0, os.SEEK_SET)
    number = os.read(descriptor, 32).decode("ascii", "replace").strip()
    return f"process {number}" if number.isdigit() else "another process"


def _busy(path: Path, holder: str) -> Problem:
    return Problem(
        Code.CONCURRENT_UPDATE,
        f"{holder} is writing to this memory and holds {path.name}",
        f"{path.parent.name}/{path.name}",
        remedy="wait for it to end, or end it, then try again; the lock frees itself when its holder ends",
    )
