"""Passes of a writer: batches, marks, outcomes, and what is written when things go wrong."""

from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from attrs import evolve, field, frozen

from scriptorium.conversations.store import open_store
from scriptorium.conversations.unwritten import count_pending, mark
from scriptorium.lock import held
from scriptorium.writer import NothingProposed, Proposed, Unable
from scriptorium.writer.proposal import Task
from scriptorium.writer.recorded import Player, Recorder, read_tape
from scriptorium_core.changes import CreateRecord, DeleteRecord
from scriptorium_core.changes.model import Destination, Position, SourceUse
from scriptorium_core.names import BlockId, TopicPath
from scriptorium_core.problem import Code
from scriptorium_core.trailers import values_of
from scriptorium_core.writing.batch import Said
from scriptorium_core.writing.outcome import Failed, NothingDue, NothingToKeep, Outcome, Wrote, fail
from small_homes import (
    TALK,
    committed,
    create,
    listed,
    on_disk,
    opened,
    request,
    said,
    talk_of,
    told,
    unsound,
)
from written_homes import keep

Answer = Proposed | NothingProposed | Unable


@frozen
class Scripted:
    """A writer that answers as it is told, and remembers what it was asked."""

    answer: Callable[[Sequence[Said]], Answer]
    asked: list[list[str]] = field(factory=list)
    name: str = "scripted"
    prompt: str = ""

    def propose(self, task: Task) -> Answer:
        self.asked.append([item.source.rpartition("/")[2] for item in task.batch])
        return self.answer(task.batch)


def _use(source: str) -> SourceUse:
    return SourceUse(source, "said")


def pending(home: Path) -> int:
    with opened(home / "memory") as memory, open_store(home / "sessions.sqlite3") as store:
        return count_pending(store, talk_of(store), memory.workspace)


def text(home: Path, path: str = "topics/talk.md") -> str:
    with opened(home / "memory") as memory:
        return (committed(memory).get(path) or b"").decode()


@pytest.fixture
def home(tmp_path: Path) -> Path:
    told(tmp_path)
    return tmp_path


def kinds(outcomes: list[Outcome]) -> list[type]:
    return [type(outcome) for outcome in outcomes]


def sizes(outcomes: list[Outcome]) -> list[tuple[type, int]]:
    done = [outcome for outcome in outcomes if isinstance(outcome, Wrote | NothingToKeep)]
    assert len(done) == len(outcomes)
    return [(type(outcome), outcome.frames) for outcome in done]


def test_a_conversation_is_written_in_batches_the_branch_of_the_head_first(home: Path) -> None:
    writer = Scripted(keep)
    assert kinds(listed(home, writer=writer)) == [Wrote] * 3
    assert writer.asked == [["u1", "a1"], ["u2b", "a2b", "u3b"], ["u2"]]
    assert pending(home) == 0
    for turn in TALK:
        assert text(home).count(f"Message {turn.id}.") == 1
    assert list(unsound(home)) == []


def test_a_second_pass_writes_nothing_and_asks_nobody(home: Path) -> None:
    listed(home)
    with opened(home / "memory") as memory:
        before, files = memory.revision, on_disk(memory.layout.root)
    writer = Scripted(keep)
    assert listed(home, writer=writer) == [NothingDue()]
    assert writer.asked == []
    with opened(home / "memory") as memory:
        assert (memory.revision, on_disk(memory.layout.root)) == (before, files)


def test_below_the_goal_nothing_is_written_without_force(home: Path) -> None:
    (outcome,) = listed(home, goal=10_000, force=False)
    assert isinstance(outcome, NothingDue)
    assert outcome.waiting > 100
    assert pending(home) == len(TALK)
    assert kinds(listed(home, goal=60, force=False)) == [Wrote, Wrote]
    assert pending(home) == 1


def test_what_is_told_later_is_written_later(home: Path) -> None:
    listed(home)
    told(home, [*TALK, said("u4b", "u3b", "I like the sea.")])
    writer = Scripted(keep)
    assert kinds(listed(home, writer=writer)) == [Wrote]
    assert writer.asked == [["u4b"]]


def test_evidence_of_a_branch_that_was_given_up_says_so(home: Path) -> None:
    listed(home, writer=Scripted(keep))
    notes = {line.partition("Branch: ")[2] for line in text(home).splitlines() if "; Branch: " in line}
    assert notes == {"s1@u2"}
    with opened(home / "memory") as memory, memory.reading() as (_, base):
        states = {source: fact.context.branch for source, fact in base.facts.sources.items() if fact.context}
    assert states["chat/s1/u2"] == "abandoned"
    assert {state for source, state in states.items() if source != "chat/s1/u2"} == {"live"}


def test_frames_and_records_stand_in_one_commit_that_says_what_it_is(home: Path) -> None:
    (first, *_) = listed(home, writer=Scripted(keep))
    assert isinstance(first, Wrote)
    with opened(home / "memory") as memory:
        trailers = memory.history.entry(first.commit).trailers
        assert values_of(trailers, "Kind") == ("write",)
        assert values_of(trailers, "Writer") == ("scripted",)
        assert values_of(trailers, "Session") == ("chat/s1",)
        assert values_of(trailers, "Created") == (" ".join(first.created),)
        base = memory.history.base(first.commit)
        assert (base.get("sources/chat/_v2/s1.md") or b"").count(b"<!-- source-id:") == first.frames == 2


def test_a_batch_with_nothing_to_keep_is_archived_and_done(home: Path) -> None:
    outcomes = listed(home, goal=10_000, writer=Scripted(lambda batch: NothingProposed("small talk")))
    (outcome,) = outcomes
    assert isinstance(outcome, NothingToKeep)
    assert (outcome.reason, outcome.frames) == ("small talk", len(TALK))
    assert outcome.commit
    assert pending(home) == 0
    assert list(unsound(home)) == []


def test_rejected_changes_change_nothing_and_set_no_mark(home: Path) -> None:
    wrong = Proposed((DeleteRecord(BlockId("nosuch")), *keep([]).changes))
    (outcome,) = listed(home, writer=Scripted(lambda batch: wrong))
    assert isinstance(outcome, Failed)
    assert (outcome.code, outcome.retryable) == (Code.COMMIT_REJECTED, False)
    assert [problem.code for problem in outcome.problems] == [Code.MEMORY_NOT_FOUND]
    assert pending(home) == len(TALK)
    with opened(home / "memory") as memory:
        assert memory.revision is None


def test_a_writer_may_cite_its_batch_alone(home: Path) -> None:
    with opened(home / "memory") as memory:
        memory.update(request(create("Mine.")))
        with memory.reading() as (_, base):
            (mine,) = base.facts.sources
    place = Destination(TopicPath("topics/talk.md"), ("Talk",), Position.END)
    wrong = Proposed((CreateRecord("Not of the batch.", None, (_use(mine),), place),))
    (outcome,) = listed(home, writer=Scripted(lambda batch: wrong))
    assert isinstance(outcome, Failed)
    assert outcome.code is Code.COMMIT_REJECTED


def test_a_writer_that_cannot_work_ends_the_pass_with_its_own_outcome(home: Path) -> None:
    failed = fail(Code.MODEL_RATE_LIMIT, "later", until="2026-03-02T10:00:00+00:00")
    (outcome,) = listed(home, writer=Scripted(lambda batch: Unable(failed)))
    assert isinstance(outcome, Failed)
    assert outcome.tokens > 0, "what it was offered counts, though it came to nothing"
    assert evolve(outcome, tokens=0) == failed
    assert pending(home) == len(TALK)


def test_a_second_pass_at_the_same_time_gives_up_and_may_come_again(home: Path) -> None:
    with opened(home / "memory") as memory, held(memory.layout.runtime / "pass.lock"):
        (outcome,) = listed(home)
    assert isinstance(outcome, Failed)
    assert (outcome.code, outcome.retryable) == (Code.CONCURRENT_UPDATE, True)
    assert kinds(listed(home)) == [Wrote] * 3


def test_people_may_write_while_the_writer_thinks(home: Path) -> None:
    def think(batch: Sequence[Said]) -> Proposed:
        with opened(home / "memory") as other:
            other.update(request(create(f"Meanwhile, beside {batch[0].source}.", "topics/talk.md")))
        return keep(batch)

    assert kinds(listed(home, writer=Scripted(think))) == [Wrote] * 3
    assert text(home).count("Meanwhile") == 3
    assert all(text(home).count(f"Message {turn.id}.") == 1 for turn in TALK)
    assert list(unsound(home)) == []


def test_a_crash_between_commit_and_marks_is_mended_without_asking_again(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Killed(BaseException):
        pass

    def die(*_: object) -> None:
        raise Killed

    with monkeypatch.context() as broken:
        broken.setattr("scriptorium.conversations.unwritten.mark", die)
        with pytest.raises(Killed):
            listed(home, writer=Scripted(keep))
    assert pending(home) == len(TALK)
    writer = Scripted(keep)
    assert kinds(listed(home, writer=writer)) == [Wrote, Wrote]
    assert writer.asked == [["u2b", "a2b", "u3b"], ["u2"]]
    assert pending(home) == 0
    assert all(text(home).count(f"Message {turn.id}.") == 1 for turn in TALK)


def test_the_marks_of_another_workspace_do_not_count(home: Path) -> None:
    with opened(home / "other") as other, open_store(home / "sessions.sqlite3") as store:
        session = talk_of(store)
        mark(store, session, list(store.nodes(session)), other.workspace)
    assert kinds(listed(home)) == [Wrote] * 3


def test_a_tape_gives_the_same_commits_in_every_fresh_home(home: Path, tmp_path: Path) -> None:
    tape = tmp_path / "tape.jsonl"
    recorded = listed(home, record=Recorder(tape, "extractive"))
    revisions = []
    for name in ("one", "two"):
        told(tmp_path / name)
        played = listed(tmp_path / name, writer=Player(read_tape(tape)))
        assert sizes(played) == sizes(recorded)
        with opened(tmp_path / name / "memory") as memory:
            revisions.append([entry.commit for entry in memory.history.log()])
            topics = {path: data for path, data in committed(memory).items() if path.startswith("topics/")}
        with opened(home / "memory") as memory:
            assert topics == {p: d for p, d in committed(memory).items() if p.startswith("topics/")}
    assert revisions[0] == revisions[1]
    assert len(revisions[0]) == 3


def test_a_tape_of_another_conversation_is_refused_before_anything_is_written(
    home: Path, tmp_path: Path
) -> None:
    tape = tmp_path / "tape.jsonl"
    listed(home, goal=10_000, record=Recorder(tape, "extractive"))
    told(tmp_path / "other", [said("x1", None, "I prefer tea.")])
    (outcome,) = listed(tmp_path / "other", writer=Player(read_tape(tape)))
    assert isinstance(outcome, Failed)
    assert (outcome.code, outcome.retryable) == (Code.WRITER_PRECONDITION_FAILED, False)
    with opened(tmp_path / "other" / "memory") as memory:
        assert memory.revision is None
