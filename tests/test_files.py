"""Writes are whole or nothing, and links are never followed."""

import errno
import os
import stat
from pathlib import Path

import pytest

from scriptorium import files
from scriptorium.refused import Refused
from scriptorium_core.problem import Code


def test_a_written_file_reads_back_with_mode_0600_in_folders_of_mode_0700(tmp_path: Path) -> None:
    path = tmp_path / "topics" / "deep" / "a.md"
    files.write_durable(path, b"text\r\n", root=tmp_path)
    assert files.read(path, tmp_path) == b"text\r\n"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    assert [child.name for child in path.parent.iterdir()] == ["a.md"]


def test_a_missing_file_reads_as_none_also_below_a_file(tmp_path: Path) -> None:
    assert files.read(tmp_path / "none.md") is None
    (tmp_path / "file").write_bytes(b"")
    assert files.read(tmp_path / "file" / "below") is None


def test_short_writes_are_continued(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real = os.write
    monkeypatch.setattr(os, "write", lambda descriptor, data: real(descriptor, bytes(data[:3])))
    files.write_durable(tmp_path / "a", b"ten bytes.", root=tmp_path)
    assert (tmp_path / "a").read_bytes() == b"ten bytes."


def test_a_full_disk_at_the_second_file_leaves_both_as_they_were(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    paths = [tmp_path / "a", tmp_path / "b"]
    files.write_many(dict.fromkeys(paths, b"old"), root=tmp_path)
    real = os.write

    def write(descriptor: int, data: memoryview) -> int:
        if bytes(data) == b"new b":
            raise OSError(errno.ENOSPC, "No space left on device")
        return real(descriptor, data)

    monkeypatch.setattr(os, "write", write)
    with pytest.raises(OSError, match="No space"):
        files.write_many({paths[0]: b"new a", paths[1]: b"new b"}, root=tmp_path)
    assert [path.read_bytes() for path in paths] == [b"old", b"old"]
    assert sorted(child.name for child in tmp_path.iterdir()) == ["a", "b"]


def test_what_the_disk_refuses_is_named_below_its_root_and_the_root_by_its_own_path(tmp_path: Path) -> None:
    def place(name: Path) -> str:
        return files.disk_problem(OSError(errno.EACCES, "No", str(name)), tmp_path).path

    assert place(tmp_path / "topics" / "a.md") == "topics/a.md"
    assert place(tmp_path) == str(tmp_path)
    assert place(tmp_path.parent) == str(tmp_path.parent)


def test_a_file_where_a_folder_must_be_is_to_be_moved_away(tmp_path: Path) -> None:
    (tmp_path / "home").touch()
    with pytest.raises(Refused) as refused, files.explained(tmp_path / "home" / "memory"):
        files.ensure_folder(tmp_path / "home" / "memory")
    (problem,) = refused.value.problems
    assert problem.path == str(tmp_path / "home" / "memory")
    assert "move away the file" in problem.remedy


@pytest.mark.parametrize("step", ["write_temporary", "sync"])
def test_a_failing_step_before_the_rename_changes_nothing(
    step: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files.write_durable(tmp_path / "a", b"old", root=tmp_path)

    def fail(*_: object) -> None:
        raise OSError(errno.EIO, "Input/output error")

    monkeypatch.setattr(files, step, fail)
    with pytest.raises(OSError, match="Input/output"):
        files.write_durable(tmp_path / "a", b"new", root=tmp_path)
    assert (tmp_path / "a").read_bytes() == b"old"
    assert [child.name for child in tmp_path.iterdir()] == ["a"]


def test_a_link_is_neither_read_nor_replaced(tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.write_bytes(b"secret")
    root = tmp_path / "memory"
    root.mkdir()
    (root / "core.md").symlink_to(outside)
    with pytest.raises(Refused) as read:
        files.read(root / "core.md", root)
    with pytest.raises(Refused) as written:
        files.write_durable(root / "core.md", b"x", root=root)
    assert read.value.problems[0].code is written.value.problems[0].code is Code.PATH_OUTSIDE_WORKSPACE
    assert written.value.problems[0].path == "core.md"
    assert outside.read_bytes() == b"secret"
    assert (root / "core.md").is_symlink()


def test_a_link_above_the_file_is_refused_before_anything_is_written(tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    root = tmp_path / "memory"
    root.mkdir()
    (root / "topics").symlink_to(outside, target_is_directory=True)
    with pytest.raises(Refused):
        files.write_many({root / "a": b"x", root / "topics" / "a.md": b"x"}, root=root)
    with pytest.raises(Refused):
        files.ensure_folder(root / "topics" / "b", root=root)
    with pytest.raises(Refused):
        files.remove(root / "topics" / "a.md", root)
    with pytest.raises(Refused):
        files.read(root / "topics" / "a.md", root)
    assert list(outside.iterdir()) == []
    assert [child.name for child in root.iterdir()] == ["topics"]


def test_a_folder_in_the_place_of_a_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "core.md").mkdir()
    with pytest.raises(Refused, match="not a regular file"):
        files.write_durable(tmp_path / "core.md", b"x", root=tmp_path)


def test_a_file_in_the_place_of_a_folder_is_refused(tmp_path: Path) -> None:
    (tmp_path / "topics").write_bytes(b"")
    with pytest.raises(Refused, match="not a folder"):
        files.write_durable(tmp_path / "topics" / "deep" / "a.md", b"x", root=tmp_path)


def test_removing_the_last_file_removes_the_folders_up_to_the_root(tmp_path: Path) -> None:
    root = tmp_path / "memory"
    files.write_many({root / "topics/a/b/c.md": b"x", root / "topics/d.md": b"y"}, root=tmp_path)
    files.remove(root / "topics/a/b/c.md", root)
    assert [child.name for child in (root / "topics").iterdir()] == ["d.md"]
    files.remove(root / "topics/d.md", root)
    files.remove(root / "topics/d.md", root)
    assert root.is_dir()
    assert list(root.iterdir()) == []


def test_only_temporary_files_are_cleaned_away(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_bytes(b"x")
    files.write_temporary(tmp_path, b"half")
    files.remove_temporaries(tmp_path)
    files.remove_temporaries(tmp_path / "missing")
    assert [child.name for child in tmp_path.iterdir()] == ["a.md"]


@pytest.mark.parametrize(
    ("number", "code"),
    [
        (errno.ENOSPC, Code.DISK_FAILED),
        (errno.EROFS, Code.READ_ONLY_PATH),
        (errno.EIO, Code.DISK_FAILED),
    ],
)
def test_a_disk_error_becomes_a_problem_with_place_and_remedy(
    number: int, code: Code, tmp_path: Path
) -> None:
    error = OSError(number, os.strerror(number), str(tmp_path / "topics" / "a.md"))
    problem = files.disk_problem(error, tmp_path)
    assert (problem.code, problem.path) == (code, "topics/a.md")
    assert os.strerror(number) in problem.message
    assert problem.remedy
