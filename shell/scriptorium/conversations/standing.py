"""Where the messages of a session stand now: on another branch than their archive says, on one of several.

A rewind, a retry or an edit gives up a branch that was archived as live, and a head can come back. A
message that several sessions hold is live if it is live in one of them. Costs what the session holds.
"""

from collections.abc import Callable, Iterator, Mapping
from functools import cache

from scriptorium_core.names import NodeId, SessionId, SourceId, context_path
from scriptorium_core.sessions.evidence import source_of
from scriptorium_core.sessions.graph import Node
from scriptorium_core.sessions.siblings import beginnings
from scriptorium_core.sources.frame import Branch, Origin
from scriptorium_core.topics.notes import live_note

from .store import Session, Store
from .unwritten import branch_state

__all__ = ["live_notes", "turned"]

_SPOKEN = (
    "SELECT n.id, h.num, s.provider, s.id FROM nodes n JOIN nodes h ON h.num = coalesce(n.home, n.num)"
    " JOIN sessions s ON s.num = h.session WHERE n.session = ? AND n.talk ORDER BY n.num"
)
_COPIES = "SELECT session FROM nodes WHERE home = :home UNION SELECT session FROM nodes WHERE num = :home"


def live_notes(store: Store, session: Session) -> Mapping[SourceId, tuple[str, ...]]:
    """For each message on one of several live branches the notes of its branches (`topics.notes`).

    Costs nothing where a session has its head alone.
    """
    if session.head is None or not session.live:
        return {}
    begun = beginnings(store.links(session), (session.head, *session.live))
    return {
        _source(node, provider, first): tuple(live_note(session.id, begin) for begin in begun[node])
        for node, _, provider, first in store.rows(_SPOKEN, (session.num,))
        if node in begun
    }


def turned(
    store: Store, session: Session, archived: Callable[[str], Mapping[str, Branch]]
) -> Mapping[SourceId, Branch]:
    """The branch of each message that has another one; `archived` gives what a context file says."""
    return dict(_turned(store, session, archived))


def _turned(
    store: Store, session: Session, archived: Callable[[str], Mapping[str, Branch]]
) -> Iterator[tuple[SourceId, Branch]]:
    state = branch_state(store, session)
    elsewhere = _live_elsewhere(store)
    files: dict[tuple[str, str], Mapping[str, Branch]] = {}
    for node, home, provider, first in store.rows(_SPOKEN, (session.num,)):
        name = _source(node, provider, first)
        if (provider, first) not in files:
            files[provider, first] = archived(context_path(name))
        known = files[provider, first].get(name)
        now = state(NodeId(node))
        # Of a head that is missing nothing follows.
        if known is None or now in (known, "unknown"):
            continue
        if now == "abandoned" and elsewhere(home, NodeId(node)):
            now = "live"
        if now != known:
            yield name, now


def _source(node: str, provider: str, first: str) -> SourceId:
    return source_of(Node(NodeId(node), SessionId(first), provider, None, "", Origin.HUMAN, ""))


def _live_elsewhere(store: Store) -> Callable[[int, NodeId], bool]:
    @cache
    def states() -> Mapping[int, Callable[[NodeId], Branch]]:
        return {session.num: branch_state(store, session) for session in store.sessions()}

    def live(home: int, node: NodeId) -> bool:
        holders = store.rows(_COPIES, {"home": home})
        return any(states()[num](node) == "live" for (num,) in holders)

    return live
