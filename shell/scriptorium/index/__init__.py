"""The facts of a memory in one SQLite file that follows HEAD, and that may be deleted at any time.

What reads files is loaded when the index has to follow: opening one that is up to date needs none of it.
"""

import contextlib
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING

from scriptorium_core.facts import Facts

from . import lookups
from .history import History, Parsed, Report
from .queries import Mention, Queries, Totals
from .schema import clear, connect, discard, explained, is_damage, writing
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
        return self._file is not None and _file(self.path) == self._file

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
        bytes are those of `head`. Outside of a snapshot. Raises Refused where the disk or another process
        does not allow it.
        """
        from .following import follow

        with explained(self.path):
            try:
                follow(self._database, history, head, report, parsed)
            except sqlite3.DatabaseError as error:
                if not is_damage(error):
                    raise
                self.renew()
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
        discard(self.path)
        self._database = connect(self.path)
        self._file = _file(self.path)
