"""The session store's one SQLite file: its tables, how it is opened, and what its errors mean.

| table | a row |
|---|---|
| `sessions` | a conversation: its head, the last node that came in, the live nodes, the number of branches |
| `nodes` | a message in a session; `home` is the row of the first copy, if this one is a fork's copy |
| `cursors` | how far a log was read, and a fingerprint of what stood there; `stamp` of a packed one |
| `links` | a session that continues, was forked from, or was spawned by another one |
| `excluded` | a session that never enters: one that a writer of ours made; an empty provider is any |
| `snapshots` | how new the newest snapshot of a session is, where its logs are snapshots |

`same` is the key that a message shares with its copies in other sessions (`message_key`). A copy in a
fork has a row of its own, for its place in the order, and no text: the message has one identity,
that of the row in which it was first seen. `mark` is the workspace that has the message.
"""

import contextlib
import os
import sqlite3
from collections.abc import Iterator
from pathlib import Path

from scriptorium_core.problem import Code, Problem

from ..refused import Refused
from ..unwritable import as_it_lies, is_writable

__all__ = ["VERSION", "connect", "prepare", "refusing"]

VERSION = 3
_PATIENCE = 5.0  # seconds
_CACHE_KIB = 64 * 1024
_CHECKPOINT_PAGES = 16 * 1024
_SCHEMA = """
CREATE TABLE IF NOT EXISTS links (
    session INTEGER NOT NULL,
    kind TEXT NOT NULL,
    other TEXT NOT NULL,
    node TEXT,
    PRIMARY KEY (session, kind, other)
);
CREATE TABLE IF NOT EXISTS excluded (
    provider TEXT NOT NULL,
    id TEXT NOT NULL,
    reason TEXT NOT NULL,
    PRIMARY KEY (provider, id)
);
CREATE TABLE IF NOT EXISTS snapshots (
    session INTEGER PRIMARY KEY,
    at TEXT NOT NULL
);
CREATE TABLE IF NOT EXISTS sessions (
    num INTEGER PRIMARY KEY,
    id TEXT NOT NULL,
    provider TEXT NOT NULL,
    title TEXT NOT NULL DEFAULT '',
    head TEXT,
    last TEXT,
    live TEXT NOT NULL DEFAULT '[]',
    turns INTEGER NOT NULL DEFAULT 0,
    source TEXT NOT NULL DEFAULT '',
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    branches INTEGER,
    UNIQUE (id, provider)
);
CREATE TABLE IF NOT EXISTS nodes (
    num INTEGER PRIMARY KEY,
    session INTEGER NOT NULL,
    id TEXT NOT NULL,
    home INTEGER,
    same INTEGER NOT NULL,
    parent TEXT,
    after TEXT,
    talk INTEGER NOT NULL,
    mark TEXT NOT NULL DEFAULT '',
    role TEXT,
    origin TEXT,
    at TEXT,
    speaker_id TEXT,
    speaker_name TEXT,
    scope TEXT,
    metadata TEXT,
    text TEXT
);
CREATE UNIQUE INDEX IF NOT EXISTS nodes_id ON nodes (session, id);
CREATE INDEX IF NOT EXISTS nodes_first ON nodes (same, at) WHERE home IS NULL;
CREATE INDEX IF NOT EXISTS nodes_parent ON nodes (session, parent);
CREATE INDEX IF NOT EXISTS nodes_mark ON nodes (session, mark, talk);
CREATE INDEX IF NOT EXISTS nodes_copies ON nodes (home) WHERE home IS NOT NULL;
CREATE TABLE IF NOT EXISTS cursors (
    path TEXT PRIMARY KEY,
    format TEXT NOT NULL,
    position INTEGER NOT NULL,
    line INTEGER NOT NULL,
    fingerprint TEXT NOT NULL,
    state TEXT NOT NULL,
    stamp TEXT NOT NULL DEFAULT ''
);
"""
# What a store of an earlier version lacks beside whole tables.
_ADDED = (
    "ALTER TABLE sessions ADD COLUMN branches INTEGER",
    "ALTER TABLE cursors ADD COLUMN stamp TEXT NOT NULL DEFAULT ''",
)


def connect(path: Path) -> sqlite3.Connection:
    """A connection to the store at `path`, made with mode 0600 where it is missing.

    Raises Refused where it cannot be opened, is no session store, or was made by a newer version.
    """
    if path.is_symlink():
        raise Refused(_problem(path, "is a symbolic link; the session store is never opened through one"))
    with refusing(path):
        _make(path)
        database = sqlite3.connect(path, isolation_level=None, timeout=_PATIENCE)
        try:
            prepare(database, path)
        except sqlite3.OperationalError:
            database.close()
            if is_writable(path.parent):
                raise
            return _as_it_lies(path)
        except BaseException:
            database.close()
            raise
    return database


def _as_it_lies(path: Path) -> sqlite3.Connection:
    """The store where nothing can be written."""
    found = as_it_lies(path)
    if found is None:
        raise Refused(_with_log(path))
    try:
        if (version := _version(found)) != VERSION:
            raise Refused(_of_another(path, version))
    except BaseException:
        found.close()
        raise
    return found


@contextlib.contextmanager
def refusing(path: Path) -> Iterator[None]:
    """Turn what SQLite or the disk refuses into a problem that says what to do."""
    try:
        yield
    except sqlite3.OperationalError as error:
        raise Refused(_operational(error, path)) from error
    except sqlite3.DatabaseError as error:
        raise Refused(_problem(path, f"is not a sound session store: {error}")) from error
    except OSError as error:
        remedy = "see that its folder exists, is writable, and the disk is not full"
        raise Refused(_problem(path, f"cannot be opened: {error.strerror or error}", remedy)) from error


def _make(path: Path) -> None:
    with contextlib.suppress(FileExistsError):
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))


def prepare(database: sqlite3.Connection, path: Path) -> None:
    """Set a connection up, and make the tables where they are missing; `path` is named in refusals."""
    database.execute("PRAGMA journal_mode = WAL")
    database.execute("PRAGMA synchronous = NORMAL")
    # An import touches pages all over the indexes: with less, it is the disk that sets the pace.
    database.execute(f"PRAGMA cache_size = {-_CACHE_KIB}")
    database.execute(f"PRAGMA wal_autocheckpoint = {_CHECKPOINT_PAGES}")
    found = _version(database)
    if found > VERSION:
        raise Refused(_of_another(path, found))
    if found < VERSION:
        database.execute("BEGIN IMMEDIATE")
        # Another process may have made the tables while this one waited for the lock.
        if (now := _version(database)) < VERSION:
            for statement in (*_SCHEMA.split(";\n"), *(_ADDED if now else ())):
                database.execute(statement)
            database.execute(f"PRAGMA user_version = {VERSION}")
        database.execute("COMMIT")


def _version(database: sqlite3.Connection) -> int:
    return int(database.execute("PRAGMA user_version").fetchone()[0])


def _of_another(path: Path, found: int) -> Problem:
    if found > VERSION:
        what = f"was made by a newer version (store {found}, known {VERSION})"
        return _problem(path, what, "upgrade scriptorium")
    what = f"was made by an earlier version (store {found}, known {VERSION}), and cannot be brought up here"
    return _problem(path, what, "open it once where it can be written")


def _with_log(path: Path) -> Problem:
    message = f"{path.name} was not closed, and its log can be read only where its folder can be written"
    remedy = "open it once where it can be written (`scriptorium status`)"
    return Problem(Code.READ_ONLY_PATH, message, path.name, remedy=remedy)


def _operational(error: sqlite3.OperationalError, path: Path) -> Problem:
    text = str(error)
    if "locked" in text or "busy" in text:
        return Problem(
            Code.CONCURRENT_UPDATE,
            "the session store is in use by another program",
            path.name,
            remedy="try again when it has finished",
        )
    if "readonly" in text:
        return Problem(
            Code.READ_ONLY_PATH,
            f"{path.name}: {text}",
            path.name,
            remedy="make the file and its folder writable",
        )
    return _problem(
        path, f"cannot be used: {text}", "see that the disk is sound and not full, then try again"
    )


def _problem(path: Path, what: str, remedy: str = "move it away, then import again") -> Problem:
    return Problem(Code.SESSION_NODES_UNAVAILABLE, f"{path.name} {what}", str(path), remedy=remedy)
