"""Laws of transcripts: what was written down is read as it was said, however it is written and whenever."""

import sqlite3
import tempfile
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from entry_strategies import spoken_turns
from scriptorium.conversations.formats.transcript import TRANSCRIPT
from scriptorium.conversations.importing import import_path
from scriptorium.conversations.items import Sample
from scriptorium.conversations.schema import prepare
from scriptorium.conversations.store import Store
from scriptorium.conversations.unwritten import waiting
from scriptorium_core.names import WorkspaceId

MANNERS = (
    "{}: {}\n",
    "**{}:** {}\n\n",
    "**{}**: {}\n",
    "## {}\n\n{}\n\n",
    "[12:03] {}: {}\n",
    "{} (12:03): {}\n",
)
LINES = (
    "You: a", "Claude: b", "```", "---", "## 2026-05-02", "2026-05-02", "", "x: y", "title: t", "**You:** c",
    "[12:03] You: d", "[99:99] You: e", "## You", "- a", "- [x] b", "\u2028",
)  # fmt: skip


def said(steps: list[bytes]) -> list[list[tuple[str, str]]]:
    """Who says what on the live path of each session, after importing the steps as one file."""
    database = sqlite3.connect(":memory:", isolation_level=None)
    prepare(database, Path("memory"))
    with tempfile.TemporaryDirectory() as folder, Store(Path("memory"), database) as store:
        for content in steps:
            (Path(folder) / "talk.md").write_bytes(content)
            import_path(store, Path(folder) / "talk.md", "transcript", now="2026-05-01T10:00:00+00:00")
        return [
            [
                (item.node.role, item.node.text)
                for item in waiting(store, session, WorkspaceId("w"), lambda _: False)
                if item.branch == "live"
            ]
            for session in store.sessions()
        ]


def expected(turns: list[tuple[str, str]]) -> list[tuple[str, str]]:
    return [("user" if name == "You" else "assistant", text) for name, text in turns]


class TestReading:
    """Turns that are written down in any manner are read as they were said."""

    @given(spoken_turns(), st.sampled_from(MANNERS))
    def test_every_manner(self, turns: list[tuple[str, str]], manner: str) -> None:
        content = "".join(manner.format(*turn) for turn in turns)
        assert said([content.encode()]) == [expected(turns)]

    @given(spoken_turns(), st.sampled_from(MANNERS), st.data())
    def test_a_text_that_grows_line_by_line(
        self, turns: list[tuple[str, str]], manner: str, data: st.DataObject
    ) -> None:
        """A turn that grew is another one; behind the first, which names the session, all is whole."""
        content = "".join(
            manner.format(*turn) for turn in [("You", "begin"), ("Claude", "go on"), *turns]
        ).encode()
        begun = len("".join(manner.format(*turn) for turn in [("You", "begin"), ("Claude", "go on")]))
        ends = [place + 1 for place, byte in enumerate(content) if byte == 10 and place + 1 >= begun]
        steps = sorted(data.draw(st.lists(st.sampled_from(ends), max_size=4)))
        found = said([content[:end] for end in steps] + [content])
        assert found == [expected([("You", "begin"), ("Claude", "go on"), *turns])]


class TestAnything:
    """Any text is read or refused; nothing raises."""

    @given(st.text(max_size=200), st.binary(max_size=20))
    def test_any_text(self, text: str, junk: bytes) -> None:
        TRANSCRIPT.recognises(Sample(None, text, Path("talk.md")))
        said([text.encode("utf-8", "replace") + junk])

    @given(st.lists(st.sampled_from(LINES), max_size=12))
    def test_every_word_of_what_was_said_is_there(self, lines: list[str]) -> None:
        spoken = ["You: begin", "Claude: go on", *lines, "You: end"]
        (turns,) = said(["\n".join(spoken).encode()])
        found = "\n".join(text for _, text in turns)
        assert [line for line in lines if line.startswith("- ") and line not in found] == []
        assert found.startswith("begin\ngo on")
