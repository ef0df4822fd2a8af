"""The command line: a door that reads options, calls the service, and says what came of it.

A key that interrupts is answered from the first line of `main` on. What is loaded before it cannot be, so
that almost nothing is.
"""

from __future__ import annotations

import gc
import os
import sys

TYPE_CHECKING = False  # that of `typing`, which takes long to load
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from .group import cli

__all__ = ["cli", "main"]

_ROOM = 50_000  # objects


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; the exit code.

    A hook is answered before the rest of the command line is loaded, and never ends in anything but 0: its
    host would take another code for a reason to stop the conversation.
    """
    given = sys.argv[1:] if arguments is None else list(arguments)
    try:
        return _run(given, arguments is None)
    except KeyboardInterrupt:  # before the commands were there to answer it, or while one ended
        return _interrupted(given)


def _run(given: Sequence[str], leaves: bool) -> int:
    gc.set_threshold(_ROOM)  # what is loaded stays: to look for garbage in it again and again finds none
    from .hooked import answer, is_hook, plain_call

    call = plain_call(given)
    if call is not None:
        code = answer(call)
        if leaves:
            os._exit(code)  # taking a process apart tidily would make its host wait a fifth longer
        return code
    from .group import main as run

    code = run(given)
    return 0 if is_hook(given) else code


def _interrupted(given: Sequence[str]) -> int:
    """Say that a key interrupted, with nothing that is not there yet; a hook says nothing."""
    from .endings import INTERRUPTED, MEANINGS
    from .hooked import is_hook

    if is_hook(given):
        return 0
    words = MEANINGS[INTERRUPTED]
    if "--json" in given:
        error = f'{{"code": "INTERRUPTED", "message": "{words}", "path": "", "problems": []}}'
        sys.stdout.write(f'{{"ok": false, "error": {error}}}\n')
    else:
        sys.stderr.write(f"{words}\n")
    return INTERRUPTED


def __getattr__(name: str) -> Any:
    if name != "cli":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from .group import cli

    return cli
