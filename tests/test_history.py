"""Commits: written whole, moved to by compare-and-set, read without a lock."""

import errno
import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from scriptorium import files, layout
from scriptorium.clock import Moment
from scriptorium.history import Change, History
from scriptorium.refused import Refused
from scriptorium_core.problem import Code
from scriptorium_core.tree import Tree

WHEN = Moment(1_700_000_000, 330)
needs_git = pytest.mark.skipif(shutil.which("git") is None, reason="the git program is not installed")


@pytest.fixture
def history(tmp_path: Path) -> Iterator[History]:
    opened = History.create(layout.create(tmp_path / "memory"))
    yield opened
    opened.close()


def git(history: History, *arguments: str) -> str:
    command = ["git", "-C", str(history.layout.root), *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return (done.stdout + done.stderr).strip()


def commit(history: History, differences: dict[str, bytes | None], message: str = "Change\n") -> str:
    parent = history.head()
    made = history.write(parent, differences, message, WHEN)
    assert history.move(parent, made)
    return made


def snapshot(history: History, made: str | None) -> dict[str, bytes | None]:
    base = history.base(made)
    return {path: base.get(path) for path in base.under("")}


def test_a_new_history_is_empty_on_branch_main(history: History) -> None:
    assert history.head() is None
    assert list(history.base(None).under("")) == []
    assert list(history.log()) == []
    assert (history.layout.git / "HEAD").read_text() == "ref: refs/heads/main\n"


def test_a_commit_is_invisible_until_the_branch_moves(history: History) -> None:
    first = commit(history, {"topics/a.md": b"one"})
    second = history.write(first, {"topics/a.md": b"two"}, "x\n", WHEN)
    assert history.head() == first
    assert history.base(history.head()).get("topics/a.md") == b"one"
    assert history.move(first, second)
    assert history.base(history.head()).get("topics/a.md") == b"two"
    assert history.base(first).get("topics/a.md") == b"one"


def test_the_same_inputs_give_the_same_commit(history: History, tmp_path: Path) -> None:
    other = History.create(layout.create(tmp_path / "other"))
    made = [
        commit(each, {"topics/a.md": b"one", "core.md": b""}, "x\n\nKind: write\n")
        for each in (history, other)
    ]
    other.close()
    assert made[0] == made[1]


def test_the_branch_does_not_move_from_where_it_does_not_stand(history: History) -> None:
    first = commit(history, {"a": b"1"})
    mine, theirs = (history.write(first, {"a": data}, "x\n", WHEN) for data in (b"2", b"3"))
    assert history.move(first, theirs)
    assert not history.move(first, mine)
    assert not history.move(None, mine)
    assert history.head() == theirs
    assert not list(history.layout.staging.iterdir())
    assert not (history.layout.git / "refs/heads/main.lock").exists()


def test_a_branch_that_another_git_holds_is_refused_and_stays_locked(history: History) -> None:
    first = commit(history, {"a": b"1"})
    second = history.write(first, {"a": b"2"}, "x\n", WHEN)
    lock = history.layout.git / "refs/heads/main.lock"
    lock.write_bytes(b"")
    with pytest.raises(Refused) as refusal:
        history.move(first, second)
    history.recover()
    assert refusal.value.problems[0].code is Code.CONCURRENT_UPDATE
    assert refusal.value.problems[0].path == ".git/refs/heads/main.lock"
    assert lock.exists()
    assert history.head() == first


def test_a_lock_that_a_killed_process_of_ours_left_is_cleared(history: History) -> None:
    first = commit(history, {"a": b"1"})
    second = history.write(first, {"a": b"2"}, "x\n", WHEN)
    staged = files.write_temporary(history.layout.staging, b"")
    files.link(staged, history.layout.git / "refs/heads/main.lock")
    assert history.move(first, second)
    assert not list(history.layout.staging.iterdir())


@pytest.mark.parametrize("step", ["sync", "install", "sync_folder", "unlink"])
def test_an_error_while_the_branch_moves_leaves_no_lock_and_says_the_truth(
    step: str, history: History, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = commit(history, {"a": b"1"})
    second = history.write(first, {"a": b"2"}, "x\n", WHEN)

    def fail(*_: object) -> None:
        raise OSError(errno.EIO, os.strerror(errno.EIO))

    with monkeypatch.context() as broken:
        broken.setattr(files, step, fail)
        try:
            moved = history.move(first, second)
        except Refused:
            moved = False
    assert history.head() == (second if moved else first)
    assert not (history.layout.git / "refs/heads/main.lock").exists()
    assert moved == (step in ("sync_folder", "unlink"))
    assert history.move(history.head(), first)


def test_a_detached_head_is_read_and_not_moved(history: History) -> None:
    first = commit(history, {"a": b"1"})
    (history.layout.git / "HEAD").write_text(f"{first}\n")
    assert history.head() == first
    with pytest.raises(Refused, match="detached") as refusal:
        history.move(first, first)
    assert "git switch" in refusal.value.problems[0].remedy


def test_a_branch_of_another_name_is_followed(history: History) -> None:
    (history.layout.git / "HEAD").write_text("ref: refs/heads/notes/mine\n")
    first = commit(history, {"a": b"1"})
    assert (history.layout.git / "refs/heads/notes/mine").read_text() == f"{first}\n"


@needs_git
def test_packed_references_are_read_and_overruled(history: History) -> None:
    first = commit(history, {"a": b"1"})
    git(history, "pack-refs", "--all", "--prune")
    assert not (history.layout.git / "refs/heads/main").exists()
    assert history.head() == first
    second = commit(history, {"a": b"2"})
    assert history.head() == second


@pytest.mark.parametrize("value", [b"", b"not a commit\n", b"a" * 64 + b"\n"])
def test_a_broken_reference_is_refused_by_name(value: bytes, history: History) -> None:
    commit(history, {"a": b"1"})
    (history.layout.git / "refs/heads/main").write_bytes(value)
    with pytest.raises(Refused, match="refs/heads/main"):
        History.open(history.layout)


def test_a_directory_without_a_repository_says_so(tmp_path: Path) -> None:
    with pytest.raises(Refused) as refusal:
        History.open(layout.create(tmp_path / "memory"))
    assert refusal.value.problems[0].code is Code.GIT_UNAVAILABLE


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


def test_the_log_gives_time_subject_and_trailers_newest_first(history: History) -> None:
    first = commit(history, {"a": b"1"}, "One\n")
    second = commit(history, {"a": b"2"}, "Two\n\nKind: write\nCreated: x y\n")
    entries = list(history.log())
    assert [(each.commit, each.subject, each.parents) for each in entries] == [
        (second, "Two", (first,)),
        (first, "One", ()),
    ]
    assert entries[0].trailers == (("Kind", "write"), ("Created", "x y"))
    assert entries[0].when == WHEN
    assert [each.commit for each in history.log(second, until=first)] == [second]
    assert [each.commit for each in history.log(limit=1)] == [second]
    assert history.entry(first) == entries[1]


@needs_git
def test_git_reads_what_was_written(history: History) -> None:
    made = commit(
        history, {"topics/ä b.md": "é\n".encode()}, "Write\n\nKind: write\nCreated: x\nCreated: y\n"
    )
    assert git(
        history, "log", "--format=%H %an <%ae> %ai|%(trailers:key=Created,valueonly,separator=%x2C)"
    ) == (f"{made} Scriptorium <memory@scriptorium.local> 2023-11-15 03:43:20 +0530|x,y")
    assert git(history, "show", "HEAD:topics/ä b.md") == "é"
    assert git(history, "fsck", "--strict") == ""


@needs_git
def test_what_git_writes_is_read(history: History) -> None:
    root = history.layout.root
    (root / "topics" / "a.md").write_bytes(b"by hand\r\n")
    (root / "topics" / "link.md").symlink_to("a.md")
    git(history, "add", "-A")
    git(
        history,
        "-c",
        "user.name=P",
        "-c",
        "user.email=p@x",
        "commit",
        "-q",
        "-m",
        "By hand",
        "-m",
        "Kind: edit",
    )
    made = history.head()
    assert snapshot(history, made) == {"topics/a.md": b"by hand\r\n"}
    assert next(history.log()).trailers == (("Kind", "edit"),)
    assert next(history.log()).author == "P <p@x>"
    second = commit(history, {"topics/b.md": b"x"})
    assert git(history, "ls-tree", "-r", "--name-only", second).split() == [
        "topics/a.md",
        "topics/b.md",
        "topics/link.md",
    ]


WORKSPACES = Path(__file__).parents[2] / "shared" / "data" / "workspaces"


@needs_git
@pytest.mark.skipif(not WORKSPACES.is_dir(), reason="the acceptance data is not at hand")
@pytest.mark.parametrize("name", ["small", "rich", "legacy"])
def test_a_directory_of_the_other_program_goes_on_where_it_stood(name: str, tmp_path: Path) -> None:
    shutil.unpack_archive(WORKSPACES / f"{name}.tar.gz", tmp_path, filter="data")
    opened = History.create(layout.create(tmp_path / name))
    before = opened.head()
    assert before is not None
    expected = snapshot(opened, before)
    shown = git(opened, "status", "--porcelain", "--untracked-files=all", "--no-renames", "topics")
    assert opened.recover().drafts == ()
    assert opened.drafts() == tuple(sorted(line.split()[1] for line in shown.splitlines()))
    after = commit(opened, {"topics/new.md": b"x"})
    assert opened.project().done
    assert snapshot(opened, after) == expected | {"topics/new.md": b"x"}
    assert [entry.commit for entry in opened.log()][:2] == [after, before]
    assert git(opened, "status", "--porcelain", "--untracked-files=all", "--no-renames", "topics") == shown
    assert git(opened, "fsck", "--strict", "--no-dangling") == ""
    opened.close()


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EROFS])
def test_a_disk_that_takes_no_commit_refuses_it_and_changes_nothing(
    number: int, history: History, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = commit(history, {"a": b"1"})
    before = sorted(history.layout.root.rglob("*"))

    def fail(path: Path) -> None:
        raise OSError(number, os.strerror(number), str(path))

    with monkeypatch.context() as broken:
        broken.setattr(files, "sync", fail)
        with pytest.raises(Refused) as refusal:
            history.write(first, {"a": b"2"}, "x\n", WHEN)
        with pytest.raises(Refused):
            history.move(first, first)
    assert refusal.value.problems[0].remedy
    assert sorted(history.layout.root.rglob("*")) == before
    assert history.head() == first
