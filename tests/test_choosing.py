"""Examples of what is chosen of turns and records, and of what goes first where there is no room."""

from scriptorium_core.knowledge.choosing import choose, least_important
from scriptorium_core.knowledge.offer import Offer, Part, Reason


def offer(name: str, similarity: float = 1.0, text: str = "", subject: bool = False) -> Offer:
    words = text or f"{name} is here, and nobody else knows it"
    return Offer(name, words, "", similarity, similarity, subject=subject)


def test_of_turns_the_least_near_goes_first_and_the_newest_last() -> None:
    turns = [offer("a", 0.9), offer("b", 0.3), offer("c", 0.5), offer("d", 0.0), offer("e", 0.0)]
    for gone in "bc":
        least = least_important(Part.TURN, turns)
        assert least.id == gone
        turns.remove(least)
    assert least_important(Part.TURN, turns[-2:]).id == "d"
    assert least_important(Part.RECORD, turns).id == "e"


def test_what_is_of_the_subject_comes_behind_the_best_and_the_rest_is_left_out() -> None:
    names = [f"r{n:02}" for n in range(30)]
    found = choose(
        (),
        [
            offer(name, 1.0 - place / 100, f"{name * 3} {name}", place >= 8)
            for place, name in enumerate(names)
        ],
    )
    assert [each.id for each in found.records] == names[: len(found.records)]
    assert found.subject
    assert all(each.subject for each in found.subject)
    assert {reason for _, _, reason in found.left_out} <= {Reason.BUDGET, Reason.BELOW_THRESHOLD}


def test_of_two_that_say_the_same_one_is_enough_unless_they_stand_beside_one_another() -> None:
    text = "The spare key hangs in the shed behind the house."
    one, other = offer("a", 1.0, text), offer("b", 0.9, text)
    found = choose((), [one, other])
    assert [each.id for each in found.records] == ["a"]
    assert found.left_out == ((Part.RECORD, other, Reason.DUPLICATE),)
