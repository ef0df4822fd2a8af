"""Laws of message lists whose rows name their parents, and of rows in any dialect."""

import json
import sqlite3
import tempfile
from pathlib import Path
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from scriptorium.conversations.formats.openai import OPENAI
from scriptorium.conversations.formats.openai_rows import Message, message_of
from scriptorium.conversations.importing import import_path
from scriptorium.conversations.items import Sample
from scriptorium.conversations.schema import prepare
from scriptorium.conversations.store import Store
from scriptorium_core.names import NodeId
from scriptorium_core.sessions.graph import Node

WORDS = (
    "role",
    "user",
    "assistant",
    "content",
    "text",
    "type",
    "message",
    "payload",
    "parts",
    "tool_use",
    "id",
)


@st.composite
def trees(draw: st.DrawFn) -> list[dict[str, Any]]:
    """Rows with ids, below earlier rows, below none, or below one that is nowhere."""
    rows: list[dict[str, Any]] = []
    for number in range(draw(st.integers(1, 6))):
        parents: tuple[str | None, ...] = ("nowhere", None, *(f"n{earlier}" for earlier in range(number)))
        role, text = draw(st.sampled_from(("user", "assistant"))), draw(st.sampled_from(("ok", "yes")))
        parent = draw(st.sampled_from(parents))
        rows.append({"id": f"n{number}", "parentId": parent, "message": {"role": role, "content": text}})
    return rows


def documents() -> st.SearchStrategy[object]:
    """Any JSON, of words that messages are made of."""
    leaves = st.none() | st.booleans() | st.integers() | st.sampled_from(WORDS)
    return st.recursive(
        leaves, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from(WORDS), inner)
    )


def after(steps: list[bytes]) -> list[tuple[NodeId | None, list[Node]]]:
    """The sessions in a store after importing each step as the content of one file."""
    database = sqlite3.connect(":memory:", isolation_level=None)
    prepare(database, Path("memory"))
    with tempfile.TemporaryDirectory() as folder, Store(Path("memory"), database) as store:
        for content in steps:
            (Path(folder) / "log").write_bytes(content)
            import_path(store, Path(folder) / "log", "openai", now="2026-05-01T10:00:00+00:00")
        return [(session.head, list(store.nodes(session))) for session in store.sessions()]


class TestTrees:
    """A tree that comes line by line is the one that comes at once."""

    @given(trees(), st.data())
    def test_appends(self, rows: list[dict[str, Any]], data: st.DataObject) -> None:
        content = "".join(json.dumps(row) + "\n" for row in rows).encode()
        places = sorted(data.draw(st.lists(st.integers(0, len(content)), max_size=4)))
        assert after([content[:place] for place in places] + [content]) == after([content])


class TestAnything:
    """Any JSON is a message or has a reason why it is none."""

    @given(documents())
    def test_rows(self, document: object) -> None:
        assert isinstance(message_of(document), Message | str)
        OPENAI.recognises(Sample(document, json.dumps(document), Path("log")))

    @given(st.lists(documents(), max_size=4), st.booleans())
    def test_documents(self, rows: list[object], in_lines: bool) -> None:
        text = "".join(json.dumps(row) + "\n" for row in rows) if in_lines else json.dumps(rows)
        after([text.encode()])
