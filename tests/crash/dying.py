"""Do one piece of work in each of some copies of a home, killed at a later step in each.

    dying.py WORK NUMBER=HOME…

The process for `NUMBER=HOME` dies before its step of that number: a step of `files`, a statement that
writes to SQLite, or the start of the git program. The line that is printed for each says how it ended.
"""

import itertools
import os
import signal
import sqlite3
import sys
from collections.abc import Callable, Iterable
from hashlib import sha256
from pathlib import Path
from typing import Any
from unittest import mock

from agent_homes import agent, keep, offered, wrote
from disks import wait_for_no_disk
from kept_homes import Clock
from scriptorium import files
from scriptorium.history import gitindex
from scriptorium.sealed import library, sealing
from scriptorium.workspace import Committed
from small_homes import create, delete, listed, move, opened, request, service

_READS = ("SELECT", "PRAGMA", "BEGIN\n", "WITH")


def update(home: Path) -> None:
    """A creation, a move and a deletion in one commit."""
    with opened(home / "memory") as memory:
        with memory.reading() as (_, base):
            first, second, third = (known.record.id for known in reversed(tuple(base.facts.newest)[:3]))
        changes = create("The fourth key is new.", "topics/new/fourth.md"), delete(first)
        done = memory.update(request(*changes, move(second, topic="topics/moved.md"), says="Four."))
        assert isinstance(done, Committed), (done, third)
        assert done.projected, (done, third)


def begin(home: Path) -> None:
    """The first opening of a directory that is not there, and the first commit."""
    with opened(home / "memory") as memory:
        done = memory.update(request(create("The key hangs by the door.")))
        assert isinstance(done, Committed), done
        assert done.projected


def take_over(home: Path) -> None:
    """The first opening of a directory that another hand wrote."""
    opened(home / "memory").close()


def write(home: Path) -> None:
    """A pass of several batches over two branches, with its marks."""
    assert len(listed(home)) > 2


def hand_in(home: Path) -> None:
    """A batch that an agent takes and hands in, with its marks and the end of its lease."""
    with agent(home, Clock(), "owner") as asked:
        given = offered(asked)
        wrote(asked.hand_in(given.batch, [keep(*given.refs)]))


def erase(home: Path) -> None:
    """The erasure of a message, and of the records that rest on it, from the whole history."""
    with service(home) as opened_home:
        done = opened_home.forget(["chat/s1/u2b"], erase=True, unlink=True)
        assert getattr(done, "erased", None) is not None, done


def meet(home: Path) -> None:
    """A sync with a copy that went on too: both are united, and the copy gets what it lacks."""
    with service(home) as opened_home:
        done = opened_home.sync(str(home / "remote.git"))
        assert (done.did, done.pushed, done.projected) == ("united", True, True), done


def seal_up(home: Path) -> None:
    """The sealing of a memory in many objects, into a library that holds an older state of it."""
    sealing.PIECE, library.THREADS = 256, 1
    drawn = itertools.count(1)  # the same names of folders, so that there are as many steps

    def chance(size: int) -> str:
        return sha256(b"%d" % next(drawn)).hexdigest()[: 2 * size]

    with mock.patch.object(library, "chance", chance), service(home) as opened_home:
        done = opened_home.seal(str(home / "library"))
        assert done.generation == 2, done


def unseal_there(home: Path) -> None:
    """The unsealing of a library of many objects beside it."""
    with service(home) as opened_home:
        opened_home.unseal(str(home / "library"), home / "new")


WORK: dict[str, Callable[[Path], None]] = {
    work.__name__: work
    for work in (update, begin, take_over, write, hand_in, erase, meet, seal_up, unseal_there)
}


class Mortal(sqlite3.Connection):
    """A connection whose writing statements are steps."""

    step: Callable[[], None]

    def execute(self, query: str, *more: Any) -> sqlite3.Cursor:
        if not query.startswith(_READS) and query != "BEGIN":
            self.step()
        return super().execute(query, *more)

    def executemany(self, query: str, rows: Iterable[Any]) -> sqlite3.Cursor:
        self.step()
        return super().executemany(query, rows)


def die_at(number: int) -> None:
    """See that the `number`-th step is the last that happens; 0 lives, and tells how many there were."""
    steps = itertools.count(1)  # files are synced by several threads

    def step() -> None:
        if next(steps) == number:
            os.kill(os.getpid(), signal.SIGKILL)

    def mortal(module: Any, name: str) -> None:
        real = getattr(module, name)

        def wrapped(*arguments: Any, **more: Any) -> Any:
            step()
            return real(*arguments, **more)

        setattr(module, name, wrapped)

    for name in files.STEPS:
        mortal(files, name)
    mortal(gitindex, "start")
    Mortal.step = staticmethod(step)
    connect = sqlite3.connect
    sqlite3.connect = lambda *arguments, **more: connect(*arguments, factory=Mortal, **more)  # type: ignore[assignment]
    if number == 0:
        import atexit

        atexit.register(lambda: print(next(steps) - 1, flush=True))


def main(work: str, *deaths: str) -> None:
    """Fork once a home, so that the imports are paid once."""
    wait_for_no_disk()  # a process that dies takes nothing from the disk with it
    for death in deaths:
        number, _, home = death.partition("=")
        child = os.fork()
        if child == 0:
            os.environ["HOME"] = home
            die_at(int(number))
            WORK[work](Path(home))
            if number != "0":
                os._exit(0)
            sys.exit(0)
        _, status = os.waitpid(child, 0)
        killed = os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGKILL
        print("killed" if killed else "done" if status == 0 else f"status {status}", flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
