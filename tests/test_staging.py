"""Examples of staged edits: file tools over a snapshot that end in one edit."""

from typing import Any

import pytest

from memory_example import KEYS, MIRA, S1, codes, link, memory, snapshot, topic, written
from operations import create, delete, update
from scriptorium_core.changes import Caller
from scriptorium_core.problem import Problem
from scriptorium_core.transaction import Prepared, Rules, prepare
from scriptorium_core.transaction import staging as tools
from scriptorium_core.transaction.staging import Stage

KEYS_PATH, MIRA_PATH = "topics/keys.md", "topics/people/mira.md"


@pytest.fixture
def stage() -> Stage:
    return tools.staged(snapshot(memory()), Caller(), "2026-11-01")


def after(outcome: Stage | tuple[Problem, ...]) -> Stage:
    assert isinstance(outcome, Stage), outcome
    return outcome


def committed(outcome: Stage | tuple[Problem, ...], **more: Any) -> Prepared | tuple[Problem, ...]:
    stage = after(outcome)
    prepared = prepare(stage.base, tools.edit_of(stage, "organize", **more), Rules(Caller(), len))
    return prepared if isinstance(prepared, Prepared) else prepared.problems


def test_a_passage_is_replaced_only_where_it_stands_once(stage: Stage) -> None:
    assert codes(tools.edited(stage, KEYS_PATH, "nowhere", "x")) == [("PATCH_CONFLICT", KEYS_PATH)]
    assert codes(tools.edited(stage, KEYS_PATH, "^", "x")) == [("PATCH_CONFLICT", KEYS_PATH)]
    assert codes(tools.edited(stage, KEYS_PATH, "", "x")) == [("PATCH_CONFLICT", KEYS_PATH)]
    outcome = committed(tools.edited(stage, KEYS_PATH, "## Spare", "## Door"))
    assert written(outcome) == KEYS.replace("## Spare", "## Door")


def test_a_topic_is_written_as_a_whole_and_nothing_else_is(stage: Stage) -> None:
    text = f"Oats.[^e1]\n\n[^e1]: Time: `2026`; Sources: [said]({link(S1)})\n"
    outcome = committed(tools.written(stage, "topics/food.md", text))
    assert [record.content for record in topic(outcome, "topics/food.md").records] == ["Oats."]
    assert codes(tools.written(stage, "sources/chat/_v2/s1.md", "")) == [
        ("READ_ONLY_PATH", "sources/chat/_v2/s1.md")
    ]


def test_a_moved_topic_keeps_its_links_and_citations(stage: Stage) -> None:
    outcome = committed(tools.moved(stage, KEYS_PATH, "topics/house/keys.md"))
    assert isinstance(outcome, Prepared)
    assert outcome.tree.get(KEYS_PATH) is None
    assert set(outcome.report.moved) == {"key1", "old2", "key2"}
    assert link(S1, "topics/house/keys.md") in written(outcome, "topics/house/keys.md")
    assert "(../house/keys.md#^key1)" in written(outcome, MIRA_PATH)
    assert codes(tools.moved(stage, KEYS_PATH, MIRA_PATH)) == [("PATCH_CONFLICT", MIRA_PATH)]
    assert codes(tools.moved(stage, "topics/no.md", "topics/x.md")) == [("MEMORY_NOT_FOUND", "topics/no.md")]
    assert [code for code, _ in codes(tools.moved(stage, "no.md", "../x"))] == [
        "READ_ONLY_PATH",
        "PATH_OUTSIDE_WORKSPACE",
    ]


def test_records_are_deleted_with_a_reason_that_the_commit_keeps(stage: Stage) -> None:
    outcome = committed(tools.without_records(stage, ["^mira1"], "said twice"))
    assert isinstance(outcome, Prepared)
    assert outcome.report.deleted == ("mira1",)
    assert ("Reason", "mira1: said twice") in outcome.trailers
    assert codes(tools.without_records(stage, ["mira1"], " ")) == [("INVALID_ARGUMENT", "reason")]
    assert codes(tools.without_records(stage, ["mira1", "no"], "why")) == [
        ("MEMORY_NOT_FOUND", "ids[1].memory_id")
    ]


def test_a_record_that_only_vanishes_is_refused_in_the_end(stage: Stage) -> None:
    assert codes(committed(tools.written(stage, MIRA_PATH, ""))) == [("BLOCK_LOST", MIRA_PATH)]


def test_an_organizing_pass_deletes_no_more_than_its_share(stage: Stage) -> None:
    many = "".join(
        f"Record {n}.[^e-{n}] ^r{n}\n\n[^e-{n}]: Time: `2026`; Sources: [s]({link(S1)})\n\n" for n in range(8)
    )
    full = tools.staged(snapshot(memory(keys=many)), Caller(), "2026-11-01")
    gone = tools.without_records(full, [f"r{n}" for n in range(6)], "too many")
    assert [code for code, _ in codes(committed(gone, shown=8))] == ["TOO_MANY_DELETIONS"]


def test_requests_build_on_one_another_and_on_the_files(stage: Stage) -> None:
    source = {"label": "new-source-a", "role": "user", "content": "Oats, please."}
    first = tools.applied(stage, {"memory_changes": [create("One.")], "sources": [source]})
    second = tools.applied(after(first), {"memory_changes": [create("Two.") | {"time": "2025"}]})
    moved = tools.moved(after(second), KEYS_PATH, "topics/ring.md")
    third = tools.applied(after(moved), {"memory_changes": [update("key1", "Three."), delete("mira1")]})
    outcome = committed(third)
    contents = [record.content for record in topic(outcome, "topics/ring.md").records]
    assert contents == ["Three.", "One.", "Two.", "The spare hangs by the door, see [Mara](#^key1)."]
    assert isinstance(outcome, Prepared)
    assert len(outcome.report.archived) == 1
    assert outcome.report.deleted == ("mira1",)


def test_a_request_that_cannot_be_carried_out_leaves_the_stage_as_it_was(stage: Stage) -> None:
    assert codes(tools.applied(stage, {"memory_changes": [delete("no")]})) == [
        ("MEMORY_NOT_FOUND", "memory_changes[0].memory_id")
    ]
    assert [code for code, _ in codes(tools.applied(stage, {}))] == ["INVALID_ARGUMENT"]
    gone = after(tools.without_records(stage, ["mira1"], "why"))
    assert codes(tools.without_records(gone, ["mira1"], "why")) == [("MEMORY_NOT_FOUND", "ids[0].memory_id")]


def test_what_is_not_there_is_not_edited(stage: Stage) -> None:
    assert codes(tools.edited(stage, "topics/no.md", "a", "b")) == [("MEMORY_NOT_FOUND", "topics/no.md")]


def test_nothing_done_is_nothing_changed(stage: Stage) -> None:
    outcome = committed(tools.written(stage, MIRA_PATH, MIRA))
    assert isinstance(outcome, Prepared)
    assert not outcome.report.topics
