"""Other words for the same: what they may say, and what an object of a model looks like."""

import json
from datetime import UTC, datetime

import pytest

from memory_example import memory, snapshot
from scriptorium_core.knowledge.answering import Answer, answer_question, answer_read
from scriptorium_core.knowledge.asking import DISCOVERY, likened
from scriptorium_core.knowledge.question import subject_of
from scriptorium_core.names import BlockId
from scriptorium_core.problem import Code
from scriptorium_core.writing.exchange import Asked, Reply
from scriptorium_core.writing.faithful import foreign, negated
from scriptorium_core.writing.outcome import Failed
from scriptorium_core.writing.rewording import Proposal, remember_question, remember_read, taken
from scriptorium_core.writing.schematic import Exchange, Got, object_in

SOURCE = "please remember that mira renewed the boiler on 2024-05-03 for 1,250.50 euros, not Tom's"


@pytest.mark.parametrize(
    ("text", "strange"),
    [
        ("Mira renewed the boiler on 2024-05-03 for 1,250.50 euros.", ()),
        ("The boiler is Mira's; Tom did not renew it.", ()),
        ("Mira renewed the boiler in May 2024.", ("May", "2024")),
        ("Mira paid 1,250 to Anna-Lena.", ("1,250", "Anna-Lena")),
        ("Mira has two boilers.", ("two",)),
        ("I think It was Mira.", ("It",)),
    ],
)
def test_every_number_and_name_must_be_in_the_source(text: str, strange: tuple[str, ...]) -> None:
    assert foreign(text, SOURCE) == strange


def test_scripts_without_capitals_are_compared_by_their_characters() -> None:
    assert foreign("米拉住在波尔图", "米拉住在波尔图的海边") == ()
    assert foreign("米拉住在里斯本", "米拉住在波尔图") == ("米拉住在里斯本",)


def test_a_lost_not_is_seen() -> None:
    assert negated("Mira is not here") == {"not"}
    assert negated("Mira isn't here") != negated("Mira is here")


@pytest.mark.parametrize(
    ("asked", "other", "alike"),
    [
        ("When does the train leave?", "When does the railway leave?", True),
        ("Where does Mira live?", "Where does Tom live?", False),
        ("What happened in 2024?", "What happened in 2023?", False),
        ("What may Ines eat?", "What may Ines not eat?", False),
        ("Where does Mira live?", "Where does Mira work?", False),
        ("What is my favourite food?", "What is my least favourite food?", False),
        ("Do I like tea more than coffee?", "Do I like coffee more than tea?", False),
        ("When does the train leave?", "Why does the train leave?", False),
        ("When, please, does a train leave?", "When do trains leave?", True),
    ],
)
def test_questions_that_say_otherwise_are_never_the_same(asked: str, other: str, alike: bool) -> None:
    def words(one: str, two: str) -> float:
        return 0.9 if {one, two} == {"train", "railway"} else 0.7

    assert likened(asked, other, 0.9, words) == (0.9 if alike else DISCOVERY)
    assert likened(asked, other, 0.1, words) == 0.1


@pytest.mark.parametrize(
    ("question", "subject"),
    [
        ("What do you know about Mira?", "Mira"),
        ("Tell me everything you know about the  garden.", "the garden"),
        ("Was weißt du über Porto?", "Porto"),
        ("¿Qué sabes de Ines?", "Ines"),
        ("Que sais-tu de Lyon ?", "Lyon"),
        ("关于米拉你知道什么？", "米拉"),
        ("Where is the key?", ""),
        ("What did Mira say about the garden?", ""),
        ("这是什么？", ""),
    ],
)
def test_a_broad_question_names_its_subject(question: str, subject: str) -> None:
    assert subject_of(question) == subject


@pytest.mark.parametrize(
    ("topic", "path"),
    [
        ("house", "topics/house.md"),
        ("/topics/people/mira.md", "topics/people/mira.md"),
        ("topics/core.md", None),
        ("Core", None),
        ("../outside", None),
        ("a/b/c/d/e", None),
    ],
)
def test_a_proposed_topic_is_one_that_may_be_written_to(topic: str, path: str | None) -> None:
    found = taken(Proposal(topic, "Boiler", ("Mira renewed the boiler.",)), SOURCE, snapshot(memory()).facts)
    assert found.topic == path
    assert any("the topic" in line for line in found.refused) is (path is None)
    assert found.records == (), "the words lost a not"


def test_of_several_objects_the_last_with_the_key_counts() -> None:
    draft, last = '{"answer": "draft"}', '{"answer": "x", "cited": [{"a": 1}]}'
    text = f'Thinking: {draft} … ```json\n{last}\n``` {{"other": 1}} {{"answ'
    assert object_in(text, "answer") == {"answer": "x", "cited": [{"a": 1}]}
    assert object_in("no { object", "answer") is None
    assert object_in('{"answer": "cut', "answer") is None


NOW = datetime(2026, 5, 1, 12, tzinfo=UTC)
GIVEN = {"topic": "house", "title": "Boiler", "records": ["Mira renewed the boiler."]}


def test_a_model_is_asked_with_the_topics_that_there_are_and_without_any() -> None:
    for facts, told in ((snapshot(memory()).facts, "keys"), (snapshot({}).facts, "None yet.")):
        (asked,) = remember_question("Mira has the key.", facts, (), len).turns
        assert isinstance(asked, Asked)
        assert told in asked.text
        assert '"Mira has the key."' in asked.text


def test_a_proposal_is_read_and_what_is_none_is_asked_for_once_more() -> None:
    asked = Exchange(remember_question("Mira.", snapshot({}).facts, (), len))
    got = remember_read(asked, Reply(json.dumps(GIVEN)), NOW)
    assert isinstance(got, Got)
    assert got.value == Proposal("house", "Boiler", ("Mira renewed the boiler.",))
    for wrong in (
        "no object",
        json.dumps({**GIVEN, "topic": 3}),
        json.dumps({**GIVEN, "title": None}),
        json.dumps({**GIVEN, "records": []}),
        json.dumps({**GIVEN, "records": "one"}),
        json.dumps({**GIVEN, "records": ["one", 2]}),
        json.dumps({**GIVEN, "records": ["one", " "]}),
    ):
        again = remember_read(asked, Reply(wrong), NOW)
        assert isinstance(again, Exchange), wrong
        assert again.told
        assert len(again.question.turns) == 3
        failed = remember_read(again, Reply(wrong), NOW)
        assert isinstance(failed, Failed)
        assert failed.code is Code.WRITER_NO_PROGRESS


def test_an_answer_that_was_cut_short_is_asked_for_again_and_then_fails_as_that() -> None:
    asked = Exchange(remember_question("Mira.", snapshot({}).facts, (), len))
    cut = Reply(json.dumps(GIVEN), ending="length")
    again = remember_read(asked, cut, NOW)
    assert isinstance(again, Exchange)
    failed = remember_read(again, cut, NOW)
    assert isinstance(failed, Failed)
    assert failed.code is Code.MODEL_TRUNCATED


@pytest.mark.parametrize(
    ("records", "why"),
    [
        ((), "the text became 0 records"),
        (("One.",) * 99, "the text became 99 records"),
        (("Mira renewed it with Anna.",), "the wording says Anna, which the text does not"),
        (("Mira renewed the boiler.",), "the wording negates something else than the text"),
        (("Tom's is not [this](a.md#^b1).",), "a record of the wording links into the memory"),
        (("# Mira not",), "a record of the wording must be one paragraph"),
    ],
)
def test_words_that_may_not_stand_for_a_text_are_refused_with_the_reason(
    records: tuple[str, ...], why: str
) -> None:
    found = taken(Proposal("house", "Boiler", records), SOURCE, snapshot(memory()).facts)
    assert found.records == ()
    assert any(line.startswith(why) for line in found.refused), found.refused


def test_a_topic_that_cannot_be_read_and_a_title_that_says_more_are_not_taken() -> None:
    broken = snapshot(memory(house="Prose.\n")).facts
    text = "Mira is here."
    found = taken(Proposal("house", "Anna", (text,)), text, broken)
    assert (found.topic, found.title, found.records) == (None, "", (text,))
    assert found.refused == (
        "the topic 'house' cannot be written to now",
        "the title says Anna, which the text does not",
    )


def test_an_error_in_the_place_of_an_answer_is_that_failure() -> None:
    asked = Exchange(remember_question("Mira.", snapshot({}).facts, (), len))
    failed = remember_read(asked, Reply("You exceeded your current quota, please check your plan."), NOW)
    assert isinstance(failed, Failed)
    assert failed.code is Code.MODEL_RATE_LIMIT


def test_an_answer_names_what_was_shown_and_is_not_too_long() -> None:
    asked = Exchange(answer_question("Where is the key?", "context", "2026-05-01"))

    def read(**fields: object) -> object:
        return answer_read(asked, Reply(json.dumps(fields)), ["key1"], NOW)

    got = read(answer=" In the\nshed. ", cited=["^key1", "key1 "])
    assert isinstance(got, Got)
    assert got.value == Answer("In the shed.", (BlockId("key1"),))
    nothing = read(answer=" ", cited=[])
    assert isinstance(nothing, Got)
    assert nothing.value == Answer("")
    for wrong in (
        {"answer": "In the shed.", "cited": ["mira1"]},
        {"answer": "In the shed.", "cited": []},
        {"answer": "In the shed.", "cited": "key1"},
        {"answer": 3},
        {"answer": "x" * 3_000, "cited": ["key1"]},
    ):
        assert isinstance(read(**wrong), Exchange), wrong
