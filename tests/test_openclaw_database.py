"""The format `openclaw`: the sessions in the database of an agent."""

import json
import sqlite3
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from openclaw_examples import ONE, TWO, event, held, nodes, talk
from scriptorium.conversations.formats import openclaw_database
from scriptorium.conversations.importing import import_path
from scriptorium.conversations.linking import links_from
from scriptorium.conversations.store import Store, open_store

TABLES = """
CREATE TABLE session_windows (session_id TEXT PRIMARY KEY, session_key TEXT, transcript_updated_at INTEGER,
    spawned_by TEXT, display_name TEXT);
CREATE TABLE transcript_events (session_id TEXT, seq INTEGER, event_json TEXT, created_at INTEGER,
    PRIMARY KEY (session_id, seq));
CREATE TABLE transcript_rewrite_watermarks (session_id TEXT PRIMARY KEY, generation TEXT);
"""


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with open_store(tmp_path / "sessions.sqlite3") as opened:
        yield opened


class Agent:
    """An agent's database, and the connection of the program that owns it."""

    def __init__(self, folder: Path, journal: str = "wal") -> None:
        self.path = folder / "agents" / "main" / "agent" / "openclaw-agent.sqlite"
        self.path.parent.mkdir(parents=True)
        self.owner = sqlite3.connect(self.path, isolation_level=None)
        self.owner.execute(f"PRAGMA journal_mode = {journal}")
        self.owner.executescript(TABLES)

    def write(
        self, *events: dict[str, Any], session: str = ONE, generation: str = "g1", start: int = 0
    ) -> None:
        self.owner.execute("BEGIN")
        window = (session, f"agent:main:{session[:4]}")
        self.owner.execute(
            "INSERT OR IGNORE INTO session_windows (session_id, session_key) VALUES (?, ?)", window
        )
        mark = "INSERT OR REPLACE INTO transcript_rewrite_watermarks VALUES (?, ?)"
        self.owner.execute(mark, (session, generation))
        rows = [(session, start + at, json.dumps(row), 1777878000000) for at, row in enumerate(events)]
        self.owner.executemany("INSERT INTO transcript_events VALUES (?, ?, ?, ?)", rows)
        self.owner.execute("COMMIT")

    def rewrite(self, *events: dict[str, Any], generation: str, session: str = ONE) -> None:
        self.owner.execute("DELETE FROM transcript_events WHERE session_id = ?", (session,))
        self.write(*events, session=session, generation=generation)

    def files(self) -> dict[str, str]:
        return {path.name: sha256(path.read_bytes()).hexdigest() for path in self.path.parent.iterdir()}


@pytest.fixture
def agent(tmp_path: Path) -> Iterator[Agent]:
    made = Agent(tmp_path)
    yield made
    made.owner.close()


def test_the_sessions_of_a_database_are_read_and_only_new_rows_the_next_time(
    store: Store, agent: Agent
) -> None:
    agent.write(event(0), event(1), event(2))
    agent.write(event(0, session=TWO), event(1, text="other", session=TWO), session=TWO)
    report = import_path(store, agent.path)
    assert (report.format, report.turns_new) == ("openclaw", 3)
    assert set(report.sessions) == {f"openclaw/main:{ONE}", f"openclaw/main:{TWO}"}
    assert [(node.id, node.parent, node.scope) for node in nodes(store)] == [
        ("e1", None, "/w"),
        ("e2", "e1", "/w"),
    ]
    agent.write(event(3), start=3)
    report = import_path(store, agent.path)
    assert (report.turns_new, report.turns_known) == (1, 0)
    report = import_path(store, agent.path)
    assert (report.turns_new, report.turns_known, report.skipped) == (0, 0, {})
    assert held(store, f"main:{ONE}").head == "e3"


def test_a_session_that_was_rewritten_is_read_from_its_start(store: Store, agent: Agent) -> None:
    agent.write(event(0), event(1), event(2), event(3))
    import_path(store, agent.path)
    agent.rewrite(event(0), event(1), event(4, parent=1), generation="g2")
    report = import_path(store, agent.path)
    assert (report.turns_new, report.turns_known, report.skipped) == (1, 1, {})
    assert held(store, f"main:{ONE}").head == "e4"
    agent.write(event(5), start=3, generation="g2")
    assert (import_path(store, agent.path)).turns_new == 1


def test_a_database_that_begins_anew_under_the_same_generation_is_read_again(
    store: Store, agent: Agent
) -> None:
    agent.write(event(0), event(1), event(2))
    import_path(store, agent.path)
    agent.rewrite(event(0), event(9, parent=0), generation="g1")
    assert import_path(store, agent.path).turns_new == 1


def test_what_a_log_held_before_it_went_into_the_database_is_known(store: Store, agent: Agent) -> None:
    folder = agent.path.parents[1] / "sessions"
    folder.mkdir()
    rows = [event(0), event(1), event(2)]
    (folder / f"{ONE}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    import_path(store, folder / f"{ONE}.jsonl")
    agent.write(*rows, event(3))
    assert (import_path(store, agent.path).turns_new, len(nodes(store))) == (1, 3)


@pytest.mark.parametrize("journal", ["wal", "delete"])
def test_the_database_is_never_changed_and_nothing_is_left_beside_it(
    store: Store, tmp_path: Path, journal: str
) -> None:
    agent = Agent(tmp_path / journal, journal)
    agent.write(event(0), event(1))
    agent.owner.close()
    before = agent.files()
    assert import_path(store, agent.path).turns_new == 1
    assert agent.files() == before
    assert list(before) == ["openclaw-agent.sqlite"]


def test_rows_in_the_journal_are_read_and_the_agent_can_write_meanwhile(
    store: Store, agent: Agent, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(openclaw_database, "_PAGE", 1)
    agent.owner.execute("PRAGMA busy_timeout = 0")
    agent.write(*(event(seq) for seq in range(4)))
    before = agent.files()["openclaw-agent.sqlite"]
    agent.owner.execute("BEGIN IMMEDIATE")
    assert import_path(store, agent.path).turns_new == 3
    agent.owner.execute("ROLLBACK")
    assert agent.files()["openclaw-agent.sqlite"] == before


def test_a_session_that_is_rewritten_while_it_is_read_is_left_for_the_next_import(
    store: Store, agent: Agent, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(openclaw_database, "_PAGE", 2)
    agent.write(*(event(seq) for seq in range(6)))
    record, calls = openclaw_database._record, list[str]()

    def rewriting(text: str) -> Any:
        calls.append(text)
        if len(calls) == 3:
            agent.rewrite(*(event(seq, text="rewritten") for seq in range(8)), generation="g2")
        return record(text)

    monkeypatch.setattr(openclaw_database, "_record", rewriting)
    report = import_path(store, agent.path)
    reason = "the database changed while it was read; the next import takes up the rest"
    assert report.skipped == {reason: 1}
    assert import_path(store, agent.path).skipped == {"a known id with another message": 1}
    assert [node.id for node in nodes(store)][-1] == "e7"
    assert held(store, f"main:{ONE}").head == "e7"


def test_a_file_that_changes_while_it_is_taken_to_stay_as_it_is_is_noticed(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    agent = Agent(tmp_path / "still", "delete")
    agent.write(*(event(seq) for seq in range(4)))
    monkeypatch.setattr(openclaw_database, "_PAGE", 1)
    record, calls = openclaw_database._record, list[str]()

    def writing(text: str) -> Any:
        calls.append(text)
        if len(calls) == 2:
            agent.write(event(4), start=4)
        return record(text)

    monkeypatch.setattr(openclaw_database, "_record", writing)
    assert sum(import_path(store, agent.path).skipped.values()) == 1
    assert import_path(store, agent.path).skipped == {}
    assert [node.id for node in nodes(store)] == ["e1", "e2", "e3", "e4"]
    agent.owner.close()


def test_a_row_that_is_no_entry_is_skipped_and_counted(store: Store, agent: Agent) -> None:
    agent.write(event(0), event(1))
    insert = "INSERT INTO transcript_events VALUES (?, ?, ?, ?)"
    rows = [(2, "{"), (3, None), (4, b"\x28\xb5\x2f\xfd"), (5, "7"), (6, '{"a":\n1}')]
    agent.owner.executemany(insert, [(ONE, seq, text, 0) for seq, text in rows])
    lone = '{"type":"message","id":"u","parentId":"e1","message":{"role":"user","content":"\\ud800"}}'
    agent.owner.execute(insert, (ONE, 7, lone, 1777878001000))
    report = import_path(store, agent.path)
    assert report.skipped == {
        "an entry that is not JSON": 1,
        "an entry that is not stored as text": 2,
        "not an object": 1,
        "not an entry: no type": 1,
    }
    assert (report.replaced, nodes(store)[-1].text) == (1, "\ufffd")
    assert nodes(store)[-1].at == "2026-05-04T07:00:01+00:00"


def test_the_agent_is_told_by_the_key_where_the_folder_does_not_tell_it(
    store: Store, agent: Agent, tmp_path: Path
) -> None:
    agent.write(event(0), event(1))
    agent.owner.close()
    moved = tmp_path / "copy.sqlite"
    moved.write_bytes(agent.path.read_bytes())
    assert import_path(store, moved).sessions == (f"openclaw/main:{ONE}",)


def test_a_scheduled_session_holds_no_words_of_a_person(store: Store, agent: Agent) -> None:
    agent.write(event(0), event(1))
    agent.write(event(0, session=TWO), event(1, session=TWO), session=TWO)
    keyed = "UPDATE session_windows SET session_key = ?, spawned_by = ? WHERE session_id = ?"
    agent.owner.execute(keyed, ("agent:main:cron:7", f"agent:main:{ONE[:4]}", TWO))
    import_path(store, agent.path)
    assert (talk(store), talk(store, f"main:{TWO}")) == (["says 1"], [])
    assert [link.other for link in links_from(store, held(store, f"main:{TWO}"))] == [f"main:{ONE}"]


def test_another_database_is_not_taken_for_one(store: Store, tmp_path: Path) -> None:
    other = tmp_path / "other.sqlite"
    database = sqlite3.connect(other)
    database.execute("CREATE TABLE notes (a)")
    database.commit()
    database.close()
    assert import_path(store, other).problems
    assert import_path(store, other, "openclaw").skipped == {"a database without transcripts": 1}


def test_a_damaged_database_is_reported(store: Store, agent: Agent) -> None:
    agent.write(event(0), *(event(seq, text="x" * 500) for seq in range(1, 60)))
    agent.owner.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    agent.owner.close()
    content = agent.path.read_bytes()
    agent.path.write_bytes(content[:4096] + b"\xff" * (len(content) - 4096))
    report = import_path(store, agent.path, "openclaw")
    assert [reason for reason in report.skipped if reason.startswith("the database cannot be read")]
