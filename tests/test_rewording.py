"""Other words for the same: what they may say, and what an object of a model looks like."""

import pytest

from memory_example import memory, snapshot
from scriptorium_core.knowledge.asking import DISCOVERY, likened
from scriptorium_core.knowledge.question import subject_of
from scriptorium_core.writing.faithful import foreign, negated
from scriptorium_core.writing.rewording import Proposal, taken
from scriptorium_core.writing.schematic import object_in

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
    ],
)
def test_questions_that_name_otherwise_are_never_the_same(asked: str, other: str, alike: bool) -> None:
    assert likened(asked, other, 0.9) == (0.9 if alike else DISCOVERY)
    assert likened(asked, other, 0.1) == 0.1


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
