"""What the store knows of sessions beside their messages.

Where one came from, and which sessions never enter.
"""

import json
from collections.abc import Collection, Mapping

from attrs import frozen

from scriptorium_core.names import NodeId, SessionId

from .items import LinkKind
from .store import Session, Store

__all__ = [
    "Exclusion",
    "SessionLink",
    "all_excluded",
    "all_links",
    "exclude",
    "excluded",
    "exclusions",
    "link",
    "links_from",
    "links_to",
]

# Up from a session to those whose agents began it.
_EXCLUDED = (
    "WITH RECURSIVE up (id) AS (SELECT value FROM json_each(:wanted) UNION SELECT l.other FROM up"
    " JOIN sessions s ON s.id = up.id AND s.provider = :provider"
    " JOIN links l ON l.session = s.num AND l.kind = 'spawned_by')"
    " SELECT reason FROM excluded WHERE provider IN (:provider, '') AND id IN (SELECT id FROM up) LIMIT 1"
)
# Whether another session is known to have come from this one.
_REVERSED = (
    "SELECT 1 FROM links l JOIN sessions s ON s.num = l.session WHERE l.kind = 'forked_from'"
    " AND l.other = :i AND s.id = :o AND s.provider = :p"
)
# Down from the excluded sessions to all that their agents began.
_ALL_EXCLUDED = (
    "WITH RECURSIVE down (num, id, provider, reason) AS (SELECT s.num, s.id, s.provider, e.reason"
    " FROM excluded e JOIN sessions s ON s.id = e.id AND e.provider IN (s.provider, '') UNION"
    " SELECT s.num, s.id, s.provider, d.reason FROM down d JOIN links l ON l.other = d.id"
    " AND l.kind = 'spawned_by' JOIN sessions s ON s.num = l.session AND s.provider = d.provider)"
    " SELECT num, reason FROM down"
)


@frozen
class SessionLink:
    """How a session came from another one of its provider: the other's id, and the node where it left it."""

    kind: LinkKind
    other: SessionId
    node: NodeId | None = None


@frozen
class Exclusion:
    """A session that never enters, and why; an empty provider stands for any."""

    provider: str
    id: SessionId
    reason: str


def link(store: Store, session: Session, made: SessionLink) -> bool:
    """Note how a session came from another one; what is known already stays. Whether it is so.

    It is not where the other one is known to have come from this one: of two that share their beginning,
    what a log says goes before what was guessed.
    """
    values = {"n": session.num, "i": session.id, "p": session.provider}
    with store.transaction():
        if made.kind == "forked_from" and store.rows(_REVERSED, values | {"o": made.other}):
            return False
        store.run(
            "INSERT OR IGNORE INTO links (session, kind, other, node) VALUES (?, ?, ?, ?)",
            (session.num, made.kind, made.other, made.node),
        )
    return True


def links_from(store: Store, session: Session) -> tuple[SessionLink, ...]:
    """How this session came from others."""
    rows = store.rows("SELECT kind, other, node FROM links WHERE session = ? ORDER BY rowid", (session.num,))
    return tuple(SessionLink(kind, SessionId(other), node) for kind, other, node in rows)


def all_links(store: Store) -> Mapping[int, tuple[SessionLink, ...]]:
    """How each session that came from others did so, by its number."""
    found: dict[int, tuple[SessionLink, ...]] = {}
    for num, kind, other, node in store.rows(
        "SELECT session, kind, other, node FROM links ORDER BY rowid", ()
    ):
        found[num] = (*found.get(num, ()), SessionLink(kind, SessionId(other), node))
    return found


def links_to(store: Store, session: Session) -> tuple[tuple[SessionId, SessionLink], ...]:
    """The sessions of the same provider that came from this one, each with its link."""
    rows = store.rows(
        "SELECT s.id, l.kind, l.other, l.node FROM links l JOIN sessions s ON s.num = l.session"
        " WHERE l.other = ? AND s.provider = ? ORDER BY l.rowid",
        (session.id, session.provider),
    )
    return tuple(
        (SessionId(name), SessionLink(kind, SessionId(other), node)) for name, kind, other, node in rows
    )


def exclude(store: Store, provider: str, session: str, reason: str) -> None:
    """Keep a session out from now on, by its id alone: one that a writer of ours made.

    An empty `provider` stands for any. What the store holds of it already stays, and is never written.
    """
    with store.transaction():
        store.run(
            "INSERT OR REPLACE INTO excluded (provider, id, reason) VALUES (?, ?, ?)",
            (provider, session, reason),
        )


def excluded(store: Store, provider: str, session: str, spawned_by: Collection[str] = ()) -> str:
    """Why a session never enters; empty if it may.

    What an excluded session's agents did is excluded with it; `spawned_by` are links that are not stored.
    """
    wanted = json.dumps([session, *spawned_by])
    rows = store.rows(_EXCLUDED, {"provider": provider, "wanted": wanted})
    return str(rows[0][0]) if rows else ""


def all_excluded(store: Store) -> Mapping[int, str]:
    """The stored sessions that never enter, by number, with the reason."""
    return {int(num): str(reason) for num, reason in store.rows(_ALL_EXCLUDED, ())}


def exclusions(store: Store) -> tuple[Exclusion, ...]:
    """All sessions that never enter, in the order in which that was said."""
    rows = store.rows("SELECT provider, id, reason FROM excluded ORDER BY rowid", ())
    return tuple(Exclusion(provider, SessionId(name), reason) for provider, name, reason in rows)
