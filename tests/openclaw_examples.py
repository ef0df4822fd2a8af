"""Sessions of OpenClaw for examples: the fixtures, events made by hand, and what a store holds of them."""

from pathlib import Path
from typing import Any

from scriptorium.conversations.store import Session, Store
from scriptorium_core.sessions.graph import Node
from scriptorium_core.sessions.talk import talks

__all__ = ["AGENTS", "MAIN", "ONE", "TWO", "event", "held", "nodes", "talk"]

AGENTS = Path(__file__).parent / "fixtures" / "openclaw" / "agents"
MAIN = AGENTS / "main" / "sessions"
ONE, TWO = "11111111-2222-4333-8444-555555555555", "66666666-2222-4333-8444-555555555555"


def held(store: Store, session: str) -> Session:
    found = store.get("openclaw", session)
    assert found is not None
    return found


def nodes(store: Store, session: str = f"main:{ONE}") -> list[Node]:
    return list(store.nodes(held(store, session)))


def talk(store: Store, session: str = f"main:{ONE}") -> list[str]:
    return [node.text for node in nodes(store, session) if talks(node.origin, node.text)]


def event(seq: int, text: str | None = None, parent: int | None = None, session: str = ONE) -> dict[str, Any]:
    if seq == 0:
        return {"type": "session", "version": 3, "id": session, "timestamp": 1777878000000, "cwd": "/w"}
    above = seq - 1 if parent is None else parent
    return {
        "type": "message", "id": f"e{seq}", "parentId": f"e{above}" if above else None,
        "timestamp": 1777878000000 + seq, "message": {"role": "user", "content": text or f"says {seq}"},
    }  # fmt: skip
