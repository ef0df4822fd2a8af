"""What the store knows of sessions beside their messages.

Where one came from, how new the newest snapshot of it is, and which sessions never enter.
"""

from attrs import frozen

from scriptorium_core.names import NodeId, SessionId

from .items import LinkKind
from .store import Session, Store

__all__ = [
    "SessionLink",
    "exclude",
    "excluded",
    "link",
    "links_from",
    "links_to",
    "set_snapshot",
    "snapshot",
]


@frozen
class SessionLink:
    """How a session came from another one of its provider: the other's id, and the node where it left it."""

    kind: LinkKind
    other: SessionId
    node: NodeId | None = None


def link(store: Store, session: Session, made: SessionLink) -> None:
    """Note how a session came from another one; what is known already stays."""
    with store.transaction():
        store.run(
            "INSERT OR IGNORE INTO links (session, kind, other, node) VALUES (?, ?, ?, ?)",
            (session.num, made.kind, made.other, made.node),
        )


def links_from(store: Store, session: Session) -> tuple[SessionLink, ...]:
    """How this session came from others."""
    rows = store.rows("SELECT kind, other, node FROM links WHERE session = ? ORDER BY rowid", (session.num,))
    return tuple(SessionLink(kind, SessionId(other), node) for kind, other, node in rows)


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
    """Keep a session out from now on, by its id alone: one that a writer of ours made."""
    with store.transaction():
        store.run(
            "INSERT OR REPLACE INTO excluded (provider, id, reason) VALUES (?, ?, ?)",
            (provider, session, reason),
        )


def excluded(store: Store, provider: str, session: str) -> str:
    """Why a session never enters; empty if it may."""
    rows = store.rows("SELECT reason FROM excluded WHERE provider = ? AND id = ?", (provider, session))
    return str(rows[0][0]) if rows else ""


def snapshot(store: Store, session: Session) -> str:
    """When the newest snapshot of a session was made (`moments.sortable`); empty if none said so."""
    rows = store.rows("SELECT at FROM snapshots WHERE session = ?", (session.num,))
    return str(rows[0][0]) if rows else ""


def set_snapshot(store: Store, session: Session, at: str) -> None:
    """Note when the newest snapshot of a session was made."""
    with store.transaction():
        store.run("INSERT OR REPLACE INTO snapshots (session, at) VALUES (?, ?)", (session.num, at))
