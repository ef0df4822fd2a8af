"""Examples of editing a topic in a draft, of restoring, and of undoing, on a real memory."""

import os
import stat
from pathlib import Path

import pytest

from scriptorium import Memory
from scriptorium.refused import Refused
from scriptorium.service import Service
from scriptorium.workspace import Committed
from scriptorium_core.problem import Code
from scriptorium_core.transaction import Rejected
from trips import ask, create, written

NOTES = "topics/notes.md"


@pytest.fixture
def service(tmp_path: Path) -> Service:
    service = written(tmp_path)
    ask(service, create("Mara takes the train."))
    return service


def text(service: Service, path: str = NOTES) -> str:
    return (service.root / path).read_text("utf-8")


def rewrite(path: Path, old: str, new: str) -> None:
    found = path.read_text("utf-8")
    assert old in found
    path.write_text(found.replace(old, new))


def codes(outcome: object) -> list[Code]:
    assert isinstance(outcome, Rejected), outcome
    return [problem.code for problem in outcome.problems]


def test_a_draft_lies_outside_the_working_tree_and_is_the_owners_alone(service: Service) -> None:
    draft = service.edit("notes").draft
    assert draft.path.read_text("utf-8") == text(service)
    assert stat.S_IMODE(os.stat(draft.path).st_mode) == 0o600
    assert draft.path.is_relative_to(service.memory().layout.runtime)
    assert not service.memory().history.drafts()


def test_a_draft_that_passes_is_committed_and_gone(service: Service) -> None:
    editing = service.edit(NOTES)
    rewrite(editing.draft.path, "takes the train", "takes the night train")
    outcome = editing.finish()
    assert isinstance(outcome, Committed)
    assert "night train" in text(service)
    assert not editing.draft.path.exists()
    assert service.log(1)[0].subject == "Edit topics/notes.md"


def test_a_draft_without_a_change_leaves_nothing(service: Service) -> None:
    before, editing = service.memory().revision, service.edit(NOTES)
    outcome = editing.finish()
    assert isinstance(outcome, Committed)
    assert outcome.unchanged
    assert service.memory().revision == before
    assert not editing.draft.path.exists()


def test_a_rejected_draft_is_kept_named_and_taken_up_again(service: Service) -> None:
    editing = service.edit(NOTES)
    rewrite(editing.draft.path, "Mara takes", "No evidence.\n\nMara takes")
    outcome = editing.finish()
    assert codes(outcome) == [Code.INVALID_TOPIC_FORMAT, Code.DRAFT_IN_THE_WAY]
    assert isinstance(outcome, Rejected)
    assert outcome.problems[-1].path == str(editing.draft.path)
    again = service.edit("topics/notes")
    assert again.draft.taken_up
    rewrite(again.draft.path, "No evidence.\n\n", "")
    assert isinstance(again.finish(), Committed)


def test_a_kept_draft_that_is_not_wanted_is_put_aside(service: Service) -> None:
    first = service.edit(NOTES).draft
    rewrite(first.path, "Mara", "Nonsense.\n\nMara")
    second = service.edit(NOTES, fresh=True).draft
    assert second.aside is not None
    assert "Nonsense" in second.aside.read_text("utf-8")
    assert second.path.read_text("utf-8") == text(service)


def test_a_draft_that_was_put_aside_stays_when_another_one_is(service: Service) -> None:
    for words in ("Nonsense", "Rubbish", "Rubbish"):
        rewrite(service.edit(NOTES, fresh=True).draft.path, "Mara", f"{words}.\n\nMara")
    kept = service.edit(NOTES, fresh=True).draft.path.parent.glob("*.earlier*.md")
    held = sorted(path.read_text("utf-8").split("\n\n")[-3] for path in kept)
    assert held == ["Nonsense.", "Rubbish."]


def test_records_that_vanished_are_shown_and_deleted_only_on_purpose(service: Service) -> None:
    editing = service.edit(NOTES)
    editing.draft.path.write_text("")
    (lost,) = editing.vanished()
    assert lost.content == "Mara takes the train."
    assert codes(editing.finish()) == [Code.BLOCK_LOST, Code.DRAFT_IN_THE_WAY]
    outcome = editing.finish(delete=True)
    assert isinstance(outcome, Committed)
    assert outcome.report.deleted == (lost.id,)
    assert not (service.root / NOTES).exists()


def test_a_topic_that_is_not_there_yet_is_made(service: Service) -> None:
    editing = service.edit("people/mira")
    assert editing.draft.path.read_text("utf-8") == "# Mira\n\n"
    with editing.draft.path.open("a") as file:
        file.write("Mira cooks.[^e1]\n\n[^e1]: Time: `2026`; Sources: [said](native/trip/m1)\n")
    assert isinstance(editing.finish(), Committed)
    assert "Mira cooks." in text(service, "topics/people/mira.md")


def test_what_is_committed_elsewhere_meanwhile_is_no_hindrance(service: Service) -> None:
    editing = service.edit(NOTES)
    rewrite(editing.draft.path, "takes the train", "takes the bus")
    ask(service, create("Elsewhere.", "topics/other.md"))
    assert isinstance(editing.finish(), Committed)


def test_a_topic_that_changed_meanwhile_is_not_overwritten_and_the_next_edit_takes_both(
    service: Service,
) -> None:
    editing = service.edit(NOTES)
    rewrite(editing.draft.path, "takes the train", "takes the bus")
    ask(service, create("Said meanwhile."))
    assert codes(editing.finish()) == [Code.CONCURRENT_UPDATE, Code.DRAFT_IN_THE_WAY]
    again = service.edit(NOTES)
    assert again.draft.merged
    assert isinstance(again.finish(), Committed)
    assert "takes the bus" in text(service)
    assert "Said meanwhile." in text(service)


def test_a_draft_that_meets_what_was_committed_stays_the_persons_own(service: Service) -> None:
    editing = service.edit(NOTES)
    rewrite(editing.draft.path, "takes the train", "takes the bus")
    other = service.edit(NOTES, fresh=True)
    rewrite(other.draft.path, "takes the train", "takes the boat")
    assert isinstance(other.finish(), Committed)
    editing.draft.path.write_text("mine")
    kept = service.edit(NOTES)
    assert not kept.draft.taken_up  # its note of the base went with the other draft
    assert kept.draft.aside is not None
    assert kept.draft.aside.read_text("utf-8") == "mine"


def test_a_name_that_can_be_no_topic_is_refused(service: Service) -> None:
    with pytest.raises(Refused) as refused:
        service.edit("../outside")
    assert refused.value.problems[0].code is Code.PATH_OUTSIDE_WORKSPACE


def test_a_record_is_restored_from_an_earlier_revision(service: Service) -> None:
    before = text(service)
    (block,) = [row.record.id for row in service.recent(1).rows]
    ask(service, {"op": "delete_record", "memory_id": block})
    outcome = service.restore([f"^{block}"], "HEAD~1")
    assert isinstance(outcome, Committed)
    assert text(service) == before
    assert service.verify().holds


def test_a_topic_is_restored_from_an_earlier_revision(service: Service) -> None:
    before = text(service)
    ask(service, create("Later."))
    assert codes(service.restore(["notes"], "HEAD~1")) == [Code.BLOCK_LOST]
    assert isinstance(service.restore([NOTES], "HEAD~1", delete=True), Committed)
    assert text(service) == before


def test_a_topic_is_restored_alone(service: Service) -> None:
    assert codes(service.restore([NOTES, "^abc"], "HEAD")) == [Code.INVALID_ARGUMENT]


def test_a_commit_is_undone_and_the_undoing_is_undone(service: Service) -> None:
    with_it = text(service)
    outcome = service.undo("HEAD")
    assert isinstance(outcome, Committed)
    assert not (service.root / NOTES).exists()
    assert service.log(1)[0].subject.startswith("Undo “")
    assert isinstance(service.undo("HEAD"), Committed)
    assert text(service) == with_it
    assert service.verify().holds


def test_the_first_commit_is_undone_like_any_other_and_its_messages_stay(service: Service) -> None:
    first = service.log(None)[-1].commit
    assert isinstance(service.undo(first), Committed)
    assert [line.path for line in service.topics()] == [NOTES]
    assert service.status().sources == 6
    assert service.verify().holds


def test_a_record_that_comes_back_has_its_old_place_among_the_newest(service: Service) -> None:
    order = [row.record.id for row in service.recent().rows]
    ask(service, {"op": "delete_record", "memory_id": order[1]})
    assert isinstance(service.restore([order[1]], "HEAD~1"), Committed)
    assert [row.record.id for row in service.recent().rows] == order
    assert service.verify().holds


def test_whole_topics_and_patches_go_through_the_service(service: Service) -> None:
    seen = service.memory().revision
    patch = f"--- a/{NOTES}\n+++ b/{NOTES}\n@@ -1 +1 @@\n-# Notes\n+# Remarks\n"
    assert isinstance(service.change({"patch": patch, "base_revision": seen}), Committed)
    stale = service.change({"patch": patch, "base_revision": seen})
    assert codes(stale) == [Code.CONCURRENT_UPDATE]
    write = {"path": NOTES, "action": "write", "content": text(service).replace("Remarks", "Notes")}
    assert codes(service.change({"changes": [write], "base_revision": seen})) == [Code.CONCURRENT_UPDATE]
    assert isinstance(service.change({"changes": [write]}), Committed)


def test_the_library_takes_every_form_and_goes_back(service: Service) -> None:
    with Memory.open(service.root) as memory:
        patch = f"--- a/{NOTES}\n+++ b/{NOTES}\n@@ -1 +1 @@\n-# Notes\n+# Remarks\n"
        assert isinstance(memory.update(patch=patch, base_revision=memory.revision), Committed)
        gone = {"path": NOTES, "action": "delete"}
        assert codes(memory.update(changes=[gone])) == [Code.BLOCK_LOST]
        (block,) = [row.record.id for row in memory.recent(1).rows]
        assert isinstance(memory.update(changes=[gone], deleted=[block]), Committed)
        assert isinstance(memory.restore(block, since="HEAD~1"), Committed)
        assert isinstance(memory.undo("HEAD"), Committed)
        assert codes(memory.update()) == [Code.INVALID_ARGUMENT]
