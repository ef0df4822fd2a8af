"""Make one commit in each of some copies of a memory, killed at a later step in each.

    commit_and_die.py MODE FOLDER MEMORY…

The memory number n dies before its n-th step; `torn` leaves half of what that step would have
written. The line that is printed for each says how it ended: `killed` or `done`.
"""

import itertools
import os
import signal
import sys
from pathlib import Path
from typing import Any

from scriptorium import files, layout, lock
from scriptorium.clock import Moment
from scriptorium.history import History

EDIT: dict[str, bytes | None] = {
    "topics/a.md": b"new a\n" * 500,
    "topics/gone/b.md": None,
    "topics/fresh/deep/c.md": b"new c\n",
    "sources/chat/_v2/t.md": b"new source\n",
    "core.md": b"new core\n",
    "timeline/2026.md": None,
}


def die_at(number: int, torn: bool) -> None:
    """See that the `number`-th step of `files` is the last thing that happens."""
    steps = itertools.count(1)  # the files are synced by several threads

    def fatal(name: str) -> Any:
        step = getattr(files, name)

        def wrapped(*arguments: Any) -> Any:
            if next(steps) == number:
                if torn and name == "write_temporary":
                    folder, data, *_ = arguments
                    step(folder, data[: len(data) // 2])
                os.kill(os.getpid(), signal.SIGKILL)
            return step(*arguments)

        return wrapped

    for name in files.STEPS:
        setattr(files, name, fatal(name))


def change(memory: Path) -> None:
    """One whole commit, as the workspace makes it."""
    place = layout.locate(memory)
    with lock.held(place.lock):
        history = History.open(place)
        history.recover()
        old = history.head()
        with history.committing(old, EDIT, "Edit\n\nKind: edit\n", Moment(1_700_000_001)) as new:
            assert new
            assert history.project().done


def main(mode: str, *memories: str) -> None:
    """Fork once a memory, so that the imports are paid once."""
    for number, memory in enumerate(memories, 1):
        child = os.fork()
        if child == 0:
            die_at(number, mode == "torn")
            change(Path(memory))
            os._exit(0)
        _, status = os.waitpid(child, 0)
        killed = os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGKILL
        print("killed" if killed else "done" if status == 0 else f"status {status}", flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
