"""The index follows HEAD: by the difference of two trees, and by the trailers of the commits between.

The commits that the index has read are kept, oldest first, along first parents. Where HEAD's own line
leaves that list the rest of it is undone: so a rewritten history, a branch that was checked out by
hand, or a race with a process that follows an older HEAD costs the commits that differ, and no more.

The first build is done in portions, each a transaction that says how far it came. Several processes
may build at once; each portion is done by one of them.
"""

import sqlite3
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Protocol

from scriptorium_core.facts import contributes, file_facts, mentions_of
from scriptorium_core.topics.model import Topic
from scriptorium_core.trailers import Trailer

from . import fill
from .schema import clear, writing

__all__ = ["Change", "Entry", "History", "Moment", "Parsed", "Report", "commit_of", "follow"]

Report = Callable[[int, int], None]  # files done, files in all
Parsed = Mapping[str, Topic]  # topics without problems, by path, that need not be parsed again
_PORTION = 500
_EPOCH = datetime(1970, 1, 1)
_LAST_SECOND = 253_402_300_799  # of the year 9999


class Change(Protocol):
    """One path that differs between two commits, and the ids of its blobs (None: no file)."""

    @property
    def path(self) -> str: ...
    @property
    def new(self) -> str | None: ...


class Moment(Protocol):
    """When a commit was made: seconds since 1970, minutes east of UTC."""

    @property
    def seconds(self) -> int: ...
    @property
    def offset(self) -> int: ...


class Entry(Protocol):
    """One commit of the history."""

    @property
    def commit(self) -> str: ...
    @property
    def when(self) -> Moment: ...
    @property
    def trailers(self) -> Sequence[Trailer]: ...


class History(Protocol):
    """What the index reads of a history; `scriptorium.history.History` is one.

    An object that is not there any more is a KeyError. `log` goes back along first parents.
    """

    def changes(self, old: str | None, new: str | None) -> Iterable[Change]: ...
    def blob(self, identifier: str) -> bytes: ...
    def log(self, start: str | None = None) -> Iterable[Entry]: ...


def commit_of(database: sqlite3.Connection) -> str | None:
    """The commit that the index stands for; None while it stands for none."""
    return _state(database, "commit")


def follow(
    database: sqlite3.Connection, history: History, head: str | None, report: Report, parsed: Parsed
) -> None:
    """Make the index stand for `head`; None is a history without a commit."""
    try:
        _follow(database, history, head, report, parsed)
    except KeyError:
        # The history was rewritten, and what the index stood for is gone.
        with writing(database):
            clear(database)
        _follow(database, history, head, report, parsed)


def _follow(
    database: sqlite3.Connection, history: History, head: str | None, report: Report, parsed: Parsed
) -> None:
    # Another process may build, follow or begin anew between two transactions: hence a loop.
    while commit_of(database) != head or _state(database, "target") is not None:
        _build(database, history, head, report)
        _update(database, history, head, parsed)


def _build(database: sqlite3.Connection, history: History, head: str | None, report: Report) -> None:
    """Make the first index, or go on with one that was begun, for the commit that it was begun for."""
    with writing(database):
        if head is None or commit_of(database) is not None:
            return
        target = _state(database, "target")
        if target is None:
            target = head
            _set(database, target=target, cursor="")
            _read_commits(database, history, target)
    files = sorted((change.path, change.new) for change in history.changes(None, target) if change.new)
    done = 0
    while done < len(files):
        report(done, len(files))
        done = _portion(database, history, target, files)
    report(len(files), len(files))
    with writing(database):
        if _state(database, "target") == target:
            _set(database, commit=target, target=None, cursor=None)


def _portion(
    database: sqlite3.Connection, history: History, target: str, files: Sequence[tuple[str, str | None]]
) -> int:
    """Read some of the files that are still to be read; how many are done, all if the build is over."""
    with writing(database):
        cursor = _state(database, "cursor")
        if cursor is None or _state(database, "target") != target:
            return len(files)
        begin = next((n for n, (path, _) in enumerate(files) if path > cursor), len(files))
        for path, blob in files[begin : begin + _PORTION]:
            _put(database, history, path, blob)
            _set(database, cursor=path)
    return min(begin + _PORTION, len(files))


def _update(database: sqlite3.Connection, history: History, head: str | None, parsed: Parsed) -> None:
    """Follow the difference from the commit that the index stands for, in one transaction."""
    with writing(database):
        commit = commit_of(database)
        if head is None:
            clear(database)
        elif commit is not None and commit != head:
            _read_commits(database, history, head)
            for change in history.changes(commit, head):
                _put(database, history, change.path, change.new, parsed.get(change.path))
            _set(database, commit=head)


def _put(
    database: sqlite3.Connection, history: History, path: str, blob: str | None, parsed: Topic | None = None
) -> None:
    if not contributes(path):
        return
    rows = file_facts(path, history.blob(blob), parsed) if blob is not None else None
    if rows is None:
        fill.remove(database, path)
    else:
        fill.put(database, rows)


# --- The trailers --------------------------------------------------------------------------------


def _read_commits(database: sqlite3.Connection, history: History, head: str) -> None:
    """Make the list of commits end in `head`, and what their trailers say with it."""
    fresh: list[tuple[str, str, tuple[tuple[str, str], ...]]] = []
    shared = -1
    for entry in history.log(head):
        row = database.execute("SELECT seq FROM commits WHERE id = ?", (entry.commit,)).fetchone()
        if row is not None:
            shared = int(row[0])
            break
        fresh.append((entry.commit, _day(entry.when), mentions_of(entry.trailers)))
    _undo(database, shared)
    for seq, (commit, day, mentions) in enumerate(reversed(fresh), shared + 1):
        database.execute("INSERT INTO commits VALUES (?, ?)", (seq, commit))
        for name, named in mentions:
            _mention(database, seq, day, name, named)


def _mention(database: sqlite3.Connection, seq: int, day: str, name: str, named: str) -> None:
    """Note what a commit did to an id; the first mention gives creation order and day of forgetting."""
    database.execute("INSERT OR IGNORE INTO mentions VALUES (?, ?, ?)", (named, seq, name))
    if name == "Forgotten":
        database.execute("INSERT OR IGNORE INTO forgotten VALUES (?, ?, ?)", (named, day, seq))
    if name == "Created":
        number = "(SELECT coalesce(max(ord), -1) + 1 FROM created)"
        fresh = database.execute(f"INSERT OR IGNORE INTO created VALUES ({number}, ?, ?)", (named, seq))
        if fresh.rowcount:
            _reorder(database, [named])


def _undo(database: sqlite3.Connection, seq: int) -> None:
    """Forget the commits after number `seq` and what they said."""
    last = database.execute("SELECT coalesce(max(seq), -1) FROM commits").fetchone()[0]
    if last <= seq:
        return
    gone = [name for (name,) in database.execute("SELECT id FROM created WHERE seq > ?", (seq,))]
    for table in ("commits", "created", "forgotten", "mentions"):
        database.execute(f"DELETE FROM {table} WHERE seq > ?", (seq,))
    _reorder(database, gone)


def _reorder(database: sqlite3.Connection, ids: Iterable[str]) -> None:
    """Bring the records of these identities to the creation order that the history says now."""
    database.executemany(
        "UPDATE records SET ord = coalesce((SELECT ord FROM created WHERE id = ?1), -1)"
        " WHERE n IN (SELECT record FROM ids WHERE id = ?1) AND id = ?1",
        [(named,) for named in ids],
    )


def _day(when: Moment) -> str:
    """The day of a commit in its own zone; a time that no calendar has is brought to its nearest end."""
    seconds = min(max(when.seconds + 60 * when.offset, 0), _LAST_SECOND)
    return (_EPOCH + timedelta(seconds=seconds)).date().isoformat()


# --- State ---------------------------------------------------------------------------------------


def _state(database: sqlite3.Connection, name: str) -> str | None:
    row = database.execute("SELECT value FROM state WHERE name = ?", (name,)).fetchone()
    return None if row is None else str(row[0])


def _set(database: sqlite3.Connection, **values: str | None) -> None:
    for name, value in values.items():
        if value is None:
            database.execute("DELETE FROM state WHERE name = ?", (name,))
        else:
            database.execute("INSERT OR REPLACE INTO state VALUES (?, ?)", (name, value))
