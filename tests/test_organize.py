"""Organizing: folding, cutting, what an organizer may not do, runs that go on, the keeper, the command."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from attrs import evolve

from organizers import BO, KEYS, Scripted, asking, made, nothing, only, outcomes
from scriptorium.organizer import Asking, organize, rehearse
from scriptorium.workspace import Memory
from scriptorium.writer import Answer, Proposed, Task
from scriptorium_core.changes import (
    CreateRecord,
    DeleteRecord,
    Destination,
    Position,
    SourceUse,
    UpdateRecord,
)
from scriptorium_core.names import BlockId
from scriptorium_core.problem import Code
from scriptorium_core.trailers import values_of
from scriptorium_core.when import When
from scriptorium_core.writing.outcome import Failed, NothingToKeep, Wrote
from small_homes import count, create, opened, request
from small_memory import sure

APRIL = When(2026, 4)


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Memory]:
    with opened(tmp_path / "memory") as found:
        yield found


def contents(memory: Memory, path: str = KEYS) -> list[str]:
    with memory.reading() as (_, base):
        topic = base.facts.topics.get(path)
        ids = topic.ids if topic is not None else ()
        found = {base.facts.records[block].record.id: base.facts.records[block].record for block in ids}
        return [record.content for record in found.values()]


def source_of(memory: Memory, block: str) -> str:
    with memory.reading() as (_, base):
        return base.facts.places[base.facts.records[block].record.sources[0].place]


def new(content: str, source: str, when: When | None = APRIL) -> CreateRecord:
    place = Destination(KEYS, ("Keys",), Position.END)
    return CreateRecord(content, when, (SourceUse(source, "Owner"),), place, "memory_changes[0]")


# --- Without a model -----------------------------------------------------------------------------


def test_what_is_said_twice_becomes_one_record_with_the_ids_and_citations_of_both(memory: Memory) -> None:
    (first,) = made(memory, "The key hangs by the door.", says="Said first.")
    (second,) = made(memory, "the KEY hangs by the door", says="Said later.")
    outcome = only(organize(asking(memory)))
    assert isinstance(outcome, Wrote)
    assert (outcome.created, outcome.deleted) == ((), ())
    with memory.reading() as (_, base):
        record = base.facts.records[first].record
        assert record == base.facts.records[second].record
        assert (record.ids, record.content) == ((second, first), "The key hangs by the door.")
        assert [len(group.sources) for group in record.evidence] == [1, 1]
    entry = next(iter(memory.history.log()))
    assert values_of(entry.trailers, "Kind") == ("organize",)
    assert values_of(entry.trailers, "Writer") == ("extractive",)
    again = only(organize(asking(memory)))
    assert isinstance(again, NothingToKeep)
    assert "more takes a model" in again.reason


def test_the_same_words_of_two_people_or_two_days_stay_two_records(memory: Memory) -> None:
    made(memory, "I prefer tea.", topic="topics/people/mara.md")
    made(memory, "I prefer tea.", topic="topics/people/bo.md", says="Bo too.")
    yesterday = create("I ran home yesterday.")
    made(memory, "I ran home yesterday.")
    sure(memory.update(request(yesterday | {"time": "2026-05-01"}, says="Again.")))
    assert isinstance(only(organize(asking(memory))), NothingToKeep)


def test_a_rehearsal_shows_the_patch_and_commits_nothing(memory: Memory) -> None:
    made(memory, "The key hangs by the door.")
    made(memory, "The key hangs by the door!", says="Again.")
    before = memory.revision
    (portion,) = rehearse(asking(memory))
    assert memory.revision == before
    assert portion.patch.startswith(f"diff --git a/{KEYS} b/{KEYS}\n")
    assert "\n-The key hangs by the door![" in portion.patch
    assert isinstance(portion.outcome, Wrote)


def test_a_topic_beyond_the_limit_is_cut_by_its_headings_and_every_link_lands(memory: Memory) -> None:
    for part in range(3):
        facts = [create(f"Fact {part}.{number}: {'word ' * 150}") for number in range(40)]
        placed = [
            {**fact, "destination": {**fact["destination"], "headings": ["Keys", f"Part {part}"]}}
            for fact in facts
        ]
        done = sure(memory.update(request(*placed)))
    made(memory, f"See [the first](keys.md#^{done.report.created[0]}).", topic=BO)
    first = made(memory, f"See [it](keys.md#^{_first(memory)}).", topic=BO, says="It.")
    size = len(_text(memory, KEYS))
    assert size > 65_536
    sure_of = [each for each in outcomes(organize(asking(memory))) if isinstance(each, Wrote)]
    assert [each.topics for each in sure_of] == [
        ("topics/bo.md", KEYS, "topics/keys/part-0.md", "topics/keys/part-1.md")
    ]
    assert len(_text(memory, KEYS)) <= 65_536
    assert f"[it](keys/part-0.md#^{_first(memory, 'topics/keys/part-0.md')})" in _text(memory, BO)
    assert first
    assert len(contents(memory, "topics/keys/part-0.md")) == 40


def test_a_topic_without_headings_is_cut_by_months(memory: Memory) -> None:
    for month in range(1, 5):
        facts = [create(f"Fact {month}.{n}: {'word ' * 150}") | {"time": f"2026-0{month}"} for n in range(30)]
        sure(memory.update(request(*facts)))
    (outcome,) = [each for each in outcomes(organize(asking(memory))) if isinstance(each, Wrote)]
    assert outcome.summary == "Cut topics/keys.md"
    assert "topics/keys/2026-01.md" in outcome.topics


def test_the_core_is_never_cut(memory: Memory) -> None:
    facts = [create(f"Fact {n}: {'word ' * 400}", "topics/core.md") for n in range(40)]
    sure(memory.update(request(*facts)))
    assert isinstance(only(organize(asking(memory))), NothingToKeep)


def _text(memory: Memory, path: str) -> str:
    return (memory.history.base(memory.revision).get(path) or b"").decode()


def _first(memory: Memory, path: str = KEYS) -> str:
    with memory.reading() as (_, base):
        return base.facts.topics[path].ids[0]


# --- What an organizer may and may not do --------------------------------------------------------


def test_a_merge_and_a_split_are_taken_and_cite_what_is_cited(memory: Memory) -> None:
    one, two, both = made(
        memory, "The key hangs there.", "The key hangs by the door.", "Bo has 2 cats. Bo has a dog."
    )
    source = source_of(memory, one)
    use = (SourceUse(source, "Owner"),)
    changes = (
        UpdateRecord(
            BlockId(one), "The key hangs there, by the door.", APRIL, use, place="memory_changes[0]"
        ),
        DeleteRecord(BlockId(two), "memory_changes[1]"),
        UpdateRecord(BlockId(both), "Bo has 2 cats.", APRIL, use),
        evolve(new("Bo has a dog.", source), place="memory_changes[3]"),
    )
    outcome = only(organize(asking(memory, lambda task: Proposed(changes, summary="Merge and split"))))
    assert isinstance(outcome, Wrote)
    assert contents(memory) == ["The key hangs there, by the door.", "Bo has 2 cats.", "Bo has a dog."]
    assert sure(memory.update(request(create("Still writable.")))).report.created


@pytest.mark.parametrize(
    ("content", "when", "what"),
    [
        ("The key has 7 teeth.", APRIL, "'7' in"),
        ("The key hangs there.", When(2026, 5), "dated 2026-05"),
    ],
)
def test_nothing_new_comes_of_organizing(memory: Memory, content: str, when: When, what: str) -> None:
    (one,) = made(memory, "The key hangs by the door.")
    source = source_of(memory, one)
    writer = Scripted(lambda task: Proposed((new(content, source, when),)))
    outcome = only(organize(Asking(memory, writer, count)))
    assert isinstance(outcome, Failed)
    assert outcome.code is Code.COMMIT_REJECTED
    assert any(what in problem.message and problem.remedy for problem in outcome.problems)
    # It was told why, once.
    assert [bool(task.problems) for task in writer.asked] == [False, True]


def test_what_no_topic_of_the_portion_cites_may_not_be_cited(memory: Memory) -> None:
    made(memory, "The key hangs by the door.")
    (other,) = made(memory, "Bo has a dog.", topic=BO, says="Bo has a dog.")
    source = source_of(memory, other)
    outcome = only(organize(asking(memory, lambda task: Proposed((new("Bo has a dog.", source),))), [KEYS]))
    assert isinstance(outcome, Failed)
    assert {problem.code for problem in outcome.problems} == {Code.NOT_PERMITTED}


def test_too_many_deletions_are_refused_as_a_whole_and_other_portions_go_on(memory: Memory) -> None:
    ids = made(memory, *(f"The key number {number} hangs there." for number in range(20)))
    made(memory, "Bo has a dog.", topic=BO)

    def greedy(task: Task) -> Answer:
        if KEYS not in task.portion:
            return nothing(task)
        return Proposed(
            tuple(DeleteRecord(BlockId(each), f"memory_changes[{n}]") for n, each in enumerate(ids[:6]))
        )

    bo, keys = outcomes(organize(asking(memory, greedy, goal=1)))
    assert isinstance(bo, NothingToKeep)
    assert isinstance(keys, Failed)
    assert keys.code is Code.TOO_MANY_DELETIONS
    assert len(contents(memory)) == 20


def test_an_answer_without_a_change_is_no_progress(memory: Memory) -> None:
    made(memory, "The key hangs by the door.")
    outcome = only(organize(asking(memory, lambda task: Proposed((), summary="All is better now"))))
    assert isinstance(outcome, Failed)
    assert outcome.code in (Code.WRITER_NO_PROGRESS, Code.COMMIT_REJECTED)
    assert {problem.code for problem in outcome.problems} == {Code.WRITER_NO_PROGRESS}
