"""How new the newest snapshot of a session is, where its logs are snapshots and not grown by appending."""

from .store import Session, Store

__all__ = ["set_snapshot", "snapshot"]


def snapshot(store: Store, session: Session) -> str:
    """When the newest snapshot of a session was made (`moments.sortable`); empty if none said so."""
    rows = store.rows("SELECT at FROM snapshots WHERE session = ?", (session.num,))
    return str(rows[0][0]) if rows else ""


def set_snapshot(store: Store, session: Session, at: str) -> None:
    """Note when the newest snapshot of a session was made."""
    with store.transaction():
        store.run("INSERT OR REPLACE INTO snapshots (session, at) VALUES (?, ?)", (session.num, at))
