"""Small invented chats as ChatGPT exports them, and what the store has of them."""

import itertools
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from scriptorium.conversations.importing import Report, import_path
from scriptorium.conversations.store import Session, Store
from scriptorium.conversations.unwritten import waiting
from scriptorium_core.names import WorkspaceId
from scriptorium_core.sessions.graph import Node

__all__ = [
    "EXPORT",
    "NOON",
    "above",
    "branches",
    "chat",
    "entry",
    "held",
    "message",
    "nodes",
    "one",
    "only",
    "taken",
]

EXPORT = Path(__file__).parent / "fixtures" / "chatgpt" / "conversations.json"
NOON = 1767268800.0  # 2026-01-01T12:00:00Z


def message(name: str, *parts: object, role: str = "user", time: float | None = NOON, **more: object) -> Any:
    content = {"content_type": "text", "parts": list(parts) or [f"says {name}"]}
    return {"id": name, "author": {"role": role}, "create_time": time, "content": content, **more}


def entry(parent: object, said: object = None, **more: object) -> dict[str, Any]:
    return {"parent": parent, "message": said, "children": [], **more}


def chat(mapping: Mapping[str, Any], name: str = "c1", **more: object) -> dict[str, Any]:
    return {"id": name, "title": "Paint", "update_time": NOON, "mapping": mapping, **more}


def one(said: object) -> dict[str, Any]:
    """A chat with one message below the root."""
    return chat({"root": entry(None), "k": entry("root", said)})


def taken(store: Store, document: object, format: str | None = "chatgpt", **more: Any) -> Report:
    """The report on a document, imported from a file of its own."""
    for number in itertools.count():
        path = store.path.with_name(f"export-{number}.json")
        if not path.exists():
            path.write_text(document if isinstance(document, str) else json.dumps(document))
            return import_path(store, path, format, **more)
    raise AssertionError


def held(store: Store, name: str = "c1") -> Session:
    found = store.get("chatgpt", name)
    assert found is not None
    return found


def nodes(store: Store, name: str = "c1") -> list[Node]:
    return list(store.nodes(held(store, name)))


def only(store: Store, said: object) -> Node:
    """The one message of a chat that holds it alone."""
    taken(store, one(said))
    (found,) = nodes(store)
    return found


def above(store: Store) -> dict[str, str | None]:
    return {node.id: node.parent for node in nodes(store)}


def branches(store: Store, name: str = "c1") -> dict[str, str]:
    found = waiting(store, held(store, name), WorkspaceId("w-1"), lambda _: False)
    return {item.node.id: item.branch for item in found}
