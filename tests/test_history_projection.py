"""Working tree and git's index follow HEAD, and a person's drafts are left alone."""

import errno
import os
import shutil
import stat
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from scriptorium import files, layout
from scriptorium.clock import Moment
from scriptorium.history import History
from scriptorium_core.problem import Code

WHEN = Moment(1_700_000_000)
needs_git = pytest.mark.skipif(shutil.which("git") is None, reason="the git program is not installed")


@pytest.fixture(params=["git", "dulwich"])
def history(
    request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[History]:
    if request.param == "dulwich":
        monkeypatch.setattr("scriptorium.history.program.git_program", lambda: None)
    elif shutil.which("git") is None:
        pytest.skip("the git program is not installed")
    opened = History.create(layout.create(tmp_path / "memory"))
    yield opened
    opened.close()


def git(history: History, *arguments: str) -> str:
    command = ["git", "-C", str(history.layout.root), "-c", "user.name=P", "-c", "user.email=p@x", *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def commit(history: History, differences: dict[str, bytes | None]) -> str:
    parent = history.head()
    made = history.write(parent, differences, "Change\n", WHEN)
    assert history.move(parent, made)
    return made


def on_disk(history: History) -> dict[str, bytes]:
    root = history.layout.root
    paths = [path for path in root.rglob("*") if path.is_file() and path.relative_to(root).parts[0][0] != "."]
    return {path.relative_to(root).as_posix(): path.read_bytes() for path in paths}


def test_the_tree_follows_head_with_private_modes(history: History) -> None:
    commit(history, {"topics/a/b.md": b"1", "core.md": b"c"})
    assert history.project().done
    commit(history, {"topics/a/b.md": None, "core.md": b"d", "topics/c.md": b"2"})
    assert history.project().drafts == ()
    assert on_disk(history) == {"core.md": b"d", "topics/c.md": b"2"}
    assert not (history.layout.root / "topics/a").exists()
    assert stat.S_IMODE((history.layout.root / "core.md").stat().st_mode) == 0o600
    assert history.layout.projected.read_text().strip() == history.head()


@needs_git
def test_a_plain_git_status_is_clean_and_a_plain_commit_takes_nothing_back(history: History) -> None:
    for number in range(3):
        commit(
            history,
            {"topics/ä b.md": b"%d" % number, f"topics/{number}.md": b"x", f"topics/{number - 1}.md": None},
        )
        history.project()
    assert git(history, "status", "--porcelain") == ""
    (history.layout.root / "topics/mine.md").write_bytes(b"mine")
    git(history, "add", "topics/mine.md")
    git(history, "commit", "-q", "-m", "Mine")
    head = history.base(history.head())
    assert list(head.under("")) == ["topics/2.md", "topics/mine.md", "topics/ä b.md"]
    assert history.recover().done
    assert git(history, "status", "--porcelain") == ""


@needs_git
def test_an_index_that_was_removed_is_made_whole_and_not_of_the_changes_alone(history: History) -> None:
    commit(history, {"topics/a.md": b"1", "topics/b.md": b"1"})
    history.project()
    (history.layout.git / "index").unlink()
    commit(history, {"topics/a.md": b"2"})
    assert history.project().done
    assert git(history, "status", "--porcelain") == ""
    (history.layout.git / "index").unlink()
    with history.committing(history.head(), {"topics/a.md": b"3"}, "Change\n", WHEN) as made:
        assert made
        assert history.project().done
    assert git(history, "status", "--porcelain") == ""


@needs_git
def test_the_callers_git_variables_lead_nowhere_else(
    history: History, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    elsewhere = tmp_path / "elsewhere"
    for name in ("GIT_DIR", "GIT_INDEX_FILE", "GIT_WORK_TREE", "GIT_OBJECT_DIRECTORY"):
        monkeypatch.setenv(name, str(elsewhere))
    commit(history, {"core.md": b"1"})
    assert history.project().done
    assert not elsewhere.exists()
    for name in ("GIT_DIR", "GIT_INDEX_FILE", "GIT_WORK_TREE", "GIT_OBJECT_DIRECTORY"):
        monkeypatch.delenv(name)
    assert git(history, "status", "--porcelain") == ""


def test_a_draft_is_named_and_left_alone_and_all_else_goes_on(history: History) -> None:
    commit(history, {"topics/a.md": b"1", "topics/b.md": b"1", "topics/c.md": b"1", "topics/d.md": b"1"})
    history.project()
    root = history.layout.root
    (root / "topics/a.md").write_bytes(b"a person's")
    (root / "topics/b.md").write_bytes(b"2")
    (root / "topics/c.md").unlink()
    (root / "topics/new.md").write_bytes(b"a person's")
    assert history.drafts() == ("topics/a.md", "topics/b.md", "topics/c.md", "topics/new.md")
    commit(history, {f"topics/{name}.md": b"2" for name in ("a", "b", "c", "d", "new")})
    projection = history.project()
    assert projection.done
    assert projection.drafts == ("topics/a.md", "topics/c.md", "topics/new.md")
    assert on_disk(history) == {
        "topics/a.md": b"a person's",
        "topics/b.md": b"2",
        "topics/d.md": b"2",
        "topics/new.md": b"a person's",
    }
    assert history.drafts() == projection.drafts


def test_a_deleted_topic_with_a_draft_stays_on_the_disk(history: History) -> None:
    commit(history, {"topics/a.md": b"1", "topics/b.md": b"1"})
    history.project()
    (history.layout.root / "topics/a.md").write_bytes(b"a person's")
    commit(history, {"topics/a.md": None, "topics/b.md": None})
    assert history.project().drafts == ("topics/a.md",)
    assert on_disk(history) == {"topics/a.md": b"a person's"}


def test_a_derived_view_is_replaced_whatever_a_person_wrote(history: History) -> None:
    commit(history, {"core.md": b"1", "topics/a.md": b"1"})
    history.project()
    for name in ("core.md", "topics/a.md"):
        (history.layout.root / name).write_bytes(b"a person's")
    commit(history, {"core.md": b"2", "topics/a.md": b"2"})
    assert history.project(lambda path: path == "core.md").drafts == ("topics/a.md",)
    assert on_disk(history) == {"core.md": b"2", "topics/a.md": b"a person's"}


def test_what_a_person_saves_while_files_are_replaced_is_kept(
    history: History, monkeypatch: pytest.MonkeyPatch
) -> None:
    commit(history, {"topics/a.md": b"1", "topics/b.md": b"1"})
    history.project()
    commit(history, {"topics/a.md": b"2", "topics/b.md": None})
    real = files.sync

    def save_meanwhile(path: Path) -> None:
        real(path)
        for name in ("a", "b"):
            (history.layout.root / f"topics/{name}.md").write_bytes(b"a person's")

    monkeypatch.setattr(files, "sync", save_meanwhile)
    assert set(history.project().drafts) == {"topics/a.md", "topics/b.md"}
    assert on_disk(history) == {"topics/a.md": b"a person's", "topics/b.md": b"a person's"}


def test_a_link_in_the_place_of_a_topic_is_not_followed(history: History, tmp_path: Path) -> None:
    commit(history, {"topics/a.md": b"1"})
    history.project()
    outside = tmp_path / "outside"
    outside.write_bytes(b"1")
    topic = history.layout.root / "topics/a.md"
    topic.unlink()
    topic.symlink_to(outside)
    assert history.drafts() == ("topics/a.md",)
    commit(history, {"topics/a.md": b"2"})
    assert history.project(lambda path: True).drafts == ("topics/a.md",)
    assert outside.read_bytes() == b"1"
    assert topic.is_symlink()


def test_a_full_disk_leaves_the_commit_and_the_next_opening_ends_it(
    history: History, monkeypatch: pytest.MonkeyPatch
) -> None:
    commit(history, {"topics/a.md": b"1", "topics/b.md": b"1"})
    history.project()
    commit(history, {"topics/a.md": b"2", "topics/c.md": b"2"})

    def full(folder: Path, data: bytes, mode: int = 0o600) -> Path:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(folder))

    with monkeypatch.context() as broken:
        broken.setattr(files, "write_temporary", full)
        failed = history.project()
    assert not failed.done
    assert failed.problems[0].code is Code.DISK_FAILED
    assert on_disk(history) == {"topics/a.md": b"1", "topics/b.md": b"1"}
    assert history.recover().done
    assert on_disk(history) == {"topics/a.md": b"2", "topics/b.md": b"1", "topics/c.md": b"2"}


def test_a_file_of_a_projection_that_was_not_finished_is_no_draft(
    history: History, monkeypatch: pytest.MonkeyPatch
) -> None:
    commit(history, {"topics/a.md": b"1", "topics/b.md": b"1"})
    history.project()
    first = history.head()
    commit(history, {"topics/a.md": b"2", "topics/b.md": b"2"})
    (history.layout.root / "topics/a.md").write_bytes(b"2")
    commit(history, {"topics/a.md": b"3"})
    assert history.layout.projected.read_text().strip() == first
    assert history.project().drafts == ()
    assert on_disk(history) == {"topics/a.md": b"3", "topics/b.md": b"2"}


@pytest.mark.parametrize("damage", ["empty", "unknown"])
def test_a_broken_marker_costs_a_comparison_and_nothing_else(damage: str, history: History) -> None:
    commit(history, {"topics/a.md": b"1", "topics/b.md": b"1"})
    commit(history, {"topics/a.md": b"2"})
    history.project()
    (history.layout.root / "topics/a.md").write_bytes(b"1")
    (history.layout.root / "topics/b.md").write_bytes(b"a person's")
    history.layout.projected.write_bytes(b"" if damage == "empty" else b"1" * 40)
    assert history.recover().drafts == ("topics/b.md",)
    assert on_disk(history) == {"topics/a.md": b"2", "topics/b.md": b"a person's"}


def test_in_a_directory_that_was_never_projected_all_differences_are_drafts(history: History) -> None:
    commit(history, {"topics/a.md": b"1", "topics/b.md": b"1", "topics/c.md": b"1"})
    commit(history, {"topics/a.md": b"2"})
    history.project()
    history.layout.projected.unlink()
    (history.layout.root / "topics/a.md").write_bytes(b"1")
    (history.layout.root / "topics/b.md").unlink()
    taken = History.create(history.layout)
    assert taken.recover().drafts == ()
    assert taken.drafts() == ("topics/a.md", "topics/b.md")
    assert on_disk(history) == {"topics/a.md": b"1", "topics/c.md": b"1"}
    taken.close()


def test_a_first_commit_that_was_not_projected_is_no_pile_of_deletions(history: History) -> None:
    commit(history, {"topics/a.md": b"1"})
    again = History.create(history.layout)
    assert again.recover().drafts == ()
    assert on_disk(history) == {"topics/a.md": b"1"}
    again.close()


@needs_git
def test_an_index_that_a_living_git_holds_is_tried_again_at_the_next_opening(
    history: History, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("scriptorium.history.program.git_program", lambda: shutil.which("git"))
    monkeypatch.setattr("scriptorium.history.gitindex._PAUSE", 0)
    commit(history, {"topics/a.md": b"1"})
    (history.layout.git / "index.lock").write_bytes(b"")
    held = history.project()
    assert not held.done
    assert held.problems[0].path == ".git/index"
    (history.layout.git / "index.lock").unlink()
    assert history.recover().done
    assert git(history, "status", "--porcelain") == ""


def test_a_scan_finds_an_edit_that_kept_its_date_and_size(history: History) -> None:
    commit(history, {f"topics/{number}.md": b"old" for number in range(4)})
    history.project()
    assert history.drafts() == ()
    path = history.layout.root / "topics/2.md"
    before = path.stat()
    path.write_bytes(b"new")
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert history.drafts() == ("topics/2.md",)
    assert history.drafts() == ("topics/2.md",)
    assert history.drafts(("topics/1.md", "topics/2.md", "topics/none.md")) == ("topics/2.md",)
    path.write_bytes(b"old")
    assert history.drafts() == ()


def test_a_scan_does_not_trust_what_it_kept_if_that_is_broken(history: History) -> None:
    commit(history, {"topics/a.md": b"1"})
    history.project()
    (history.layout.root / "topics/a.md").write_bytes(b"2")
    assert history.drafts() == ("topics/a.md",)
    for damage in (b"", b"[]", b'{"topics/": 3}', b'{"topics/": ["x", 1]}', b"\xff"):
        (history.layout.runtime / "scanned.json").write_bytes(damage)
        assert history.drafts() == ("topics/a.md",)


def test_leftovers_of_killed_processes_are_cleared_and_nothing_else(history: History) -> None:
    commit(history, {"topics/a/b.md": b"1"})
    history.project()
    commit(history, {"topics/a/b.md": b"2"})
    root = history.layout.root
    folders = [
        root / "topics/a",
        history.layout.runtime,
        history.layout.staging,
        history.layout.git / "objects/pack",
    ]
    for folder in folders:
        files.write_temporary(folder, b"half")
    old = history.layout.git / "objects/pack/pack-half.pack"
    young = history.layout.git / "objects/pack/tmp_pack_young"
    for path in (old, young):
        path.write_bytes(b"half")
    os.utime(old, (0, 0))
    assert history.recover().done
    assert not list(root.rglob(f"{files.TEMPORARY}*"))
    assert (old.exists(), young.exists()) == (False, True)
    assert on_disk(history) == {"topics/a/b.md": b"2"}
