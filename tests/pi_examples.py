"""Sessions of Pi for examples: the fixtures, entries made by hand, and what a store holds of them."""

import json
from pathlib import Path
from typing import Any

from scriptorium.conversations.store import Session, Store
from scriptorium.conversations.unwritten import waiting
from scriptorium_core.names import WorkspaceId
from scriptorium_core.sessions.graph import Node

__all__ = [
    "CHILD",
    "FIXTURES",
    "HEADER",
    "OLD",
    "PARENT",
    "entry",
    "fixture",
    "held",
    "nodes",
    "talk",
    "written",
]

FIXTURES = Path(__file__).parent / "fixtures" / "pi"
PARENT, CHILD = "0b9e41c2-7d1f-4a30-9c55-1e2f3a4b5c6d", "5f10aa77-0c1d-4e2f-8a9b-0c1d2e3f4a5b"
OLD = "77aa0000-1111-4222-8333-444455556666"
HEADER = {"type": "session", "version": 3, "id": PARENT, "timestamp": "2026-04-01T12:00:00Z", "cwd": "/w"}


def fixture(session: str) -> Path:
    (found,) = FIXTURES.glob(f"*{session}.jsonl")
    return found


def held(store: Store, session: str = PARENT) -> Session:
    found = store.get("pi", session)
    assert found is not None
    return found


def nodes(store: Store, session: str = PARENT) -> dict[str, Node]:
    return {node.id: node for node in store.nodes(held(store, session))}


def talk(store: Store, session: str) -> list[tuple[str, str]]:
    """What waits to be written of a session, with its branch."""
    found = waiting(store, held(store, session), WorkspaceId("w-1"), lambda _: False)
    return [(item.node.text, item.branch) for item in found if item.node.text]


def entry(name: str | None, parent: str | None, role: str = "user", **row: object) -> dict[str, Any]:
    second = row.pop("second", 1)
    text = row.pop("text", f"says {name}")
    at = f"2026-04-01T12:00:{second:02}.000Z"
    return {
        "type": "message", "id": name, "parentId": parent, "timestamp": at,
        "message": {"role": role, "content": text}, **row,
    }  # fmt: skip


def written(path: Path, *rows: object) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path
