"""The four operations as a request writes them, for examples on the small memory."""

from typing import Any

from memory_example import S1, S2, link, topic

__all__ = ["SHARED", "contents", "create", "delete", "move", "update"]

MOVED = {"topic_path": "topics/people/mira.md", "headings": ["Mira"], "position": "end"}
SHARED = f"""# Keys

One.[^e-aaaaaaaaaa] ^key1

Two.[^e-aaaaaaaaaa] ^key2

[^e-aaaaaaaaaa]: Time: `2026`; Sources: [said]({link(S1)})
"""


def create(content: str = "New.", position: str = "end", **where: Any) -> dict[str, Any]:
    destination = {"topic_path": "topics/keys.md", "headings": ["Keys"], "position": position} | where
    sources = [{"source": S1, "label": "said"}]
    operation = {"op": "create_record", "content": content, "time": "2026-05", "sources": sources}
    return operation | {"destination": destination}


def update(block: str, content: str = "Final.", source: str = S2, **more: Any) -> dict[str, Any]:
    sources = [{"source": source, "label": "said"}]
    return {
        "op": "update_record",
        "memory_id": block,
        "content": content,
        "time": "2026-06",
        "sources": sources,
    } | more


def delete(block: str) -> dict[str, Any]:
    return {"op": "delete_record", "memory_id": block}


def move(*ids: str, **where: Any) -> dict[str, Any]:
    return {"op": "move_records", "memory_ids": list(ids), "destination": MOVED | where}


def contents(outcome: object, path: str = "topics/keys.md") -> list[tuple[tuple[str, ...], str]]:
    return [(record.ids, record.content) for record in topic(outcome, path).records]
