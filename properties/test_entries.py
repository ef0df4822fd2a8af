"""Laws of the logs of Pi and OpenClaw: bit by bit, forked, broken, and in a database."""

import json
import sqlite3
import tempfile
from io import BytesIO
from itertools import zip_longest
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from entry_strategies import Row, fork_of, lines_of, pi_sessions, sound_sessions
from scriptorium.conversations.formats.pi import PI
from scriptorium.conversations.importing import import_path
from scriptorium.conversations.items import Head, Item, Linked, Passed, Replaced, Source
from scriptorium.conversations.schema import prepare
from scriptorium.conversations.store import Store
from scriptorium_core.names import NodeId
from scriptorium_core.sessions.evidence import source_of
from scriptorium_core.sessions.graph import Node
from scriptorium_core.sessions.talk import talks

NOW = "2026-05-01T10:00:00+00:00"
Contents = dict[str, tuple[NodeId | None, str, list[Node]]]
TABLES = """
CREATE TABLE transcript_events (session_id TEXT, seq INTEGER, event_json TEXT, created_at INTEGER);
CREATE TABLE transcript_rewrite_watermarks (session_id TEXT PRIMARY KEY, generation TEXT);
"""


def in_memory() -> Store:
    """A store without a file, because a law is tried on hundreds of them."""
    database = sqlite3.connect(":memory:", isolation_level=None)
    prepare(database, Path("memory"))
    return Store(Path("memory"), database)


def contents(store: Store) -> Contents:
    return {
        session.id: (session.head, session.title, list(store.nodes(session))) for session in store.sessions()
    }


def cuts(data: st.DataObject, content: bytes) -> list[bytes]:
    places = data.draw(st.lists(st.integers(0, len(content)), max_size=4))
    return [content[:place] for place in sorted(places)] + [content]


def after(steps: list[tuple[str, bytes]]) -> Contents:
    """What the store holds after importing each step: a name, and the content of the file of that name."""
    with tempfile.TemporaryDirectory() as folder, in_memory() as store:
        for name, content in steps:
            log = Path(folder) / name
            log.write_bytes(content)
            import_path(store, log, "pi", now=NOW)
        return contents(store)


def items(content: bytes) -> list[Item]:
    source = Source(Path("log"), BytesIO(content), lambda *_: None, lambda *_: ())
    return list(PI.read(source))


class TestAppends:
    """Importing any split of a log by appends gives the same store as importing it at once."""

    @given(pi_sessions(), st.data())
    def test_sessions(self, rows: list[Row], data: st.DataObject) -> None:
        content = b"".join(lines_of(rows))
        assert after([("log", step) for step in cuts(data, content)]) == after([("log", content)])

    @given(sound_sessions(), st.data())
    def test_forks(self, rows: list[Row], data: st.DataObject) -> None:
        content = b"".join(lines_of(data.draw(fork_of(rows))))
        assert after([("log", step) for step in cuts(data, content)]) == after([("log", content)])

    @given(pi_sessions())
    def test_twice(self, rows: list[Row]) -> None:
        content = b"".join(lines_of(rows))
        assert after([("log", content), ("log", content)]) == after([("log", content)])


class TestForks:
    """What a fork copied is one message, in whatever order and however often the two files come."""

    @given(sound_sessions(), st.booleans(), st.data())
    def test_any_interleaving(self, rows: list[Row], first: bool, data: st.DataObject) -> None:
        child = data.draw(fork_of(rows))
        logs = [
            [(name, step) for step in cuts(data, b"".join(lines_of(log)))]
            for name, log in (("parent", rows), ("child", child))
        ]
        steps = zip_longest(*(logs if first else logs[::-1]))
        found = after([step for pair in steps for step in pair if step])
        copied = {row["id"] for row in child} & {row["id"] for row in rows[1:]}
        parent, fork = (
            {node.id: source_of(node) for node in found[name][2]} for name in (rows[0]["id"], child[0]["id"])
        )
        assert {name for name in copied if parent[NodeId(name)] != fork[NodeId(name)]} == set()
        assert "c0000001" in fork


class TestOldVersions:
    """A log without ids, and what the program makes of it, hold the same messages under the same ids."""

    @given(sound_sessions(), st.data())
    def test_the_program_adds_ids(self, rows: list[Row], data: st.DataObject) -> None:
        spoken = [row for row in rows if row["type"] != "label"]
        old = [{key: row[key] for key in row if key not in ("parentId", "version")} for row in spoken]
        bare = [old[0], *({key: row[key] for key in row if key != "id"} for row in old[1:])]
        above = [None, *(f"{number:08x}" for number in range(len(bare)))]
        new = [
            {**row, "id": f"{number:08x}", "parentId": parent}
            for number, (row, parent) in enumerate(zip(bare[1:], above, strict=False))
        ]
        at_once = after([("log", b"".join(lines_of(bare)))])
        content = b"".join(lines_of([{**old[0], "version": 3}, *new]))
        steps = [("log", b"".join(lines_of(bare))), *(("log", step) for step in cuts(data, content))]
        assert after(steps) == at_once


class TestBroken:
    """Lines may be cut, doubled, moved or spoilt: nothing raises, and no line is lost without a word."""

    @given(pi_sessions(), st.data())
    def test_every_line_is_taken_or_counted(self, rows: list[Row], data: st.DataObject) -> None:
        drawn = data.draw(st.lists(st.sampled_from(lines_of(rows)), max_size=10))
        spoilt = [
            line[: data.draw(st.integers(0, len(line) - 1))] + data.draw(st.binary(max_size=3)) + b"\n"
            if data.draw(st.integers(0, 3)) == 0
            else line
            for line in drawn
        ]
        content = b"".join(spoilt)[: data.draw(st.integers(0, sum(map(len, spoilt))))]
        found = items(content)
        told = {item.line for item in found if not isinstance(item, Passed | Replaced | Linked | Head)}
        for number, line in enumerate(content.split(b"\n"), 1):
            assert number in told or self.says_nothing(line)

    def says_nothing(self, line: bytes) -> bool:
        """Whether a line is blank, or one of those that are known to be no message."""
        try:
            value = json.loads(line.decode("utf-8", "replace")) if line.strip() else {"type": "session"}
        except ValueError:
            return False
        return isinstance(value, dict) and value.get("type") in ("session", "label")

    @given(st.binary(max_size=60))
    def test_any_bytes(self, content: bytes) -> None:
        items(b'{"type":"session","id":"x"}\n' + content)


class TestDatabase:
    """A database that grows between imports gives what one import gives; a rewrite adds and loses nothing."""

    @given(sound_sessions(), st.data())
    def test_rows_that_are_appended_or_begin_anew(self, rows: list[Row], data: st.DataObject) -> None:
        ends = sorted(data.draw(st.lists(st.integers(0, len(rows)), max_size=3)))
        with tempfile.TemporaryDirectory() as folder, in_memory() as store, in_memory() as other:
            path = Path(folder) / "openclaw-agent.sqlite"
            with sqlite3.connect(path) as database:
                database.executescript(TABLES)
                for generation, end in enumerate([*ends, len(rows)]):
                    self.write(database, rows[:end], generation, anew=data.draw(st.booleans()))
                    import_path(store, path, "openclaw", now=NOW)
                import_path(other, path, "openclaw", now=NOW)
            database.close()
            once, bit_by_bit = contents(other), contents(store)
        assert bit_by_bit == once
        said = [node.text for _, _, nodes in once.values() for node in nodes if talks(node.origin, node.text)]
        assert len(said) <= len(rows)

    def write(self, database: sqlite3.Connection, rows: list[Row], generation: int, anew: bool) -> None:
        if anew:
            database.execute("DELETE FROM transcript_events")
            database.execute(
                "INSERT OR REPLACE INTO transcript_rewrite_watermarks VALUES ('s', ?)", (str(generation),)
            )
        (count,) = database.execute("SELECT count(*) FROM transcript_events").fetchone()
        events = [(seq, line.decode("utf-8", "replace")) for seq, line in enumerate(lines_of(rows))][count:]
        database.executemany("INSERT INTO transcript_events VALUES ('s', ?, ?, 1777878000000)", events)
        database.commit()
