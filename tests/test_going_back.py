"""Examples of restoring records and topics, and of undoing a commit."""

from collections.abc import Mapping
from typing import Any

import pytest

from memory_example import KEYS, MIRA, S1, S2, codes, link, memory, snapshot, topic, written
from operations import SHARED, create, delete, move, update
from scriptorium_core.changes import Caller, apply_changes, decode_request
from scriptorium_core.names import TopicPath
from scriptorium_core.problem import Problem
from scriptorium_core.topics import Record, parse_topic
from scriptorium_core.transaction import Edit, Prepared, Rejected, Rules, prepare
from scriptorium_core.transaction.restoring import restored_records, restored_topic
from scriptorium_core.transaction.undoing import undone
from scriptorium_core.tree import tree_of

Files = Mapping[str, bytes]
KEYS_PATH, MIRA_PATH = "topics/keys.md", "topics/people/mira.md"
REVISION = "abcdef0123" * 4


def after(files: Files, *operations: dict[str, Any]) -> Files:
    """The files after a request that must succeed."""
    base = snapshot(files)
    request, problems = decode_request({"memory_changes": list(operations)})
    applied = apply_changes(base.tree, base.facts, request.changes, {}, "2026-11-01")
    assert not problems
    assert not isinstance(applied, tuple), applied
    return flat(prepare(base, Edit(applied.tree, applied.deleted), Rules(Caller(), len)))


def flat(outcome: Prepared | Rejected) -> Files:
    assert isinstance(outcome, Prepared), outcome
    found = {path: outcome.tree.get(path) for path in outcome.tree.under("")}
    return {path: data for path, data in found.items() if data is not None}


def finished(now: Files, edit: Edit | Rejected, **more: Any) -> Prepared | tuple[Problem, ...]:
    if isinstance(edit, Rejected):
        return edit.problems
    outcome = prepare(snapshot(now, **more), edit, Rules(Caller(), len))
    return outcome if isinstance(outcome, Prepared) else outcome.problems


def differing(one: Files, two: Files) -> list[str]:
    return sorted(path for path in one.keys() | two.keys() if one.get(path) != two.get(path))


def restore(old: Files, now: Files, *ids: Any, **more: Any) -> Prepared | tuple[Problem, ...]:
    edit = restored_records(tree_of(old), differing(old, now), snapshot(now, **more), ids, REVISION)
    return finished(now, edit, **more)


def undo(before: Files, made: Files, now: Files | None = None) -> Prepared | tuple[Problem, ...]:
    present = made if now is None else now
    paths = differing(before, made)
    return finished(present, undone(tree_of(before), tree_of(made), snapshot(present), paths, REVISION))


# --- Restoring records ---------------------------------------------------------------------------


def test_the_earlier_text_and_evidence_of_a_record_come_back_in_its_place() -> None:
    old = memory()
    now = after(old, update("key1", "Bo has the key."), create("Something else."))
    outcome = restore(old, now, "key1")
    assert topic(outcome).records[0].content == "Mara has the key."
    assert "Status: verified 0.9" in written(outcome)
    assert "Something else." in written(outcome)
    assert isinstance(outcome, Prepared)
    assert ("Kind", "restore") in outcome.trailers
    assert ("Restored", "key1") in outcome.trailers


def test_a_deleted_record_comes_back_beside_its_old_neighbour() -> None:
    old = after(memory(), create("Second."), create("Third."))
    second = next(r.id for r in parsed(old) if r.content == "Second.")
    now = after(old, delete(second))
    outcome = restore(old, now, second)
    assert [r.content for r in topic(outcome).records][:3] == ["Mara has the key.", "Second.", "Third."]
    assert isinstance(outcome, Prepared)
    assert outcome.report.created == (second,)


def test_a_record_whose_neighbours_are_gone_comes_to_the_end_of_its_headings_which_are_made_again() -> None:
    old = memory()
    now = after(old, delete("key2"), delete("old2"))
    assert "## Spare" not in now[KEYS_PATH].decode()
    assert written(restore(old, now, "key2")) == KEYS


def test_a_record_that_moved_since_stays_where_it_is_and_its_links_land() -> None:
    old = memory()
    now = after(old, update("old2", "Elsewhere.", S2), move("old2", "key2"))
    outcome = restore(old, now, "key2")
    (found,) = (r for r in topic(outcome, MIRA_PATH).records if r.id == "key2")
    assert found.content == "The spare hangs by the door, see [Mara](../keys.md#^key1)."


def test_an_alias_that_was_deleted_comes_back_with_its_record() -> None:
    old = memory()
    outcome = restore(old, after(old, delete("old2")), "old2")
    assert written(outcome) == KEYS


def test_a_record_that_is_merged_now_comes_back_only_with_the_others() -> None:
    old = after(memory(), create("Second."))
    second = next(r.id for r in parsed(old) if r.content == "Second.")
    merged = old[KEYS_PATH].replace(b" ^key1", f" ^key1 ^{second}".encode())
    paragraphs = merged.decode().split("\n\n")
    now = {**old, KEYS_PATH: "\n\n".join(p for p in paragraphs if "Second." not in p).encode()}
    assert codes(restore(old, now, "key1")) == [("INVALID_ARGUMENT", "ids[0]")]
    outcome = restore(old, now, "key1", second)
    assert {r.ids for r in topic(outcome).records} >= {("key1",), (second,)}


def test_what_was_forgotten_never_returns() -> None:
    old = memory()
    now = after(old, delete("key2"), delete("old2"))
    outcome = restore(old, now, "key2", forgotten={"key2": "2026-05-01"})
    assert codes(outcome) == [("FORGOTTEN", "ids[0]")]


def test_all_records_that_cannot_be_restored_are_named() -> None:
    old = memory()
    assert codes(restore(old, old, "nobody", "key1", "noone")) == [
        ("MEMORY_NOT_FOUND", "ids[0]"),
        ("MEMORY_NOT_FOUND", "ids[2]"),
    ]


def test_a_record_whose_evidence_is_gone_is_refused() -> None:
    old = memory()
    elsewhere = {path: data for path, data in old.items() if path.startswith("topics/people")}
    now = {**elsewhere, MIRA_PATH: b""}
    assert ("MISSING_SOURCE", KEYS_PATH) in codes(restore(old, now, "key1"))


def test_a_definition_that_another_record_has_taken_over_is_in_the_way() -> None:
    old = memory(keys=SHARED)
    now = {**old, KEYS_PATH: SHARED.replace("2026", "2025").encode()}
    assert codes(restore(old, now, "key1")) == [("INVALID_TOPIC_FORMAT", "ids[0]")]
    assert isinstance(restore(old, after(old, update("key1")), "key1"), Prepared)


def test_a_record_does_not_come_back_into_a_topic_that_is_broken_or_defines_its_evidence_otherwise() -> None:
    old = memory(keys=SHARED)
    gone = SHARED.replace("One.[^e-aaaaaaaaaa] ^key1\n\n", "")
    broken = {**old, KEYS_PATH: (gone + "\nProse.\n").encode()}
    assert codes(restore(old, broken, "key1")) == [("INVALID_TOPIC_FORMAT", "ids[0]")]
    otherwise = {**old, KEYS_PATH: gone.replace("2026", "2025").encode()}
    assert codes(restore(old, otherwise, "key1")) == [("INVALID_TOPIC_FORMAT", "ids[0]")]


def test_a_record_of_the_older_form_comes_back_into_its_paragraph() -> None:
    note = f"Time: `2026`; Sources: [s]({link(S1)})"
    text = f"One.[^mem_1] Two.[^mem_2]\n\n[^mem_1]: {note}\n[^mem_2]: {note}\n"
    old = memory(keys=text)
    now = {**old, KEYS_PATH: text.replace("Two.", "Three.").encode()}
    assert written(restore(old, now, "mem_2")) == text


# --- Restoring topics ----------------------------------------------------------------------------


def test_a_topic_comes_back_with_the_records_that_moved_away() -> None:
    old = memory()
    now = after(old, move("key1"), update("old2", "Elsewhere."))
    outcome = finished(now, restored_topic(tree_of(old), snapshot(now), TopicPath(KEYS_PATH), REVISION))
    assert written(outcome) == KEYS
    assert written(outcome, MIRA_PATH) == MIRA


def test_records_that_came_since_are_lost_only_on_purpose() -> None:
    old = memory()
    now = after(old, create("New."))
    path = TopicPath(KEYS_PATH)
    refused = finished(now, restored_topic(tree_of(old), snapshot(now), path, REVISION))
    assert codes(refused) == [("BLOCK_LOST", KEYS_PATH)]
    outcome = finished(now, restored_topic(tree_of(old), snapshot(now), path, REVISION, drop=True))
    assert written(outcome) == KEYS


def test_a_topic_that_was_not_there_is_not_restored() -> None:
    edit = restored_topic(tree_of({}), snapshot(memory()), TopicPath(KEYS_PATH), REVISION)
    assert codes(finished(memory(), edit)) == [("MEMORY_NOT_FOUND", KEYS_PATH)]


def test_a_topic_with_something_that_was_forgotten_does_not_come_back_as_a_whole() -> None:
    old = memory()
    now = {path: data for path, data in old.items() if path != MIRA_PATH}
    base = snapshot(now, {"mira1": "2026-05-01"})
    edit = restored_topic(tree_of(old), base, TopicPath(MIRA_PATH), REVISION)
    assert codes(finished(now, edit)) == [("FORGOTTEN", MIRA_PATH)]


# --- Undoing -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "operations",
    [
        [create("New.")],
        [update("key1", "Bo has the key.", supersede=True)],
        [delete("key2")],
        [move("key1"), create("New.", topic_path="topics/new.md")],
    ],
)
def test_undo_takes_back_what_a_commit_did(operations: list[dict[str, Any]]) -> None:
    before = memory()
    made = after(before, *operations)
    outcome = flat_topics(undo(before, made))
    assert outcome == {path: data for path, data in before.items() if path.startswith("topics/")}


def test_undo_leaves_what_came_later_in_the_same_topic() -> None:
    before = memory()
    made = after(before, create("First."))
    now = after(made, create("Later."), update("key1", "Bo has the key."))
    contents = [record.content for record in topic(undo(before, made, now)).records]
    assert contents == ["Bo has the key.", "Later.", "The spare hangs by the door, see [Mara](#^key1)."]


def test_undo_names_every_place_that_was_changed_since() -> None:
    before = memory()
    made = after(before, update("key1", "Bo has it."), update("mira1", "Mira left."))
    now = after(made, update("key1", "Ines has it."), update("mira1", "Mira is back."))
    problems = undo(before, made, now)
    assert codes(problems) == [("PATCH_CONFLICT", KEYS_PATH), ("PATCH_CONFLICT", MIRA_PATH)]
    assert isinstance(problems, tuple)
    assert problems[0].line == 3


def test_a_link_that_only_followed_its_record_is_no_conflict() -> None:
    before = memory()
    made = after(before, update("mira1", "Mira knows [the key](../keys.md#^key1)."))
    now = after(made, move("key1", topic_path="topics/home/hooks.md"))
    assert b"../home/hooks.md#^key1" in now[MIRA_PATH]
    (mira,) = topic(undo(before, made, now), MIRA_PATH).records
    assert mira.content == "Mira asked about [the key](../home/hooks.md#^key1)."


def test_undo_does_not_lose_a_record_that_went_elsewhere() -> None:
    before = memory()
    made = after(before, create("New.", topic_path="topics/new.md"))
    (new,) = (r.id for r in parsed(made, "topics/new.md"))
    now = after(made, move(new, topic_path="topics/other.md"))
    assert codes(undo(before, made, now)) == [("PATCH_CONFLICT", "topics/other.md")]


def test_undo_of_a_record_that_others_link_to_is_refused() -> None:
    before = memory()
    made = after(before, create("New."))
    new = next(r.id for r in parsed(made) if r.content == "New.")
    now = after(made, create(f"See [it](../keys.md#^{new}).", topic_path=MIRA_PATH, headings=["Mira"]))
    assert codes(undo(before, made, now)) == [("LINK_DANGLING", MIRA_PATH)]


def test_a_commit_that_changed_no_topic_has_nothing_to_undo() -> None:
    edit = undone(tree_of({}), tree_of({}), snapshot({}), ["sources/chat/_v2/s1.md"], REVISION)
    assert [code for code, _ in codes(finished({}, edit))] == ["INVALID_ARGUMENT"]


def parsed(files: Files, path: str = KEYS_PATH) -> tuple[Record, ...]:
    return parse_topic(TopicPath(path), files[path])[0].records


def flat_topics(outcome: Prepared | tuple[Problem, ...]) -> Files:
    assert isinstance(outcome, Prepared), outcome
    return {path: data for path, data in flat(outcome).items() if path.startswith("topics/")}
