"""Backfill: what is archived and cited nowhere is offered once, in batches, from the archives alone."""

from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from cli_example import run, run_json
from organizers import Scripted
from scriptorium.organizer import Asking, backfill
from scriptorium.service import Service
from scriptorium.settings import Settings
from scriptorium.workspace import Memory
from scriptorium.writer import Answer, NothingProposed, Task, Unable
from scriptorium.writer.extractive import Extractive
from scriptorium_core.changes import Caller
from scriptorium_core.facts.model import SourceFact
from scriptorium_core.names import SourceId
from scriptorium_core.problem import Code
from scriptorium_core.sources.frame import Context, Frame, Origin, Provenance, Tier, Trust
from scriptorium_core.trailers import values_of
from scriptorium_core.transaction import Edit, Rejected
from scriptorium_core.writing.backfill import batches, left_of, said_of
from scriptorium_core.writing.batch import Said
from scriptorium_core.writing.outcome import Failed, NothingDue, NothingToKeep, Outcome, Wrote, fail
from small_homes import count, opened, unsound
from small_memory import sure

TALK = ("I prefer tea to coffee.", "Tea it is.", "My sister Ines lives in Porto.", "Noted.")


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Memory]:
    with opened(tmp_path / "memory") as found:
        yield found


def archived(
    memory: Memory, texts: Sequence[str] = TALK, thread: str = "chat/s1", trust: Trust = Trust.TRUSTED
) -> None:
    """Messages in the archive, a person's and an assistant's in turn, that nothing cites."""
    frames: list[Frame] = []
    contexts: list[Context] = []
    for number, text in enumerate(texts):
        name, human = SourceId(f"{thread}/m{number}"), number % 2 == 0
        tier = Tier.OWNER if trust is Trust.TRUSTED else None
        made_by = Provenance("owner/local", "owner", tier, trust)
        role, origin = ("user", Origin.HUMAN) if human else ("assistant", Origin.ASSISTANT)
        frames.append(Frame(name, role, text, "2026-03-01T09:00:00+00:00", None, "", made_by))
        contexts.append(Context(name, origin, thread[5:], f"m{number}", None, "live", None))  # type: ignore[arg-type]

    def plan(base: object) -> Edit:
        return Edit(base.tree, frames=tuple(frames), contexts=tuple(contexts), kind="write")  # type: ignore[attr-defined]

    sure(memory.commit(plan, memory.rules(Caller())))


def nothing(task: Task) -> Answer:
    return NothingProposed("small talk")


def filled(
    memory: Memory, writer: Scripted | None = None, goal: int = 10_000, limit: int | None = None
) -> list[Outcome]:
    return list(backfill(Asking(memory, writer or Extractive(), count, goal), limit))


def sources(task: Task) -> list[str]:
    return [item.source for item in task.batch]


def test_what_nothing_cites_is_written_once_and_cites_the_archive(memory: Memory) -> None:
    archived(memory)
    (outcome,) = filled(memory)
    assert isinstance(outcome, Wrote)
    assert (len(outcome.created), outcome.frames) == (2, 0)
    entry = next(iter(memory.history.log()))
    assert values_of(entry.trailers, "Kind") == ("backfill",)
    assert len(values_of(entry.trailers, "Batch")) == 1
    with memory.reading() as (_, base):
        places = [base.facts.records[block].record.sources[0].place for block in outcome.created]
        assert [base.facts.places[place] for place in places] == ["chat/s1/m0", "chat/s1/m2"]
    assert filled(memory) == [NothingDue()]


def test_what_was_not_worth_keeping_is_not_offered_again(memory: Memory) -> None:
    archived(memory)
    writer = Scripted(nothing)
    before = memory.revision
    (outcome,) = filled(memory, writer)
    assert isinstance(outcome, NothingToKeep)
    assert memory.revision == before
    assert filled(memory, writer) == [NothingDue()]
    assert len(writer.asked) == 1
    archived(memory, ("I bought a boat.",), "chat/s2")
    filled(memory, writer)
    assert sources(writer.asked[-1]) == ["chat/s2/m0"]


def test_a_batch_that_failed_is_offered_again_and_those_before_it_are_not(memory: Memory) -> None:
    archived(memory)
    calls: list[int] = []

    def second_fails(task: Task) -> Answer:
        calls.append(1)
        return Unable(fail(Code.MODEL_TRANSPORT)) if len(calls) == 2 else NothingProposed("small talk")

    writer = Scripted(second_fails)
    assert [type(each) for each in filled(memory, writer, goal=30)] == [NothingToKeep, Failed]
    assert [type(each) for each in filled(memory, writer, goal=30)] == [NothingToKeep, NothingToKeep]
    assert [sources(task) for task in writer.asked] == [
        ["chat/s1/m0", "chat/s1/m1"], ["chat/s1/m2"], ["chat/s1/m2"], ["chat/s1/m3"],
    ]  # fmt: skip


def test_the_limit_counts_messages(memory: Memory) -> None:
    archived(memory)
    writer = Scripted(nothing)
    filled(memory, writer, limit=3)
    filled(memory, writer)
    assert [len(task.batch) for task in writer.asked] == [3]
    archived(memory, ("I bought a boat.", "Nice.", "I sold it."), "chat/s2")
    filled(memory, writer, limit=1)
    filled(memory, writer)
    assert [len(task.batch) for task in writer.asked[1:]] == [1, 2]


def test_what_is_held_or_forgotten_is_left_and_so_is_what_an_assistant_alone_said(memory: Memory) -> None:
    archived(memory, thread="chat/held", trust=Trust.PENDING)
    assert filled(memory) == [NothingDue()]
    with Service(memory=memory.layout.root, settings=Settings()) as home:
        archived(memory, ("I prefer tea.",), "chat/gone")
        assert not isinstance(home.forget(["chat/gone/m0"]), Rejected)
    assert filled(memory) == [NothingDue()]


def test_a_thread_in_which_no_person_is_left_is_passed_over() -> None:
    human = SourceFact(SourceId("chat/s1/m0"), "a#1", 1, "user", "", "Tea.", None, "owner", Tier.OWNER, True)
    other = SourceFact(SourceId("chat/s1/m1"), "a#2", 2, "assistant", "", "Tea it is.", None, "", None, True)
    assert [[item.source for item in each] for each in left_of([human, other], ())] == [[human.id, other.id]]
    assert list(left_of([human, other], {human.id})) == []
    assert (said_of(human).speaker, said_of(human).origin) == ("Owner", Origin.HUMAN)
    assert said_of(other).origin is Origin.ASSISTANT


def test_batches_end_where_they_reach_the_goal() -> None:
    items = [Said(SourceId(f"chat/s1/m{n}"), "Bo", Origin.HUMAN, "four") for n in range(5)]
    assert [len(batch) for batch in batches([items[:3], items[3:]], len, 8)] == [2, 2, 1]
    assert [len(batch) for batch in batches([items], len, 8, 3)] == [2, 1]
    assert list(batches([], len, 8)) == []


def test_the_command_says_what_it_wrote_and_then_that_nothing_is_left(tmp_path: Path) -> None:
    with opened(tmp_path / "memory") as memory:
        archived(memory)
    done = run_json("--home", tmp_path, "backfill", "--limit", "10")
    (batch,) = done["batches"]
    assert (done["ok"], len(batch["created"])) == (True, 2)
    again = run("--home", tmp_path, "backfill")
    assert (again.code, again.out) == (
        0,
        "nothing is archived that no topic cites and no writer was asked for\n",
    )
    assert list(unsound(tmp_path)) == []
    assert run("--home", tmp_path, "backfill", "--writer", "nobody").code != 0
