"""Sessions in logs of Claude Code: forks, sub-agents, and titles."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from claude_records import (
    NOW,
    answer,
    held,
    links,
    node,
    parents,
    person,
    progress,
    take,
    words,
)
from scriptorium.conversations.importing import import_path
from scriptorium.conversations.store import Store, open_store
from scriptorium_core.sources.frame import Origin

PROJECT = Path(__file__).parent / "fixtures" / "claude-code" / "-home-p-shop"
MAIN = "6f1d2a10-5b7e-4c1e-9a44-0a1b2c3d4e5f"
FORK = "b7720c9e-1f63-47a5-8d0e-52f0a9b8c7d6"


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with open_store(tmp_path / "sessions.sqlite3") as opened:
        yield opened


@pytest.fixture
def log(tmp_path: Path) -> Path:
    return tmp_path / "S1.jsonl"


# --- forks ------------------------------------------------------------------------------------------


def copied(row: dict[str, Any], parent: str | None, session: str = "S2") -> dict[str, Any]:
    """A record as a fork copies it: below what was copied before it."""
    source = {"sessionId": row["sessionId"], "messageUuid": row["uuid"]}
    return row | {"sessionId": session, "parentUuid": parent, "forkedFrom": source}


FIRST = [person("u1", None, "Hi."), progress("p1", "u1"), answer("a1", "p1", "Hello.", "09:00:01")]
SECOND = [
    copied(FIRST[0], None), copied(FIRST[2], "u1"),
    person("u9", "a1", "Elsewhere.", "10:00:00", sessionId="S2"),
]  # fmt: skip


@pytest.mark.parametrize("order", [("S1", "S2"), ("S2", "S1")])
def test_a_fork_is_linked_and_what_it_copied_is_one_message(
    store: Store, tmp_path: Path, order: tuple[str, str]
) -> None:
    rows = {"S1": FIRST, "S2": SECOND}
    reports = [take(store, tmp_path / f"{name}.jsonl", *rows[name]) for name in order]
    assert [report.copies for report in reports] == [0, 2]
    assert [(link.kind, link.other, link.node) for link in links(store, "S2")] == [
        ("forked_from", "S1", "a1")
    ]
    assert {found.session for found in store.nodes(held(store, "S2")) if found.id in ("u1", "a1")} == {
        order[0]
    }
    assert words(store, "S2") == [("Hi.", "live"), ("Hello.", "live"), ("Elsewhere.", "live")]


def test_an_old_copy_without_a_word_of_its_origin_is_one_message_too_and_linked(
    store: Store, tmp_path: Path
) -> None:
    take(store, tmp_path / "S1.jsonl", *FIRST)
    rows = [row | {"sessionId": "S2"} for row in FIRST if row["type"] != "progress"]
    assert take(store, tmp_path / "S2.jsonl", *rows).copies == 2
    assert links(store, "S2") == ()  # so far there is nothing in it that is not in the other one
    rows += [
        progress("p9", "a1") | {"sessionId": "S2"},
        person("u9", "p9", "Elsewhere.", "10:00:00", sessionId="S2"),
    ]
    take(store, tmp_path / "S2.jsonl", *rows)
    assert [(link.kind, link.other, link.node) for link in links(store, "S2")] == [
        ("forked_from", "S1", "a1")
    ]
    import_path(store, tmp_path / "S1.jsonl", again=True)
    assert links(store, "S1") == ()


def test_what_a_fork_says_of_its_origin_is_not_turned_round(store: Store, tmp_path: Path) -> None:
    take(store, tmp_path / "S2.jsonl", *SECOND)
    report = take(store, tmp_path / "S1.jsonl", *FIRST, person("u2", "a1", "On.", "11:00:00"))
    assert (links(store, "S1"), dict(report.links)) == ((), {})
    assert [(link.kind, link.other) for link in links(store, "S2")] == [("forked_from", "S1")]


def test_a_copy_that_still_names_the_first_session_belongs_to_it(store: Store, tmp_path: Path) -> None:
    take(store, tmp_path / "S1.jsonl", *FIRST)
    own = person("u9", "a1", "Elsewhere.", "10:00:00", sessionId="S2")
    report = take(store, tmp_path / "S2.jsonl", *FIRST, own)
    assert (report.turns_new, report.turns_known) == (1, 3)
    assert [(link.kind, link.other, link.node) for link in links(store, "S2")] == [("continues", "S1", "a1")]
    assert held(store, "S1").head == "a1"


# --- sub-agents -------------------------------------------------------------------------------------


def aside(*rows: dict[str, Any], **more: Any) -> list[dict[str, Any]]:
    return [{**row, "isSidechain": True, **more} for row in rows]


TASK = (person("x1", None, "Find npm."), answer("x2", "x1", "It is in release.sh.", "09:00:09"))


@pytest.mark.parametrize("place", ["agent-a1.jsonl", "S1/subagents/agent-a1.jsonl", "S1.jsonl"])
def test_a_sub_agent_is_a_session_of_its_own_in_which_nobody_speaks_to_a_person(
    store: Store, tmp_path: Path, place: str
) -> None:
    take(store, tmp_path / "S1.jsonl", person("u1", None))
    take(store, tmp_path / place, *aside(*TASK, agentId="a1"))
    assert [found.origin for found in store.nodes(held(store, "S1.agent-a1"))] == [Origin.AGENT] * 2
    assert [(link.kind, link.other) for link in links(store, "S1.agent-a1")] == [("spawned_by", "S1")]
    assert (words(store), held(store).head) == ([("says u1", "live")], "u1")
    assert words(store, "S1.agent-a1") == []


def test_sub_agents_without_an_id_are_told_apart_by_where_they_begin(store: Store, log: Path) -> None:
    other = (person("y1", None, "Find yarn."), answer("y2", "y1"), answer("y3", "y2"))
    rows = aside(TASK[0], other[0], TASK[1], other[1])
    take(store, log, person("u1", None), *rows[:2])
    take(store, log, *rows[2:], *aside(other[2]), answer("a1", "u1"))
    assert parents(store, "S1.agent-x1") == {"x1": None, "x2": "x1"}
    assert parents(store, "S1.agent-y1") == {"y1": None, "y2": "y1", "y3": "y2"}
    assert parents(store) == {"u1": None, "a1": "u1"}


def test_a_sub_agent_of_a_sub_agent_is_linked_to_it_and_named_by_its_task(
    store: Store, tmp_path: Path
) -> None:
    folder = tmp_path / "S1" / "subagents"
    folder.mkdir(parents=True)
    about = {"agentType": "Explore", "description": "Look for npm", "spawnDepth": 2, "parentAgentId": "a1"}
    (folder / "agent-b2.meta.json").write_text(json.dumps(about))
    take(store, folder / "agent-b2.jsonl", *aside(*TASK, agentId="b2"))
    take(store, folder / "agent-c3.jsonl", *aside(person("z1", None), agentId="c3", parentAgentId="b2"))
    assert [link.other for link in links(store, "S1.agent-b2")] == ["S1.agent-a1"]
    assert [link.other for link in links(store, "S1.agent-c3")] == ["S1.agent-b2"]
    assert held(store, "S1.agent-b2").title == "Look for npm"


@pytest.mark.parametrize("about", ["{", "[]", '{"description": 7}'])
def test_a_broken_file_beside_a_sub_agent_is_no_matter(store: Store, tmp_path: Path, about: str) -> None:
    (tmp_path / "agent-a1.meta.json").write_text(about)
    assert take(store, tmp_path / "agent-a1.jsonl", *aside(*TASK, agentId="a1")).turns_new == 2


# --- titles and sessions ----------------------------------------------------------------------------


def test_the_title_of_a_person_goes_before_that_of_a_model_and_both_before_a_summary(
    store: Store, log: Path
) -> None:
    take(store, log, {"type": "custom-title", "customTitle": "Mine", "sessionId": "S1"}, person("u1", None))
    take(store, log, {"type": "ai-title", "aiTitle": "Its", "sessionId": "S1"})
    take(store, log, {"type": "summary", "summary": "That", "leafUuid": "u1"})
    assert held(store).title == "Mine"
    take(store, log, {"type": "custom-title", "customTitle": "Mine again", "sessionId": "S1"})
    assert held(store).title == "Mine again"


def test_a_summary_above_the_first_record_names_the_session_that_holds_its_leaf(
    store: Store, log: Path
) -> None:
    other = {"type": "summary", "summary": "Of another log", "leafUuid": "elsewhere"}
    take(store, log, other, {"type": "summary", "summary": "Pnpm", "leafUuid": "a1"}, person("u1", None))
    assert held(store).title == ""
    take(store, log, answer("a1", "u1"))
    assert held(store).title == "Pnpm"


def test_a_summary_below_the_records_names_the_session(store: Store, log: Path) -> None:
    take(store, log, person("u1", None), {"type": "summary", "summary": "Pnpm", "leafUuid": "u1"})
    assert held(store).title == "Pnpm"


def test_a_message_is_of_the_session_that_it_names_and_not_of_the_files(store: Store, tmp_path: Path) -> None:
    take(store, tmp_path / "copy.jsonl", person("u1", None), person("v1", None, sessionId="S2"))
    assert [session.id for session in store.sessions()] == ["S1", "S2"]


def test_the_directory_is_that_of_each_record_whatever_the_folder_is_called(
    store: Store, tmp_path: Path
) -> None:
    """bc-072: two projects share a folder of logs, because their names differ in signs alone."""
    folder = tmp_path / "-w---"
    take(store, folder / "S1.jsonl", person("u1", None, cwd="/w/新聞"), person("u2", "u1", cwd="/w/新聞/a"))
    take(store, folder / "S2.jsonl", person("v1", None, cwd="/w/暫存", sessionId="S2"))
    assert (node(store, "u1").scope, node(store, "u2").scope) == ("/w/新聞", "/w/新聞/a")
    assert node(store, "v1", "S2").scope == "/w/暫存"


# --- all of it --------------------------------------------------------------------------------------


def test_a_project_with_a_fork_sub_agents_retries_and_a_compaction(store: Store) -> None:
    for path in sorted(PROJECT.rglob("*.jsonl")):
        assert import_path(store, path, now=NOW).skipped == {}
    assert {session.id.removeprefix(MAIN): session.title for session in store.sessions()} == {
        "": "Shop on pnpm", FORK: "Helsinki", ".agent-a17c0ffe": "Look for npm", ".agent-b0bb1e55": "",
        ".agent-5eed5eed": "",
    }  # fmt: skip
    assert words(store, MAIN) == [
        ("Use pnpm here, not npm.", "live"),
        ("OK, pnpm it is. Let me look at the lock file.", "live"),
        ("The shop has no lock file yet.", "live"),
        ("Deploy to Dublin instead.", "live"),
        ("Deployed to Dublin.", "live"),
        ("Prices are stored in cents.", "live"),
        ("Noted: cents.", "live"),
        ("Deploy to Frankfurt.", "abandoned"),
        ("Deployed to Frankfurt.", "abandoned"),
    ]
    assert [text for text, _ in words(store, FORK)][-2:] == [
        "Try Helsinki in this one.",
        "Helsinki works as well.",
    ]
    assert [(link.kind, link.other) for link in links(store, FORK)] == [("forked_from", MAIN)]
