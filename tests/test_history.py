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
from scriptorium.history import History
from scriptorium.refused import Refused
from scriptorium_core.problem import Code
from tars import unpacked

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


def test_a_branch_that_is_gone_is_no_new_memory(history: History) -> None:
    made = commit(history, {"topics/a.md": b"1"})
    assert history.project().done
    (history.layout.git / "refs/heads/main").unlink()
    with pytest.raises(Refused) as refused:
        history.head()
    assert refused.value.problems[0].code is Code.GIT_COMMIT_FAILED
    assert f"git update-ref refs/heads/main {made}" in refused.value.problems[0].remedy
    assert (history.layout.root / "topics/a.md").read_bytes() == b"1"


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
    assert list(history.log(first, until=second)) == []
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
    unpacked(WORKSPACES / f"{name}.tar.gz", tmp_path)
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
    code = Code.GIT_COMMIT_FAILED if number == errno.ENOSPC else Code.READ_ONLY_PATH
    assert refusal.value.problems[0].code is code
    assert refusal.value.problems[0].remedy
    assert sorted(history.layout.root.rglob("*")) == before
    assert history.head() == first
