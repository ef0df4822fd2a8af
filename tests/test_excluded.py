"""Sessions that never enter: those that our own writer made, known by their ids, and those a person names."""

import json
import os
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from unittest import mock

import pytest

from cli_example import run, run_json
from packed_logs import talk, turn
from scriptorium.conversations import schema
from scriptorium.conversations.importing import import_path
from scriptorium.conversations.items import Key, Linked, Passed, Turn
from scriptorium.conversations.linking import SessionLink, exclude, excluded, link
from scriptorium.conversations.store import Cursor, Store, open_store
from scriptorium.conversations.taking import Taking
from scriptorium.layout import writer_environment, writer_sessions
from scriptorium.refused import Refused
from scriptorium.service import Service
from scriptorium_core.names import NodeId, SessionId
from scriptorium_core.sessions.graph import Node
from scriptorium_core.sources.frame import Origin

PROMPT = "You write the memory. Keep what a person said about preferences, facts, plans and decisions."


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with open_store(tmp_path / "sessions.sqlite3") as opened:
        yield opened


def test_runs_of_our_own_writer_are_left_out_by_id_and_who_quotes_it_is_taken(tmp_path: Path) -> None:
    """bc-018: five sessions of a person, and five newer ones that the writer made in the same folder."""
    logs = tmp_path / "logs"
    logs.mkdir()
    said = "I prefer trains to planes."
    for number in range(5):
        text = f"{said} The writer says: {PROMPT}" if number == 4 else said
        (logs / f"2026-05-01-{number}.jsonl").write_text(turn("a", f"mine-{number}", text=text))
        (logs / f"2026-05-02-{number}.jsonl").write_text(turn("a", f"writer-{number}", text=PROMPT))
    with Service(tmp_path / "h") as service:
        for number in range(5):
            service.exclude_session("native", f"writer-{number}", "a run of the writer")
        reports = service.import_paths([logs])
        names = {summary.session.id for summary in service.sessions()}
        assert names == {f"mine-{number}" for number in range(5)}
        out = {name: why for report in reports for name, why in report.excluded.items()}
        assert out == {f"native/writer-{number}": "a run of the writer" for number in range(5)}
        assert sum(report.turns_excluded for report in reports) == 5
        assert sum(report.turns_new for report in reports) == 5
        service.write(force=True)
        head = service.memory().revision
        assert head is not None
        # Nothing was said since.
        again = service.import_paths([logs], again=True)
        assert sum(report.turns_new for report in again) == 0
        service.write(force=True)
        assert service.memory().revision == head


def test_a_person_excludes_sessions_by_id_with_or_without_the_provider(tmp_path: Path) -> None:
    for name in ("a", "b", "c"):
        (tmp_path / name).write_bytes(talk(name))
    logs = [tmp_path / name for name in ("a", "b", "c")]
    home = ("--home", tmp_path / "h")
    ran = run(*home, "import", *logs, "--exclude", "a", "--exclude", "native/b", "--dry-run")
    assert ran.out.count("kept out: 1 session with 2 turns") == 2
    assert run_json(*home, "sessions")["excluded"] == []
    run(*home, "import", *logs, "--exclude", "a", "--exclude", "native/b")
    # What was excluded once stays out.
    totals = run_json(*home, "import", *logs, "--again")["totals"]
    assert set(totals["excluded"]) == {"native/a", "native/b"}
    answer = run_json(*home, "sessions")
    assert [each["session"]["id"] for each in answer["sessions"]] == ["c"]
    assert [(each["provider"], each["id"]) for each in answer["excluded"]] == [("", "a"), ("native", "b")]
    assert "never enters: native/b: it was excluded on request" in run(*home, "sessions").out


def test_a_session_that_is_excluded_after_it_came_is_never_written(tmp_path: Path) -> None:
    (tmp_path / "log").write_bytes(talk("late"))
    (tmp_path / "other").write_bytes(talk("other"))
    with Service(tmp_path / "h") as service:
        service.import_paths([tmp_path / "log", tmp_path / "other"])
        service.exclude_session("native", "late", "a run of the writer")
        late, other = service.sessions()
        assert (late.pending, late.excluded, other.pending) == (0, "a run of the writer", 2)
        assert [done.session for done in service.write(force=True)] == ["native/other"]
        with pytest.raises(Refused, match="never enters memory"):
            service.write(["late"], force=True)
    assert "never enters memory: a run of the writer" in run("--home", tmp_path / "h", "sessions").out


# --- What agents of a session begin ------------------------------------------------------------------


def test_what_an_excluded_session_began_is_excluded_with_it(store: Store, tmp_path: Path) -> None:
    exclude(store, "native", "writer", "a run of the writer")
    (tmp_path / "log").touch()
    with (tmp_path / "log").open("rb") as file:
        taking = Taking(store, Cursor("log", "native"), file, 0, "2026-05-02")
        taking.take(
            [
                Linked(Key("native", "agent"), "spawned_by", "writer", 1),
                Turn(Key("native", "agent"), node("a", "agent"), 1),
                Linked(Key("native", "deeper"), "spawned_by", "agent", 2),
                Turn(Key("native", "fork"), node("f", "fork"), 3),
                Linked(Key("native", "fork"), "forked_from", "writer", 3),
                Passed(0, 3),
            ]
        )
        report = taking.report("log", False)
    assert report.excluded == {"native/agent": "a run of the writer"}
    # A person who goes on from such a session says something of their own.
    assert (report.sessions, dict(report.links)) == (("native/fork",), {"forked_from": 1})


def test_the_chain_of_agents_is_followed_in_the_store(store: Store) -> None:
    for name, above in (("agent", "writer"), ("deeper", "agent")):
        link(store, store.ensure("native", name, "2026-05-02"), SessionLink("spawned_by", SessionId(above)))
    assert excluded(store, "native", "deeper") == ""
    exclude(store, "", "writer", "a run of the writer")
    assert excluded(store, "native", "deeper") == "a run of the writer"
    assert excluded(store, "other", "deeper") == ""


def node(name: str, session: str) -> Node:
    return Node(NodeId(name), SessionId(session), "native", None, "user", Origin.HUMAN, f"says {name}")


# --- The session in which we run ---------------------------------------------------------------------


def test_only_a_session_that_a_writer_began_is_kept_out_never_the_one_around_it(tmp_path: Path) -> None:
    for name in ("mine", "inner"):
        (tmp_path / name).write_bytes(
            talk(name).replace(b'{"session"', b'{"provider": "claude-code", "session"')
        )
    logs = [tmp_path / "mine", tmp_path / "inner"]
    # A person asks their own agent to import.
    with mock.patch.dict(os.environ, {"CLAUDE_CODE_SESSION_ID": "mine"}):
        os.environ.pop("SCRIPTORIUM_WRITER_RUN", None)
        assert writer_sessions() == ()
        assert run_json("--home", tmp_path / "a", "import", *logs)["totals"]["excluded"] == {}
        given = writer_environment()
    # A writer runs as an agent of its own, begun from there.
    with mock.patch.dict(os.environ, {**given, "CLAUDE_CODE_SESSION_ID": "mine"}):
        assert writer_sessions() == ()
    with mock.patch.dict(os.environ, {**given, "CLAUDE_CODE_SESSION_ID": "inner"}):
        assert writer_sessions() == (("claude-code", "inner"),)
        totals = run_json("--home", tmp_path / "b", "import", *logs)["totals"]
    assert totals["excluded"] == {"claude-code/inner": "a writer of memory ran in it"}
    assert totals["sessions"] == ["claude-code/mine"]


# --- Stores of earlier versions ----------------------------------------------------------------------

FIRST = """
CREATE TABLE sessions (num INTEGER PRIMARY KEY, id TEXT NOT NULL, provider TEXT NOT NULL,
    title TEXT NOT NULL DEFAULT '', head TEXT, last TEXT, live TEXT NOT NULL DEFAULT '[]',
    turns INTEGER NOT NULL DEFAULT 0, source TEXT NOT NULL DEFAULT '', created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL, UNIQUE (id, provider));
CREATE TABLE nodes (num INTEGER PRIMARY KEY, session INTEGER NOT NULL, id TEXT NOT NULL, home INTEGER,
    same INTEGER NOT NULL, parent TEXT, after TEXT, talk INTEGER NOT NULL, mark TEXT NOT NULL DEFAULT '',
    role TEXT, origin TEXT, at TEXT, speaker_id TEXT, speaker_name TEXT, scope TEXT, metadata TEXT,
    text TEXT);
CREATE UNIQUE INDEX nodes_id ON nodes (session, id);
CREATE INDEX nodes_first ON nodes (same, at) WHERE home IS NULL;
CREATE INDEX nodes_parent ON nodes (session, parent);
CREATE INDEX nodes_mark ON nodes (session, mark, talk);
CREATE INDEX nodes_copies ON nodes (home) WHERE home IS NOT NULL;
CREATE TABLE cursors (path TEXT PRIMARY KEY, format TEXT NOT NULL, position INTEGER NOT NULL,
    line INTEGER NOT NULL, fingerprint TEXT NOT NULL, state TEXT NOT NULL);
PRAGMA user_version = 1;
"""
_SESSION = "num, id, provider, title, head, last, live, turns, source, created_at, updated_at"
SECOND = """
CREATE TABLE links (session INTEGER NOT NULL, kind TEXT NOT NULL, other TEXT NOT NULL, node TEXT,
    PRIMARY KEY (session, kind, other));
CREATE TABLE excluded (provider TEXT NOT NULL, id TEXT NOT NULL, reason TEXT NOT NULL,
    PRIMARY KEY (provider, id));
INSERT INTO excluded VALUES ('native', 'out', 'a run of the writer');
PRAGMA user_version = 2;
"""


@pytest.mark.parametrize("statements", [FIRST, FIRST + SECOND])
def test_a_store_of_an_earlier_version_opens_and_keeps_everything(tmp_path: Path, statements: str) -> None:
    log, path = tmp_path / "log", tmp_path / "old.sqlite3"
    log.write_text(turn("a") + turn("b") + json.dumps({"session": "s1", "head": "a"}) + "\n" + turn("c"))
    with open_store(tmp_path / "new.sqlite3") as store:
        import_path(store, log, now="2026-05-02T10:00:00+00:00")
        store.run("UPDATE nodes SET mark = 'w-1' WHERE id = 'a'", ())
        dump = {
            table: store.rows(f"SELECT {columns} FROM {table}", ())
            for table, columns in (
                (
                    "sessions",
                    "num, id, provider, title, head, last, live, turns, source, created_at, updated_at",
                ),
                ("nodes", "*"),
                ("cursors", "path, format, position, line, fingerprint, state"),
            )
        }
        expected = list(store.nodes(store.sessions()[0])), store.sessions()
    old = sqlite3.connect(path)
    old.executescript(statements)
    for table, rows in dump.items():
        old.executemany(f"INSERT INTO {table} VALUES ({','.join('?' * len(rows[0]))})", rows)
    old.commit()
    old.close()
    with open_store(path) as store:
        assert store.rows("PRAGMA user_version", ()) == [(schema.VERSION,)]
        assert (list(store.nodes(store.sessions()[0])), store.sessions()) == expected
        report = import_path(store, log)
        assert (report.turns_known, report.unchanged) == (0, 1)
        log.write_text(log.read_text() + turn("d"))
        report = import_path(store, log)
        assert (report.turns_new, report.branches) == (1, 2)
        assert bool(excluded(store, "native", "out")) == (SECOND in statements)
    with open_store(path) as store:
        assert store.sessions()[0].turns == 4
