"""Putting what one file contributes into the index, in place of what it contributed before.

Rows that did not change stay, so that the cost of a change follows the change and not the topic.
Everything here happens inside a transaction that the caller holds.
"""

import sqlite3
from collections.abc import Iterable, Sequence

from scriptorium_core.facts import (
    ArchiveRows,
    ContextRows,
    Rows,
    SourceFact,
    TopicRows,
    events_of,
    keys_of,
    places_of,
    shard_of,
)
from scriptorium_core.names import spelling
from scriptorium_core.topics.records import Record

from .encode import context_text, problem_list, record_text, sum_of, text, to_record
from .schema import PLACES

__all__ = ["put", "remove"]

_ORD = "coalesce((SELECT ord FROM created WHERE id = ?), -1)"


def put(database: sqlite3.Connection, rows: Rows) -> None:
    """Make the index hold exactly `rows` of their file."""
    file = _number(database, rows.path)
    match rows:
        case TopicRows():
            _put_records(database, file, rows.path, rows.records)
            _put_evidence(database, file, rows)
            ids = [block for record in rows.records for block in record.ids]
            data = text([ids, rows.evidence, problem_list(rows.problems)])
            _put_file(database, file, rows.path, "topic", rows.key, bool(rows.problems), data)
        case ArchiveRows():
            fresh = [_source(file, place, source) for place, source in enumerate(rows.sources)]
            _put_places(database, file, "sources", fresh)
            data = text([rows.archive.frames, rows.archive.broken_at])
            _put_file(database, file, rows.path, "older" if rows.older else "archive", None, False, data)
        case ContextRows():
            lines = [_context(file, n, line.id, context_text(line)) for n, line in enumerate(rows.contexts)]
            _put_places(database, file, "contexts", lines)
            data = text([[], [], problem_list(rows.problems)])
            _put_file(database, file, rows.path, "context", None, bool(rows.problems), data)


def remove(database: sqlite3.Connection, path: str) -> None:
    """Take out everything that the file at `path` contributed."""
    found = database.execute("SELECT n, kind FROM files WHERE path = ?", (path,)).fetchone()
    if found is None:
        return
    file, kind = found
    if kind == "topic":
        _put_records(database, file, path, ())
        _put_evidence(database, file, None)
    else:
        _put_places(database, file, "contexts" if kind == "context" else "sources", [])
    database.execute("DELETE FROM files WHERE n = ?", (file,))


def _number(database: sqlite3.Connection, path: str) -> int:
    found = database.execute("SELECT n FROM files WHERE path = ?", (path,)).fetchone()
    if found is None:
        found = database.execute("SELECT coalesce(max(n), 0) + 1 FROM files").fetchone()
    return int(found[0])


def _put_file(
    database: sqlite3.Connection, file: int, path: str, kind: str, key: str | None, faulty: bool, data: str
) -> None:
    database.execute(
        "INSERT INTO files VALUES (?, ?, ?, ?, ?, ?, ?, ?)"
        " ON CONFLICT (n) DO UPDATE SET faulty = excluded.faulty, data = excluded.data, sum = excluded.sum"
        " WHERE (faulty, data) IS NOT (excluded.faulty, excluded.data)",
        (file, path, kind, key, key and spelling(path), faulty, data, sum_of(data)),
    )


# --- Topics --------------------------------------------------------------------------------------


def _put_records(database: sqlite3.Connection, file: int, path: str, records: Sequence[Record]) -> None:
    """Keep the rows of records that stand as they stood, move those that moved, and change the rest."""
    query = "SELECT data, n, place, first, last, span FROM records WHERE file = ? ORDER BY n DESC"
    old: dict[str, list[tuple[int, ...]]] = {}
    for data, *row in database.execute(query, (file,)):
        old.setdefault(data, []).append(tuple(row))
    moved: list[tuple[int, ...]] = []
    fresh: list[tuple[int, Record, str]] = []
    for place, record in enumerate(records):
        data = record_text(record)
        same = old.get(data)
        if not same:
            fresh.append((place, record, data))
        elif (now := (place, *record.lines, record.span)) != (row := same.pop())[1:]:
            moved.append((*now, row[0]))
    gone = [(row[0], to_record(data, path, (0, 0), 0)) for data, rows in old.items() for row in rows]
    _delete_records(database, gone)
    _insert_records(database, file, fresh)
    change = "UPDATE records SET place = ?, first = ?, last = ?, span = ? WHERE n = ?"
    database.executemany(change, moved)


def _delete_records(database: sqlite3.Connection, gone: Sequence[tuple[int, Record]]) -> None:
    if not gone:
        return
    for table, keys in _keys(gone):
        database.executemany(f"DELETE FROM {table} WHERE id = ? AND record = ?", keys)
    database.executemany("DELETE FROM records WHERE n = ?", [(n,) for n, _ in gone])


def _insert_records(
    database: sqlite3.Connection, file: int, fresh: Sequence[tuple[int, Record, str]]
) -> None:
    if not fresh:
        return
    start = int(database.execute("SELECT coalesce(max(n), 0) + 1 FROM records").fetchone()[0])
    numbered = [(n, record) for n, (_, record, _) in enumerate(fresh, start)]
    database.executemany(
        f"INSERT INTO records VALUES (?, ?, ?, ?, ?, ?, {_ORD}, ?, ?, ?, ?, ?)",
        [_record(n, file, *entry) for n, entry in enumerate(fresh, start)],
    )
    for table, keys in _keys(numbered):
        more = [(*key, file, shard_of(key[0])) for key in keys] if table == "ids" else keys
        marks = "?, ?, ?, ?" if table == "ids" else "?, ?"
        database.executemany(f"INSERT OR IGNORE INTO {table} VALUES ({marks})", more)


def _record(n: int, file: int, place: int, record: Record, data: str) -> tuple[object, ...]:
    linking, merged = bool(record.links), len(record.ids) > 1
    where = (n, file, place, *record.lines, record.span)
    return (*where, record.id, linking, merged, record.id, data, sum_of(data))


def _keys(numbered: Sequence[tuple[int, Record]]) -> Iterable[tuple[str, list[tuple[str, int]]]]:
    """The tables that lead to records, and what leads there."""
    yield "ids", [(block, n) for n, record in numbered for block in record.ids]
    yield "links", [(block, n) for n, record in numbered for block in record.links]
    yield "cites", [(place, n) for n, record in numbered for place in places_of(record)]
    yield "asks", [(key, n) for n, record in numbered for key in keys_of(record)]
    yield "days", [(event.day, n) for n, record in numbered for event in events_of(record)]


def _put_evidence(database: sqlite3.Connection, file: int, rows: TopicRows | None) -> None:
    new = set(rows.evidence) if rows else set()
    query = "SELECT e.value FROM files f, json_each(f.data, '$[1]') e WHERE f.n = ?"
    old = {str(name) for (name,) in database.execute(query, (file,))}
    gone, fresh = [(name, file) for name in old - new], [(name, file) for name in new - old]
    database.executemany("DELETE FROM evidence WHERE id = ? AND file = ?", gone)
    database.executemany("INSERT INTO evidence VALUES (?, ?)", fresh)


# --- Archives and the contexts beside them -------------------------------------------------------


def _put_places(
    database: sqlite3.Connection, file: int, table: str, rows: Sequence[tuple[object, ...]]
) -> None:
    """Make the rows of one archive or context file be `rows`; a file that only grew only adds rows."""
    numbers = (_at(file, 0), _at(file + 1, 0))
    old = {row[0]: row for row in database.execute(f"SELECT * FROM {table} WHERE n >= ? AND n < ?", numbers)}
    kept = {row[0] for row in rows if old.get(row[0]) == row}
    fresh = [row for row in rows if row[0] not in kept]
    database.executemany(f"DELETE FROM {table} WHERE n = ?", [(n,) for n in old if n not in kept])
    if fresh:
        marks = ", ".join("?" * len(fresh[0]))
        database.executemany(f"INSERT INTO {table} VALUES ({marks})", fresh)


def _source(file: int, place: int, source: SourceFact) -> tuple[object, ...]:
    said = (source.line, source.label, source.at, source.text)
    by = (source.speaker_id, source.speaker_kind, source.tier, int(source.trusted))
    names = (source.id, source.place.rpartition("#")[2])
    return (_at(file, place), *names, *said, *by, sum_of(*names, *said, *by))


def _context(file: int, place: int, name: str, data: str) -> tuple[object, ...]:
    return (_at(file, place), name, data, sum_of(name, data))


def _at(file: int, place: int) -> int:
    return file << PLACES | place
