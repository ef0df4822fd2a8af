"""The index follows HEAD: by the difference of two trees, and by the trailers of the commits between.

The commits that the index has read are kept, oldest first, along first parents. Where HEAD's own line
leaves that list the rest of it is undone: so a rewritten history, a branch that was checked out by
hand, or a race with a process that follows an older HEAD costs the commits that differ, and no more.

The first build is done in portions, each a transaction that says how far it came. Several processes
may build at once; each portion is done by one of them.
"""

import sqlite3
from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta

from scriptorium_core.facts import contributes, file_facts, mentions_of
from scriptorium_core.facts.once import KEPT, Made, claims_in
from scriptorium_core.topics import Topic

from . import fill
from .history import History, Moment, Parsed, Report
from .schema import clear, writing
from .state import commit_of, put, said

__all__ = ["follow"]

_PORTION = 500
_EPOCH = datetime(1970, 1, 1)
_LAST_SECOND = 253_402_300_799  # of the year 9999


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
    while commit_of(database) != head or said(database, "target") is not None:
        _build(database, history, head, report)
        _update(database, history, head, parsed)


def _build(database: sqlite3.Connection, history: History, head: str | None, report: Report) -> None:
    """Make the first index, or go on with one that was begun, for the commit that it was begun for."""
    with writing(database):
        if head is None or commit_of(database) is not None:
            return
        target = said(database, "target")
        if target is None:
            target = head
            put(database, target=target, cursor="")
            _read_commits(database, history, target)
    files = sorted((change.path, change.new) for change in history.changes(None, target) if change.new)
    done = 0
    while done < len(files):
        report(done, len(files))
        done = _portion(database, history, target, files)
    report(len(files), len(files))
    with writing(database):
        if said(database, "target") == target:
            put(database, commit=target, target=None, cursor=None)


def _portion(
    database: sqlite3.Connection, history: History, target: str, files: Sequence[tuple[str, str | None]]
) -> int:
    """Read some of the files that are still to be read; how many are done, all if the build is over."""
    with writing(database):
        cursor = said(database, "cursor")
        if cursor is None or said(database, "target") != target:
            return len(files)
        begin = next((n for n, (path, _) in enumerate(files) if path > cursor), len(files))
        for path, blob in files[begin : begin + _PORTION]:
            _put(database, history, path, blob)
            put(database, cursor=path)
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
            put(database, commit=head)


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
    fresh: list[tuple[str, str, tuple[tuple[str, str], ...], tuple[Made, ...]]] = []
    shared = -1
    for entry in history.log(head):
        row = database.execute("SELECT seq FROM commits WHERE id = ?", (entry.commit,)).fetchone()
        if row is not None:
            shared = int(row[0])
            break
        told = mentions_of(entry.trailers), claims_in(entry.trailers)
        fresh.append((entry.commit, _day(entry.when), *told))
    _undo(database, shared)
    for seq, (commit, day, mentions, made) in enumerate(reversed(fresh), shared + 1):
        database.execute("INSERT INTO commits VALUES (?, ?)", (seq, commit))
        for name, named in mentions:
            _mention(database, seq, day, name, named)
        for each in made:
            row = each.key, seq, each.request, each.commit or commit
            database.execute("INSERT OR REPLACE INTO requests VALUES (?, ?, ?, ?)", row)
    _drop_requests(database)


def _drop_requests(database: sqlite3.Connection) -> None:
    """Let go of requests that count no more, and would not if some commits were undone."""
    query = "DELETE FROM requests WHERE seq < (SELECT seq FROM requests ORDER BY seq DESC LIMIT 1 OFFSET ?)"
    database.execute(query, (2 * KEPT,))


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
    for table in ("commits", "created", "forgotten", "mentions", "requests"):
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
