"""The sessions in an OpenClaw agent's SQLite database, which is only ever read.

| table | a row |
|---|---|
| `transcript_events` | `session_id, seq, event_json, created_at`: one entry, in the order of `seq` |
| `session_windows` | `session_id, session_key, …`: what the session is |
| `transcript_rewrite_watermarks` | `session_id, generation`: another one, and `seq` began anew |

Rows are read some at a time, and nothing is held in between: no lock keeps the agent waiting. Where
nothing is in a journal beside the database it is opened as a file that stays as it is, so that no journal is
made; if it changes meanwhile, what was just read is not taken, and the next import goes on from there.

How far each session was read stands in the state of the log: `{session: [generation, seq, …]}`. Its position
is the end of the bytes with which every database begins, because they alone do not change.
"""

import json
import os
import sqlite3
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from io import BytesIO
from pathlib import Path
from typing import Any

from attrs import define, evolve, field

from ..items import Item, Passed, Replaced, Skipped, Source, Turn
from ..moments import moment
from ..records import Record, json_lines
from .entries import Header, Thread, header_of
from .openclaw_talk import Place

__all__ = ["SQLITE", "Begin", "holds_sessions", "rows_of_sessions"]

SQLITE = "SQLite format 3"

Begin = Callable[[Header, Place], Thread]
"""Makes the thread of the session with that header, at that place."""

_START = len(SQLITE) + 1
_PAGE = 100
_OFTEN = 5000
_EVENTS, _WINDOWS, _REWRITES = "transcript_events", "session_windows", "transcript_rewrite_watermarks"
_ENDS = (
    f"SELECT session_id, max(seq) FROM {_EVENTS}"
    " WHERE typeof(session_id) = 'text' AND typeof(seq) = 'integer'"
    " GROUP BY session_id ORDER BY min(created_at), session_id"
)
_EVENTS_BEHIND = (
    f"SELECT seq, event_json, created_at FROM {_EVENTS} WHERE session_id = ? AND seq > ? ORDER BY seq LIMIT ?"
)


class _Changed(Exception):
    """The database, or a session in it, is not what it was."""


def holds_sessions(path: Path) -> bool:
    """Whether a file is a database with the table of entries."""
    try:
        with closing(_Database(path)) as database:
            return database.has(_EVENTS)
    except (sqlite3.Error, _Changed):
        return False


def rows_of_sessions(source: Source, begin: Begin) -> Iterator[Item]:
    """The entries that were not read yet, session by session."""
    marks = _marks(source.state) if source.position else {}
    try:
        with closing(_Database(source.path)) as database:
            yield from _sessions(database, marks, begin)
    except sqlite3.Error as error:
        yield Skipped(f"the database cannot be read: {error}", 1)
    except _Changed:
        yield Skipped("the database changed while it was read; the next import takes up the rest", 1)


@define
class _Database:
    """An open database; after each read the file is looked at, if it was taken to stay as it is."""

    path: Path
    still: object = field(init=False)
    connection: sqlite3.Connection = field(init=False)

    def __attrs_post_init__(self) -> None:
        is_used = any(_size(f"{self.path}{end}") for end in ("-wal", "-journal"))
        self.still = None if is_used else self._looks()
        name = f"{self.path.absolute().as_uri()}?mode=ro{'' if is_used else '&immutable=1'}"
        self.connection = sqlite3.connect(name, uri=True, isolation_level=None, timeout=5)
        self.connection.text_factory = lambda data: data.decode(errors="replace")

    def close(self) -> None:
        self.connection.close()

    def rows(self, query: str, *values: object) -> list[tuple[Any, ...]]:
        found = self.connection.execute(query, values).fetchall()
        if self.still is not None and self.still != self._looks():
            raise _Changed
        return found

    def table(self, name: str) -> list[dict[str, Any]]:
        """All rows of a small table, by the names of its columns; none if there is no such table."""
        if not self.has(name):
            return []
        columns = [row[1] for row in self.rows(f"PRAGMA table_info({name})")]
        return [dict(zip(columns, row, strict=True)) for row in self.rows(f"SELECT * FROM {name}")]

    def has(self, name: str) -> bool:
        return bool(self.rows("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?", name))

    def _looks(self) -> object:
        status = os.stat(self.path) if self.path.exists() else None
        return status and (status.st_size, status.st_mtime_ns, status.st_ino)


def _size(path: str) -> int:
    return os.path.getsize(path) if os.path.exists(path) else 0


@define
class _Mark:
    """How far a session was read, and what its thread remembers of it."""

    generation: str
    seq: int = -1
    state: Mapping[str, Any] = field(factory=dict)


def _sessions(database: _Database, marks: Mapping[str, _Mark], begin: Begin) -> Iterator[Item]:
    if not database.has(_EVENTS):
        yield Skipped("a database without transcripts", 1)
        return
    places = _places(database)
    reached: dict[str, _Mark] = {}
    taken = 0
    for session, end in database.rows(_ENDS):
        generation, known = _generation(database, session), marks.get(session)
        if known is None or known.generation != generation or known.seq > end:
            known = _Mark(generation)
        mark = reached[session] = known
        if mark.seq < end:
            header = evolve(_header(database, session), id=session)
            for item in _events(database, session, mark, begin(header, places.get(session, Place()))):
                yield item
                taken += isinstance(item, Turn)
        if taken >= _OFTEN:
            yield Passed(_START, 0, _state({**marks, **reached}))
            taken = 0
    yield Passed(_START, 0, _state(reached))


def _events(database: _Database, session: str, mark: _Mark, thread: Thread) -> Iterator[Item]:
    """The entries behind the mark, which moves on with them."""
    seq = mark.seq if thread.restore(mark.state) else -1
    while rows := database.rows(_EVENTS_BEHIND, session, seq, _PAGE):
        if _generation(database, session) != mark.generation:
            raise _Changed
        for seq, text, created in rows:
            items = list(_entry(thread, text, seq, created))
            if seq > mark.seq:  # what stands before is read for what the thread remembers of it
                yield from items
                mark.seq = seq
        mark.state = thread.state


def _entry(thread: Thread, text: object, seq: int, created: object) -> Iterator[Item]:
    record = _record(text) if isinstance(text, str) else None
    if record is None or record.torn or record.fault:
        yield Skipped("an entry that is not JSON" if record else "an entry that is not stored as text", seq)
        return
    if record.replaced or "\ufffd" in str(text):
        yield Replaced(seq)
    yield from thread.items(record.value, seq, moment(created))


def _record(text: str) -> Record:
    # A line break in JSON stands between its parts alone: one line then holds all of it.
    line = text.replace("\n", " ").encode(errors="replace") + b"\n"
    return next(json_lines(BytesIO(line)), Record(None, 0, fault="not JSON"))


def _header(database: _Database, session: str) -> Header:
    first = database.rows(_EVENTS_BEHIND, session, -1, 1)
    return header_of(_record(first[0][1]).value) if first and isinstance(first[0][1], str) else Header()


def _generation(database: _Database, session: str) -> str:
    if not database.has(_REWRITES):
        return ""
    rows = database.rows(f"SELECT generation FROM {_REWRITES} WHERE session_id = ?", session)
    return str(rows[0][0]) if rows else ""


def _places(database: _Database) -> Mapping[str, Place]:
    rows = [row for row in database.table(_WINDOWS) if {"session_id", "session_key"} <= row.keys()]
    ids = {row["session_key"]: row["session_id"] for row in rows}
    return {row["session_id"]: Place.of(row["session_key"], row, ids) for row in rows}


def _marks(state: str) -> Mapping[str, _Mark]:
    try:
        found = json.loads(state)
    except ValueError:
        return {}
    marks: dict[str, _Mark] = {}
    for session, mark in found.items() if isinstance(found, dict) else ():
        match mark:
            case [str(generation), int(seq), dict(remembered)]:
                marks[session] = _Mark(generation, seq, remembered)
            case _:
                continue
    return marks


def _state(marks: Mapping[str, _Mark]) -> str:
    return json.dumps({name: [mark.generation, mark.seq, mark.state] for name, mark in marks.items()})
