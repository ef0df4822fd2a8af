"""`Facts` whose mappings ask the database: nothing is read before it is asked for."""

import json
import sqlite3
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any, TypeVar, overload

from scriptorium_core.facts import ArchiveFact, Event, Facts, Known, SourceFact, TopicFact
from scriptorium_core.names import BlockId, SourceId, TopicPath
from scriptorium_core.problem import Problem
from scriptorium_core.sources.kinds import Tier

from .encode import checked, problems_from, to_context, to_record
from .schema import PLACES

__all__ = ["BESIDE", "RECORD", "SAID", "SOURCE", "Lookup", "Newest", "facts", "to_known", "to_source"]

V = TypeVar("V")
_KEPT = 256

RECORD = "r.data, f.path, r.first, r.last, r.span, r.ord, r.sum"
# An alias has the creation order of its own, which it keeps when it becomes an identity.
_RECORD_OF_ID = RECORD.replace("r.ord", "coalesce((SELECT c.ord FROM created c WHERE c.id = i.id), -1)")
_KNOWN = f"SELECT {RECORD} FROM records r CROSS JOIN files f ON f.n = r.file"
SAID = (
    "s.id, f.path, s.anchor, s.line, s.label, s.at, s.text, s.speaker_id, s.speaker_kind, s.tier, s.trusted,"
    " s.sum, c.data, c.sum"
)
# An older archive has no contexts beside it.
BESIDE = "LEFT JOIN contexts c ON c.id = s.id AND f.kind = 'archive'"
SOURCE = f"SELECT {SAID} FROM sources s CROSS JOIN files f ON f.n = s.n >> {PLACES} {BESIDE}"
_PLACES = f"SELECT f.path || '#' || s.anchor FROM sources s JOIN files f ON f.n = s.n >> {PLACES}"
_LINKED = (
    "(r.linking OR EXISTS (SELECT 1 FROM links l WHERE l.id = r.id) OR r.merged AND EXISTS"
    " (SELECT 1 FROM json_each(r.data, '$[0]') a CROSS JOIN links l ON l.id = a.value))"
)


class Lookup(Mapping[str, V]):
    """A mapping that asks: `find` for the value of a key (None: there is none), `keys_query` for the keys."""

    def __init__(
        self,
        database: sqlite3.Connection,
        find: Callable[[sqlite3.Connection, str], V | None],
        keys_query: str,
    ) -> None:
        self.database = database
        self.find = find
        self.keys_query = keys_query

    def __getitem__(self, key: str) -> V:
        found = self._found(key)
        if found is None:
            raise KeyError(key)
        return found

    def __contains__(self, key: object) -> bool:
        return isinstance(key, str) and self._found(key) is not None

    def __iter__(self) -> Iterator[str]:
        return iter([key for (key,) in self.database.execute(self.keys_query)])

    def __len__(self) -> int:
        return int(self.database.execute(f"SELECT count(*) FROM ({self.keys_query})").fetchone()[0])

    def _found(self, key: str) -> V | None:
        try:
            return self.find(self.database, key)
        except UnicodeEncodeError:  # a lone surrogate, which no file of a memory can hold
            return None


class Newest(Sequence[Known]):
    """All records, newest first; a slice asks for no more than it gives."""

    def __init__(self, database: sqlite3.Connection) -> None:
        self.database = database

    @overload
    def __getitem__(self, index: int) -> Known: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Known]: ...
    def __getitem__(self, index: int | slice) -> Known | Sequence[Known]:
        if isinstance(index, slice):
            # The usual `newest[:50]` need not count the records.
            plain = index.start in (None, 0) and index.step in (None, 1) and (index.stop or -1) >= 0
            start, stop, step = (0, index.stop, 1) if plain else index.indices(len(self))
            if step != 1:
                return [self[place] for place in range(start, stop, step)]
            return list(self._ask(max(stop - start, 0), start))
        place = index if index >= 0 else len(self) + index
        for known in self._ask(1, place) if place >= 0 else ():
            return known
        raise IndexError(index)

    def __iter__(self) -> Iterator[Known]:
        return self._ask(-1, 0)

    def __len__(self) -> int:
        return int(self.database.execute("SELECT count(*) FROM records").fetchone()[0])

    def _ask(self, limit: int, offset: int) -> Iterator[Known]:
        query = f"{_KNOWN} ORDER BY r.ord DESC, f.path, r.place LIMIT ? OFFSET ?"
        return map(to_known, self.database.execute(query, (limit, offset)))


def facts(database: sqlite3.Connection, kept: bool = False) -> Facts:
    """The facts that the database holds, in the transaction that is open, or each lookup on its own.

    Answers are `kept` for a while where nothing can change meanwhile: one hit asks for the same four times.
    """

    def lookup(find: Callable[[sqlite3.Connection, str], V | None], keys: str) -> Lookup[V]:
        return Lookup(database, lru_cache(_KEPT)(find) if kept else find, keys)

    return Facts(
        records=lookup(_known, "SELECT DISTINCT id FROM ids"),
        topics=lookup(_topic, "SELECT DISTINCT key FROM files WHERE key IS NOT NULL"),
        spellings=lookup(_spelled, "SELECT DISTINCT spelling FROM files WHERE spelling IS NOT NULL"),
        evidence=lookup(_evidence, "SELECT DISTINCT id FROM evidence"),
        backlinks=lookup(_backlinks, "SELECT DISTINCT id FROM links"),
        citing=lookup(_citing, "SELECT DISTINCT id FROM cites"),
        sources=lookup(_source, "SELECT DISTINCT id FROM sources"),
        places=lookup(_place, _PLACES),
        archives=lookup(_archive, "SELECT path FROM files WHERE kind IN ('archive', 'older')"),
        days=lookup(_day, "SELECT DISTINCT id FROM days"),
        shards=lookup(
            _shard, f"SELECT DISTINCT i.shard FROM ids i JOIN records r ON r.n = i.record WHERE {_LINKED}"
        ),
        newest=Newest(database),
        forgotten=lookup(_forgotten, "SELECT id FROM forgotten"),
        next_order=int(database.execute("SELECT coalesce(max(ord), -1) + 1 FROM created").fetchone()[0]),
        broken=lookup(_broken, _BROKEN),
        created=lookup(_created, "SELECT id FROM created"),
        asked=lookup(_asked, "SELECT DISTINCT id FROM asks"),
    )


def to_known(row: Sequence[Any]) -> Known:
    """The record of a row of `_KNOWN`."""
    data, path, first, last, span, order, total = row
    checked(total, data)
    return Known(to_record(data, path, (first, last), span), order)


def to_source(row: Sequence[Any]) -> SourceFact:
    """The message of a row of `SOURCE`."""
    name, path, anchor, line, label, at, text, speaker, kind, tier, trusted, total, context, beside = row
    checked(total, name, anchor, line, label, at, text, speaker, kind, tier, trusted)
    if context is not None:
        checked(beside, name, context)
    return SourceFact(
        id=SourceId(name),
        place=f"{path}#{anchor}",
        line=line,
        label=label,
        at=at,
        text=text,
        speaker_id=speaker,
        speaker_kind=kind,
        tier=Tier(tier) if tier else None,
        trusted=bool(trusted),
        context=to_context(context) if context else None,
    )


def _known(database: sqlite3.Connection, key: str) -> Known | None:
    query = (
        f"SELECT {_RECORD_OF_ID} FROM ids i CROSS JOIN records r ON r.n = i.record"
        " CROSS JOIN files f ON f.n = r.file WHERE i.id = ? ORDER BY f.path, r.place LIMIT 1"
    )
    row = database.execute(query, (key,)).fetchone()
    return to_known(row) if row else None


def _topic(database: sqlite3.Connection, key: str) -> TopicFact | None:
    query = "SELECT n, path, key, data, sum FROM files WHERE key = ? ORDER BY path LIMIT 1"
    row = _file_row(database, query, key)
    if row is None:
        return None
    ids = tuple(map(BlockId, json.loads(row[3])[0]))
    return TopicFact(TopicPath(row[1]), ids, _problems(database, *row))


def _spelled(database: sqlite3.Connection, key: str) -> tuple[TopicPath, ...] | None:
    query = "SELECT path FROM files WHERE spelling = ? ORDER BY path"
    return tuple(TopicPath(path) for (path,) in database.execute(query, (key,))) or None


def _broken(database: sqlite3.Connection, path: str) -> tuple[Problem, ...] | None:
    query = "SELECT n, path, key, data, sum FROM files WHERE path = ? AND kind IN ('topic', 'context')"
    row = _file_row(database, query, path)
    return (_problems(database, *row) or None) if row else None


def _problems(
    database: sqlite3.Connection, file: int, path: str, key: str | None, data: str
) -> tuple[Problem, ...]:
    """What is wrong in a file on its own, and beside the other topics."""
    own = problems_from(json.loads(data)[2])
    return own if key is None else (*own, *_clashes(database, file, path, key, data))


def _clashes(database: sqlite3.Connection, file: int, path: str, key: str, data: str) -> Iterator[Problem]:
    first = database.execute("SELECT min(path) FROM files WHERE key = ?", (key,)).fetchone()[0]
    if first != path:
        from scriptorium_core.facts.clashes import name_clash

        yield name_clash(path, first)
    query = (
        "SELECT i.id, min(f.path) FROM json_each(?, '$[0]') mine CROSS JOIN ids i ON i.id = mine.value"
        " AND i.file <> ? CROSS JOIN files f ON f.n = i.file WHERE f.path < ? GROUP BY i.id"
    )
    owners = dict(database.execute(query, (data, file, path)).fetchall())
    if owners:
        from scriptorium_core.facts.clashes import id_clash

        for known in map(to_known, database.execute(f"{_KNOWN} WHERE r.file = ? ORDER BY r.place", (file,))):
            for block in known.record.ids:
                if block in owners:
                    yield id_clash(path, known.record.lines[0], block, owners[block])


# Paths with a fault of their own, with another topic's name, or with an id of a topic that comes first.
_BROKEN = (
    "SELECT path FROM files WHERE faulty UNION SELECT f.path FROM files f WHERE f.key IS NOT NULL AND EXISTS"
    " (SELECT 1 FROM files o WHERE o.key = f.key AND o.path < f.path) UNION SELECT f.path FROM"
    " (SELECT id FROM ids GROUP BY id HAVING count(*) > 1) twice JOIN ids i ON i.id = twice.id"
    " JOIN files f ON f.n = i.file WHERE EXISTS (SELECT 1 FROM ids x JOIN files o ON o.n = x.file"
    " WHERE x.id = twice.id AND o.path < f.path)"
)


def _evidence(database: sqlite3.Connection, key: str) -> tuple[TopicPath, ...] | None:
    query = "SELECT f.path FROM evidence e JOIN files f ON f.n = e.file WHERE e.id = ? ORDER BY f.path"
    return tuple(TopicPath(path) for (path,) in database.execute(query, (key,))) or None


def _backlinks(database: sqlite3.Connection, key: str) -> tuple[BlockId, ...] | None:
    query = "SELECT DISTINCT r.id FROM links l JOIN records r ON r.n = l.record WHERE l.id = ? ORDER BY r.id"
    return _blocks(database, query, key)


def _citing(database: sqlite3.Connection, key: str) -> tuple[BlockId, ...] | None:
    query = "SELECT DISTINCT r.id FROM cites c JOIN records r ON r.n = c.record WHERE c.id = ? ORDER BY r.id"
    return _blocks(database, query, key)


def _asked(database: sqlite3.Connection, key: str) -> tuple[BlockId, ...] | None:
    query = "SELECT DISTINCT r.id FROM asks a JOIN records r ON r.n = a.record WHERE a.id = ? ORDER BY r.id"
    return _blocks(database, query, key)


def _shard(database: sqlite3.Connection, key: str) -> tuple[BlockId, ...] | None:
    query = (
        "SELECT DISTINCT r.id FROM ids i CROSS JOIN records r ON r.n = i.record"
        f" WHERE i.shard = ? AND {_LINKED} ORDER BY r.id"
    )
    return _blocks(database, query, key)


def _blocks(database: sqlite3.Connection, query: str, key: str) -> tuple[BlockId, ...] | None:
    return tuple(BlockId(block) for (block,) in database.execute(query, (key,))) or None


def _source(database: sqlite3.Connection, key: str) -> SourceFact | None:
    # `archive` sorts before `older`.
    row = database.execute(f"{SOURCE} WHERE s.id = ? ORDER BY f.kind, f.path LIMIT 1", (key,)).fetchone()
    return to_source(row) if row else None


def _place(database: sqlite3.Connection, key: str) -> SourceId | None:
    path, _, anchor = key.rpartition("#")
    query = (
        f"SELECT s.id FROM sources s CROSS JOIN files f ON f.n = s.n >> {PLACES}"
        " WHERE s.anchor = ? AND f.path = ?"
    )
    row = database.execute(query, (anchor, path)).fetchone()
    return SourceId(row[0]) if row else None


def _archive(database: sqlite3.Connection, path: str) -> ArchiveFact | None:
    query = "SELECT data, sum FROM files WHERE path = ? AND kind IN ('archive', 'older')"
    row = _file_row(database, query, path)
    return ArchiveFact(path, *json.loads(row[0])) if row else None


def _file_row(database: sqlite3.Connection, query: str, key: str) -> Sequence[Any] | None:
    """The row that a query finds, its data and their sum last, without the sum."""
    row = database.execute(query, (key,)).fetchone()
    if row is None:
        return None
    *found, data, total = row
    checked(total, data)
    return (*found, data)


def _day(database: sqlite3.Connection, day: str) -> tuple[Event, ...] | None:
    from scriptorium_core.facts import events_of

    query = (
        f"SELECT {RECORD} FROM days d CROSS JOIN records r ON r.n = d.record"
        " CROSS JOIN files f ON f.n = r.file WHERE d.id = ? ORDER BY f.path, r.place"
    )
    records = (to_known(row).record for row in database.execute(query, (day,)))
    return tuple(event for record in records for event in events_of(record) if event.day == day) or None


def _created(database: sqlite3.Connection, block: str) -> int | None:
    row = database.execute("SELECT ord FROM created WHERE id = ?", (block,)).fetchone()
    return int(row[0]) if row is not None else None


def _forgotten(database: sqlite3.Connection, key: str) -> str | None:
    row = database.execute("SELECT day FROM forgotten WHERE id = ?", (key,)).fetchone()
    return str(row[0]) if row else None
