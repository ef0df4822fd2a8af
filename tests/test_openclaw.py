"""The format `openclaw`: the sessions of an agent in files and in its database."""

import json
import sqlite3
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from scriptorium.conversations.formats import openclaw_database
from scriptorium.conversations.importing import import_path
from scriptorium.conversations.linking import links_from
from scriptorium.conversations.store import Session, Store, open_store
from scriptorium_core.sessions.evidence import provenance
from scriptorium_core.sessions.graph import Node
from scriptorium_core.sessions.talk import talks
from scriptorium_core.sources.frame import Origin

AGENTS = Path(__file__).parent / "fixtures" / "openclaw" / "agents"
MAIN = AGENTS / "main" / "sessions"
ONE, TWO = "11111111-2222-4333-8444-555555555555", "66666666-2222-4333-8444-555555555555"
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


def held(store: Store, session: str) -> Session:
    found = store.get("openclaw", session)
    assert found is not None
    return found


def nodes(store: Store, session: str = f"main:{ONE}") -> list[Node]:
    return list(store.nodes(held(store, session)))


def talk(store: Store, session: str = f"main:{ONE}") -> list[str]:
    return [node.text for node in nodes(store, session) if talks(node.origin, node.text)]


# --- files --------------------------------------------------------------------------------------


def test_a_session_is_named_by_its_agent_and_what_the_runtime_sent_is_no_talk(store: Store) -> None:
    """bc-027: envelopes, heartbeats, jobs and reports of other sessions wear the role of the user."""
    report = import_path(store, MAIN / f"{ONE}.jsonl")
    assert (report.format, report.sessions) == ("openclaw", (f"openclaw/main:{ONE}",))
    assert (report.turns_new, report.skipped) == (8, {})
    assert talk(store) == [
        "The dentist is on Thursday at 9.",
        "Noted: Thursday, 9.",
        "Time to water the beans.",
        "Done, thanks.",
    ]
    assert [node.origin for node in nodes(store)] == [
        Origin.HUMAN, Origin.ASSISTANT, Origin.AGENT, Origin.HARNESS, Origin.AGENT, Origin.ASSISTANT,
        Origin.HUMAN, Origin.AGENT,
    ]  # fmt: skip
    assert held(store, f"main:{ONE}").title == "Mara"


def test_in_a_chat_of_two_the_person_is_the_owner_and_in_a_group_they_have_a_name(store: Store) -> None:
    import_path(store, MAIN / f"{ONE}.jsonl")
    import_path(store, MAIN / f"{ONE}-topic-42.jsonl")
    assert provenance(nodes(store)[0], "owner").speaker_kind == "owner"
    (found,) = nodes(store, f"main:{ONE}-topic-42")
    assert (found.text, found.speaker_name, found.speaker_id) == ("The club meets on Fridays.", "Bo", "77")
    assert provenance(found, "owner").tier != "owner"


def test_equal_ids_of_two_agents_and_of_two_topics_are_sessions_of_their_own(store: Store) -> None:
    """bc-003: none of them replaces another one, and all can be imported again."""
    paths = [
        MAIN / f"{ONE}.jsonl",
        MAIN / f"{ONE}-topic-42.jsonl",
        AGENTS / "work" / "sessions" / f"{ONE}.jsonl",
    ]
    for path in paths:
        assert import_path(store, path).copies == 0
    assert {session.id for session in store.sessions()} == {
        f"main:{ONE}",
        f"main:{ONE}-topic-42",
        f"work:{ONE}",
    }
    assert nodes(store, f"work:{ONE}")[0].at == "2026-05-04T07:00:01+00:00"
    assert [import_path(store, path, again=True).turns_new for path in paths] == [0, 0, 0]


def test_the_task_of_a_sub_agent_is_not_a_persons_and_its_session_is_linked(store: Store) -> None:
    import_path(store, MAIN / f"{TWO}.jsonl")
    assert talk(store, f"main:{TWO}") == ["Found one for 80 EUR."]
    (link,) = links_from(store, held(store, f"main:{TWO}"))
    assert (link.kind, link.other) == ("spawned_by", f"main:{ONE}")


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("sessions.json", "the index of an agent's sessions: it holds no messages"),
        (f"{ONE}.trajectory.jsonl", "a trajectory: it tells again what the session's own log tells"),
        (f"{ONE}.checkpoint.8c1d.jsonl", "a checkpoint: it tells again what the session's own log tells"),
    ],
)
def test_files_that_tell_the_same_again_are_left_out_with_the_reason(
    store: Store, name: str, reason: str
) -> None:
    report = import_path(store, MAIN / name)
    assert (report.format, report.sessions, report.skipped) == ("openclaw", (), {reason: 1})


def test_an_archive_of_what_the_database_took_is_left_out(store: Store, tmp_path: Path) -> None:
    log = tmp_path / "agents" / "main" / "sessions" / "session-sqlite-import-archive" / f"{ONE}.jsonl"
    log.parent.mkdir(parents=True)
    log.write_bytes((MAIN / f"{ONE}.jsonl").read_bytes())
    assert import_path(store, log).skipped == {"an archive of what was taken into the database": 1}


def test_a_log_that_was_moved_away_can_still_be_read(store: Store, tmp_path: Path) -> None:
    log = tmp_path / "copy.jsonl"
    log.write_bytes((MAIN / f"{ONE}.jsonl").read_bytes())
    assert import_path(store, log, "openclaw").sessions == (f"openclaw/{ONE}",)


def test_metadata_that_is_no_json_and_an_index_that_is_broken_are_no_crash(
    store: Store, tmp_path: Path
) -> None:
    folder = tmp_path / "agents" / "main" / "sessions"
    folder.mkdir(parents=True)
    (folder / "sessions.json").write_text("{")
    text = "Sender (untrusted metadata):\n```json\n{\n```\n\nhello"
    rows = [event(0), event(1, text=text), event(2, text="Sender (untrusted metadata):\n```json\n[]\n```\n")]
    (folder / f"{ONE}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    import_path(store, folder / f"{ONE}.jsonl")
    assert talk(store) == ["hello"]


# --- the database -------------------------------------------------------------------------------


def event(seq: int, text: str | None = None, parent: int | None = None, session: str = ONE) -> dict[str, Any]:
    if seq == 0:
        return {"type": "session", "version": 3, "id": session, "timestamp": 1777878000000, "cwd": "/w"}
    above = seq - 1 if parent is None else parent
    return {
        "type": "message", "id": f"e{seq}", "parentId": f"e{above}" if above else None,
        "timestamp": 1777878000000 + seq, "message": {"role": "user", "content": text or f"says {seq}"},
    }  # fmt: skip


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
