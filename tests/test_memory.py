"""An open memory: what is committed, what a reader sees, and what becomes of a person's own hand."""

import shutil
from pathlib import Path

import pytest

from scriptorium.history import ADOPTED
from scriptorium.workspace import Memory
from scriptorium_core.problem import Code
from scriptorium_core.trailers import values_of
from scriptorium_core.transaction import Rejected
from small_homes import committed, create, delete, git, move, on_disk, opened, request, unsound, written
from small_memory import KEYS, cited, codes, draft, sure, topic

needs_git = pytest.mark.skipif(shutil.which("git") is None, reason="the git program is not installed")


@pytest.fixture
def memory(tmp_path: Path) -> Memory:
    return opened(tmp_path / "memory")


# --- Updates -------------------------------------------------------------------------------------


def test_an_update_is_one_commit_of_topics_evidence_and_views(memory: Memory, tmp_path: Path) -> None:
    done = sure(memory.update(request(create("The key hangs by the door."))))
    assert done.projected
    assert done.memory_committed
    assert done.git_committed
    assert done.revision == memory.revision
    (entry,) = memory.history.log()
    assert values_of(entry.trailers, "Created") == done.report.created
    assert {path.split("/")[0] for path in committed(memory)} == {
        "topics", "sources", "timeline", "recent_events.jsonl",
    }  # fmt: skip
    assert list(unsound(tmp_path)) == []


@needs_git
def test_git_status_is_clean_after_each_commit(memory: Memory) -> None:
    first, second = written(memory, "One.", "Two.")
    for change in (create("Three.", "topics/a/b.md"), move(first, topic="topics/c.md"), delete(second)):
        sure(memory.update(request(change)))
        assert git(memory.layout.root, "status", "--porcelain") == ""


def test_what_is_archived_already_is_not_archived_twice(memory: Memory) -> None:
    assert len(sure(memory.update(request(create("One.")))).report.archived) == 1
    assert sure(memory.update(request(create("Two.")))).report.archived == ()


def test_a_commit_that_would_change_nothing_is_none(memory: Memory) -> None:
    written(memory, "One.")
    before = memory.revision
    done = sure(memory.adopt())
    assert done.unchanged
    assert done.revision == memory.revision == before


def test_a_rejected_update_changes_nothing_at_all(memory: Memory) -> None:
    written(memory, "One.")
    before, files = memory.revision, on_disk(memory.layout.root)
    kept = sorted(path.name for path in memory.history.layout.git.rglob("*"))
    assert codes(memory.update(request(create("Fine."), delete("nosuch")))) == [Code.MEMORY_NOT_FOUND]
    assert codes(memory.update({"memory_changes": 7})) == [Code.INVALID_ARGUMENT]
    assert (memory.revision, on_disk(memory.layout.root)) == (before, files)
    assert sorted(path.name for path in memory.history.layout.git.rglob("*")) == kept


def test_a_reader_keeps_its_commit_while_another_process_writes(memory: Memory) -> None:
    written(memory, "One.")
    with opened(memory.layout.root) as other, memory.reading() as (revision, base):
        assert len(base.facts.newest) == 1
        written(other, "Two.")
        assert other.revision != revision
        assert len(base.facts.newest) == 1
        assert b"Two." not in (base.tree.get(KEYS) or b"")
    with memory.reading() as (revision, base):
        assert revision == other.revision
        assert len(base.facts.newest) == 2


# --- The revision that a caller has seen ---------------------------------------------------------


def test_a_request_on_an_older_revision_holds_if_its_topics_did_not_change(memory: Memory) -> None:
    written(memory, "One.")
    seen = memory.revision
    written(memory, "Elsewhere.", topic="topics/other.md")
    done = sure(memory.update(request(create("Two."), base=seen)))
    assert len(done.report.created) == 1


def test_a_request_on_an_older_revision_is_refused_if_its_topic_changed(memory: Memory) -> None:
    (block,) = written(memory, "One.")
    seen = memory.revision
    written(memory, "Two.")
    now = memory.revision
    result = memory.update(request(delete(block), base=seen))
    assert codes(result) == [Code.CONCURRENT_UPDATE]
    assert isinstance(result, Rejected)
    assert seen
    assert now
    assert seen in result.problems[0].message
    assert now in result.problems[0].message
    assert memory.revision == now


def test_a_record_that_vanished_since_is_a_conflict_and_not_a_mistake(memory: Memory) -> None:
    first, second = written(memory, "One.", "Two.")
    seen = memory.revision
    sure(memory.update(request(delete(first))))
    assert codes(memory.update(request(delete(first), base=seen))) == [Code.CONCURRENT_UPDATE]
    assert codes(memory.update(request(create("x", "topics/x.md"), delete("nosuch"), base=seen))) == [
        Code.MEMORY_NOT_FOUND
    ]
    seen = memory.revision
    sure(memory.update(request(move(second, topic="topics/new.md"))))
    assert codes(memory.update(request(delete(second), base=seen))) == [Code.CONCURRENT_UPDATE]


@pytest.mark.parametrize("revision", ["abc", "HEAD", "é", "\ud800", "0" * 40, "g" * 40, " ", "topics"])
def test_a_revision_that_is_none_is_refused_whatever_it_is(memory: Memory, revision: str) -> None:
    written(memory, "One.")
    if revision == "topics":
        revision = memory.history.tree_id(memory.revision, "topics") or ""
    assert codes(memory.update(request(create("Two."), base=revision))) == [Code.INVALID_ARGUMENT]


# --- Drafts --------------------------------------------------------------------------------------


def test_a_draft_in_the_way_is_adopted_first_as_a_commit_of_its_own(memory: Memory, tmp_path: Path) -> None:
    written(memory, "One.")
    draft(memory, cited(memory, "By hand."))
    sure(memory.update(request(create("Three."))))
    ours, adopted, *_ = memory.history.log()
    assert values_of(adopted.trailers, "Kind") == ("adopt",)
    assert len(values_of(adopted.trailers, ADOPTED)) == 1
    assert values_of(ours.trailers, "Kind") == ("edit",)
    text = topic(memory).read_text()
    assert [part in text for part in ("One.", "By hand.", "Three.", "[^e1]")] == [True, True, True, False]
    assert memory.history.drafts() == ()
    memory.close()
    assert list(unsound(tmp_path)) == []


def test_adopting_says_what_was_adopted_and_gives_the_file_its_ids(memory: Memory) -> None:
    written(memory, "One.")
    draft(memory, cited(memory, "By hand."))
    done = sure(memory.adopt())
    assert len(done.report.created) == 1
    assert f"^{done.report.created[0]}" in topic(memory).read_text()
    assert memory.history.drafts() == ()
    assert sure(memory.adopt()).unchanged


def test_a_new_topic_of_a_person_is_adopted_too(memory: Memory) -> None:
    written(memory, "One.")
    draft(memory, "# New\n" + cited(memory, "By hand."), "topics/new.md")
    sure(memory.adopt(("topics/new.md",)))
    assert topic(memory, "topics/new.md").read_bytes() == committed(memory)["topics/new.md"]


def test_a_draft_that_does_not_pass_stays_and_only_its_topic_is_closed(memory: Memory) -> None:
    written(memory, "One.")
    draft(memory, "\nno citation\n")
    mine = topic(memory).read_bytes()
    result = memory.update(request(create("Two.")))
    assert codes(result) == [Code.DRAFT_IN_THE_WAY, Code.INVALID_TOPIC_FORMAT]
    assert topic(memory).read_bytes() == mine
    sure(memory.update(request(create("Elsewhere.", "topics/other.md"))))
    assert topic(memory).read_bytes() == mine
    assert codes(memory.adopt()) == [Code.INVALID_TOPIC_FORMAT]


def test_a_topic_that_was_deleted_by_hand_is_not_taken_for_a_deletion(memory: Memory) -> None:
    written(memory, "One.")
    topic(memory).unlink()
    assert codes(memory.update(request(create("Two."))))[0] is Code.DRAFT_IN_THE_WAY
    assert codes(memory.adopt()) == [Code.BLOCK_LOST]
    assert b"One." in (committed(memory)[KEYS] or b"")


@pytest.mark.parametrize("path", [KEYS, "topics/fresh.md"])
def test_a_draft_that_holds_nothing_yet_stands_in_nobodys_way(memory: Memory, path: str) -> None:
    written(memory, "One.")
    draft(memory, "\n## Not written yet\n", path)
    sure(memory.update(request(create("Two.", path))))
    assert memory.history.drafts() == ()
    assert b"Two." in topic(memory, path).read_bytes()


@pytest.mark.parametrize(
    "path", ["../../etc/passwd", "/etc/passwd", "core.md", "topics/../x.md", ".git/config"]
)
def test_only_topics_can_be_adopted(memory: Memory, path: str) -> None:
    written(memory, "One.")
    before = memory.revision
    codes(memory.adopt((path,)))
    assert memory.revision == before


def test_an_image_beside_the_topics_hinders_nothing(memory: Memory) -> None:
    written(memory, "One.")
    (topic(memory).parent / "image.png").write_bytes(b"\x89PNG\0")
    draft(memory, cited(memory, "By hand."))
    assert len(sure(memory.adopt()).report.created) == 1
