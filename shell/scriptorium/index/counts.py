"""Numbers of tokens that were counted once, kept beside the facts by the hash of the text."""

import sqlite3
from collections.abc import Mapping
from hashlib import blake2b

from scriptorium_core.budget import Count

from .schema import writing

__all__ = ["Counts"]

_MOST = 100_000
_NOT_NOW = (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_FULL)


class Counts:
    """A counter that asks the index first. `name` is the tokenizer's: each has numbers of its own."""

    def __init__(self, database: sqlite3.Connection, name: str, count: Count) -> None:
        self._database = database
        self._name = name
        self._count = count
        self._fresh: dict[bytes, int] = {}

    def __call__(self, text: str) -> int:
        """The number of tokens of `text`."""
        key = blake2b(f"{self._name}\0{text}".encode("utf-8", "surrogatepass"), digest_size=16).digest()
        if key in self._fresh:
            return self._fresh[key]
        row = self._database.execute("SELECT count FROM counts WHERE hash = ?", (key,)).fetchone()
        if row is not None:
            return int(row[0])
        number = self._fresh[key] = self._count(text)
        return number

    @property
    def fresh(self) -> Mapping[bytes, int]:
        """What was counted and is not kept yet."""
        return self._fresh

    def keep(self) -> None:
        """Write down what was counted, unless that cannot be just now: it can be counted again.

        Outside of a snapshot, which may not write. Nobody who writes is waited for.
        """
        if not self._fresh:
            return
        patience = self._database.execute("PRAGMA busy_timeout").fetchone()[0]
        self._database.execute("PRAGMA busy_timeout = 0")
        try:
            with writing(self._database):
                self._database.execute(f"DELETE FROM counts WHERE (SELECT count(*) FROM counts) > {_MOST}")
                self._database.executemany("INSERT OR IGNORE INTO counts VALUES (?, ?)", self._fresh.items())
            self._fresh.clear()
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode not in _NOT_NOW:
                raise
        finally:
            self._database.execute(f"PRAGMA busy_timeout = {patience}")
