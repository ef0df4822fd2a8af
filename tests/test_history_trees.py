"""Trees of commits: edited folder by folder, listed, compared, and the same as git would make them."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from scriptorium import layout
from scriptorium.clock import Moment
from scriptorium.history import Change, History
from scriptorium_core.tree import Tree

WHEN = Moment(1_700_000_000)


@pytest.fixture
def history(tmp_path: Path) -> Iterator[History]:
    opened = History.create(layout.create(tmp_path / "memory"))
    yield opened
    opened.close()


def commit(history: History, differences: dict[str, bytes | None]) -> str:
    parent = history.head()
    made = history.write(parent, differences, "Change\n", WHEN)
    assert history.move(parent, made)
    return made


def snapshot(history: History, made: str | None) -> dict[str, bytes | None]:
    base = history.base(made)
    return {path: base.get(path) for path in base.under("")}


def test_folders_come_and_go_with_their_files(history: History) -> None:
    commit(history, {"topics/a/b/c.md": b"1", "topics/a.md": b"2", "topics/a-b/d.md": b"3"})
    made = commit(history, {"topics/a/b/c.md": None, "topics/none/at/all.md": None, "topics/a-b/e.md": b"4"})
    assert snapshot(history, made) == {"topics/a-b/d.md": b"3", "topics/a-b/e.md": b"4", "topics/a.md": b"2"}
    assert history.tree_id(made, "topics/a") is None
    assert snapshot(history, commit(history, dict.fromkeys(snapshot(history, made)))) == {}


def test_a_file_may_become_a_folder_and_a_folder_a_file(history: History) -> None:
    first = commit(history, {"topics/a": b"1", "topics/b/c": b"2"})
    second = commit(history, {"topics/a/x": b"3", "topics/b": b"4", "topics/b/c": None})
    assert snapshot(history, second) == {"topics/a/x": b"3", "topics/b": b"4"}
    found = {
        (change.path, change.old is None, change.new is None) for change in history.changes(first, second)
    }
    assert found == {
        ("topics/a", False, True),
        ("topics/a/x", True, False),
        ("topics/b", True, False),
        ("topics/b/c", False, True),
    }


def test_paths_are_listed_sorted_below_any_prefix(history: History) -> None:
    paths = ["topics/a.md", "topics/a/b.md", "topics/a-b.md", "topics/ä.md", "topics/a0/c.md", "core.md"]
    base = history.base(commit(history, dict.fromkeys(paths, b"x")))
    assert list(base.under("")) == sorted(paths)
    assert list(base.under("topics/a")) == sorted(path for path in paths if path.startswith("topics/a"))
    assert list(base.under("topics/a/")) == ["topics/a/b.md"]
    assert list(base.under("topics/b")) == list(base.under("none/")) == list(base.under("core.md/")) == []


def test_a_commit_is_a_base_for_a_tree(history: History) -> None:
    base = history.base(commit(history, {"topics/a.md": b"1", "topics/b.md": b"2"}))
    tree = Tree(base).put("topics/c.md", b"3").remove("topics/a.md").put("topics/b.md", b"2")
    assert tree.differences() == {"topics/a.md": None, "topics/c.md": b"3"}
    assert base.get("topics") is None
    assert base.get("topics/a.md/x") is None


def test_many_and_few_changes_of_one_large_folder_give_gits_own_tree(history: History) -> None:
    names = [f"topics/{number:04d}.md" for number in range(300)]
    first = commit(history, {name: name.encode() for name in names})
    few = commit(
        history, {names[0]: b"x", names[150]: None, names[299]: None, "topics/0150-.md": b"", "topics/z": b""}
    )
    expected = {name: name.encode() for name in names} | {
        names[0]: b"x",
        "topics/0150-.md": b"",
        "topics/z": b"",
    }
    del expected[names[150]], expected[names[299]]
    assert snapshot(history, few) == expected
    fresh = history.write(None, expected, "x\n", WHEN)
    assert history.tree_id(fresh, "") == history.tree_id(few, "")
    assert len(list(history.changes(first, few))) == 5


def test_an_entry_that_also_stands_inside_a_name_is_not_mistaken(history: History) -> None:
    blob = bytes.fromhex("2b68b5c0b0f1a4d5a34a2b7e4e1e5a5f1c0a9d3e")
    commit(history, {"topics/a": b"1", "topics/100644 a": b"1", "topics/x 100644 a": b"1", "topics/b": blob})
    made = commit(history, {"topics/a": b"2"})
    assert snapshot(history, made) == {
        "topics/100644 a": b"1",
        "topics/a": b"2",
        "topics/b": blob,
        "topics/x 100644 a": b"1",
    }
    fresh = history.write(None, snapshot(history, made), "x\n", WHEN)
    assert history.tree_id(fresh, "") == history.tree_id(made, "")


def test_changes_name_blobs_that_can_be_read(history: History) -> None:
    first = commit(history, {"a": b"1", "topics/b": b"2", "topics/same": b"3"})
    second = commit(history, {"a": None, "topics/b": b"4", "c": b"5"})
    found = list(history.changes(first, second))
    assert [change.path for change in found] == ["a", "c", "topics/b"]
    read = [[value and history.blob(value) for value in (change.old, change.new)] for change in found]
    assert read == [[b"1", None], [None, b"5"], [b"2", b"4"]]
    assert next(history.changes(None, first)) == Change("a", None, found[0].old)
    assert list(history.changes(second, second)) == []


def test_a_path_that_no_file_can_have_is_none(history: History) -> None:
    base = history.base(commit(history, {"topics/a.md": b"a"}))
    assert base.get("topics/\ud800.md") is None
    assert list(base.under("topics/\ud800")) == []
