"""Running another program for a limited time: its whole process group ends with it, its output is bounded."""

import contextlib
import os
import signal
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from threading import Thread
from typing import IO

from attrs import define, field, frozen

__all__ = ["Ran", "run"]

_HEAD = 64 * 1024
_TAIL = 1024 * 1024
_CHUNK = 64 * 1024
_GRACE = 3.0
_DRAIN = 2.0


@frozen
class Ran:
    """How a program ended: its exit code (None: its time was over), and the ends of what it printed."""

    code: int | None
    out: str
    err: str


@define
class _Kept:
    """The beginning and the end of what a stream held; whatever its length, no more is remembered."""

    head: bytes = b""
    tail: bytearray = field(factory=bytearray)

    def read(self, stream: IO[bytes]) -> None:
        """Read a stream to its end."""
        with contextlib.suppress(ValueError, OSError):  # it is closed under us when its time is over
            while chunk := os.read(stream.fileno(), _CHUNK):
                room = _HEAD - len(self.head)
                self.head += chunk[:room]
                self.tail += chunk[room:] if room > 0 else chunk
                del self.tail[:-_TAIL]

    @property
    def text(self) -> str:
        """What is remembered, as text."""
        return (self.head + bytes(self.tail)).decode("utf-8", "replace")


def run(
    arguments: Sequence[str], folder: Path, environment: Mapping[str, str], given: bytes, timeout: float
) -> Ran:
    """Run a program in `folder` with `given` on its standard input. Raises OSError where it cannot be begun.

    When it has ended, or `timeout` seconds are over, everything that it has begun is killed.
    """
    with subprocess.Popen(
        arguments,
        cwd=folder,
        env=dict(environment),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        out, err = _Kept(), _Kept()
        threads = [
            Thread(target=_feed, args=(process.stdin, given), daemon=True),
            Thread(target=out.read, args=(process.stdout,), daemon=True),
            Thread(target=err.read, args=(process.stderr,), daemon=True),
        ]
        for thread in threads:
            thread.start()
        try:
            code: int | None = process.wait(timeout)
        except subprocess.TimeoutExpired:
            code = None
            _signal(process, ending=False)
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(_GRACE)
        finally:
            _signal(process, ending=True)
        process.wait()
        for thread in threads:  # what left the group may hold the streams open for ever
            thread.join(_DRAIN)
        return Ran(code, out.text, err.text)


def _feed(stream: IO[bytes], given: bytes) -> None:
    """Give a program its input; one that does not read it needs none."""
    with contextlib.suppress(OSError, ValueError), stream:
        stream.write(given)


def _signal(process: "subprocess.Popen[bytes]", ending: bool) -> None:
    """Ask the whole group to end, or end it."""
    if sys.platform == "win32":
        process.kill() if ending else process.terminate()
        return
    # The group bears the number of its first process, and lives on while anything is in it.
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL if ending else signal.SIGTERM)
