"""Running a program with a secret in one variable of its environment, and in nothing else.

What it prints passes through here with the secret masked, so that whoever started it by a pipe, as agents do,
does not read it there. A stream that is a terminal is the program's own: a person sits there.
"""

import contextlib
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator, Mapping, Sequence
from typing import IO

from scriptorium_core.problem import Code, Problem
from scriptorium_core.sealing.masking import forms_of, masked

from .revealed import Revealed

__all__ = ["ran"]

_PART = 64 * 1024
_BY_SIGNAL = 128


def ran(command: Sequence[str], variable: str, secret: Revealed, around: Mapping[str, str]) -> int | Problem:
    """Run a program to its end; its exit code, 128 and the number where a signal ended it.

    A problem where it cannot be started, and where the secret fits into no variable.
    """
    value = secret.data()
    if b"\0" in value:
        return _wrong("the secret holds a zero byte, which no variable can", variable, "use it in a program")
    outs = [None if stream.isatty() else subprocess.PIPE for stream in (sys.stdout, sys.stderr)]
    process = _started(command, {**around, variable: os.fsdecode(value)}, outs)
    if process is None:
        return _wrong("there is no such program, or it cannot be run", "command", "name another one")
    forms = forms_of(value)
    pipes = ((process.stdout, sys.stdout), (process.stderr, sys.stderr))
    threads = [
        threading.Thread(target=_pump, args=(pipe, out.buffer, forms))
        for pipe, out in pipes
        if pipe is not None
    ]
    with _forwarding(process):
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        code = process.wait()
    return code if code >= 0 else _BY_SIGNAL - code


def _started(
    command: Sequence[str], environment: Mapping[str, str], outs: Sequence[int | None]
) -> "subprocess.Popen[bytes] | None":
    """The program, None where it cannot be started: the error's frames would hold the environment."""
    try:
        return subprocess.Popen([*command], env=environment, stdout=outs[0], stderr=outs[1])
    except (OSError, ValueError):
        return None


def _pump(pipe: IO[bytes], out: IO[bytes], forms: Sequence[bytes]) -> None:
    """Pass on what a program prints, masked, as it comes."""
    waiting = b""
    with pipe, contextlib.suppress(BrokenPipeError):
        while part := os.read(pipe.fileno(), _PART):
            ready, waiting = masked(waiting + part, forms)
            out.write(ready)
            out.flush()
        out.write(masked(waiting, forms, last=True)[0])
        out.flush()


@contextlib.contextmanager
def _forwarding(process: "subprocess.Popen[bytes]") -> Iterator[None]:
    """Pass the signals that end this process on to the program; a terminal interrupts both by itself."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    passed = [getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]
    before = {number: signal.signal(number, lambda got, _: process.send_signal(got)) for number in passed}
    before[signal.SIGINT] = signal.signal(signal.SIGINT, lambda _, __: None)
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _wrong(message: str, path: str, remedy: str) -> Problem:
    return Problem(Code.INVALID_ARGUMENT, message, path, remedy=remedy)
