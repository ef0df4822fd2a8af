"""The vectors of a memory's texts in one SQLite file beside the index, of one model, for one commit.

A text is known by its hash, so that only new text is ever embedded; a vector that no document has any more
goes with the last one that had it. The file is a projection: what is of another model, of another version,
damaged or of another program is thrown away, and the texts are embedded again. Each row has a sum, because
SQLite notices a page that is none, but not other bytes on a right one.
"""

import contextlib
import sqlite3
import zlib
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TypeVar

from attrs import define, frozen

from ..clock import chance
from ..index.schema import Damaged, discard, ensure_file, explained, is_damage, writing
from ..unwritable import as_it_lies, is_writable

__all__ = ["Row", "Vectors"]

VERSION = 1
APPLICATION = 0x53637276  # "Scrv"
_PATIENCE = 30.0
_AT_ONCE = 500

_TABLES = (
    "CREATE TABLE state (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID",
    "CREATE TABLE vectors (hash BLOB PRIMARY KEY, vector BLOB NOT NULL, sum INTEGER NOT NULL) WITHOUT ROWID",
    "CREATE TABLE documents (n INTEGER PRIMARY KEY AUTOINCREMENT, path TEXT NOT NULL, kind TEXT NOT NULL,"
    " id TEXT NOT NULL, hash BLOB NOT NULL, sum INTEGER NOT NULL)",
    "CREATE INDEX documents_path ON documents (path)",
    "CREATE INDEX documents_id ON documents (id)",
    "CREATE INDEX documents_hash ON documents (hash)",
)
_T = TypeVar("_T")


@frozen
class Row:
    """A document by kind and id, the file that it stands in, and the hash of its text."""

    path: str
    kind: str
    id: str
    hash: bytes

    @property
    def sum(self) -> int:
        """What the row says of itself."""
        return zlib.crc32(_plain("\0".join((self.path, self.kind, self.id))).encode() + self.hash)


@define
class Vectors:
    """The file at `path`. One thread at a time; several processes may read while one writes.

    `model` names the embedder with all that its vectors depend on; vectors of another one are none.
    """

    path: Path
    model: str
    _database: sqlite3.Connection

    @classmethod
    def open(cls, path: Path, model: str) -> "Vectors":
        """What is known of `model`; nothing is read. Raises Refused where the disk does not allow it."""
        with explained(path):
            return cls(path, model, _connected(path))

    def close(self) -> None:
        """Let go of the file."""
        self._database.close()

    @property
    def commit(self) -> str | None:
        """The commit whose documents these are; None while there are none, or those of another model."""
        return self._sound(lambda: _state(self._database, "commit") if self._is_ours() else None)

    @property
    def origin(self) -> str | None:
        """Which file it is: the numbers of documents mean nothing in another one."""
        return self._sound(lambda: _state(self._database, "origin"))

    @property
    def cleared(self) -> tuple[str, ...]:
        """The files whose documents were taken out by `forget` since they last came to a commit."""
        return self._sound(lambda: _cleared(self._database) if self._is_ours() else ())

    def known(self, hashes: Collection[bytes]) -> frozenset[bytes]:
        """Those of the hashes whose vectors are there."""
        return self._sound(lambda: self._known(tuple(hashes)) if self._is_ours() else frozenset())

    def add(self, vectors: Mapping[bytes, bytes]) -> None:
        """Keep vectors by the hashes of their texts; those of another model or another length go."""

        def write() -> None:
            self._make_ours(*{len(vector) for vector in vectors.values()})
            rows = ((name, vector, zlib.crc32(name + vector)) for name, vector in vectors.items())
            self._database.executemany("INSERT OR REPLACE INTO vectors VALUES (?, ?, ?)", rows)

        self._written(write)

    def settle(self, base: str | None, commit: str, paths: Iterable[str] | None, rows: Sequence[Row]) -> bool:
        """Take the documents from `base` to `commit`: those in `paths` go, in all if None, and `rows` come.

        False, and nothing is changed, if they are not those of `base` or a vector is missing.
        """

        def write() -> bool:
            self._make_ours()
            wanted = {row.hash for row in rows}
            if _state(self._database, "commit") != base or self._known(tuple(wanted)) != wanted:
                return False
            if paths is None:
                self._database.execute("DELETE FROM documents")
            else:
                self._database.executemany(
                    "DELETE FROM documents WHERE path = ?", [(_plain(each),) for each in paths]
                )
            fresh = [(_plain(row.path), row.kind, _plain(row.id), row.hash, row.sum) for row in rows]
            self._database.executemany(
                "INSERT INTO documents (path, kind, id, hash, sum) VALUES (?, ?, ?, ?, ?)", fresh
            )
            self._sweep()
            _set(self._database, "commit", commit)
            self._database.execute("DELETE FROM state WHERE name = 'cleared'")
            return True

        return self._written(write)

    def forget(self, ids: Iterable[str]) -> None:
        """Take out the documents of these ids with all of their files: neighbours quote them."""

        def write() -> None:
            named = [(_plain(each),) for each in ids]
            where = "SELECT path FROM documents WHERE id = ?"
            paths = {path for each in named for (path,) in self._database.execute(where, each)}
            self._database.executemany("DELETE FROM documents WHERE path = ?", [(path,) for path in paths])
            if paths:
                # Whoever goes back behind the forgetting finds them missing at a commit that has them.
                _set(self._database, "cleared", "\n".join(sorted({*_cleared(self._database), *paths})))
            self._sweep()

        self._written(write)
        self._database.execute("PRAGMA wal_checkpoint(TRUNCATE)")

    def numbers(self) -> list[int]:
        """The numbers of all documents, ascending; a document that changed has a new one."""
        rows = self._sound(lambda: self._database.execute("SELECT n FROM documents ORDER BY n").fetchall())
        return [n for (n,) in rows]

    def after(self, number: int) -> list[tuple[int, str, str, bytes]]:
        """Number, kind, id and vector of the documents with a higher number, ascending."""

        def read() -> list[tuple[int, str, str, bytes]]:
            rows = self._database.execute(
                "SELECT n, path, kind, id, d.hash, d.sum, vector, v.sum FROM documents d"
                " LEFT JOIN vectors v ON v.hash = d.hash WHERE n > ? ORDER BY n",
                (number,),
            )
            length = _state(self._database, "bytes")
            return [_checked(length, *row) for row in rows]

        return self._sound(read)

    @contextlib.contextmanager
    def snapshot(self) -> Iterator[None]:
        """One state of the file inside the block, whatever others do meanwhile."""
        self._database.execute("BEGIN")
        try:
            yield
        finally:
            if self._database.in_transaction:
                self._database.execute("COMMIT")

    def _is_ours(self) -> bool:
        return _state(self._database, "model") == self.model

    def _make_ours(self, *lengths: int) -> None:
        """Throw away what is of another model, in the transaction that is open."""
        known = _state(self._database, "bytes")
        if not self._is_ours() or any(known not in (None, str(length)) for length in lengths):
            _clear(self._database)
            _set(self._database, "model", self.model)
        for length in lengths:
            _set(self._database, "bytes", str(length))

    def _known(self, hashes: Sequence[bytes]) -> frozenset[bytes]:
        found = set[bytes]()
        for start in range(0, len(hashes), _AT_ONCE):
            some = hashes[start : start + _AT_ONCE]
            marks = ", ".join("?" * len(some))
            found.update(
                name
                for (name,) in self._database.execute(
                    f"SELECT hash FROM vectors WHERE hash IN ({marks})", some
                )
            )
        return frozenset(found)

    def _sweep(self) -> None:
        self._database.execute("DELETE FROM vectors WHERE hash NOT IN (SELECT hash FROM documents)")

    def _written(self, write: Callable[[], _T]) -> _T:
        def transaction() -> _T:
            with writing(self._database):
                return write()

        return self._sound(transaction)

    def _sound(self, ask: Callable[[], _T]) -> _T:
        """The answer; where the file turns out to be damaged, that of an empty one in its place."""
        with explained(self.path):
            try:
                return ask()
            except sqlite3.DatabaseError as error:
                if not is_damage(error):
                    raise
                self.renew()
                return ask()

    def renew(self) -> None:
        """Put an empty file in the place of this one."""
        self._database.close()
        discard(self.path)
        self._database = _connected(self.path)


def _checked(
    length: str | None,
    n: int,
    path: str,
    kind: str,
    name: str,
    digest: bytes,
    own: int,
    vector: bytes | None,
    other: int | None,
) -> tuple[int, str, str, bytes]:
    whole = vector is not None and str(len(vector)) == length and zlib.crc32(digest + vector) == other
    if vector is None or not whole or Row(path, kind, name, digest).sum != own:
        raise Damaged("a vector is not what was written")
    return n, kind, name, vector


def _connected(path: Path) -> sqlite3.Connection:
    """The database at `path`, made where it is missing, and anew where it cannot be used.

    Where nothing can be written it is read as it lies.
    """
    try:
        return _opened(path)
    except sqlite3.DatabaseError as error:
        if (found := _unwritable(path)) is not None:
            return found
        if not is_damage(error):
            raise
    discard(path)
    return _opened(path)


def _unwritable(path: Path) -> sqlite3.Connection | None:
    """The database as it lies where nothing can be written; None where something can, or it is of no use."""
    found = None if is_writable(path.parent) else as_it_lies(path)
    if found is not None:
        with contextlib.suppress(sqlite3.DatabaseError):
            if _marks(found) == [APPLICATION, VERSION]:
                return found
        found.close()
    return None


def _opened(path: Path) -> sqlite3.Connection:
    ensure_file(path)
    database = sqlite3.connect(path, timeout=_PATIENCE, isolation_level=None, check_same_thread=False)
    try:
        database.execute("PRAGMA synchronous = NORMAL")
        database.execute("PRAGMA secure_delete = ON")  # what is forgotten is not left in free pages
        if _marks(database) != [APPLICATION, VERSION]:
            if _marks(database)[0] != APPLICATION and _tables(database):
                raise Damaged("this is the database of another program")
            database.execute("PRAGMA journal_mode = WAL")
            with writing(database):
                if _marks(database) != [APPLICATION, VERSION]:
                    _clear(database)
    except BaseException:
        database.close()
        raise
    return database


def _clear(database: sqlite3.Connection) -> None:
    for name in _tables(database):
        database.execute(f"DROP TABLE {name}")
    for statement in _TABLES:
        database.execute(statement)
    _set(database, "origin", chance(8))
    database.execute(f"PRAGMA application_id = {APPLICATION}")
    database.execute(f"PRAGMA user_version = {VERSION}")


def _tables(database: sqlite3.Connection) -> list[str]:
    rows = database.execute(
        "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"
    )
    return [name for (name,) in rows.fetchall()]


def _marks(database: sqlite3.Connection) -> list[int]:
    return [database.execute(f"PRAGMA {name}").fetchone()[0] for name in ("application_id", "user_version")]


def _state(database: sqlite3.Connection, name: str) -> str | None:
    row = database.execute("SELECT value FROM state WHERE name = ?", (name,)).fetchone()
    return None if row is None else str(row[0])


def _cleared(database: sqlite3.Connection) -> tuple[str, ...]:
    return tuple((_state(database, "cleared") or "").splitlines())


def _set(database: sqlite3.Connection, name: str, value: str) -> None:
    database.execute("INSERT OR REPLACE INTO state VALUES (?, ?)", (name, value))


def _plain(text: str) -> str:
    """The text as SQLite can hold it: a lone surrogate has no UTF-8."""
    return text.encode("utf-8", "replace").decode()
