"""A person saves a topic while a program changes it: both stay, and where they meet, what was typed."""

from pathlib import Path

from scriptorium.workspace import Memory
from scriptorium.writer import Proposed
from scriptorium.writer.proposal import Task
from scriptorium_core.changes import UpdateRecord
from scriptorium_core.changes.model import SourceUse
from scriptorium_core.names import BlockId
from scriptorium_core.problem import Code
from scriptorium_core.transaction.model import Report
from scriptorium_core.transaction.overtaking import meetings
from scriptorium_core.writing.outcome import Failed, rejection
from small_homes import TALK, create, listed, opened, request, service, told, unsound, written
from small_memory import codes, sure, topic


def by_hand(memory: Memory, old: str, new: str) -> None:
    """The person replaces some words of the topic and saves it."""
    place = topic(memory)
    place.write_text(place.read_text().replace(old, new))


def update(block: str, content: str) -> dict[str, object]:
    source = {"source": "new-source-a", "label": "Owner"}
    return {
        "op": "update_record",
        "memory_id": block,
        "content": content,
        "time": "2026-05",
        "sources": [source],
    }


def test_records_that_do_not_meet_are_both_kept(tmp_path: Path) -> None:
    with opened(tmp_path / "memory") as memory:
        written(memory, "One.", "Two.")
        by_hand(memory, "One.", "One, by hand.")
        sure(memory.update(request(create("Three."), says="Three.")))
        text = topic(memory).read_text()
        assert "One, by hand." in text
        assert "Three." in text
    assert list(unsound(tmp_path)) == []


def test_a_topic_that_was_moved_to_another_depth_keeps_what_its_links_mean(tmp_path: Path) -> None:
    with opened(tmp_path / "memory") as memory:
        (one,) = written(memory, "One.", topic="topics/notes/one.md")
        written(memory, f"See [it](notes/one.md#^{one}).")
        for path in ("topics/people/deep/keys.md", "topics/people/keys.md", "topics/keys.md"):
            (old,) = (memory.layout.root / "topics").rglob("keys.md")
            place = topic(memory, path)
            place.parent.mkdir(parents=True, exist_ok=True)
            old.rename(place)
            sure(memory.adopt())
            assert f"notes/one.md#^{one})" in place.read_text()
    assert list(unsound(tmp_path)) == []


def test_a_topic_whose_editor_followed_its_move_is_taken_as_it_is(tmp_path: Path) -> None:
    with opened(tmp_path / "memory") as memory:
        written(memory, "One.")
        place = topic(memory, "topics/people/one.md")
        place.parent.mkdir()
        text = topic(memory).read_text().replace("](../sources", "](../../sources")
        place.write_text(text + "\n```\n[said](../sources/x.md)\n```\n")
        topic(memory).unlink()
        sure(memory.adopt())
        assert "](../../sources" in place.read_text()
        assert "```\n[said](../sources/x.md)\n```" in place.read_text()
    assert list(unsound(tmp_path)) == []


def test_the_same_record_keeps_the_text_of_the_person(tmp_path: Path) -> None:
    with opened(tmp_path / "memory") as memory:
        one, two = written(memory, "One.", "Two.")
        by_hand(memory, "One.", "One, by hand.")
        result = memory.update(request(update(one, "One, by a program."), says="New."))
        assert codes(result) == [Code.CONCURRENT_UPDATE]
        assert "One, by hand." in topic(memory).read_text()
        sure(memory.update(request(update(two, "Two, by a program."), says="New.")))
        assert "One, by hand." in topic(memory).read_text()
    assert list(unsound(tmp_path)) == []


class Changes:
    """A writer that changes one record, while a person saves the topic."""

    name = "changes"
    prompt = ""

    def __init__(self, root: Path, block: str) -> None:
        self.place, self.block = root / "topics/keys.md", block

    def propose(self, task: Task) -> Proposed:
        self.place.write_text(self.place.read_text().replace("One.", "One, by hand."))
        uses = (SourceUse(task.batch[0].source, "Owner"),)
        return Proposed((UpdateRecord(BlockId(self.block), "One, by a writer.", None, uses),))


def test_a_batch_that_meets_a_persons_text_stays_pending(tmp_path: Path) -> None:
    told(tmp_path)
    with opened(tmp_path / "memory") as memory:
        (one,) = written(memory, "One.")
    writer = Changes(tmp_path / "memory", one)
    *_, outcome = listed(tmp_path, writer=writer)
    assert isinstance(outcome, Failed)
    assert (outcome.code, outcome.retryable) == (Code.CONCURRENT_UPDATE, True)
    assert "One, by hand." in writer.place.read_text()
    with service(tmp_path) as opening:
        assert [summary.pending for summary in opening.sessions()] == [len(TALK)]
    assert list(unsound(tmp_path)) == []


def test_only_records_that_both_changed_meet() -> None:
    mine = Report(updated=(BlockId("a"), BlockId("b")), deleted=(BlockId("c"),), created=(BlockId("d"),))
    theirs = Report(updated=(BlockId("b"),), moved=(BlockId("c"),), created=(BlockId("e"),))
    assert [problem.message.split()[0] for problem in meetings(mine, theirs)] == ["^b", "^c"]
    assert rejection(meetings(mine, theirs)) is Code.CONCURRENT_UPDATE
    assert rejection(()) is Code.COMMIT_REJECTED
