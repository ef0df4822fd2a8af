"""What contradicts and what repeats: a newer value follows an older one, and nothing is counted twice."""

from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from attrs import define

from memory_example import KEYS, ODD, S2, codes, edited, link, memory, topic
from scriptorium.conversations.store import open_store
from scriptorium.service import Service
from scriptorium.settings import Settings
from scriptorium.writer import Answer, Edited, NothingProposed, Pass, Proposed, Task, write_session
from scriptorium_core.changes import (
    Change,
    CreateRecord,
    DeleteRecord,
    Destination,
    Position,
    SourceUse,
    UpdateRecord,
)
from scriptorium_core.facts import Facts
from scriptorium_core.names import BlockId, TopicPath
from scriptorium_core.problem import Code
from scriptorium_core.sameness import akin, statement_key
from scriptorium_core.sessions.graph import Node
from scriptorium_core.sources.frame import Origin
from scriptorium_core.topics.model import Record
from scriptorium_core.transaction.staging import staged, without_records
from scriptorium_core.when import When
from scriptorium_core.writing.outcome import Failed, NothingToKeep, Outcome, Wrote
from small_homes import count, opened, told
from talk_examples import node

FOOD, PEOPLE = TopicPath("topics/food.md"), TopicPath("topics/people.md")
Answers = Callable[[Task, Facts], Sequence[Change]]


@define
class Scripted:
    """A writer that makes of each batch what it is told to."""

    made: Answers
    name: str = "scripted"
    prompt: str = ""

    def propose(self, task: Task) -> Answer:
        with task.reading() as (_, base):
            changes = tuple(self.made(task, base.facts))
        return Proposed(changes, summary="As told") if changes else NothingProposed("nothing")


def spoken(*texts: str, first: int = 0, origin: Origin = Origin.HUMAN) -> list[Node]:
    """A talk in which each turn follows the one before, a month after it."""
    return [
        node(f"u{n}", f"u{n - 1}" if n else None, text, origin, at=f"2026-{n + 1:02d}-01T09:00:00+00:00")
        for n, text in enumerate(texts, first)
    ]


def played(home: Path, nodes: Sequence[Node], made: Answers | None = None) -> list[Outcome]:
    """A batch a turn, by a scripted writer or the one without a model."""
    from scriptorium.writer.extractive import Extractive

    told(home, nodes)
    with opened(home / "memory") as found, open_store(home / "sessions.sqlite3") as store:
        (session,) = store.sessions()
        writer = Scripted(made) if made else Extractive()
        return list(write_session(Pass(found, store, writer, count, 1, True), session))


def said(task: Task) -> SourceUse:
    return SourceUse(task.batch[-1].source, "Owner")


def keep(task: Task, content: str, path: TopicPath = FOOD) -> CreateRecord:
    return CreateRecord(content, task.batch[-1].when, (said(task),), Destination(path, (), Position.END))


def follow(task: Task, block: str, content: str) -> UpdateRecord:
    return UpdateRecord(BlockId(block), content, task.batch[-1].when, (said(task),), supersede=True)


def records(home: Path) -> list[Record]:
    with opened(home / "memory") as found, found.reading() as (_, base):
        return list({known.record.id: known.record for known in base.facts.records.values()}.values())


def rejected(outcome: Outcome) -> set[Code]:
    assert isinstance(outcome, Failed), outcome
    return {problem.code for problem in outcome.problems}


def first(facts: Facts) -> str:
    return facts.newest[0].record.id if facts.newest else ""


# --- A newer value -------------------------------------------------------------------------------


def test_a_newer_value_follows_and_the_older_one_stays_dated(tmp_path: Path) -> None:
    """bc-029: `loves`, then `hates`: one record that hates, and the day until which it loved."""

    def made(task: Task, facts: Facts) -> Sequence[Change]:
        text = task.batch[-1].text
        return [follow(task, first(facts), text)] if facts.newest else [keep(task, text)]

    outcomes = played(tmp_path, spoken("I love Chinese food.", "I hate Chinese food."), made)
    assert [type(each) for each in outcomes] == [Wrote, Wrote]
    (record,) = records(tmp_path)
    assert record.content == "I hate Chinese food."
    assert [dict(group.fields).get("Until") for group in record.evidence] == ["2026-02-01", None]
    assert [str(group.when) for group in record.evidence] == ["2026-01-01", "2026-02-01"]


def test_what_speaks_of_something_else_closes_nothing(tmp_path: Path) -> None:
    def made(task: Task, facts: Facts) -> Sequence[Change]:
        text = task.batch[-1].text
        return [follow(task, first(facts), text)] if facts.newest else [keep(task, text)]

    _, outcome = played(tmp_path, spoken("I love Chinese food.", "Bo moved to Lisbon."), made)
    assert rejected(outcome) == {Code.INVALID_ARGUMENT}
    assert isinstance(outcome, Failed)
    assert "would be closed by something else (Bo moved to Lisbon.)" in outcome.problems[0].message
    (record,) = records(tmp_path)
    assert (record.content, record.evidence[0].fields) == ("I love Chinese food.", ())


def test_a_contradiction_never_ends_empty(tmp_path: Path) -> None:
    """bc-029: taking the old one out and forgetting to say the new one is refused."""

    def made(task: Task, facts: Facts) -> Sequence[Change]:
        return [DeleteRecord(BlockId(first(facts)))] if facts.newest else [keep(task, task.batch[-1].text)]

    _, outcome = played(tmp_path, spoken("I love Chinese food.", "I hate Chinese food."), made)
    assert rejected(outcome) == {Code.BLOCK_LOST}
    assert [record.content for record in records(tmp_path)] == ["I love Chinese food."]


def test_a_deletion_by_a_tool_is_bound_alike_and_a_replacement_lets_it_go(tmp_path: Path) -> None:
    class ByTool(Scripted):
        def propose(self, task: Task) -> Answer:
            with task.reading() as (_, base):
                if not base.facts.newest:
                    return Proposed((keep(task, task.batch[-1].text),))
                stage = without_records(
                    staged(base, task.caller, task.today), [first(base.facts)], "it is over"
                )
                assert not isinstance(stage, tuple)
                return Edited(stage, "Take it out")

    told(tmp_path, spoken("I love Chinese food.", "I hate Chinese food."))
    with opened(tmp_path / "memory") as found, open_store(tmp_path / "sessions.sqlite3") as store:
        (session,) = store.sessions()
        *_, outcome = write_session(
            Pass(found, store, ByTool(lambda task, facts: ()), count, 1, True), session
        )
    assert rejected(outcome) == {Code.BLOCK_LOST}

    def replaced(task: Task, facts: Facts) -> Sequence[Change]:
        new = keep(task, task.batch[-1].text)
        return [DeleteRecord(BlockId(first(facts))), new] if facts.newest else [new]

    assert [
        type(each) for each in played(tmp_path / "b", spoken("I love tea.", "I hate tea."), replaced)
    ] == [Wrote, Wrote]


def test_a_wrong_guess_is_followed_by_what_turned_out(tmp_path: Path) -> None:
    """bc-034: the later turn supersedes what the first batch took for a fact."""

    def made(task: Task, facts: Facts) -> Sequence[Change]:
        if not facts.newest:
            return [keep(task, "The search endpoint is broken.")]
        return [follow(task, first(facts), "The search endpoint works; a curl parser was wrong.")]

    played(
        tmp_path,
        spoken("The search endpoint returns nothing.", "My curl parser was wrong, search is fine."),
        made,
    )
    (record,) = records(tmp_path)
    assert record.content == "The search endpoint works; a curl parser was wrong."
    assert len(record.evidence) == 2


def test_five_old_citations_are_closed_together_by_one_newer_value(tmp_path: Path) -> None:
    """bc-037: a majority does not beat recency."""

    def made(task: Task, facts: Facts) -> Sequence[Change]:
        text, known = task.batch[-1].text, first(facts)
        if not known:
            return [keep(task, text, PEOPLE)]
        again = UpdateRecord(
            BlockId(known), "Alice works at Google.", task.batch[-1].when, (said(task),), add=True
        )
        return [follow(task, known, text) if "left" in text else again]

    talk = ["Alice works at Google."] * 5 + ["Alice left Google for a start-up."]
    assert all(isinstance(each, Wrote) for each in played(tmp_path, spoken(*talk), made))
    (record,) = records(tmp_path)
    assert record.content == "Alice left Google for a start-up."
    assert [dict(group.fields).get("Until") for group in record.evidence] == ["2026-06-01"] * 5 + [None]


def test_a_state_that_comes_back_has_both_of_its_times(tmp_path: Path) -> None:
    """bc-031: Payments, Search, Payments again: three intervals, and nobody on Payments in May."""

    def made(task: Task, facts: Facts) -> Sequence[Change]:
        text = task.batch[-1].text
        return [follow(task, first(facts), text)] if facts.newest else [keep(task, text, PEOPLE)]

    played(tmp_path, spoken("Alex is on Payments.", "Alex is on Search.", "Alex is on Payments."), made)
    (record,) = records(tmp_path)
    assert [(str(group.when), dict(group.fields).get("Until")) for group in record.evidence] == [
        ("2026-01-01", "2026-02-01"), ("2026-02-01", "2026-03-01"), ("2026-03-01", None),
    ]  # fmt: skip


# --- The same again ------------------------------------------------------------------------------


def test_the_same_again_is_a_second_citation_of_one_record(tmp_path: Path) -> None:
    """bc-028: never two records, never none, and the id stays."""
    outcomes = played(
        tmp_path, spoken("My dog is descended from wolves.", "My dog is descended from WOLVES!")
    )
    assert [type(each) for each in outcomes] == [Wrote, Wrote]
    (record,) = records(tmp_path)
    made = outcomes[0]
    assert isinstance(made, Wrote)
    assert made.created == (record.id,)
    assert [str(when) for when in record.whens] == ["2026-01-01", "2026-02-01"]
    assert len(record.sources) == 2


def test_nine_times_the_same_is_one_record_among_the_others(tmp_path: Path) -> None:
    """bc-040: a fact that is said again and again takes one line."""
    facts = ["I have a dog.", "I have a boat.", "I live in Bonn.", "I play the piano.", "I like cycling."]
    played(tmp_path, spoken(*["I prefer tea to coffee."] * 7, *facts))
    assert [record.content for record in records(tmp_path)].count("I prefer tea to coffee.") == 1
    assert len(records(tmp_path)) == 6


def test_an_assistant_that_says_it_again_is_no_further_evidence(tmp_path: Path) -> None:
    """bc-024: neither by the writer without a model, nor by one that would cite it."""
    talk = [
        *spoken("I moved to Porto."),
        *spoken("You moved to Porto.", "I moved to Porto.", first=1, origin=Origin.ASSISTANT),
    ]
    outcomes = played(tmp_path, talk)
    assert [type(each) for each in outcomes] == [Wrote, NothingToKeep, NothingToKeep]
    assert [len(record.sources) for record in records(tmp_path)] == [1]

    def made(task: Task, facts: Facts) -> Sequence[Change]:
        if not facts.newest:
            return [keep(task, "I moved to Porto.")]
        return [UpdateRecord(BlockId(first(facts)), "I moved to Porto.", None, (said(task),), add=True)]

    *_, outcome = played(tmp_path / "b", talk, made)
    assert rejected(outcome) == {Code.NOT_PERMITTED}
    assert [len(record.sources) for record in records(tmp_path / "b")] == [1]


def test_a_person_may_put_right_whatever_they_like(tmp_path: Path) -> None:
    use = {"source": "new-source-a", "label": "Owner"}
    request = {"sources": [{"label": "new-source-a", "role": "user", "content": "I say so."}]}
    place = {"topic_path": FOOD, "headings": [], "position": "end"}
    new = {"op": "create_record", "content": "Tea.", "time": None, "sources": [use], "destination": place}
    with Service(tmp_path, settings=Settings()) as home:
        block = home.change({"memory_changes": [new], **request}).report.created[0]  # type: ignore[union-attr]
        other = {
            "op": "update_record",
            "memory_id": block,
            "content": "Bo.",
            "time": "2026",
            "sources": [use],
        }
        home.change({"memory_changes": [other | {"supersede": True}], **request})
        assert [record.content for record in records(tmp_path)] == ["Bo."]
        home.change({"memory_changes": [{"op": "delete_record", "memory_id": block}]})
    assert records(tmp_path) == []


# --- Of the same, and the same -------------------------------------------------------------------


@pytest.mark.parametrize(
    ("new", "old"),
    [
        ("I hate Chinese food.", "I love Chinese food."),
        ("Bo has the key.", "Mara has the key."),
        ("我住在慕尼黑。", "我住在柏林。"),
        ("The server's port is 8081 now.", "Port: 8080"),
        ("It is over.", "It was so."),
    ],
)
def test_two_values_of_one_attribute_are_akin(new: str, old: str) -> None:
    assert akin(new, old)


@pytest.mark.parametrize(
    ("new", "old"), [("Bo moved to Lisbon.", "I love Chinese food."), ("茶很好。", "我住在柏林。")]
)
def test_what_shares_no_word_is_not_akin(new: str, old: str) -> None:
    assert not akin(new, old)


def test_what_stands_above_says_what_a_record_is_about() -> None:
    assert not akin("Mara lives in Bonn.", "Rome")
    assert akin("Mara lives in Bonn.", "Rome", ("Mara", "Home"))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("I like C++.", "I like C."),
        ("It is -5 degrees.", "It is 5 degrees."),
        ("The rate is 3.5.", "The rate is 35."),
        ("I give it 👍", "I give it 👎"),
        ("की", "का"),
    ],
)
def test_signs_that_change_a_meaning_are_no_punctuation(one: str, other: str) -> None:
    assert statement_key(one, None) != statement_key(other, None)


def test_yesterday_is_the_same_on_the_same_day_alone() -> None:
    one, other = When(2026, 5, 1), When(2026, 5, 2)
    assert statement_key("I ran yesterday!", one) == statement_key("I RAN  yesterday", one)
    assert statement_key("I ran yesterday!", one) != statement_key("I ran yesterday!", other)
    assert statement_key("I ran home.", one) == statement_key("I ran home", other)


def test_an_organizer_archives_nothing_and_cites_nothing_new() -> None:
    note = f"[^e1]: Time: `2026-04`; Sources: [said]({link(S2)})"
    text = KEYS + f"\nThe spare hangs there.[^e1]\n\n{note}\n"
    assert codes(edited(memory(), {"topics/keys.md": text}, shown=2)) == [("NOT_PERMITTED", "topics/keys.md")]
    fitting = text.replace("Time: `2026-04`; Sources: [said]", "Time: `undated`; Sources: [said]")
    assert len(topic(edited(memory(), {"topics/keys.md": fitting}, shown=2)).records) == 3
    never = text[: -len(note) - 1] + note.replace(link(S2), link(ODD)) + "\n"
    outcome = edited(memory(), {"topics/keys.md": never}, shown=2)
    assert isinstance(outcome, tuple)
    assert "what no record has cited" in outcome[0].message
