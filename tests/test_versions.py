"""What became of records between two states of topics."""

from memory_example import KEYS, S2, link
from scriptorium_core.forgetting import targets_of
from scriptorium_core.knowledge.versions import Deed, Step, said, step, steps, withheld
from scriptorium_core.names import BlockId, TopicPath
from scriptorium_core.topics import parse_topic
from scriptorium_core.topics.model import Record

PATH = TopicPath("topics/keys.md")


def _records(text: str, path: str = PATH) -> tuple[Record, ...]:
    topic, problems = parse_topic(TopicPath(path), text.encode())
    assert problems == ()
    return topic.records


def _only(before: str, after: str) -> Step:
    (found,) = steps(_records(before), _records(after))
    return found


def test_nothing_became_of_what_stayed() -> None:
    assert steps(_records(KEYS), _records(KEYS)) == ()
    assert step(BlockId("key1"), None, None) is None


def test_a_record_that_comes_and_one_that_goes() -> None:
    mara, spare = _records(KEYS)
    assert [(each.id, each.deeds) for each in steps([mara], [spare])] == [
        ("key2", (Deed.CREATED,)),
        ("key1", (Deed.DELETED,)),
    ]


def test_other_words_and_other_evidence() -> None:
    found = _only(KEYS, KEYS.replace("has the key", "lost the key").replace("`2026-04`", "`2026-05`"))
    assert (found.id, found.deeds) == ("key1", (Deed.CHANGED, Deed.EVIDENCE))
    assert [piece.text for piece in found.words if piece.side != "same"] == ["has", "lost"]
    assert [str(group.when) for group in found.lost] == ["2026-04"]
    assert [str(group.when) for group in found.gained] == ["2026-05"]


def test_another_label_of_a_source_is_no_change() -> None:
    assert steps(_records(KEYS), _records(KEYS.replace("[said]", "[told]"))) == ()


def test_another_path_in_a_link_is_no_change() -> None:
    here, there = KEYS.replace("(#^key1)", "(a.md#^key1)"), KEYS.replace("(#^key1)", "(b/c.md#^key1)")
    assert steps(_records(here), _records(there)) == ()
    assert said(_records(here)[1]) == said(_records(there)[1])


def test_evidence_that_is_closed_is_superseded() -> None:
    found = _only(KEYS, KEYS.replace("; Status: verified 0.9", "; Until: 2026-06"))
    assert found.deeds == (Deed.SUPERSEDED,)


def test_another_topic_and_another_heading_are_a_move() -> None:
    (found,) = steps(_records(KEYS), _records(KEYS.replace("## Spare", "## Extra")))
    assert (found.id, found.deeds) == ("key2", (Deed.MOVED,))
    elsewhere = _records(KEYS, "topics/other.md")
    assert {each.deeds for each in steps(_records(KEYS), elsewhere)} == {(Deed.MOVED,)}


def test_two_records_that_become_one_are_a_step_each() -> None:
    text = KEYS.split("## Spare")[0].replace(" ^key1", " ^old2 ^key2 ^key1")
    found = steps(_records(KEYS), _records(text))
    assert [(each.id, each.deeds[-1]) for each in found] == [("key2", Deed.MOVED), ("key1", Deed.MERGED)]
    assert {each.after.id for each in found if each.after} == {"key1"}


def test_an_alias_that_goes_is_a_step_of_its_own() -> None:
    found = steps(_records(KEYS), _records(KEYS.replace(" ^old2", "")))
    assert [(each.id, each.deeds) for each in found] == [("key2", (Deed.MERGED,)), ("old2", (Deed.DELETED,))]


def test_a_step_is_withheld_for_any_forgotten_id_of_either_state() -> None:
    found = _only(KEYS, KEYS.replace("hangs", "hung"))
    for forgotten, hidden in (
        ("old2", True),
        ("key2", True),
        ("key1", False),
        (S2, True),
        ("chat/s1/m9", False),
    ):
        assert withheld(found, targets_of([forgotten])) is hidden


def test_what_also_rests_on_something_else_is_shown() -> None:
    both = KEYS.replace(f"[seen]({link(S2)})", f"[seen]({link(S2)}), [said]({link('chat/s1/m1')})")
    found = _only(both, both.replace("hangs", "hung"))
    assert not withheld(found, targets_of([S2]))
