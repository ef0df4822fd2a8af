"""Examples of two edits of one topic that are taken together, or meet."""

from scriptorium_core.names import TopicPath
from scriptorium_core.topics import Topic, parse_topic, render_topic
from scriptorium_core.topics.merge import Clash, merge

BASE = "# Keys\n\nOne.\n\nTwo.\n\nThree.\n"


def topic(text: str) -> Topic:
    return parse_topic(TopicPath("topics/keys.md"), text.encode())[0]


def merged(ours: str, theirs: str, base: str = BASE) -> str | tuple[Clash, ...]:
    found = merge(topic(base), topic(ours), topic(theirs))
    return render_topic(found).decode() if isinstance(found, Topic) else found


def test_changes_of_different_paragraphs_are_taken_together() -> None:
    ours, theirs = BASE.replace("One", "Eins"), BASE.replace("Three", "Drei")
    assert merged(ours, theirs) == BASE.replace("One", "Eins").replace("Three", "Drei")


def test_neighbours_do_not_meet() -> None:
    assert merged(BASE.replace("One", "Eins"), BASE.replace("Two.\n\n", "")) == "# Keys\n\nEins.\n\nThree.\n"


def test_what_is_put_in_beside_something_that_goes_stays() -> None:
    more = BASE + "\nFour.\n"
    assert merged(more, BASE.replace("\nThree.\n", "")) == "# Keys\n\nOne.\n\nTwo.\n\nFour.\n"
    before = BASE.replace("Two.", "Between.\n\nTwo.")
    assert merged(before, BASE.replace("Two.\n\n", "")) == "# Keys\n\nOne.\n\nBetween.\n\nThree.\n"


def test_the_same_change_twice_is_one() -> None:
    changed = BASE.replace("Two", "Zwei")
    assert merged(changed, changed) == changed


def test_two_changes_of_one_paragraph_meet_and_the_place_is_named() -> None:
    assert merged(BASE.replace("Two", "Zwei"), BASE.replace("Two", "Deux")) == (Clash(5, "Zwei."),)


def test_two_insertions_in_one_place_meet() -> None:
    ours, theirs = BASE + "\nFour.\n", BASE + "\nFive.\n"
    assert merged(ours, theirs) == (Clash(9, "Four."),)


def test_a_deletion_meets_a_change_and_the_line_before_it_is_named() -> None:
    assert merged(BASE.replace("Two.\n\n", ""), BASE.replace("Two", "Zwei")) == (Clash(3, "One."),)


def test_a_topic_that_one_side_emptied_meets_a_change() -> None:
    assert merged("", BASE.replace("Two", "Zwei")) == (Clash(0, ""),)
    assert merged("", BASE) == ""


def test_line_ends_and_the_byte_order_mark_are_those_of_ours() -> None:
    ours = "\ufeff" + BASE.replace("\n", "\r\n")
    theirs = ours + "\r\nFour.\r\n"
    assert merged(ours.replace("One", "Eins"), theirs, ours) == theirs.replace("One", "Eins")
