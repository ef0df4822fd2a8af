"""Adding nodes to one session, some hundred at a time: what they need to know is asked once for all of them.

A node id never changes its message. A message that a fork copied keeps the identity of its first copy;
copies whose ids are a chain of hashes (`Node.chained`) have the earliest time that one of them came with.
"""

import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice

from attrs import define, evolve, field, frozen

from scriptorium_core.names import NodeId
from scriptorium_core.sessions.graph import CUT, Get, Node, message_key, settle

from .rows import INSERT, Row, copy_row, row_of

__all__ = ["Added", "add_nodes"]

_AT_ONCE = 500
_FIRST = "SELECT same, num, mark, at FROM nodes WHERE home IS NULL AND same IN ({}) ORDER BY num"
_KNOWN = "SELECT id, same FROM nodes WHERE session = ? AND id IN ({})"
_AWAITED = "SELECT DISTINCT parent FROM nodes WHERE session = ? AND parent IN ({})"
_DATE = "UPDATE nodes SET at = ? WHERE same = ? AND home IS NULL AND mark = '' AND (at = '' OR at > ?)"


@frozen
class Added:
    """What adding did: ids of new nodes, how many were known, and ids that came with another message.

    `cut` are nodes whose link would have closed a circle; `gaps` are the parents that were not there, once
    for each new node that names them; `copies` counts the new nodes that a fork copied.
    """

    new: tuple[NodeId, ...]
    known: int
    changed: tuple[NodeId, ...]
    cut: tuple[NodeId, ...]
    gaps: tuple[NodeId, ...]
    copies: int


def add_nodes(
    database: sqlite3.Connection, session: int, get: Get, last: NodeId | None, nodes: Iterable[Node]
) -> Added:
    """Add nodes, in the order of their log, behind the node `last` (None: the session holds none)."""
    adding = _Adding(database, session, get, last)
    rest = iter(nodes)
    while some := list(islice(rest, _AT_ONCE)):
        adding.add(some)
    return adding.added()


@define
class _First:
    """The first copy of a message: its row (0: it is on its way), its mark and its time."""

    num: int
    mark: str
    at: str


@define
class _Adding:
    """Nodes on their way into one session, inside a transaction; `known` maps ids to keys of messages."""

    database: sqlite3.Connection
    session: int
    get: Get
    last: NodeId | None
    repeated: int = 0
    copies: int = 0
    new: list[NodeId] = field(factory=list)
    changed: list[NodeId] = field(factory=list)
    cut: list[NodeId] = field(factory=list)
    gaps: list[NodeId] = field(factory=list)
    rows: list[Row] = field(factory=list)
    known: dict[str, int] = field(factory=dict)
    firsts: dict[int, list[_First]] = field(factory=dict)
    awaited: set[str | None] = field(factory=set)

    def add(self, nodes: Sequence[Node]) -> None:
        keys = [message_key(node) for node in nodes]
        self._ask(nodes, keys)
        for node, key in zip(nodes, keys, strict=True):
            here = self.known.get(node.id)
            if here is None:
                self._new(node, key)
            else:
                self._again(node, key, here)
        self._flush()

    def added(self) -> Added:
        lists = (self.changed, self.cut, self.gaps)
        changed, cut, gaps = (tuple(names) for names in lists)
        return Added(tuple(self.new), self.repeated, changed, cut, gaps, self.copies)

    def _ask(self, nodes: Sequence[Node], keys: Sequence[int]) -> None:
        """What the store knows of these nodes, of their parents, and of their copies."""
        self.known, self.awaited = {}, set()
        if self.last is not None:
            names = {node.id for node in nodes}
            above = {node.parent for node in nodes if node.parent is not None}
            self.known = dict(self._rows(_KNOWN, sorted(names | above), self.session))
            self.awaited = {parent for (parent,) in self._rows(_AWAITED, sorted(names), self.session)}
        self.firsts = {}
        wanted = {
            key for node, key in zip(nodes, keys, strict=True) if node.chained or node.id not in self.known
        }
        for key, num, mark, at in self._rows(_FIRST, sorted(wanted)):
            self.firsts.setdefault(key, []).append(_First(num, mark, at))

    def _again(self, node: Node, key: int, here: int) -> None:
        self.repeated += 1
        if here != key:
            self.changed.append(node.id)
        elif node.chained:
            self._date(key, node.at)

    def _new(self, node: Node, key: int) -> None:
        first = self._first(key, "" if node.chained else node.at)
        if first and node.chained:
            self._date(key, node.at)
        # Only a node that is waited for, or that names itself, can close a circle.
        placed, after = node, self.last
        if node.id in self.awaited or node.parent == node.id:
            self._flush()
            placed = settle(evolve(node, after=self.last), self.get)
            after = placed.after
        if first:
            self.rows.append(copy_row(placed, after, self.session, key, (first.num, first.mark)))
            self.copies += 1
        else:
            self.rows.append(row_of(placed, after, self.session, key))
            self.firsts.setdefault(key, []).append(_First(0, "", node.at))
        self._note_gap(placed)
        self.known[node.id] = key
        self.awaited.add(node.parent)
        self.new.append(node.id)
        self.last = node.id

    def _first(self, key: int, at: str) -> _First | None:
        """The first copy in another session; times that are known must agree."""
        found = self.firsts.get(key, ())
        if not at:
            return found[0] if found else None
        return next((first for first in found if first.at == at), None) or next(
            (first for first in found if not first.at), None
        )

    def _date(self, key: int, at: str) -> None:
        """The earliest time that a message came with is its own, until it is written."""
        later = [first for first in self.firsts.get(key, ()) if not first.mark and (first.at or "~") > at]
        if at and later:
            self._flush()
            self.database.execute(_DATE, (at, key, at))
            for first in later:
                first.at = at

    def _note_gap(self, node: Node) -> None:
        if CUT in node.metadata:
            self.cut.append(node.id)
        elif node.parent is not None and node.parent != self.last and node.parent not in self.known:
            self.gaps.append(node.parent)

    def _flush(self) -> None:
        if self.rows:
            self.database.executemany(INSERT, self.rows)
            self.rows = []

    def _rows(self, query: str, names: Sequence[object], *before: object) -> Iterator[Row]:
        for start in range(0, len(names), _AT_ONCE):
            some = names[start : start + _AT_ONCE]
            yield from self.database.execute(query.format(",".join("?" * len(some))), (*before, *some))
