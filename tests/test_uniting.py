"""Examples of a person's edit of a topic that is taken together with what was committed meanwhile."""

from scriptorium_core.names import BlockId, TopicPath
from scriptorium_core.topics import parse_topic, render_topic
from scriptorium_core.topics.uniting import unite

PATH = TopicPath("topics/keys.md")
LINE = "[^{}]: Time: `2026`; Sources: [me](../sources/chat/_v2/s1.md#source-1)\n"


def record(words: str, block: str, label: str = "") -> str:
    """A record with its definition; without an id where `block` is empty."""
    name = label or f"ev-{block}"
    return f"{words}[^{name}]{f' ^{block}' if block else ''}\n\n{LINE.format(name)}\n"


ONE, TWO = record("One.", "a1a1"), record("Two.", "b2b2")
BASE = f"# Keys\n\n{ONE}{TWO}"


def united(ours: str, theirs: str, base: str = BASE) -> tuple[str, tuple[str, ...]]:
    topics = (parse_topic(PATH, text.encode())[0] for text in (base, ours, theirs))
    found = unite(*topics)
    return render_topic(found.topic).decode(), found.overruled


def test_what_only_one_side_changed_is_as_that_side_has_it() -> None:
    ours, theirs = BASE.replace("One.", "Eins."), BASE.replace("Two.", "Deux.")
    assert united(ours, theirs) == (BASE.replace("One.", "Eins.").replace("Two.", "Deux."), ())


def test_what_both_add_at_the_end_is_there_twice_over() -> None:
    mine, other = record("Mine.", "", "e1"), record("Theirs.", "c3c3")
    assert united(BASE + mine, BASE + other) == (BASE + mine + other, ())


def test_the_same_record_keeps_the_persons_text_and_the_other_is_named() -> None:
    ours, theirs = BASE.replace("One.", "Eins."), BASE.replace("One.", "Un.")
    assert united(ours, theirs) == (ours, (BlockId("a1a1"),))


def test_neighbours_of_a_record_that_both_changed_are_taken() -> None:
    other = record("Theirs.", "c3c3")
    ours = BASE.replace("One.", "Eins.")
    theirs = BASE.replace("One.", "Un.").replace(TWO, other + TWO.replace("Two.", "Deux."))
    assert united(ours, theirs) == (
        ours.replace(TWO, other + TWO.replace("Two.", "Deux.")),
        (BlockId("a1a1"),),
    )


def test_the_persons_text_keeps_the_evidence_that_it_rests_on() -> None:
    ours = BASE.replace("One.", "Eins.")
    theirs = BASE.replace(ONE, record("Un.", "a1a1", "ev-new"))
    assert united(ours, theirs) == (ours, (BlockId("a1a1"),))


def test_a_record_that_was_deleted_meanwhile_goes_unless_the_person_changed_it() -> None:
    assert united(BASE.replace("Two.", "Zwei."), BASE.replace(ONE, "")) == (
        BASE.replace("Two.", "Zwei.").replace(ONE, ""),
        (),
    )
    ours = BASE.replace("One.", "Eins.")
    assert united(ours, BASE.replace(ONE, "")) == (ours, (BlockId("a1a1"),))


def test_a_record_that_the_person_took_out_stays_out() -> None:
    assert united(BASE.replace(ONE, ""), BASE.replace("Two.", "Deux.")) == (
        BASE.replace(ONE, "").replace("Two.", "Deux."),
        (),
    )


def test_nothing_of_one_side_comes_under_a_heading_of_the_other() -> None:
    mine, other = record("Mine.", "", "e1"), record("Theirs.", "c3c3")
    assert united(f"{BASE}## More\n\n{mine}", BASE + other) == (f"{BASE}{other}## More\n\n{mine}", ())
    assert united(BASE + mine, f"{BASE}## More\n\n{other}") == (f"{BASE}{mine}## More\n\n{other}", ())


def test_a_fence_that_nobody_closed_swallows_nothing_of_the_other_side() -> None:
    other = record("Theirs.", "c3c3")
    for fence, closed in (("```\nmine\n", "```\nmine\n```\n\n"), ("~~~~", "~~~~\n~~~~\n\n")):
        assert united(BASE + fence, BASE + other) == (BASE + closed + other, ())
        assert united(BASE + other, BASE + fence) == (BASE + other + fence, ())


def test_a_paragraph_that_was_taken_in_already_at_an_earlier_save_is_there_once() -> None:
    mine, more = record("Mine.", "", "e1"), record("More.", "", "e2")
    taken = record("Mine.", "c3c3")
    assert united(BASE + mine + more, BASE + taken) == (BASE + more + taken, ())


def test_a_record_that_both_moved_stands_once_and_where_the_person_put_it() -> None:
    ours = f"# Keys\n\n{TWO}{ONE}"
    found, overruled = united(ours, f"# Keys\n\n{TWO}{record('Three.', 'c3c3')}{ONE}")
    assert found.count("^a1a1") == found.count("^b2b2") == found.count("^c3c3") == 1
    assert found.index("^b2b2") < found.index("^a1a1")
    assert overruled == ()


def test_a_topic_that_was_deleted_meanwhile_keeps_what_the_person_changed() -> None:
    found, overruled = united(BASE.replace("One.", "Eins."), "")
    assert found.strip() == ONE.replace("One.", "Eins.").strip()
    assert overruled == (BlockId("a1a1"),)
