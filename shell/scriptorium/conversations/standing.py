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
_FORKED = (
    "SELECT s.id, l.other FROM links l JOIN sessions s ON s.num = l.session"
    " WHERE s.provider = ? AND l.kind = 'forked_from' ORDER BY s.id, l.other"
)
_COPIES = "SELECT session FROM nodes WHERE home = :home UNION SELECT session FROM nodes WHERE num = :home"


def live_notes(store: Store, session: Session) -> Mapping[SourceId, tuple[str, ...]]:
    """For each message on one of several live branches the notes of its branches (`topics.notes`).

    A fork that was stored as a session of its own is a branch of the session that it was forked from, and
    named by it. Costs next to nothing where a session has its head alone.
    """
    origin, family = _family(store, session)
    live = dict.fromkeys(node for each in family for node in (each.head, *each.live) if node is not None)
    if len(live) < 2:
        return {}
    links = {link.node: link for each in family for link in store.links(each)}
    begun = beginnings(links.values(), live)
    return {
        _source(node, provider, first): tuple(live_note(origin, begin) for begin in begun[NodeId(node)])
        for each in family
        for node, _, provider, first in store.rows(_SPOKEN, (each.num,))
        if node in begun
    }


def turned(
    store: Store, session: Session, archived: Callable[[str], Mapping[str, Branch]]
) -> Mapping[SourceId, Branch]:
    """The branch of each message that has another one; `archived` gives what a context file says."""
    return dict(_turned(store, session, archived))


def _family(store: Store, session: Session) -> tuple[SessionId, tuple[Session, ...]]:
    """The session that it and others were forked from, step by step, known or not; and all of them."""
    above = dict[SessionId, SessionId]()
    for name, other in store.rows(_FORKED, (session.provider,)):
        above.setdefault(SessionId(name), SessionId(other))
    origin = _origin(session.id, above)
    names = {session.id, origin, *(name for name in above if _origin(name, above) == origin)}
    known = (store.get(session.provider, name) for name in sorted(names))
    return origin, tuple(each for each in known if each is not None)


def _origin(name: SessionId, above: Mapping[SessionId, SessionId]) -> SessionId:
    seen = [name]
    while (up := above.get(seen[-1])) is not None:
        if up in seen:  # logs may claim to be forked from each other
            return min(seen)
        seen.append(up)
    return seen[-1]


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
