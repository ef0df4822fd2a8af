"""Two copies of a memory meet through a bare repository: what each lacks it gets, and they end alike."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from scriptorium_core.facts import Facts
from scriptorium_core.recall import Query
from sync_homes import DIALOGUE, Copy, bare


@pytest.fixture
def pair(tmp_path: Path) -> Iterator[tuple[Copy, Copy]]:
    """Two copies with one record in common."""
    remote = str(bare(tmp_path / "remote.git"))
    with Copy(tmp_path / "a", remote) as one, Copy(tmp_path / "b", remote) as two:
        one.say("The spare keys hang behind the blue door.")
        one.sync()
        two.sync()
        yield one, two


def met(one: Copy, two: Copy) -> None:
    """Both sync until there is nothing new."""
    one.sync()
    two.sync()
    one.sync()
    assert one.sync().did == "nothing"
    assert two.sync().did == "nothing"


def alike(one: Copy, two: Copy) -> None:
    assert one.head == two.head
    assert one.files() == two.files()
    assert one.order() == two.order()
    for copy in (one, two):
        copy.sound()
        with copy.service.memory().reading() as (_, base):
            scratch = copy.facts_from_scratch()
            assert isinstance(scratch, Facts)
            assert [k.record.id for k in base.facts.newest] == [k.record.id for k in scratch.newest]
            assert dict(base.facts.created) == dict(scratch.created)
            assert set(base.facts.forgotten) == set(scratch.forgotten)


def test_an_empty_repository_becomes_a_copy_and_an_empty_memory_one_of_it(pair: tuple[Copy, Copy]) -> None:
    one, two = pair
    alike(one, two)
    assert one.service.memory().workspace == two.service.memory().workspace
    assert two.texts() == {"The spare keys hang behind the blue door."}


def test_what_one_side_did_is_taken_by_the_other(pair: tuple[Copy, Copy]) -> None:
    one, two = pair
    block = two.say("Tea is at six.", "tea")
    assert two.sync().did == "pushed"
    done = one.sync()
    assert (done.did, done.created, done.pushed) == ("taken", (block,), False)
    assert len(done.archived) == 1
    alike(one, two)


def test_different_records_come_together_in_one_commit_of_two_parents(pair: tuple[Copy, Copy]) -> None:
    one, two = pair
    first, second = one.say("The gate is green."), two.say("Tea is at six.")
    one.sync()
    done = two.sync()
    assert (done.did, done.created, done.pushed, done.alternatives) == ("united", (first,), True, ())
    entry = two.service.memory().history.entry(two.head)
    assert len(entry.parents) == 2
    assert ("Kind", "sync") in entry.trailers
    met(one, two)
    alike(one, two)
    assert {"The gate is green.", "Tea is at six."} <= one.texts()
    assert {first, second} <= set(one.order())


def test_whoever_unites_two_commits_makes_the_same_third(pair: tuple[Copy, Copy], tmp_path: Path) -> None:
    one, two = pair
    one.say("The gate is green.")
    two.say("Tea is at six.")
    other = str(bare(tmp_path / "other.git"))
    one.sync()
    two.sync(remote=other)
    one_head, two_head = one.sync(remote=other).revision, two.sync().revision
    assert one_head == two_head
    alike(one, two)


def test_a_record_that_both_changed_is_kept_twice_and_marked(pair: tuple[Copy, Copy]) -> None:
    one, two = pair
    (block,) = one.order()
    one.update(block, "The spare keys hang behind the red door.")
    two.update(block, "The spare keys lie under the mat.")
    one.sync()
    done = two.sync()
    ((kept, beside),) = done.alternatives
    assert kept == block
    met(one, two)
    alike(one, two)
    shown = one.service.show(kept)
    assert [each.id for each in shown.alternatives] == [beside]  # type: ignore[union-attr]
    assert {"The spare keys hang behind the red door.", "The spare keys lie under the mat."} == one.texts()
    found = one.service.search(Query("spare keys"))
    named = sorted(each.id for hit in found.hits for each in hit.alternatives)
    assert named == sorted([kept, beside])


def test_one_of_two_texts_that_is_deleted_leaves_the_other_alone(pair: tuple[Copy, Copy]) -> None:
    one, two = pair
    (block,) = one.order()
    one.update(block, "The spare keys hang behind the red door.")
    two.update(block, "The spare keys lie under the mat.")
    one.sync()
    ((kept, beside),) = two.sync().alternatives
    two.delete(kept)
    met(one, two)
    alike(one, two)
    assert one.order() == [beside]
    assert one.service.show(beside).alternatives == ()  # type: ignore[union-attr]


def test_the_same_change_on_both_sides_is_no_conflict(pair: tuple[Copy, Copy]) -> None:
    one, two = pair
    (block,) = one.order()
    for copy in pair:
        copy.update(block, "The spare keys hang behind the red door.")
    met(one, two)
    alike(one, two)
    assert one.order() == [block]


def test_what_one_side_deleted_stays_away_and_what_the_other_changed_meanwhile_stays(
    pair: tuple[Copy, Copy],
) -> None:
    one, two = pair
    (block,) = one.order()
    other = one.say("The gate is green.")
    met(one, two)
    one.delete(block)
    one.delete(other)
    two.update(other, "The gate is blue.")
    met(one, two)
    alike(one, two)
    assert one.texts() == {"The gate is blue."}


@pytest.mark.parametrize("is_changed", [False, True])
@pytest.mark.parametrize("deletes", [0, 1])
def test_what_one_side_deleted_and_the_other_merged_into_its_neighbour_is_as_merged(
    pair: tuple[Copy, Copy], deletes: int, is_changed: bool
) -> None:
    one, two = pair[deletes], pair[1 - deletes]
    (keys,) = pair[0].order()
    gate = pair[0].say("The gate is green.")
    met(*pair)
    one.delete(gate)
    if is_changed:
        one.update(keys, "The spare keys lie under the mat.")
    merged = two.merge(keys, gate)
    met(*pair)
    alike(*pair)
    assert one.texts() == ({"The spare keys lie under the mat.", merged} if is_changed else {merged})


def test_what_one_side_forgot_stays_forgotten_even_where_the_other_changed_it(
    pair: tuple[Copy, Copy],
) -> None:
    one, two = pair
    (block,) = one.order()
    source = one.source_of(block)
    one.service.forget([block])
    two.update(block, "The spare keys lie under the mat.")
    said = two.say("Mara has a cat.", "pets")
    change = {
        "op": "create_record",
        "content": f"See [the keys](keys.md#^{block}).",
        "time": "2026-05-02",
        "sources": [{"source": two.source_of(said), "label": "said"}],
        "destination": {"topic_path": "topics/house.md", "headings": [], "position": "end"},
    }
    two.ask(change)
    met(one, two)
    alike(one, two)
    assert one.texts() == {"Mara has a cat.", "See the keys."}
    with two.service.memory().reading() as (_, base):
        assert {block, source} <= set(base.facts.forgotten)


def test_what_cites_a_forgotten_message_of_the_oldest_archives_goes_with_it(pair: tuple[Copy, Copy]) -> None:
    one, two = pair
    one.given("sources/D1.md", DIALOGUE)
    one.sync()
    two.sync()
    one.service.forget(["D1:2"])
    change = {
        "op": "create_record",
        "content": "The safe opens at 4711.",
        "time": "2025-11-03",
        "sources": [{"source": "D1:2", "label": "Ida"}],
        "destination": {"topic_path": "topics/house.md", "headings": [], "position": "end"},
    }
    two.ask(change)
    met(one, two)
    alike(one, two)
    assert "The safe opens at 4711." not in one.texts()


def test_an_archive_that_both_appended_to_holds_each_message_once(pair: tuple[Copy, Copy]) -> None:
    one, two = pair

    def bring(copy: Copy, *words: str) -> None:
        said = [{"label": f"new-source-{n}", "role": "user", "content": word} for n, word in enumerate(words)]
        made = [
            {"op": "create_record", "content": f"{word} is noted.", "time": "2026-05-01",
             "sources": [{"source": f"new-source-{n}", "label": "said"}],
             "destination": {"topic_path": "topics/notes.md", "headings": [], "position": "end"}}
            for n, word in enumerate(words)
        ]  # fmt: skip
        done = copy.service.change({"memory_changes": made, "sources": said, "base_revision": copy.head})
        assert hasattr(done, "revision"), done

    bring(one, "Alpha", "Beta")
    bring(two, "Alpha", "Beta")
    bring(one, "Gamma")
    bring(two, "Delta")
    met(one, two)
    alike(one, two)
    texts = sorted(one.messages().values())
    assert texts == sorted({"Alpha", "Beta", "Gamma", "Delta", "The spare keys hang behind the blue door."})


def test_a_dry_run_says_what_would_happen_and_changes_nothing(pair: tuple[Copy, Copy]) -> None:
    one, two = pair
    (block,) = one.order()
    one.update(block, "The spare keys hang behind the red door.")
    two.update(block, "The spare keys lie under the mat.")
    one.sync()
    before, files, disk = two.head, two.files(), two.on_disk()
    done = two.sync(dry_run=True)
    assert (done.did, done.dry_run, done.pushed, len(done.alternatives)) == ("united", True, False, 1)
    assert (two.head, two.files(), two.on_disk()) == (before, files, disk)
    assert two.sync().did == "united"


def test_a_draft_in_the_way_is_adopted_first(pair: tuple[Copy, Copy]) -> None:
    one, two = pair
    one.say("Tea is at six.")
    one.sync()
    topic = two.root / "topics" / "keys.md"
    topic.write_text(topic.read_text().replace("blue", "green"))
    done = two.sync()
    assert done.did == "united"
    met(one, two)
    alike(one, two)
    assert one.texts() == {"The spare keys hang behind the green door.", "Tea is at six."}


def test_a_draft_that_does_not_pass_stays_and_nothing_is_taken_in(pair: tuple[Copy, Copy]) -> None:
    one, two = pair
    one.say("Tea is at six.")
    one.sync()
    topic = two.root / "topics" / "keys.md"
    topic.write_text(topic.read_text() + "\nNothing is cited here.\n")
    before = two.head
    assert "DRAFT_IN_THE_WAY" in two.codes()
    assert two.head == before
    assert "Nothing is cited here." in topic.read_text()


def test_three_copies_end_alike(pair: tuple[Copy, Copy], tmp_path: Path) -> None:
    one, two = pair
    with Copy(tmp_path / "c", one.remote) as three:
        three.sync()
        (block,) = one.order()
        one.update(block, "The keys are red.")
        two.update(block, "The keys are blue.")
        three.update(block, "The keys are green.")
        for _ in range(3):
            for copy in (one, two, three):
                copy.sync()
        alike(one, two)
        alike(two, three)
        assert one.texts() == {"The keys are red.", "The keys are blue.", "The keys are green."}
        shown = one.service.show(block)
        assert len(shown.alternatives) == 2  # type: ignore[union-attr]
