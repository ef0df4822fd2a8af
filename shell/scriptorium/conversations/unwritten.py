"""What of the store's sessions a workspace has not written yet, and the marks that say what it has.

A session's unwritten nodes are found by the index of marks, so that it costs what is unwritten.
Only where a node was not reached from the head is the path of the head read as a whole, to tell a
live node from an abandoned one.
"""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache

from attrs import frozen

from scriptorium_core.budget import Count, tokens_of_sizes
from scriptorium_core.names import NodeId, SessionId, SourceId, WorkspaceId
from scriptorium_core.sessions.evidence import source_of
from scriptorium_core.sessions.graph import Node
from scriptorium_core.sessions.pending import Waiting, over_branches
from scriptorium_core.sources.frame import Branch, Origin

from .linking import SessionLink, all_excluded, all_links
from .store import ABOVE, Session, Store

__all__ = [
    "Summary",
    "branch_state",
    "count_pending",
    "ends",
    "mark",
    "said_at",
    "sizes",
    "spoken",
    "summaries",
    "tokens_waiting",
    "waiting",
]

_UNMARKED = (
    "SELECT num, id FROM nodes WHERE session = :s AND mark < :w UNION ALL"
    " SELECT num, id FROM nodes WHERE session = :s AND mark > :w"
)
_ENDS = (
    f"SELECT id FROM ({_UNMARKED}) u WHERE NOT EXISTS (SELECT 1 FROM nodes c"
    " WHERE c.session = :s AND c.parent = u.id AND c.mark <> :w) ORDER BY num DESC"
)
_TEXTS = (
    "SELECT h.text FROM nodes n JOIN nodes h ON h.num = coalesce(n.home, n.num)"
    " WHERE n.session = :s AND n.talk AND n.mark <> :w ORDER BY n.num"
)
_SIZES = (
    "SELECT n.session, sum(length(h.text)), sum(length(CAST(h.text AS BLOB))) FROM ("
    "SELECT n.session, n.num, n.home FROM json_each(:s) j JOIN nodes n ON n.session = j.value AND n.mark < :w"
    " AND n.talk UNION ALL SELECT n.session, n.num, n.home FROM json_each(:s) j JOIN nodes n"
    " ON n.session = j.value AND n.mark > :w AND n.talk) n"
    " JOIN nodes h ON h.num = coalesce(n.home, n.num) GROUP BY n.session"
)
_SPOKEN = (
    "SELECT n.id, s.provider, s.id, n.mark FROM nodes n JOIN nodes h ON h.num = coalesce(n.home, n.num)"
    " JOIN sessions s ON s.num = h.session WHERE n.session = :s AND n.talk ORDER BY n.num"
)
_LAST = (
    "SELECT h.at FROM sessions s JOIN nodes n ON n.session = s.num AND n.id = s.last"
    " JOIN nodes h ON h.num = coalesce(n.home, n.num) WHERE s.num = ?"
)
_DATED = (
    "SELECT h.at FROM nodes n JOIN nodes h ON h.num = coalesce(n.home, n.num)"
    " WHERE n.session = ? AND h.at <> '' ORDER BY n.num DESC LIMIT 1"
)
_EXTENT = (
    "SELECT count(*), (SELECT f.at FROM nodes m JOIN nodes f ON f.num = coalesce(m.home, m.num)"
    " WHERE m.session = ?1 AND m.talk AND f.at <> '' ORDER BY m.num LIMIT 1)"
    " FROM nodes n WHERE n.session = ?1 AND n.talk"
)
_PATH = (
    f"WITH RECURSIVE up (id) AS (VALUES (:tip) UNION SELECT {ABOVE} FROM up"
    " JOIN nodes n ON n.id = up.id AND n.session = :s WHERE n.parent IS NOT NULL) SELECT id FROM up"
)
_MARK = (
    "UPDATE nodes SET mark = :w WHERE num = :home AND mark <> :w",
    "UPDATE nodes SET mark = :w WHERE home = :home AND mark <> :w",
)


@frozen
class Summary:
    """A session with the number of its messages that a workspace has not written.

    `said_at` is when its last message was said that has a time, as the log has it, empty if none has; `links`
    say how it came from others; `excluded` is why it never enters, empty if it may. `messages` is how many it
    has on all branches, `begun_at` when the first was said; `gave` are the records that cite it, by id.
    """

    session: Session
    pending: int
    links: tuple[SessionLink, ...] = ()
    excluded: str = ""
    said_at: str = ""
    messages: int = 0
    begun_at: str = ""
    gave: tuple[str, ...] = ()


def summaries(store: Store, workspace: WorkspaceId) -> tuple[Summary, ...]:
    """All sessions with what this workspace has not written; costs what is unwritten."""
    why = all_excluded(store)
    links = all_links(store)
    return tuple(
        Summary(
            session,
            0 if session.num in why else count_pending(store, session, workspace),
            links.get(session.num, ()),
            why.get(session.num, ""),
            said_at(store, session) or _dated(store, session),
            *_extent(store, session),
        )
        for session in store.sessions()
    )


def said_at(store: Store, session: Session) -> str:
    """When the last message of a session was said, ISO 8601 as the log has it; empty if it does not say."""
    rows = store.rows(_LAST, (session.num,))
    return (rows[0][0] or "") if rows else ""


def _extent(store: Store, session: Session) -> tuple[int, str]:
    """How many messages a session has, and when the first with a time was said."""
    ((messages, begun),) = store.rows(_EXTENT, (session.num,))
    return int(messages), str(begun or "")


def _dated(store: Store, session: Session) -> str:
    rows = store.rows(_DATED, (session.num,))
    return rows[0][0] if rows else ""


def count_pending(store: Store, session: Session, workspace: WorkspaceId) -> int:
    """How many messages of talk carry no mark of this workspace."""
    query = "SELECT coalesce(sum(talk), 0) FROM nodes WHERE session = ? AND mark "
    counts = (store.rows(f"{query}{sign} ?", (session.num, workspace)) for sign in ("<", ">"))
    return sum(int(rows[0][0]) for rows in counts)


def sizes(store: Store, workspace: WorkspaceId, sessions: Iterable[Session]) -> Mapping[int, int]:
    """The tokens of what is unwritten in each of these sessions, by its number.

    They are estimated from the lengths of the texts, which the database adds up by itself.
    """
    numbers = json.dumps([session.num for session in sessions])
    rows = store.rows(_SIZES, {"s": numbers, "w": workspace})
    return {int(num): tokens_of_sizes(characters, size) for num, characters, size in rows}


def tokens_waiting(store: Store, session: Session, workspace: WorkspaceId, count: Count, goal: int) -> int:
    """The tokens of the unwritten messages; no more are read than it takes to reach `goal`."""
    total = 0
    for (text,) in store.database.execute(_TEXTS, {"s": session.num, "w": workspace}):
        total += count(text)
        if total >= goal:
            break
    return total


def spoken(store: Store, session: Session) -> Iterator[tuple[SourceId, str]]:
    """The source id and the mark of each message of talk; no text is read."""
    for node, provider, first, mark in store.database.execute(_SPOKEN, {"s": session.num}):
        named = Node(NodeId(node), SessionId(first), provider, None, "", Origin.HUMAN, "")
        yield source_of(named), mark


def waiting(
    store: Store,
    session: Session,
    workspace: WorkspaceId,
    archived: Callable[[SourceId], bool],
    only: NodeId | None = None,
) -> tuple[Waiting, ...]:
    """What of a session waits, over all branches: the head's first, then the newest of the others.

    With `only`, the branch that ends there.
    """
    heads = () if only else (session.head, *session.live)
    return over_branches(
        store.lookup(session),
        tuple(head for head in heads if head is not None),
        (only,) if only else ends(store, session, workspace),
        workspace,
        archived,
        branch_state(store, session),
    )


def ends(store: Store, session: Session, workspace: WorkspaceId) -> tuple[NodeId, ...]:
    """The unmarked nodes that no unmarked node names as its parent, the newest first."""
    rows = store.rows(_ENDS, {"s": session.num, "w": workspace})
    return tuple(NodeId(row[0]) for row in rows)


def branch_state(store: Store, session: Session) -> Callable[[NodeId], Branch]:
    """Whether a node is live or abandoned; the path of the head is read once, when first asked."""
    held = session.head is not None and store.lookup(session)(session.head) is not None
    other: Branch = "abandoned" if held else "unknown"

    @cache
    def live() -> frozenset[str]:
        starts = (session.head, *session.live)
        return frozenset(node for start in starts if start for node in _path(store, session, start))

    return lambda node: "live" if node in live() else other


def mark(store: Store, session: Session, nodes: Iterable[Node], workspace: WorkspaceId) -> None:
    """Mark exactly these nodes, in all their copies, as done for this workspace."""
    home = "SELECT coalesce(home, num) FROM nodes WHERE id = ? AND session = ?"
    with store.transaction():
        for node in nodes:
            for row in store.rows(home, (node.id, session.num)):
                for statement in _MARK:
                    store.run(statement, {"w": workspace, "home": row[0]})


def _path(store: Store, session: Session, tip: NodeId) -> Iterator[str]:
    return (row[0] for row in store.rows(_PATH, {"tip": tip, "s": session.num}) if row[0] is not None)
