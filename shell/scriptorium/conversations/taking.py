"""Taking the items of a log into the store, in bounded memory, and counting what was found.

Some hundred turns at a time go in, in one transaction with the cursor that says how far the log was
read: a stopped import goes on from there, and half a record at the end waits for the next one. The
head of a session follows the log, unless a log that is read from its start has brought nothing
new: an older copy of a log does not take a session back. Where logs are snapshots that say when they
were made, the newest one has the head and the title.
"""

from collections import Counter
from collections.abc import Iterable
from hashlib import sha256
from itertools import groupby
from typing import BinaryIO

from attrs import define, evolve, field

from scriptorium_core.names import NodeId, SessionId
from scriptorium_core.sessions.graph import Node
from scriptorium_core.sizes import too_large

from .counting import count_branches
from .items import Head, Item, Key, Linked, Noted, Passed, Replaced, Skipped, Torn, Turn
from .linking import SessionLink, excluded, link
from .newest import set_snapshot, snapshot
from .reports import Progress, Report
from .store import Cursor, Session, Store

__all__ = ["Taking", "fingerprint"]

_BATCH = 500
_BATCH_CHARACTERS = 4 * 1024 * 1024
_PRINT = 4096
_PLACES = 50
_AT_LEAST = 8 * 1024 * 1024
_LARGE = "of more than 1 MiB: kept in its conversation, and never written"
_HOLDERS = (
    "SELECT s.id FROM sessions s WHERE s.provider = ? AND EXISTS"
    " (SELECT 1 FROM nodes n WHERE n.session = s.num AND n.id = ?) ORDER BY s.num"
)


@define
class Taking:
    """One import on its way: what waits to be stored, and the counts so far."""

    store: Store
    cursor: Cursor
    file: BinaryIO
    total: int
    now: str
    progress: Progress | None = None
    goes_on: bool = field(init=False)
    heads: dict[Key, NodeId | None] = field(factory=dict)
    live: dict[Key, tuple[NodeId, ...]] = field(factory=dict)
    fresh: set[Key] = field(factory=set)
    seen: dict[Key, Session] = field(factory=dict)
    missing: Counter[tuple[Key, NodeId]] = field(factory=Counter)
    counts: Counter[str] = field(factory=Counter)
    skipped: Counter[str] = field(factory=Counter)
    noted: Counter[str] = field(factory=Counter)
    places: list[tuple[int, str]] = field(factory=list)
    reasons: dict[Key, str] = field(factory=dict)
    links: set[tuple[Key, str, str]] = field(factory=set)
    elsewhere: set[tuple[Key, NodeId | None]] = field(factory=set)
    torn: int = 0

    def __attrs_post_init__(self) -> None:
        self.goes_on = self.cursor.position > 0

    def head_of(self, provider: str, session: str) -> NodeId | None:
        """The stored head of a session, where a log is read on; a log from its start begins with none."""
        found = self.store.get(provider, session) if self.goes_on else None
        return found.head if found else None

    def nodes_of(self, provider: str, session: str) -> Iterable[Node]:
        """The stored nodes of a session in the order in which they came."""
        found = self.store.get(provider, session)
        return self.store.nodes(found) if found else ()

    def holders_of(self, provider: str, node: NodeId) -> Iterable[SessionId]:
        """The stored sessions of a provider that hold a node, the oldest first."""
        return (SessionId(row[0]) for row in self.store.rows(_HOLDERS, (provider, node)))

    def take(self, items: Iterable[Item]) -> None:
        """Take all items of a log."""
        batch: list[Turn | Head | Linked] = []
        size, passed, done = 0, None, self.cursor.position
        for item in items:
            match item:
                case Passed():
                    passed = item
                case Turn():
                    batch.append(item)
                    size += len(item.node.text)
                    self.noted[_LARGE] += bool(too_large(item.node.text))
                case Head() | Linked():
                    batch.append(item)
                case _:
                    self._count(item)
            far = passed.position - done if passed else 0
            if len(batch) >= _BATCH or size >= _BATCH_CHARACTERS or far >= _AT_LEAST:
                self._store(batch, passed)
                batch, size, done = [], 0, self.cursor.position
        self._store(batch, passed)

    def report(self, path: str, dry_run: bool) -> Report:
        """The counts of what was taken."""
        return Report(
            path,
            self.cursor.format,
            dry_run,
            tuple(f"{key.provider}/{key.id}" for key in self.seen),
            branches=sum(count_branches(self.store, session) for session in self.seen.values()),
            gaps=self._gaps(),
            skipped=dict(self.skipped),
            places=tuple(self.places),
            torn=self.torn,
            sessions_new=self.counts["sessions_new"],
            turns_new=self.counts["turns_new"],
            turns_known=self.counts["turns_known"],
            copies=self.counts["copies"],
            cut=self.counts["cut"],
            replaced=self.counts["replaced"],
            noted=dict(+self.noted),
            links=Counter(kind for _, kind, _ in self.links),
            excluded={f"{key.provider}/{key.id}": why for key, why in self.reasons.items() if why},
            turns_excluded=self.counts["turns_excluded"],
        )

    def _store(self, batch: list[Turn | Head | Linked], passed: Passed | None) -> None:
        cursor = self._moved(passed) if passed else self.cursor
        with self.store.transaction():
            for key, group in groupby(batch, lambda item: item.session):
                items = list(group)
                if self._excluded(key, items):
                    self.counts["turns_excluded"] += sum(isinstance(item, Turn) for item in items)
                else:
                    self._session(key, items)
            if cursor != self.cursor:
                self.store.set_cursor(cursor)
        self.cursor = cursor
        if self.progress:
            self.progress(min(passed.position if passed else self.file.tell(), self.total), self.total)

    def _session(self, key: Key, items: list[Turn | Head | Linked]) -> None:
        items = self._without_old_heads(key, items)
        if not items:
            return None
        session = self._opened(key, items)
        if session is None:
            return self._skip("a head or a link of a session that has no turns", items[0].line)
        turns = {item.node.id: item for item in items if isinstance(item, Turn)}
        added = self.store.add(session, [item.node for item in items if isinstance(item, Turn)], self.now)
        self.counts.update(
            turns_new=len(added.new), turns_known=added.known, copies=added.copies, cut=len(added.cut)
        )
        self.missing.update((key, parent) for parent in added.gaps)
        for node in added.changed:
            self._skip("a known id with another message", turns[node].line)
        if added.new or self.goes_on or session.head is None:
            self.fresh.add(key)
        for item in items:
            if isinstance(item, Head) and item.at > snapshot(self.store, session):
                self.fresh.add(key)
                set_snapshot(self.store, session, item.at)
            if isinstance(item, Linked):
                made = SessionLink(item.kind, SessionId(item.other), item.node)
                if link(self.store, session, made):
                    self.links.add((key, item.kind, item.other))
                self.elsewhere.add((key, item.node))
        self._move(key, session, items)
        return None

    def _without_old_heads(self, key: Key, items: list[Turn | Head | Linked]) -> list[Turn | Head | Linked]:
        """`items` without the heads of snapshots that are older than one that is known."""
        known = self.store.get(key.provider, key.id)
        newest = snapshot(self.store, known) if known else ""
        return [item for item in items if not (isinstance(item, Head) and "" < item.at < newest)]

    def _excluded(self, key: Key, items: list[Turn | Head | Linked]) -> str:
        begun = [item.other for item in items if isinstance(item, Linked) and item.kind == "spawned_by"]
        if key not in self.reasons or begun:
            self.reasons[key] = excluded(self.store, key.provider, key.id, begun)
        return self.reasons[key]

    def _opened(self, key: Key, items: list[Turn | Head | Linked]) -> Session | None:
        known = self.store.get(key.provider, key.id)
        titled = next((item.session.title for item in reversed(items) if item.session.title), "")
        if known is None and not any(isinstance(item, Turn) for item in items):
            return None
        self.counts["sessions_new"] += known is None
        opened = self.store.ensure(key.provider, key.id, self.now, title=titled, source=self.cursor.path)
        self.seen.setdefault(key, opened)
        return opened

    def _move(self, key: Key, session: Session, items: list[Turn | Head | Linked]) -> None:
        """Follow the log with the head, and the nodes listed as live, of a session."""
        for item in items:
            if isinstance(item, Turn):
                self.heads[key] = item.node.id if item.head else self.heads.get(key, session.head)
            elif isinstance(item, Head):
                self.heads[key] = item.head or self.heads.get(key, session.head)
                self.live[key] = self.live.get(key, session.live) if item.live is None else item.live
        if key in self.fresh and key in self.heads:
            self.store.set_head(session, self.heads[key], self.now, self.live.get(key, session.live))

    def _count(self, item: Skipped | Replaced | Noted | Torn) -> None:
        match item:
            case Skipped(reason=reason, line=line):
                self._skip(reason, line)
            case Replaced():
                self.counts["replaced"] += 1
            case Noted(what=what):
                self.noted[what] += 1
            case Torn(line=line):
                self.torn = line

    def _skip(self, reason: str, line: int) -> None:
        self.skipped[reason] += 1
        if len(self.places) < _PLACES:
            self.places.append((line, reason))

    def _gaps(self) -> int:
        # A parent in the session that this one continues is not missing.
        missing = {each: count for each, count in self.missing.items() if each not in self.elsewhere}
        found = (self.store.lookup(self.seen[key])(parent) for key, parent in missing)
        return sum(count for count, node in zip(missing.values(), found, strict=True) if node is None)

    def _moved(self, passed: Passed) -> Cursor:
        return evolve(
            self.cursor,
            position=passed.position,
            line=passed.line,
            state=passed.state,
            fingerprint=fingerprint(self.file, passed.position),
        )


def fingerprint(file: BinaryIO, position: int) -> str:
    """What stands at the beginning of a log and before `position`; the place in the file stays."""
    here = file.tell()
    file.seek(0)
    start = file.read(min(_PRINT, position))
    file.seek(max(0, position - _PRINT))
    end = file.read(min(_PRINT, position))
    file.seek(here)
    return sha256(b"\n".join([start, end])).hexdigest()
