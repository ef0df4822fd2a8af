"""What else reads the history copes with commits of two parents: log, blame, at, undo, erasing, indexes."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from scriptorium.index import Index
from scriptorium.refused import Refused
from scriptorium.service.forgetting import Forgotten
from scriptorium.workspace import Committed
from scriptorium_core.problem import Code
from scriptorium_core.transaction import Rejected
from sync_homes import Copy, bare, git


@pytest.fixture
def pair(tmp_path: Path) -> Iterator[tuple[Copy, Copy]]:
    """Two copies that were united once, with what each did in between."""
    remote = str(bare(tmp_path / "remote.git"))
    with Copy(tmp_path / "a", remote) as one, Copy(tmp_path / "b", remote) as two:
        one.say("The spare keys hang behind the blue door.")
        one.sync()
        two.sync()
        one.say("The gate is green.", "house")
        two.say("Tea is at six.", "tea")
        (tea,) = (block for block in two.order() if two.service.show(block).record.content.startswith("Tea"))  # type: ignore[union-attr]
        two.update(tea, "Tea is at five.")
        one.sync()
        two.sync()
        one.sync()
        yield one, two


def named(copy: Copy, words: str) -> str:
    with copy.service.memory().reading() as (_, base):
        (block,) = (k.record.id for k in base.facts.newest if words in k.record.content)
        return str(block)


def test_the_log_tells_of_both_sides_the_newest_first(pair: tuple[Copy, Copy]) -> None:
    for copy in pair:
        entries = copy.service.log(None)
        assert len(entries) == 5
        assert entries[0].kind == "sync"
        assert entries[0].at >= entries[1].at >= entries[2].at >= entries[3].at >= entries[4].at
        tea = copy.service.log(None, topic="tea")
        assert [each.kind for each in tea if each.kind != "sync"] == ["edit", "remember"]
        assert len(copy.service.log(None, record=named(copy, "Tea"))) >= 2


def test_blame_names_the_commits_of_the_side_that_made_them(pair: tuple[Copy, Copy]) -> None:
    for copy in pair:
        found = copy.service.blame(named(copy, "Tea"))
        assert [each.step.deeds[0] for each in found.versions] == ["changed", "created"]
        assert "sync" not in [each.kind for each in found.versions]
        gate = copy.service.blame(named(copy, "gate"))
        assert [each.kind for each in gate.versions] == ["remember"]


def test_a_commit_of_either_side_can_be_read_and_undone(pair: tuple[Copy, Copy]) -> None:
    one, _ = pair
    changed, made = one.service.blame(named(one, "Tea")).versions
    with one.service.at(made.commit[:10]) as past:
        assert [row.record.content for row in past.recent().rows][:1] == ["Tea is at six."]
    done = one.service.undo(changed.commit[:10])
    assert isinstance(done, Committed), done
    assert "Tea is at six." in one.texts()
    one.sound()


def test_a_commit_that_united_two_histories_is_not_undone(pair: tuple[Copy, Copy]) -> None:
    one, _ = pair
    done = one.service.undo("HEAD")
    assert isinstance(done, Rejected)
    assert [problem.code for problem in done.problems] == [Code.INVALID_ARGUMENT]


def test_the_index_of_facts_says_what_one_from_scratch_says(pair: tuple[Copy, Copy], tmp_path: Path) -> None:
    for number, copy in enumerate(pair):
        memory = copy.service.memory()
        with memory.reading():
            pass
        fresh = Index.open(tmp_path / f"fresh{number}.sqlite3")
        fresh.follow(memory.history, memory.revision)
        for query in ("SELECT id FROM commits ORDER BY seq", "SELECT ord, id FROM created ORDER BY ord"):
            rows = [index.queries.database.execute(query).fetchall() for index in (memory.index, fresh)]
            assert rows[0] == rows[1]
        fresh.close()


def test_what_came_from_the_other_side_is_erased_from_both_lines(pair: tuple[Copy, Copy]) -> None:
    one, _ = pair
    for words, left in (("Tea is at five.", 2), ("The gate is green.", 1)):
        done = one.service.forget([named(one, words)], erase=True, unlink=True)
        assert isinstance(done, Forgotten)
        assert len(one.texts()) == left
    one.sound()
    one.service.close()
    listed = git(one.root, "cat-file", "--batch-all-objects", "--batch-check").splitlines()
    names = [line.split()[0] for line in listed if " blob " in line]
    held = "".join(git(one.root, "cat-file", "blob", name) for name in names)
    assert "Tea is at" not in held
    assert "The gate is green" not in held


def test_erasing_keeps_both_parents_of_a_commit(pair: tuple[Copy, Copy]) -> None:
    one, _ = pair
    one.service.forget([named(one, "Tea")], erase=True, unlink=True)
    parents = [len(one.service.memory().history.entry(e.commit).parents) for e in one.service.log(None)]
    assert 2 in parents


def test_a_restored_record_of_the_other_side_comes_back(pair: tuple[Copy, Copy]) -> None:
    one, _ = pair
    block, before = named(one, "Tea"), one.head
    one.delete(block)
    done = one.service.restore([block], before)
    assert isinstance(done, Committed)
    assert "Tea is at five." in one.texts()
    assert [v.step.deeds[0] for v in one.service.blame(block).versions][-1] == "created"


def test_nothing_of_a_history_that_is_not_there_can_be_named(pair: tuple[Copy, Copy]) -> None:
    with pytest.raises(Refused):
        pair[0].service.at("abcdef1234")
