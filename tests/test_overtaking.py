"""Examples of edits that meet what a person did meanwhile: topics that are meant, drafts, moved topics."""

from typing import Any

from memory_example import KEYS, MIRA, memory, snapshot
from operations import create, delete, move
from scriptorium_core.changes import decode_request
from scriptorium_core.names import BlockId
from scriptorium_core.problem import Code
from scriptorium_core.transaction import Report
from scriptorium_core.transaction.drafted import drafted
from scriptorium_core.transaction.overtaking import meant, meetings
from scriptorium_core.transaction.relocating import relocated

PATH, PEOPLE = "topics/keys.md", "topics/people/mira.md"
BASE = snapshot(memory())


def topics_of(*operations: dict[str, object], before: dict[str, bytes] | None = None) -> list[str]:
    request, problems = decode_request({"memory_changes": list(operations)})
    assert problems == ()
    return sorted(meant(request.changes, BASE.facts, before or {}))


def test_a_change_means_the_topics_in_which_its_records_stand_stood_and_shall_stand() -> None:
    assert topics_of(delete("key1")) == [PATH]
    assert topics_of(delete("none")) == []
    assert topics_of(delete("gone1"), before={PEOPLE: MIRA.replace("mira1", "gone1").encode()}) == [PEOPLE]
    place: dict[str, Any] = {
        "topic_path": "topics/new.md",
        "headings": ["Spare"],
        "position": "after",
        "anchor_memory_id": "mira1",
    }
    assert topics_of(move("key1", **place)) == [PATH, "topics/new.md", PEOPLE]
    assert topics_of(create("Words.", **{**place, "anchor_memory_id": "key2"})) == [PATH, "topics/new.md"]


def test_what_a_person_has_just_changed_stays() -> None:
    one, two, three = map(BlockId, ("key1", "key2", "mira1"))
    (problem,) = meetings(Report(updated=(one,), deleted=(two,)), Report(updated=(three,), moved=(two,)))
    assert (problem.code, problem.message[:5]) == (Code.CONCURRENT_UPDATE, "^key2")
    assert problem.remedy == "read the record again, then make the change anew"


def test_a_draft_of_an_earlier_text_is_taken_together_with_what_was_committed_since() -> None:
    was = KEYS.replace("Mara has", "Bo has").encode()
    draft = was.replace(b"hangs by", b"lies by")
    edit = drafted(BASE, {PATH: draft}, {PATH: was}, "Adopt", ())
    assert edit.tree.get(PATH) == KEYS.replace("hangs by", "lies by").encode()
    assert edit.overruled == ()
    broken = was + b"\nProse.\n"
    assert drafted(BASE, {PATH: broken}, {PATH: was}, "Adopt", ()).tree.get(PATH) == broken


def test_a_draft_of_a_topic_that_is_gone_keeps_what_the_person_changed() -> None:
    gone = "topics/gone.md"
    was = KEYS.replace("key1", "one1").replace("key2", "two1").replace("old2", "two2").encode()
    edit = drafted(BASE, {gone: was.replace(b"Mara has", b"Bo has")}, {gone: was}, "Adopt", ())
    data = edit.tree.get(gone)
    assert data is not None
    assert b"Bo has the key" in data
    assert b"spare" not in data
    assert edit.overruled == ("one1",)


def test_the_links_of_a_topic_that_was_moved_by_hand_are_written_from_its_new_place() -> None:
    new = "topics/mira.md"
    moved = relocated(BASE.tree, {PEOPLE: None, new: MIRA.encode()})
    assert moved[new] == MIRA.replace("](../keys.md", "](keys.md").replace("](../../", "](../").encode()
    elsewhere = {PEOPLE: None, new: MIRA.replace("mira1", "other1").encode()}
    assert relocated(BASE.tree, elsewhere) == elsewhere
    broken = {PEOPLE: None, new: MIRA.encode() + b"\nProse.\n"}
    assert relocated(BASE.tree, broken) == broken
    assert relocated(BASE.tree, {PATH: KEYS.encode()}) == {PATH: KEYS.encode()}
    assert relocated(BASE.tree, {PEOPLE: None, PATH: KEYS.encode()}) == {PEOPLE: None, PATH: KEYS.encode()}
