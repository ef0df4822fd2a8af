"""The index as somebody sees it who may not read everything: nothing else is counted, listed or found."""

from collections.abc import Callable, Iterator, Mapping
from itertools import groupby
from sqlite3 import Connection
from typing import Any

from scriptorium_core.facts import Facts, Known, SourceFact
from scriptorium_core.facts.permitted import May, permitted_facts
from scriptorium_core.names import TopicPath
from scriptorium_core.policy import Held
from scriptorium_core.sources.frame import Branch

from . import Index
from .queries import RECEIVED, Mention, Queries, Totals
from .schema import PLACES

__all__ = ["PermittedIndex", "PermittedQueries", "Tells"]

Tells = Callable[[str, str], bool]
"""Whether what a commit did to an id may be told."""

_DAYS = (
    "SELECT d.id, f.path FROM days d JOIN records r ON r.n = d.record JOIN files f ON f.n = r.file"
    " WHERE ?1 = '' OR d.id = ?1 OR (d.id >= ?1 || '-' AND d.id < ?1 || '.') ORDER BY d.id"
)
_MESSAGES = (
    "SELECT f.path, count(s.n), coalesce(sum(NOT s.trusted), 0), json_extract(f.data, '$[1]') > 0"
    f" FROM files f LEFT JOIN sources s ON s.n BETWEEN f.n << {PLACES} AND (f.n + 1 << {PLACES}) - 1"
    " WHERE f.kind IN ('archive', 'older') GROUP BY f.n"
)
_GONE = (
    "SELECT DISTINCT g.id, f.path FROM forgotten g JOIN sources s ON s.id = g.id"
    f" JOIN files f ON f.n = s.n >> {PLACES}"
)
_RETURNED = (
    "SELECT DISTINCT g.id, f.path FROM forgotten g JOIN ids i ON i.id = g.id JOIN files f ON f.n = i.file"
    " ORDER BY g.id"
)
_SIZES = (
    f"SELECT f.path, {RECEIVED}, length(CAST(s.text AS BLOB)) FROM sources s"
    f" JOIN files f ON f.n = s.n >> {PLACES} LEFT JOIN contexts c ON c.id = s.id WHERE NOT s.trusted"
)


class PermittedIndex(Index):
    """An index behind `may`; it is never written through."""

    def __init__(self, of: Index, may: May, tells: Tells) -> None:
        super().__init__(of.path, of.queries.database)
        self._may = may
        self._tells = tells

    def facts(self) -> Facts:
        """The facts of what may be read."""
        return permitted_facts(super().facts(), self._may)

    @property
    def queries(self) -> Queries:
        """Further questions, about what may be read."""
        return PermittedQueries(self._database, self._may, self._tells)


class PermittedQueries(Queries):
    """The questions to the database, answered as if the files that may not be read were not there."""

    def __init__(self, database: Connection, may: May, tells: Tells) -> None:
        super().__init__(database)
        self.may = may
        self.tells = tells

    def totals(self) -> Totals:
        """Counts over what may be read; of what was forgotten, the messages that are archived still."""
        topics = [count for _, count in self.topics()]
        archives = [row[1:] for row in self._seen(_MESSAGES)]
        return Totals(
            topics=len(topics),
            records=sum(topics),
            archives=len(archives),
            sources=sum(count for count, _, _ in archives),
            pending=sum(pending for _, pending, _ in archives),
            broken_archives=sum(broken for _, _, broken in archives),
            forgotten=sum(self.may(path) for _, path in self.database.execute(_GONE)),
        )

    def paths(self) -> Iterator[str]:
        """The topics and archives that may be read."""
        return filter(self.may, super().paths())

    def topics(self, prefix: str = "topics/") -> Iterator[tuple[TopicPath, int]]:
        """The topics whose path begins with `prefix`, sorted, each with its number of records."""
        return ((path, count) for path, count in super().topics(prefix) if self.may(path))

    def days(self, date: str = "") -> Iterator[tuple[str, int]]:
        """The dates at and below `date`, sorted, each with its number of records."""
        rows = ((day, path) for day, path in self.database.execute(_DAYS, (date,)) if self.may(path))
        return ((str(day), sum(1 for _ in same)) for day, same in groupby(rows, key=lambda row: row[0]))

    def records_under(self, prefix: str) -> Iterator[Known]:
        """The records of the files whose path begins with `prefix`, by path and place."""
        return (known for known in super().records_under(prefix) if self._has(known))

    def records_in(self, path: str) -> Iterator[Known]:
        """The records of one topic, in order."""
        return super().records_in(path) if self.may(path) else iter(())

    def relations(self) -> Iterator[tuple[str, str]]:
        """The links both ends of which may be read."""
        return (pair for pair in super().relations() if all(map(self.may, pair)))

    def sources_in(self, path: str) -> Iterator[SourceFact]:
        """The messages of one archive, in order."""
        return super().sources_in(path) if self.may(path) else iter(())

    def sources_under(self, prefix: str = "sources/") -> Iterator[SourceFact]:
        """The messages of the archives whose path begins with `prefix`, by path and place."""
        return (each for each in super().sources_under(prefix) if self.may(each.path))

    def branches(self, path: str) -> Mapping[str, Branch]:
        """The branch of each message that one context file describes."""
        return super().branches(path) if self.may(path.removesuffix(".jsonl") + ".md") else {}

    def uncited(self, prefix: str = "sources/") -> Iterator[SourceFact]:
        """The messages that no record cites, by path and place."""
        return (each for each in super().uncited(prefix) if self.may(each.path))

    def held(self) -> Iterator[SourceFact]:
        """The messages that wait for the owner's consent, in the order in which they came in."""
        return (each for each in super().held() if self.may(each.path))

    def held_sizes(self) -> Iterator[Held]:
        """When each of them came in, and how many bytes it has."""
        return (Held(received, int(size)) for _, received, size in self._seen(_SIZES))

    def mentions(self, named: str) -> tuple[Mention, ...]:
        """What the commits did to a block or source id, oldest first."""
        return tuple(each for each in super().mentions(named) if self.tells(each.commit, named))

    def returned(self) -> tuple[str, ...]:
        """The block ids that were forgotten and stand in a topic."""
        rows = self.database.execute(_RETURNED)
        return tuple(dict.fromkeys(block for block, path in rows if self.may(path)))

    def _seen(self, query: str) -> Iterator[tuple[Any, ...]]:
        """The rows whose first column may be read."""
        return (row for row in self.database.execute(query) if self.may(row[0]))

    def _has(self, known: Known) -> bool:
        return self.may(known.record.path)
