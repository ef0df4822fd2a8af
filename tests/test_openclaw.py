"""The format `openclaw`: the sessions of an agent in files."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from openclaw_examples import AGENTS, MAIN, ONE, TWO, event, held, nodes, talk
from scriptorium.conversations.importing import import_path
from scriptorium.conversations.linking import links_from
from scriptorium.conversations.store import Store, open_store
from scriptorium_core.sessions.evidence import provenance
from scriptorium_core.sources.frame import Origin


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with open_store(tmp_path / "sessions.sqlite3") as opened:
        yield opened


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


@pytest.mark.parametrize(
    ("folder", "scope"), [("/home/p/.openclaw/workspace", None), ("/home/p/garden", "/home/p/garden")]
)
def test_what_is_said_to_an_agent_in_its_own_home_holds_everywhere(
    store: Store, tmp_path: Path, folder: str, scope: str | None
) -> None:
    log = tmp_path / "agents" / "main" / "sessions" / f"{ONE}.jsonl"
    log.parent.mkdir(parents=True)
    first, rest = (MAIN / f"{ONE}.jsonl").read_text().split("\n", 1)
    log.write_text(json.dumps({**json.loads(first), "cwd": folder}) + "\n" + rest)
    import_path(store, log)
    assert {node.scope for node in nodes(store)} == {scope}


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


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("[Telegram Mara (@m) id:4402 +3m 2026-01-20T10:02Z] hi\n[message_id: 12]", "hi"),
        ("[Mon 2026-05-04 09:00 GMT+2] hi", "hi"),
        ("[message_id: om_1]\nhi", "hi"),
        (
            'Sender (untrusted metadata):\n```json\n{"name": "Mara"}\n```\n\n[message_id: om_1]\nMara: hi',
            "hi",
        ),
        ("System: [2026-05-04 10:09:59] up\nSystem: [2026-05-04 10:10:00] down\n\nhi", "hi"),
        ("[2026-05-04 10:00] is when we meet", "[2026-05-04 10:00] is when we meet"),
        ("Mara: hi", "Mara: hi"),
        ("The (untrusted metadata): no block", "The (untrusted metadata): no block"),
        ("Read HEARTBEAT.md to me", "Read HEARTBEAT.md to me"),
    ],
)
def test_the_words_are_taken_out_of_their_envelope_and_nothing_else(
    store: Store, tmp_path: Path, text: str, words: str
) -> None:
    folder = tmp_path / "agents" / "main" / "sessions"
    folder.mkdir(parents=True)
    rows = [event(0), event(1, text=text)]
    (folder / f"{ONE}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    import_path(store, folder / f"{ONE}.jsonl")
    assert talk(store) == [words]
