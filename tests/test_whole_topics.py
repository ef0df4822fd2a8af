"""Examples of changes of whole topics: decoded with every fault, and carried out through the checks."""

from typing import Any

import pytest

from memory_example import KEYS, MIRA, S2, codes, link, memory, snapshot, topic, written
from scriptorium_core.changes import Caller, bring, carry_out, decode_request, paths_meant
from scriptorium_core.problem import Problem
from scriptorium_core.transaction import Edit, Prepared, Rules, prepare

PATH = "topics/people/mira.md"


def ask(*changes: Any, **more: Any) -> Prepared | tuple[Problem, ...]:
    request, problems = decode_request({"changes": list(changes), **more})
    base, caller = snapshot(memory()), Caller()
    brought = bring(request.sources, caller)
    applied = carry_out(base.tree, base.facts, request, brought.places, "2026-11-01")
    if problems or isinstance(applied, tuple):
        return problems + (applied if isinstance(applied, tuple) else ())
    edit = Edit(applied.tree, applied.deleted, brought.frames, brought.contexts)
    outcome = prepare(base, edit, Rules(caller, len))
    return outcome if isinstance(outcome, Prepared) else outcome.problems


def write(path: str, content: str) -> dict[str, str]:
    return {"path": path, "action": "write", "content": content}


def delete(path: str) -> dict[str, str]:
    return {"path": path, "action": "delete"}


def test_a_topic_is_written_as_a_whole() -> None:
    assert written(ask(write("topics/keys.md", KEYS.replace("Spare", "Door")))) == KEYS.replace(
        "Spare", "Door"
    )


def test_a_new_topic_cites_a_source_of_the_request_by_its_label() -> None:
    text = "Tea.[^e1]\n\n[^e1]: Time: `2026`; Sources: [now](new-source-tea), [then](chat/s1/m1)\n"
    source = {"label": "new-source-tea", "role": "user", "content": "Tea, please."}
    (record,) = topic(ask(write("topics/tea.md", text), sources=[source]), "topics/tea.md").records
    assert [cited.label for cited in record.sources] == ["now", "then"]
    assert record.sources[0].place.startswith("sources/local/_v2/")


def test_a_topic_whose_records_stand_elsewhere_now_may_be_deleted() -> None:
    moved = MIRA.replace("../../sources", "../sources").replace("../keys.md", "keys.md")
    outcome = ask(write("topics/mira.md", moved), delete(PATH))
    assert isinstance(outcome, Prepared)
    assert outcome.tree.get(PATH) is None
    assert outcome.report.moved == ("mira1",)


def test_deleting_a_topic_declares_no_record_deleted() -> None:
    assert codes(ask(delete(PATH))) == [("BLOCK_LOST", PATH)]
    assert isinstance(ask(delete(PATH), deleted=["mira1"]), Prepared)


def test_a_record_that_others_link_to_is_not_lost_by_deleting_its_topic() -> None:
    outcome = ask(delete("topics/keys.md"), deleted=["key1", "key2", "old2"])
    assert codes(outcome) == [("LINK_DANGLING", PATH)]


def test_a_topic_that_is_not_there_cannot_be_deleted() -> None:
    outcome = ask(delete("topics/no.md"), delete("topics/none.md"))
    assert codes(outcome) == [("PATCH_CONFLICT", "changes[0].path"), ("PATCH_CONFLICT", "changes[1].path")]


def test_a_topic_that_is_no_topic_is_refused_by_the_checks() -> None:
    text = f"Prose.\n\nMore.[^e1]\n\n[^e1]: Time: `2026`; Sources: [said]({link(S2)})\n"
    assert codes(ask(write("topics/new.md", text))) == [("INVALID_TOPIC_FORMAT", "topics/new.md")]


@pytest.mark.parametrize(
    ("change", "places"),
    [
        ("text", ["changes[0]"]),
        ({}, ["changes[0].path", "changes[0].action"]),
        ({"path": 3, "action": "write"}, ["changes[0].path", "changes[0].content"]),
        (delete("topics/a.md") | {"content": ""}, ["changes[0].content"]),
        (write("topics/a.md", "\ud800"), ["changes[0].content"]),
        (write("../a.md", ""), ["changes[0].path"]),
        (write("topics/a.md", "") | {"mode": 1}, ["changes[0].mode"]),
    ],
)
def test_each_fault_of_a_change_has_its_place(change: Any, places: list[str]) -> None:
    found = [problem.path for problem in decode_request({"changes": [change]})[1]]
    assert set(places) <= set(found)


def test_a_topic_that_is_changed_twice_is_named_whatever_its_case() -> None:
    _, problems = decode_request({"changes": [write("topics/a.md", ""), delete("topics/A.md")]})
    assert [problem.path for problem in problems] == ["changes[1].path"]


@pytest.mark.parametrize(
    ("request_", "place"),
    [
        ({"changes": []}, "changes"),
        ({"patch": 3}, "patch"),
        ({"changes": [write("topics/a.md", "")], "patch": "x"}, "patch"),
        ({"memory_changes": [], "changes": [write("topics/a.md", "")]}, "changes"),
        ({"changes": [write("topics/a.md", "")], "deleted": ["a", 3]}, "deleted[1]"),
        ({"memory_changes": [], "deleted": ["a"]}, "deleted"),
    ],
)
def test_exactly_one_form_is_a_request(request_: object, place: str) -> None:
    assert place in [problem.path for problem in decode_request(request_)[1]]


def test_a_request_without_any_form_changes_nothing() -> None:
    (problem,) = decode_request({})[1]
    assert problem.message == "the request changes nothing"


def test_the_topics_that_a_request_means_are_known_without_carrying_it_out() -> None:
    request, _ = decode_request({"changes": [write("topics/a.md", ""), delete("topics/b.md")]})
    assert paths_meant(request) == {"topics/a.md", "topics/b.md"}
