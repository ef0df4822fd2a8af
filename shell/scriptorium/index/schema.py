"""The one SQLite file of the index: its tables, how it is opened, and what its failures mean.

The file is a projection. Whatever stands in its place and is not this index, of this version, sound,
is thrown away and made anew; so a change of the tables is a new version and nothing else.

A file's rows hang on its number. Messages and contexts have the number `file << 24 | place in file`.
What is long has a sum in its row: SQLite notices a page that is none, but not other words on a right one.
The same file keeps what the trailers of the history say, by the number of the commit that says it.
"""

import contextlib
import sqlite3
from collections.abc import Iterator
from pathlib import Path

from scriptorium_core.problem import Code, Problem

from .. import files
from ..refused import Refused

__all__ = [
    "PLACES",
    "Damaged",
    "clear",
    "connect",
    "discard",
    "ensure_file",
    "explained",
    "is_damage",
    "is_read_only",
    "renewed",
    "writing",
]

VERSION = 7
APPLICATION = 0x53637278  # "Scrx": says that the file is this index and not another program's
PLACES = 24  # bits for the place of a message in its archive
_PATIENCE = 30.0
# The statements are right and keep to the constraints: what they find wrong is the file.
_DAMAGE = (
    sqlite3.SQLITE_CORRUPT,
    sqlite3.SQLITE_NOTADB,
    sqlite3.SQLITE_FORMAT,
    sqlite3.SQLITE_CONSTRAINT,
    sqlite3.SQLITE_MISMATCH,
)
# Damage that has no code of its own: bytes that are no text, no JSON, and a schema without our tables.
_WORDS = ("Could not decode to UTF-8", "malformed JSON", "no such table", "no such column")

_TABLES = (
    "CREATE TABLE state (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID",
    "CREATE TABLE commits (seq INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE)",
    "CREATE TABLE created (ord INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, seq INTEGER NOT NULL)",
    "CREATE TABLE forgotten (id TEXT PRIMARY KEY, day TEXT NOT NULL, seq INTEGER NOT NULL) WITHOUT ROWID",
    "CREATE TABLE mentions (id TEXT, seq INTEGER, name TEXT, PRIMARY KEY (id, seq, name)) WITHOUT ROWID",
    "CREATE TABLE requests (key TEXT, seq INTEGER, request TEXT NOT NULL, made TEXT NOT NULL,"
    " PRIMARY KEY (key, seq)) WITHOUT ROWID",
    "CREATE INDEX requests_seq ON requests (seq)",
    "CREATE TABLE files (n INTEGER PRIMARY KEY, path TEXT NOT NULL UNIQUE, kind TEXT NOT NULL, key TEXT,"
    " spelling TEXT, faulty INTEGER NOT NULL, data TEXT NOT NULL, sum INTEGER NOT NULL)",
    "CREATE INDEX files_key ON files (key, path) WHERE key IS NOT NULL",
    "CREATE INDEX files_spelling ON files (spelling, path) WHERE spelling IS NOT NULL",
    "CREATE INDEX files_faulty ON files (path) WHERE faulty",
    "CREATE TABLE records (n INTEGER PRIMARY KEY, file INTEGER NOT NULL, place INTEGER NOT NULL,"
    " first INTEGER NOT NULL, last INTEGER NOT NULL, span INTEGER NOT NULL, ord INTEGER NOT NULL,"
    " linking INTEGER NOT NULL, merged INTEGER NOT NULL, id TEXT NOT NULL,"
    " data TEXT NOT NULL, sum INTEGER NOT NULL)",
    "CREATE INDEX records_file ON records (file)",
    "CREATE INDEX records_ord ON records (ord DESC)",
    "CREATE TABLE ids (id TEXT, record INTEGER, file INTEGER, shard TEXT, PRIMARY KEY (id, record))"
    " WITHOUT ROWID",
    "CREATE INDEX ids_shard ON ids (shard)",
    "CREATE TABLE links (id TEXT, record INTEGER, PRIMARY KEY (id, record)) WITHOUT ROWID",
    "CREATE TABLE cites (id TEXT, record INTEGER, PRIMARY KEY (id, record)) WITHOUT ROWID",
    "CREATE TABLE asks (id TEXT, record INTEGER, PRIMARY KEY (id, record)) WITHOUT ROWID",
    "CREATE TABLE days (id TEXT, record INTEGER, PRIMARY KEY (id, record)) WITHOUT ROWID",
    "CREATE TABLE evidence (id TEXT, file INTEGER, PRIMARY KEY (id, file)) WITHOUT ROWID",
    "CREATE TABLE sources (n INTEGER PRIMARY KEY, id TEXT NOT NULL, anchor TEXT NOT NULL,"
    " line INTEGER NOT NULL, label TEXT NOT NULL, at TEXT NOT NULL, text TEXT NOT NULL, speaker_id TEXT,"
    " speaker_kind TEXT NOT NULL, tier TEXT, trusted INTEGER NOT NULL, sum INTEGER NOT NULL)",
    "CREATE INDEX sources_id ON sources (id)",
    "CREATE INDEX sources_anchor ON sources (anchor)",
    "CREATE INDEX sources_held ON sources (n) WHERE NOT trusted",
    "CREATE TABLE contexts (n INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, data TEXT NOT NULL,"
    " sum INTEGER NOT NULL)",
    "CREATE TABLE counts (hash BLOB PRIMARY KEY, count INTEGER NOT NULL) WITHOUT ROWID",
)


class Damaged(sqlite3.DatabaseError):
    """The file is not what was written: a row that does not have its sum, or another program's database."""


def connect(path: Path) -> sqlite3.Connection:
    """The database at `path`, made where it is missing and made anew where it cannot be used.

    Where this process cannot write it is read as it lies. Reads no rows. Raises Refused where the disk
    does not allow it.
    """
    try:
        return _open(path)
    except (sqlite3.DatabaseError, OSError, Refused) as error:
        if (found := _unwritable(path)) is not None:
            return found
        if not isinstance(error, sqlite3.DatabaseError):
            raise
        if not is_damage(error):
            raise Refused(_problem(error, path)) from error
    return renewed(path)


def renewed(path: Path) -> sqlite3.Connection:
    """An empty database in the place of the one at `path`; in memory where this process cannot write."""
    from ..unwritable import is_writable

    if not is_writable(path.parent):
        return _empty()
    discard(path)
    with explained(path):
        return _open(path)


def discard(path: Path) -> None:
    """Remove the database and what SQLite keeps beside it. Raises Refused where the disk says no."""
    _refuse_a_folder(path)
    with files.explained(path.parent.parent):
        for name in (path.name, f"{path.name}-wal", f"{path.name}-shm", f"{path.name}-journal"):
            with contextlib.suppress(FileNotFoundError):
                files.unlink(path.with_name(name))


def clear(database: sqlite3.Connection) -> None:
    """Take everything out, in the transaction that is open; other processes keep what they read."""
    older = "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"
    for (name,) in database.execute(older).fetchall():
        database.execute(f"DROP TABLE {name}")
    for statement in _TABLES:
        database.execute(statement)
    database.execute(f"PRAGMA application_id = {APPLICATION}")
    database.execute(f"PRAGMA user_version = {VERSION}")


@contextlib.contextmanager
def writing(database: sqlite3.Connection) -> Iterator[None]:
    """One transaction that holds the only right to write; undone if the block raises."""
    database.execute("BEGIN IMMEDIATE")
    try:
        yield
    except BaseException:
        if database.in_transaction:
            database.execute("ROLLBACK")
        raise
    database.execute("COMMIT")


@contextlib.contextmanager
def explained(path: Path) -> Iterator[None]:
    """Refused, in words, for what the disk or another process does not allow; damage is raised as it is."""
    try:
        yield
    except sqlite3.DatabaseError as error:
        if is_damage(error) or not isinstance(error, sqlite3.OperationalError):
            raise
        raise Refused(_problem(error, path)) from error


def is_read_only(error: sqlite3.Error) -> bool:
    """Whether an error says that this process may only read the file."""
    return _code(error) == sqlite3.SQLITE_READONLY


def is_damage(error: sqlite3.Error) -> bool:
    """Whether an error says that the file is not a sound database."""
    return isinstance(error, Damaged) or _code(error) in _DAMAGE or str(error).startswith(_WORDS)


def _open(path: Path) -> sqlite3.Connection:
    ensure_file(path)
    database = sqlite3.connect(path, timeout=_PATIENCE, isolation_level=None, check_same_thread=False)
    try:
        # NORMAL: a power cut may cost the last transactions, never the soundness; they are followed again.
        database.execute("PRAGMA synchronous = NORMAL")
        database.execute("PRAGMA cache_size = -16000")
        database.execute("PRAGMA cell_size_check = ON")  # damage is noticed when a page is read
        if not _is_current(database):
            _refuse_foreign(database)
            database.execute("PRAGMA journal_mode = WAL")
            with writing(database):
                if not _is_current(database):
                    clear(database)
    except BaseException:
        database.close()
        raise
    return database


def _unwritable(path: Path) -> sqlite3.Connection | None:
    """The database as it lies where nothing can be written, an empty one in memory where it is of no use.

    None where something can be written.
    """
    from ..unwritable import as_it_lies, is_writable

    if is_writable(path.parent):
        return None
    found = None if path.is_symlink() else as_it_lies(path)
    if found is None:
        return _empty()
    with contextlib.suppress(sqlite3.DatabaseError):
        found.execute("PRAGMA cell_size_check = ON")
        if _is_current(found):
            return found
    found.close()
    return _empty()


def _empty() -> sqlite3.Connection:
    from ..unwritable import in_memory

    database = in_memory()
    with writing(database):
        clear(database)
    return database


def ensure_file(path: Path) -> None:
    """Make an empty private file where none is; a link in its place is taken away, not followed.

    Raises Refused for a folder in its place.
    """
    if path.is_symlink():
        files.unlink(path)
    _refuse_a_folder(path)
    if path.exists():
        return
    try:
        files.ensure_folder(path.parent)
        temporary = files.write_temporary(path.parent, b"")
    except OSError as error:
        raise Refused(files.disk_problem(error, path.parent)) from error
    # Another process may be faster, or have taken the file for what a killed one left.
    with contextlib.suppress(FileExistsError, FileNotFoundError):
        files.link(temporary, path)
    with contextlib.suppress(FileNotFoundError):
        files.unlink(temporary)


def _refuse_a_folder(path: Path) -> None:
    """A folder is nobody's damage and may hold something: it is not taken away."""
    if path.is_dir() and not path.is_symlink():
        place = f"{path.parent.name}/{path.name}"
        message = f"{place}: there is a folder where a file of ours should be"
        raise Refused(
            Problem(Code.INVALID_ARGUMENT, message, place, remedy="move it away; the file is then made anew")
        )


def _refuse_foreign(database: sqlite3.Connection) -> None:
    """Raise for a database that another program made; an empty one is ours to fill."""
    mark = database.execute("PRAGMA application_id").fetchone()[0]
    if mark != APPLICATION and database.execute("SELECT count(*) FROM sqlite_schema").fetchone()[0]:
        raise Damaged("this is the database of another program")


def _is_current(database: sqlite3.Connection) -> bool:
    marks = [database.execute(f"PRAGMA {name}").fetchone()[0] for name in ("application_id", "user_version")]
    return marks == [APPLICATION, VERSION]


def _code(error: sqlite3.Error) -> int:
    return getattr(error, "sqlite_errorcode", 0) & 0xFF


def _problem(error: sqlite3.Error, path: Path) -> Problem:
    place = f"{path.parent.name}/{path.name}"
    text = f"{place}: {error}"
    match _code(error):
        case sqlite3.SQLITE_BUSY | sqlite3.SQLITE_LOCKED:
            remedy = "wait for the other process to end, or end it, then try again"
            return Problem(Code.CONCURRENT_UPDATE, text, place, remedy=remedy)
        case sqlite3.SQLITE_READONLY | sqlite3.SQLITE_CANTOPEN | sqlite3.SQLITE_PERM:
            remedy = "make the memory directory writable, then try again"
            return Problem(Code.READ_ONLY_PATH, text, place, remedy=remedy)
        case _:
            remedy = "see that the disk is sound and has space, then try again; the index may be deleted"
            return Problem(Code.DISK_FAILED, text, place, remedy=remedy)
