"""The format `gemini`: chats of Gemini CLI, message by message, rewound, and as the documents of before."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from unittest import mock

import pytest

from attached import Attached, attached
from scriptorium.conversations.importing import import_path
from scriptorium.conversations.store import Store, open_store
from scriptorium.service import Service
from scriptorium_core.recall import Query
from scriptorium_core.sessions.graph import Node
from scriptorium_core.sources.frame import Origin
from scriptorium_core.writing.calls import Event
from scriptorium_core.writing.hosts import Host

__all__ = ["attached"]  # a fixture

ID = "8f14e45f-ceea-4672-9a3b-2b1c0d9e8f7a"
BEGUN = "2026-11-30T10:00:00Z"
HEADER: dict[str, Any] = {"sessionId": ID, "projectHash": "ab12", "startTime": BEGUN, "kind": "main"}


def message(name: str, kind: str, content: object, **more: object) -> dict[str, Any]:
    at = f"2026-11-30T10:0{name[1:]}:00.000Z"
    return {"id": name, "timestamp": at, "type": kind, "content": content, **more}


TALK = (
    message("m1", "user", [{"text": "I prefer the window seat, always."}]),
    message("m2", "gemini", "Noted.", thoughts=[{"subject": "Seats"}], tokens=None),
    message("m3", "info", "Logged in."),
    message("m4", "user", [{"text": "And the night train."}]),
    message("m5", "gemini", [{"text": "hm", "thought": True}, {"text": "The night train."}]),
)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with open_store(tmp_path / "sessions.sqlite3") as opened:
        yield opened


@pytest.fixture
def log(tmp_path: Path) -> Path:
    return tmp_path / "session-2026-11-30T10-00-8f14e45f.jsonl"


def add(log: Path, *rows: object) -> None:
    with log.open("a") as file:
        file.writelines(json.dumps(row) + "\n" for row in rows)


def nodes(store: Store) -> dict[str, Node]:
    (session,) = store.sessions()
    return {node.id: node for node in store.nodes(session)}


def head(store: Store) -> str | None:
    (session,) = store.sessions()
    return session.head


def test_a_chat_is_what_was_said_and_answered(store: Store, log: Path) -> None:
    add(log, HEADER, *TALK, {"$set": {"lastUpdated": "2026-11-30T10:06:00Z"}})
    report = import_path(store, log)
    assert (report.format, report.sessions, report.skipped) == ("gemini", (f"gemini/{ID}",), {})
    found = nodes(store)
    assert [(node.id, node.parent, node.origin, node.text) for node in found.values()] == [
        ("m1", None, Origin.HUMAN, "I prefer the window seat, always."),
        ("m2", "m1", Origin.ASSISTANT, "Noted."),
        ("m4", "m2", Origin.HUMAN, "And the night train."),
        ("m5", "m4", Origin.ASSISTANT, "The night train."),
    ]
    assert (found["m1"].at, head(store)) == ("2026-11-30T10:01:00.000Z", "m5")


def test_a_message_that_comes_again_is_one_and_a_log_that_grows_is_read_on(store: Store, log: Path) -> None:
    add(log, HEADER, TALK[0], TALK[1], TALK[1] | {"tokens": {"total": 9}, "toolCalls": []})
    assert import_path(store, log).turns_new == 2
    add(log, TALK[1] | {"tokens": {"total": 10}}, TALK[3])
    assert import_path(store, log).turns_new == 1
    assert nodes(store)["m4"].parent == "m2"
    with log.open("a") as file:
        file.write('{"id": "m5", "type"')
    assert import_path(store, log).turns_new == 0


def test_going_back_makes_a_branch(store: Store, log: Path) -> None:
    add(log, HEADER, *TALK)
    import_path(store, log)
    add(log, {"$rewindTo": "m4"})
    import_path(store, log)
    assert head(store) == "m2"
    add(log, message("m6", "user", "No, the day train."))
    import_path(store, log)
    assert (nodes(store)["m6"].parent, head(store)) == ("m2", "m6")
    add(log, {"$rewindTo": "m1"}, message("m7", "user", "Anew."))
    import_path(store, log)
    assert nodes(store)["m7"].parent is None


def test_what_a_model_is_sent_after_a_compression_is_not_what_was_said(store: Store, log: Path) -> None:
    summary = message("m8", "user", "<state_snapshot>The user likes seats.</state_snapshot>")
    add(log, HEADER, *TALK, {"$set": {"messages": [summary]}})
    import_path(store, log)
    assert "m8" not in nodes(store)


def test_messages_that_stand_in_the_beginning_are_the_conversation(store: Store, log: Path) -> None:
    add(log, HEADER, {"$set": {"messages": [*TALK]}})
    assert import_path(store, log).turns_new == 4


def test_what_hooks_and_files_add_is_not_what_a_person_typed(store: Store, log: Path) -> None:
    hooked = [{"text": "Which seat?"}, {"text": "<hook_context>&lt;memory-context&gt; x</hook_context>"}]
    add(log, HEADER, message("m1", "user", hooked))
    add(log, message("m2", "user", [{"text": "@a.py"}, {"text": "--- a.py ---"}], displayContent="@a.py"))
    import_path(store, log)
    assert [node.text for node in nodes(store).values()] == ["Which seat?", "@a.py"]


def test_what_an_agent_asks_its_own_agent_is_no_persons_word(store: Store, log: Path) -> None:
    add(log, HEADER | {"kind": "subagent"}, TALK[0])
    import_path(store, log)
    add(log, TALK[3])
    import_path(store, log)
    assert {node.origin for node in nodes(store).values()} == {Origin.AGENT}


def test_a_document_of_before_is_read_and_read_again(store: Store, tmp_path: Path) -> None:
    path = tmp_path / "session-2026-01-01T10-00-8f14e45f.json"
    path.write_text(json.dumps(HEADER | {"messages": TALK[:2]}, indent=2))
    assert (import_path(store, path).format, len(nodes(store))) == ("gemini", 2)
    path.write_text(json.dumps(HEADER | {"messages": TALK}, indent=2))
    assert import_path(store, path).turns_new == 2
    path.write_text(json.dumps(HEADER | {"messages": TALK}, indent=2)[:-20])
    assert import_path(store, path).turns_new == 0


def test_lines_that_say_nothing_are_counted_and_passed(store: Store, log: Path) -> None:
    add(log, HEADER, [], TALK[0], {"id": "", "type": "user"}, {"id": "x", "type": "user", "content": 3})
    report = import_path(store, log)
    assert sum(report.skipped.values()) == 1
    assert [node.text for node in nodes(store).values()] == [TALK[0]["content"][0]["text"], ""]


def test_the_end_of_a_session_that_gemini_tells_makes_it_memory(attached: Attached, log: Path) -> None:
    add(log, HEADER, *TALK)
    attached.hook("install", "gemini")
    line = attached.lines(Host.GEMINI)[Event.SESSION_END]
    with attached.asked() as calls:
        ran = attached.called(Host.GEMINI, Event.SESSION_END, line, session_id=ID, transcript_path=str(log))
        assert (ran.code, ran.out, ran.err) == (0, "", "")
    again = mock.patch("scriptorium.service.keeping.take_requests", return_value=calls)
    with Service(attached.home) as service, again:
        done = service.keep_once(scan=False)
        assert [report.format for report in done.reports] == ["gemini"]
        assert done.faults == ()
        assert any("window seat" in hit.content for hit in service.search(Query("window seat")).hits)
