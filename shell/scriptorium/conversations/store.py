"""The native session store: one SQLite database a home, beside the memory directory.

Adding is idempotent: a node id never changes its message. Nodes are read one by one as a walk asks
for them, so that what is unwritten costs what it holds and not what the session holds. A message
that a fork copied keeps the identity, and the mark, of its first copy.
"""

import contextlib
import json
import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from attrs import field, frozen

from scriptorium_core.names import NodeId, SessionId
from scriptorium_core.problem import Code, Problem
from scriptorium_core.sessions.graph import Get, Link, Node, tips_of

from ..refused import Refused
from ..unwritable import Still
from .adding import Added, add_nodes
from .rows import SELECT, Row, node_of
from .schema import connect, refusing

__all__ = ["ABOVE", "Added", "Cursor", "Session", "Store", "open_store"]

_SESSION = "SELECT num, provider, id, title, head, live, turns, source, created_at, updated_at FROM sessions "
ABOVE = (
    "CASE WHEN n.parent IS NULL THEN NULL ELSE coalesce("
    "(SELECT p.id FROM nodes p WHERE p.session = n.session AND p.id = n.parent), n.after) END"
)


@frozen
class Session:
    """A conversation in the store; `live` are nodes listed as live beside the head; times are ISO 8601."""

    num: int
    provider: str
    id: SessionId
    title: str
    head: NodeId | None
    live: tuple[NodeId, ...]
    turns: int
    source: str
    created_at: str
    updated_at: str


@frozen
class Cursor:
    """How far a log was read: everything before byte `position` and line `line`.

    `stamp` stands for a packed log that was read to its end; while it is the same, nothing has come.
    """

    path: str
    format: str
    position: int = 0
    line: int = 0
    fingerprint: str = ""
    state: str = ""
    stamp: str = ""

    @property
    def place(self) -> tuple[int, int, str]:
        """Where reading goes on: the byte, the lines before it, and what the importer left there."""
        return self.position, self.line, self.state


def open_store(path: Path) -> "Store":
    """The store at `path`, made where it is missing. Raises Refused where it cannot be."""
    return Store(path, connect(path))


@frozen(eq=False)
class Store:
    """An open session store; `with` closes it. One thread at a time."""

    path: Path
    database: sqlite3.Connection = field(repr=False)

    def __enter__(self) -> "Store":
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        moved = isinstance(self.database, Still) and self.database.moved()
        self.close()
        if moved and (kind is None or issubclass(kind, Refused | sqlite3.Error)):
            raise Refused(_meanwhile(self.path))

    def close(self) -> None:
        """Close the database."""
        self.database.close()

    @contextlib.contextmanager
    def transaction(self) -> Iterator[None]:
        """All writes inside, or none; a transaction inside another belongs to it."""
        if self.database.in_transaction:
            yield
            return
        with refusing(self.path):
            self.database.execute("BEGIN IMMEDIATE")
            try:
                yield
                self.database.execute("COMMIT")
            except BaseException:
                self._roll_back()
                raise

    # --- sessions -------------------------------------------------------------------------------

    def ensure(self, provider: str, session: str, now: str, *, title: str = "", source: str = "") -> Session:
        """The session of this id, made if it is new; a title is kept until another one comes."""
        with self.transaction():
            known = self.get(provider, session)
            if known is None:
                self.run(
                    "INSERT INTO sessions (id, provider, title, source, created_at, updated_at)"
                    " VALUES (?, ?, ?, ?, ?, ?)",
                    (session, provider, title, source, now, now),
                )
            elif title and title != known.title:
                self.run("UPDATE sessions SET title = ? WHERE num = ?", (title, known.num))
            else:
                return known
        found = self.get(provider, session)
        assert found is not None
        return found

    def get(self, provider: str, session: str) -> Session | None:
        """The session of a provider and an id."""
        rows = self.rows(_SESSION + "WHERE id = ? AND provider = ?", (session, provider))
        return _session(rows[0]) if rows else None

    def find(self, name: str) -> tuple[Session, ...]:
        """The sessions that a person can mean by `name`, an id or `provider/id`; several are ambiguous."""
        provider, _, rest = name.partition("/")
        rows = self.rows(
            _SESSION + "WHERE id = ? OR (provider = ? AND id = ?) ORDER BY num", (name, provider, rest)
        )
        return tuple(_session(row) for row in rows)

    def sessions(self) -> tuple[Session, ...]:
        """All sessions, the oldest first."""
        return tuple(_session(row) for row in self.rows(_SESSION + "ORDER BY num", ()))

    def set_head(
        self, session: Session, head: NodeId | None, now: str, live: Sequence[NodeId] | None = None
    ) -> None:
        """Move the head of a session; `live` replaces the nodes listed as live beside it."""
        listed = json.dumps(list(session.live if live is None else live), ensure_ascii=False)
        with self.transaction():
            self.run(
                "UPDATE sessions SET head = ?, live = ?, updated_at = ? WHERE num = ?"
                " AND (head IS NOT ? OR live IS NOT ?)",
                (head, listed, now, session.num, head, listed),
            )

    # --- nodes ----------------------------------------------------------------------------------

    def add(self, session: Session, nodes: Iterable[Node], now: str) -> Added:
        """Add nodes in the order of their log; what is known stays as it is, whatever comes under its id."""
        with self.transaction():
            last = self.rows("SELECT last FROM sessions WHERE num = ?", (session.num,))[0][0]
            added = add_nodes(self.database, session.num, self.lookup(session), last, nodes)
            if added.new:
                self.run(
                    "UPDATE sessions SET last = ?, turns = turns + ?, updated_at = ?, branches = NULL"
                    " WHERE num = ?",
                    (added.new[-1], len(added.new), now, session.num),
                )
        return added

    def lookup(self, session: Session) -> Get:
        """The nodes of a session by id, each read when it is asked for."""
        query = SELECT + "WHERE n.id = ? AND n.session = ?"

        def get(node: NodeId) -> Node | None:
            rows = self.rows(query, (node, session.num))
            return node_of(rows[0]) if rows else None

        return get

    def nodes(self, session: Session) -> Iterator[Node]:
        """All nodes of a session in the order in which they came."""
        for row in self.database.execute(SELECT + "WHERE n.session = ? ORDER BY n.num", (session.num,)):
            yield node_of(row)

    def children(self, session: Session, node: NodeId) -> tuple[NodeId, ...]:
        """The nodes that name `node` as their parent, in the order in which they came."""
        rows = self.rows(
            "SELECT id FROM nodes WHERE session = ? AND parent = ? ORDER BY num", (session.num, node)
        )
        return tuple(NodeId(row[0]) for row in rows)

    def tips(self, session: Session) -> tuple[NodeId, ...]:
        """The last message of each branch, in the order in which they came."""
        return tips_of(self.links(session))

    def links(self, session: Session) -> Iterator[Link]:
        """All nodes of a session without their texts, in the order in which they came."""
        rows = self.rows(
            f"SELECT n.id, {ABOVE}, n.talk FROM nodes n WHERE n.session = ? ORDER BY n.num", (session.num,)
        )
        return (Link(NodeId(row[0]), row[1], bool(row[2])) for row in rows)

    # --- cursors --------------------------------------------------------------------------------

    def cursor(self, path: str) -> Cursor | None:
        """How far the log at `path` was read, None if it never was."""
        columns = "path, format, position, line, fingerprint, state, stamp"
        rows = self.rows(f"SELECT {columns} FROM cursors WHERE path = ?", (path,))
        return Cursor(*rows[0]) if rows else None

    def drop_cursor(self, path: str) -> None:
        """Read a log from its start the next time."""
        with self.transaction():
            self.run("DELETE FROM cursors WHERE path = ?", (path,))

    def set_cursor(self, cursor: Cursor) -> None:
        """Remember how far a log was read."""
        with self.transaction():
            self.run(
                "INSERT OR REPLACE INTO cursors (path, format, position, line, fingerprint, state, stamp)"
                " VALUES (?, ?, ?, ?, ?, ?, ?)",
                (
                    cursor.path,
                    cursor.format,
                    *cursor.place[:2],
                    cursor.fingerprint,
                    cursor.state,
                    cursor.stamp,
                ),
            )

    # --- steps ----------------------------------------------------------------------------------

    def _roll_back(self) -> None:
        with contextlib.suppress(sqlite3.OperationalError):  # SQLite has rolled back by itself
            self.database.execute("ROLLBACK")

    def rows(self, query: str, values: Sequence[object] | Mapping[str, object]) -> list[Row]:
        """All rows of a query."""
        with refusing(self.path):
            return self.database.execute(query, values).fetchall()

    def run(self, query: str, values: Sequence[object] | Mapping[str, object]) -> None:
        """Run one statement; the transaction around it turns what SQLite refuses into a problem."""
        self.database.execute(query, values)


def _meanwhile(path: Path) -> Problem:
    message = f"another process wrote to {path.name} while it was read without locks"
    return Problem(Code.CONCURRENT_UPDATE, message, path.name, remedy="ask again")


def _session(row: Row) -> Session:
    num, provider, name, title, head, live, *rest = row
    return Session(num, provider, name, title, head, tuple(json.loads(live)), *rest)
