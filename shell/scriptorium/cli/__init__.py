"""The command line: a door that reads options, calls the service, and says what came of it."""

import gc
import os
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .group import cli

__all__ = ["cli", "main"]

_ROOM = 50_000  # objects


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; the exit code.

    A hook is answered before the rest of the command line is loaded, and never ends in anything but 0: its
    host would take another code for a reason to stop the conversation.
    """
    gc.set_threshold(_ROOM)  # what is loaded stays: to look for garbage in it again and again finds none
    from .hooked import answer, is_hook, plain_call

    given = sys.argv[1:] if arguments is None else list(arguments)
    call = plain_call(given)
    if call is not None:
        code = answer(call)
        if arguments is None:
            os._exit(code)  # taking a process apart tidily would make its host wait a fifth longer
        return code
    from .group import main as run

    code = run(given)
    return 0 if is_hook(given) else code


def __getattr__(name: str) -> Any:
    if name != "cli":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from .group import cli

    return cli
