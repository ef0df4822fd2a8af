"""Where a memory directory is recognised, made and refused."""

import errno
import os
import re
import stat
from pathlib import Path

import pytest

from scriptorium import files, layout
from scriptorium.refused import Refused
from scriptorium_core.problem import Code


def test_a_new_memory_has_private_folders_and_an_id_that_stays(tmp_path: Path) -> None:
    made = layout.create(tmp_path / "home" / "memory")
    assert stat.S_IMODE(made.root.stat().st_mode) == stat.S_IMODE(made.runtime.stat().st_mode) == 0o700
    assert stat.S_IMODE(made.identity.stat().st_mode) == 0o600
    first = layout.workspace_id(made)
    assert re.fullmatch("w-[0-9a-f]{8}", first)
    made.root.rename(tmp_path / "moved")
    assert layout.workspace_id(layout.create(tmp_path / "moved")) == first


def test_the_runtime_folder_of_the_other_program_keeps_its_name_and_id(tmp_path: Path) -> None:
    (tmp_path / ".nativemem").mkdir()
    (tmp_path / ".nativemem" / "workspace-id").write_text("w-0badcafe")
    made = layout.create(tmp_path)
    assert made.runtime.name == ".nativemem"
    assert layout.workspace_id(made) == "w-0badcafe"
    assert not (tmp_path / ".scriptorium").exists()


def test_a_missing_directory_is_refused_with_the_way_to_make_one(tmp_path: Path) -> None:
    with pytest.raises(Refused) as refusal:
        layout.locate(tmp_path / "none")
    assert refusal.value.problems[0].code is Code.MEMORY_NOT_FOUND
    assert "init" in refusal.value.problems[0].remedy


def test_a_file_is_not_a_memory(tmp_path: Path) -> None:
    (tmp_path / "memory").write_text("x")
    for action in (layout.locate, layout.create):
        with pytest.raises(Refused) as refusal:
            action(tmp_path / "memory")
        assert refusal.value.problems[0].code is Code.INVALID_ARGUMENT
    assert (tmp_path / "memory").read_text() == "x"


def test_a_project_with_a_folder_of_the_same_name_is_not_a_memory(tmp_path: Path) -> None:
    for name in ("sources", "tests", ".git"):
        (tmp_path / name).mkdir()
    for action in (layout.locate, layout.create):
        with pytest.raises(Refused):
            action(tmp_path)
    assert sorted(child.name for child in tmp_path.iterdir()) == [".git", "sources", "tests"]


def test_a_fresh_clone_is_a_memory(tmp_path: Path) -> None:
    for name in ("topics", "sources", "timeline", ".git", ".obsidian"):
        (tmp_path / name).mkdir()
    (tmp_path / "core.md").write_text("")
    assert layout.locate(tmp_path).root == tmp_path.resolve()


def test_the_home_directory_is_never_a_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    with pytest.raises(Refused):
        layout.create(tmp_path)
    (tmp_path / "topics").mkdir()
    with pytest.raises(Refused):
        layout.locate(tmp_path)


def test_the_layout_does_not_depend_on_the_link_by_which_it_was_reached(tmp_path: Path) -> None:
    made = layout.create(tmp_path / "memory")
    (tmp_path / "link").symlink_to(made.root, target_is_directory=True)
    assert layout.locate(tmp_path / "link") == made


def test_a_git_child_sees_this_repository_and_no_settings_of_the_person(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = layout.create(tmp_path / "memory")
    monkeypatch.setenv("GIT_DIR", "/elsewhere")
    monkeypatch.setenv("GIT_INDEX_FILE", "/elsewhere/index")
    environment = layout.git_environment(made)
    assert environment["GIT_DIR"] == str(made.root / ".git")
    assert "GIT_INDEX_FILE" not in environment
    assert "HOME" not in environment


def test_a_disk_that_takes_no_folder_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def read_only(path: Path, mode: int = 0o700) -> None:
        raise OSError(errno.EROFS, os.strerror(errno.EROFS), str(path))

    monkeypatch.setattr(files, "make_folder", read_only)
    with pytest.raises(Refused) as refusal:
        layout.create(tmp_path / "memory")
    assert refusal.value.problems[0].code is Code.READ_ONLY_PATH
