"""Questions of the shell that are no part of `Facts`: counts, walks over topics and archives."""

import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from scriptorium_core.facts import Known, SourceFact
from scriptorium_core.names import TopicPath
from scriptorium_core.sources.kinds import Branch

from .lookups import BESIDE, RECORD, SAID, SOURCE, to_known, to_source
from .schema import PLACES

if TYPE_CHECKING:
    from scriptorium_core.facts.once import Made
    from scriptorium_core.policy import Held

__all__ = ["RECEIVED", "Mention", "Queries", "Totals"]

_BELOW = "f.path >= ?1 AND substr(f.path, 1, length(?1)) = ?1"
_UNCITED = "NOT EXISTS (SELECT 1 FROM cites WHERE cites.id = f.path || '#' || s.anchor)"
# The last part of a context is its time, which is empty where nobody knows it.
RECEIVED = "coalesce(json_extract(c.data, '$[7]'), '')"
_CONTEXT = "LEFT JOIN contexts c ON c.id = s.id"
# By file first, then by place in it.
_RECORDS = f"SELECT {RECORD} FROM files f CROSS JOIN records r ON r.file = f.n"
_SOURCES = (
    f"SELECT {SAID} FROM files f CROSS JOIN sources s"
    f" ON s.n BETWEEN f.n << {PLACES} AND (f.n + 1 << {PLACES}) - 1 {BESIDE}"
)

_TARGET = (
    "SELECT i.record FROM ids i CROSS JOIN records t ON t.n = i.record CROSS JOIN files o ON o.n = t.file"
    " WHERE i.id = l.id ORDER BY o.path, t.place LIMIT 1"
)
_RELATIONS = (
    f"SELECT s.path, e.path FROM (SELECT DISTINCT l.record one, ({_TARGET}) two FROM links l) pair"
    " CROSS JOIN records a ON a.n = pair.one CROSS JOIN files s ON s.n = a.file"
    " CROSS JOIN records b ON b.n = pair.two CROSS JOIN files e ON e.n = b.file"
)


class Totals(NamedTuple):
    """How much the memory holds; `broken_archives` are those that cannot be read to their end."""

    topics: int
    records: int
    archives: int
    sources: int
    pending: int
    broken_archives: int
    forgotten: int


class Mention(NamedTuple):
    """What a commit did to an id: its trailer's name (`Created`, `Moved`, …) and the commit."""

    name: str
    commit: str


class Queries:
    """Questions to the database of an index, each answered in the transaction that is open."""

    def __init__(self, database: sqlite3.Connection) -> None:
        self.database = database

    def totals(self) -> Totals:
        """Counts over the whole memory."""
        return Totals(
            topics=self._count("files WHERE key IS NOT NULL"),
            records=self._count("records"),
            archives=self._count("files WHERE kind IN ('archive', 'older')"),
            sources=self._count("sources"),
            pending=self._count("sources WHERE NOT trusted"),
            broken_archives=self._count(
                "files WHERE kind IN ('archive', 'older') AND json_extract(data, '$[1]') > 0"
            ),
            forgotten=self._count("forgotten"),
        )

    def paths(self) -> Iterator[str]:
        """The topics and archives."""
        query = "SELECT path FROM files WHERE kind <> 'context' ORDER BY path"
        return (str(path) for (path,) in self.database.execute(query))

    def names(self) -> Iterator[tuple[str, str]]:
        """The identity of each record and the id of each message, with its file."""
        yield from self.database.execute("SELECT r.id, f.path FROM records r JOIN files f ON f.n = r.file")
        query = f"SELECT s.id, f.path FROM sources s JOIN files f ON f.n = s.n >> {PLACES}"
        yield from self.database.execute(query)

    def topics(self, prefix: str = "topics/") -> Iterator[tuple[TopicPath, int]]:
        """The topics whose path begins with `prefix`, sorted, each with its number of records."""
        query = (
            "SELECT f.path, (SELECT count(*) FROM records r WHERE r.file = f.n) FROM files f"
            f" WHERE f.key IS NOT NULL AND {_BELOW} ORDER BY f.path"
        )
        return ((TopicPath(path), count) for path, count in self.database.execute(query, (prefix,)))

    def days(self, date: str = "") -> Iterator[tuple[str, int]]:
        """The dates at and below `date` (all if empty), sorted, each with its number of records."""
        query = (
            "SELECT id, count(*) FROM days WHERE ?1 = '' OR id = ?1 OR (id >= ?1 || '-' AND id < ?1 || '.')"
            " GROUP BY id ORDER BY id"
        )
        return ((str(day), int(count)) for day, count in self.database.execute(query, (date,)))

    def records_under(self, prefix: str) -> Iterator[Known]:
        """The records of the files whose path begins with `prefix`, by path and place."""
        query = f"{_RECORDS} WHERE {_BELOW} ORDER BY f.path, r.place"
        return map(to_known, self.database.execute(query, (prefix,)))

    def records_in(self, path: str) -> Iterator[Known]:
        """The records of one topic, in order."""
        query = f"{_RECORDS} WHERE f.path = ? ORDER BY r.place"
        return map(to_known, self.database.execute(query, (path,)))

    def relations(self) -> Iterator[tuple[str, str]]:
        """Each link whose target stands in the memory, once: the topic of its record, and that of the target.

        Of two records with one id, the first by path is meant.
        """
        return ((str(source), str(target)) for source, target in self.database.execute(_RELATIONS))

    def sources_in(self, path: str) -> Iterator[SourceFact]:
        """The messages of one archive, in order."""
        query = f"{_SOURCES} WHERE f.path = ? ORDER BY s.n"
        return map(to_source, self.database.execute(query, (path,)))

    def sources_under(self, prefix: str = "sources/") -> Iterator[SourceFact]:
        """The messages of the archives whose path begins with `prefix`, by path and place."""
        query = f"{_SOURCES} WHERE {_BELOW} ORDER BY f.path, s.n"
        return map(to_source, self.database.execute(query, (prefix,)))

    def branches(self, path: str) -> Mapping[str, Branch]:
        """The branch of each message that one context file describes."""
        query = (
            "SELECT c.id, json_extract(c.data, '$[5]') FROM files f CROSS JOIN contexts c"
            f" ON c.n BETWEEN f.n << {PLACES} AND (f.n + 1 << {PLACES}) - 1 WHERE f.path = ?"
        )
        return dict(self.database.execute(query, (path,)).fetchall())

    def uncited(self, prefix: str = "sources/") -> Iterator[SourceFact]:
        """The messages that no record cites, by path and place."""
        query = f"{_SOURCES} WHERE {_BELOW} AND {_UNCITED} ORDER BY f.path, s.n"
        return map(to_source, self.database.execute(query, (prefix,)))

    def held(self) -> Iterator[SourceFact]:
        """The messages that wait for the owner's consent, in the order in which they came in."""
        query = f"{SOURCE} WHERE NOT s.trusted ORDER BY {RECEIVED}, f.path, s.n"
        return map(to_source, self.database.execute(query))

    def held_sizes(self) -> "Iterator[Held]":
        """When each of them came in, and how many bytes it has."""
        from scriptorium_core.policy import Held

        query = (
            f"SELECT {RECEIVED}, length(CAST(s.text AS BLOB)) FROM sources s {_CONTEXT} WHERE NOT s.trusted"
        )
        return (Held(received, int(size)) for received, size in self.database.execute(query))

    def mentions(self, named: str) -> tuple[Mention, ...]:
        """What the commits did to a block or source id, oldest first."""
        query = (
            "SELECT m.name, c.id FROM mentions m JOIN commits c ON c.seq = m.seq WHERE m.id = ?"
            " ORDER BY m.seq, m.name"
        )
        return tuple(Mention(name, commit) for name, commit in self.database.execute(query, (named,)))

    def resting_on(self, archive: str) -> tuple[str, ...]:
        """The records that cite a message of an archive, by id."""
        query = (
            "SELECT DISTINCT r.id FROM cites c JOIN records r ON r.n = c.record"
            " WHERE c.id > ?1 || '#' AND c.id < ?1 || '$' ORDER BY r.id"
        )
        return tuple(block for (block,) in self.database.execute(query, (archive,)))

    def made(self, key: str) -> "Made | None":
        """The request with a key, if it is among those that are known."""
        from scriptorium_core.facts.once import KEPT, Made

        query = "SELECT key, request, made, seq FROM requests WHERE key = ? ORDER BY seq DESC LIMIT 1"
        row = self.database.execute(query, (key,)).fetchone()
        if row is None:
            return None
        later = self.database.execute("SELECT count(*) FROM requests WHERE seq > ?", (row[3],)).fetchone()[0]
        return Made(*row[:3]) if later < KEPT else None

    def returned(self) -> tuple[str, ...]:
        """The block ids that were forgotten and stand in a topic."""
        query = "SELECT DISTINCT f.id FROM forgotten f JOIN ids i ON i.id = f.id ORDER BY f.id"
        return tuple(block for (block,) in self.database.execute(query))

    def commits_naming(self, names: Sequence[str]) -> tuple[str, ...]:
        """The commits with any of these trailers (`Lost`, …), oldest first."""
        query = (
            "SELECT DISTINCT c.id, c.seq FROM mentions m JOIN commits c ON c.seq = m.seq"
            f" WHERE m.name IN ({', '.join('?' * len(names))}) ORDER BY c.seq"
        )
        return tuple(commit for commit, _ in self.database.execute(query, tuple(names)))

    def _count(self, what: str) -> int:
        return int(self.database.execute(f"SELECT count(*) FROM {what}").fetchone()[0])
