"""The facts of a memory in one SQLite file that follows HEAD, and that may be deleted at any time.

What reads files is loaded when the index has to follow: opening one that is up to date needs none of it.
"""

import contextlib
import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING

from scriptorium_core.facts import Facts
from scriptorium_core.problem import Code, Problem

from ..refused import Refused
from . import lookups
from .history import History, Parsed, Report
from .queries import Mention, Queries, Totals
from .schema import clear, connect, explained, is_damage, is_read_only, renewed, writing
from .state import commit_of

if TYPE_CHECKING:
    from scriptorium_core.budget import Count

    from .counts import Counts

__all__ = ["Counts", "History", "Index", "Mention", "Queries", "Report", "Totals", "is_damage"]


def _silent(done: int, total: int) -> None:
    pass


def _file(path: Path) -> tuple[int, int] | None:
    """Which file stands at a path; while one is open, no other has its number."""
    with contextlib.suppress(OSError):
        status = path.stat()
        return status.st_dev, status.st_ino
    return None


class Index:
    """The index at a path. One thread at a time; several processes may read and follow at once."""

    def __init__(self, path: Path, database: sqlite3.Connection) -> None:
        self.path = path
        self._database = database
        self._file = _file(path)

    @classmethod
    def open(cls, path: Path) -> "Index":
        """The index at `path`; nothing of it is read.

        What is no sound index of this version is replaced by an empty one, which `follow` fills.
        Raises Refused where the disk does not allow it.
        """
        return cls(path, connect(path))

    def close(self) -> None:
        """Let go of the file."""
        self._database.close()

    def stands(self) -> bool:
        """Whether the file at the path is still the one that was opened."""
        return self._file is not None and _file(self.path) == self._file and not self._moved()

    @property
    def commit(self) -> str | None:
        """The commit that the facts are those of; None before the first `follow`."""
        return commit_of(self._database)

    def follow(
        self,
        history: History,
        head: str | None,
        report: Report = _silent,
        parsed: Parsed = MappingProxyType({}),
    ) -> None:
        """Make the facts those of `head`; `report` gets files done and files in all of a first build.

        `parsed` are topics that a transaction has just read back: they are not parsed again if their
        bytes are those of `head`. Outside of a snapshot. Where this process may only read, the facts follow
        in memory. Raises Refused where the disk or another process does not allow it.
        """
        from .following import follow

        if self._moved():
            self._database.close()
            self._database = connect(self.path)
        with explained(self.path):
            try:
                follow(self._database, history, head, report, parsed)
            except sqlite3.DatabaseError as error:
                if is_read_only(error):
                    self._go_apart()
                elif is_damage(error):
                    self.renew()
                else:
                    raise
                follow(self._database, history, head, report, parsed)

    def rebuild(self) -> None:
        """Empty the index and overwrite what it held, so that nothing that was erased stays in the file."""
        with explained(self.path):
            try:
                with writing(self._database):
                    clear(self._database)
                self._database.execute("VACUUM")
                self._database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            except sqlite3.DatabaseError as error:
                if not is_damage(error):
                    raise
                self.renew()

    def facts(self) -> Facts:
        """Facts whose lookups ask the index when they are used; inside a snapshot they are of one commit."""
        return lookups.facts(self._database)

    @contextlib.contextmanager
    def snapshot(self) -> Iterator[Facts]:
        """Facts of one commit (`commit` says which), whatever others do meanwhile."""
        self._database.execute("BEGIN")
        try:
            yield lookups.facts(self._database, kept=True)
        finally:
            if self._database.in_transaction:  # damage ends one
                self._database.execute("COMMIT")
        if self._moved():
            raise Refused(_meanwhile(self.path))

    @property
    def queries(self) -> Queries:
        """Further questions."""
        return Queries(self._database)

    def counting(self, name: str, count: "Count") -> "Counts":
        """`count` with the numbers that are known already; `name` is that of the tokenizer."""
        from .counts import Counts

        return Counts(self._database, name, count)

    def renew(self) -> None:
        """Put an empty index in the place of this one; the next `follow` fills it from the files.

        What was read from the old one stays as it is; its lookups find nothing more.
        """
        self._database.close()
        self._database = renewed(self.path)
        self._file = _file(self.path)

    def apart(self, path: Path) -> "Index":
        """The same facts in memory, for a place where nothing can be written; they follow from there."""
        from ..unwritable import in_memory

        return Index(path, in_memory(self._database))

    def _go_apart(self) -> None:
        own = self.apart(self.path)
        self._database.close()
        self._database = own._database

    def _moved(self) -> bool:
        """Whether the file is read as it lies, and somebody who may write has written to it since."""
        # Its class is loaded only where a database is read so: a search in a new process does without.
        moved: Callable[[], bool] | None = getattr(self._database, "moved", None)
        return moved is not None and moved()


def _meanwhile(path: Path) -> Problem:
    place = f"{path.parent.name}/{path.name}"
    message = f"{place}: another process wrote to the index while it was read without locks"
    return Problem(Code.CONCURRENT_UPDATE, message, place, remedy="ask again")
