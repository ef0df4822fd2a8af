"""Examples of what a person should look at, each kind with what keeps a record or a pair out of it."""

from datetime import date

from memory_example import PENDING, memory, snapshot
from scriptorium_core.knowledge.judging import Verdict
from scriptorium_core.knowledge.reviewing import KEYS, Item, Kind, deeds_of, reviewed
from scriptorium_core.transaction import Snapshot
from small_topics import base_of, line

TODAY = date(2026, 5, 1)
RENT = "The rent of the flat in the harbour street is {} euros a month."
LIVE = "Branch: s1@{} live"


def found(base: Snapshot) -> list[tuple[Kind, str]]:
    """The kind of each item and its records."""
    records = [known.record for known in base.facts.records.values()]
    return [
        (each.kind, " ".join(record.id for record in each.records))
        for each in reviewed(base.facts, records, TODAY)
    ]


def items(base: Snapshot) -> tuple[Item, ...]:
    return reviewed(base.facts, [known.record for known in base.facts.records.values()], TODAY)


def test_one_record_is_looked_at_for_the_first_reason_that_there_is() -> None:
    base = base_of(
        line("a1", "Tea is at six.", "Status: disputed"),
        line("b2", "Bo plays chess.", "Status: unverified 0.5; Checked: 2020-01-01"),
        line("c3", "Ann sings.", "Status: verified; Checked: 2020-01-01"),
        line("d4", "Mara came by train.", "", PENDING),
        line("f6", "It rained for days.", "Status: retracted"),
        line("g7", "Zed had the keys.", "Status: disputed; Until: 2026-04-02"),
        line("h8", "The shop opens at nine."),
    )
    assert found(base) == [
        (Kind.DISPUTED, "a1"),
        (Kind.PENDING, "b2"),
        (Kind.PENDING, "d4"),
        (Kind.STALE, "c3"),
    ]


def test_two_that_differ_in_a_number_contradict_and_two_of_the_same_words_are_one_too_many() -> None:
    rents = base_of(line("a1", RENT.format(900)), line("b2", RENT.format(950)))
    assert found(rents) == [(Kind.CONTRADICTORY, "a1 b2")]
    same = base_of(line("a1", RENT.format(900)), line("b2", RENT.format(900).upper()))
    assert found(same) == [(Kind.NEAR_DUPLICATE, "a1 b2")]
    alike = base_of(line("a1", RENT.format(900)), line("b2", "The harbour street is long and dark."))
    assert found(alike) == []


def test_a_number_more_or_two_ways_to_say_no_are_no_contradiction() -> None:
    more = base_of(line("a1", RENT.format(900)), line("b2", RENT.format(900) + " In 2024 it was lower."))
    assert found(more) == []
    two = base_of(
        line("a1", "I won't give up and keep going."), line("b2", "I never give up and keep going.")
    )
    assert found(two) == []
    one = base_of(line("a1", "I give up and go home."), line("b2", "I never give up and go home."))
    assert found(one) == [(Kind.CONTRADICTORY, "a1 b2")]


def test_few_words_mean_what_stands_around_them() -> None:
    rooms = line("a1", "Room 4."), line("b2", "Room 5.")
    assert found(base_of(*rooms)) == [(Kind.CONTRADICTORY, "a1 b2")]
    apart = memory(**{name: f"# {name}\n\n{room}" for name, room in zip("xy", rooms, strict=True)})
    assert found(snapshot(apart)) == []


def test_what_stands_no_more_is_no_pair() -> None:
    for fields in ("Status: retracted", "Until: 2026-04-02", "Branch: s1@m9 abandoned"):
        assert found(base_of(line("a1", RENT.format(900)), line("b2", RENT.format(950), fields))) == []


def test_a_pair_that_was_checked_does_not_come_again_until_one_of_it_is_newer() -> None:
    checked = "Status: verified; Checked: 2026-04-20"

    def pair(when: str, fields: str = checked) -> Snapshot:
        return base_of(line("a1", RENT.format(900), checked), line("b2", RENT.format(950), fields, when=when))

    for when in ("2026-04-20", "2026-04-01", "2026-06", "undated"):
        assert found(pair(when)) == [], when
    assert found(pair("2026-04-21")) == [(Kind.CONTRADICTORY, "a1 b2")]
    assert found(pair("2026-04-01", "")) == [(Kind.CONTRADICTORY, "a1 b2")]


def test_records_of_two_branches_hold_each_on_its_own_and_texts_of_one_record_do_not() -> None:
    branches = [line(b, RENT.format(n), f"Branch: s1@{b} live") for b, n in (("a1", 900), ("b2", 950))]
    assert found(base_of(*branches)) == []
    marked = [
        line("a1", "Tea is at six.", "Alternative: a1"),
        line("b2", "We met by the sea.", "Alternative: a1"),
        line("c3", "Bo plays chess.", "Alternative: c3"),
    ]
    assert found(base_of(*marked)) == [(Kind.CONTRADICTORY, "a1 b2")]
    checked = [each.replace("Alternative", "Checked: 2026-04-20; Alternative") for each in marked]
    assert found(base_of(*checked)) == []


def test_answers_to_one_question_collide_unless_they_say_the_same() -> None:
    asked = "Ask: Where is the key?"
    base = base_of(
        line("a1", "In the shed.", asked),
        line("b2", "Ask the neighbour.", f"Ask: Is there tea?; {asked}"),
        line("c3", "Long gone.", f"{asked}; Status: retracted"),
    )
    (item,) = items(base)
    assert (item.kind, [each.id for each in item.records]) == (Kind.COLLIDING, ["a1", "b2"])
    assert item.question == "Where is the key?"
    assert found(base_of(line("a1", "In the shed.", asked), line("b2", "In the  SHED.", asked))) == [
        (Kind.NEAR_DUPLICATE, "a1 b2")
    ]
    checked = f"{asked}; Checked: 2026-04-20"
    assert (
        found(base_of(line("a1", "In the shed.", checked), line("b2", "Ask the neighbour.", checked))) == []
    )


def test_a_pair_for_which_there_are_two_reasons_is_looked_at_once_for_the_first() -> None:
    asked = "Alternative: a1; Ask: What is the rent?; Ask: And how much?"
    (item,) = items(base_of(line("a1", RENT.format(900), asked), line("b2", RENT.format(950), asked)))
    assert (item.kind, [each.id for each in item.records]) == (Kind.CONTRADICTORY, ["a1", "b2"])
    assert item.question == "What is the rent?"


def test_a_key_decides_what_it_says_and_no_other_does() -> None:
    base = base_of(
        line("a1", RENT.format(900)), line("b2", RENT.format(950)), line("c3", "Tea.", "Status: disputed")
    )
    disputed, pair = items(base)
    assert KEYS[disputed.kind] == ("v", "x")
    assert [deeds_of(disputed, key) for key in "vx1"] == [
        ((0, Verdict.VALIDATE),),
        ((0, Verdict.DISCARD),),
        None,
    ]
    assert KEYS[pair.kind] == ("1", "2", "b", "d")
    assert [deeds_of(pair, key) for key in "12v"] == [((1, Verdict.RETRACT),), ((0, Verdict.RETRACT),), None]
    assert len({disputed.key, pair.key}) == 2
    assert len(pair.key) == 12
