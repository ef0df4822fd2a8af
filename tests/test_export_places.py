"""Where memory may be exported to, and what stands there when a process or a disk gives up in between."""

import errno
import os
from collections.abc import Iterator
from pathlib import Path
from unittest import mock

import pytest

from cli_example import run, run_json
from scriptorium import files
from scriptorium.lock import held
from scriptorium.refused import Refused
from scriptorium.service import Service, parcels
from small_homes import create, on_disk, request, service

__all__: list[str] = []

FORMS = ("notes", "notes.zip", "notes.jsonl")


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Service]:
    with service(tmp_path / "home") as made:
        made.change(request(create("The key is blue.")))
        yield made


def refused(memory: Service, path: Path, at: str = "", topic: str = "") -> list[str]:
    with pytest.raises(Refused) as found:
        memory.export(path, at=at, topic=topic)
    assert all(problem.remedy for problem in found.value.problems)
    return [f"{problem.code}: {problem.message}" for problem in found.value.problems]


def left(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


@pytest.mark.parametrize("form", FORMS)
def test_nothing_is_overwritten(memory: Service, tmp_path: Path, form: str) -> None:
    target = tmp_path / form
    target.write_text("mine")
    assert "nothing is overwritten" in refused(memory, target)[0]
    assert target.read_text() == "mine"
    target.unlink()
    target.symlink_to(tmp_path / "elsewhere")
    assert "nothing is overwritten" in refused(memory, target)[0]
    assert target.is_symlink()
    target.unlink()
    target.mkdir()
    (target / "mine").touch()
    assert "nothing is overwritten" in refused(memory, target)[0]
    assert left(target) == ["mine"]


def test_an_empty_folder_may_be_there_already(memory: Service, tmp_path: Path) -> None:
    (tmp_path / "notes").mkdir()
    assert memory.export(tmp_path / "notes").topics == 1
    assert "topics/keys.md" in on_disk(tmp_path / "notes")


@pytest.mark.parametrize("name", ["notes.tar.gz", "notes.7z", "notes.MD", "notes.json", "-"])
def test_a_name_that_means_no_form_is_refused(memory: Service, tmp_path: Path, name: str) -> None:
    (told,) = refused(memory, tmp_path / name)
    assert ("standard output" if name == "-" else f"nothing is exported as {Path(name).suffix}") in told
    assert not (tmp_path / name).exists()


@pytest.mark.parametrize("name", ["notes-2026.05", ".notes", "notes.of.the whole year", "v1.2"])
def test_a_folder_may_have_dots_in_its_name(memory: Service, tmp_path: Path, name: str) -> None:
    assert memory.export(tmp_path / name).form == "folder"
    assert "topics/keys.md" in on_disk(tmp_path / name)


def test_a_folder_that_is_made_already_may_end_as_it_likes(memory: Service, tmp_path: Path) -> None:
    (tmp_path / "notes.old").mkdir()
    assert memory.export(tmp_path / "notes.old").form == "folder"


def test_no_place_inside_the_memory_will_do_however_it_is_named(memory: Service, tmp_path: Path) -> None:
    (tmp_path / "way").symlink_to(memory.root)
    for place in (memory.root / "x", memory.root / "topics" / "x.zip", tmp_path / "way" / "x.jsonl"):
        assert "it is inside the memory" in refused(memory, place)[0]
    assert "inside the memory" in refused(memory, memory.root / "topics" / ".." / ".." / "memory" / "x")[0]
    assert any("inside the memory" in told for told in refused(memory, memory.root))


def test_all_that_is_wrong_is_said_at_once(memory: Service, tmp_path: Path) -> None:
    told = refused(memory, tmp_path / "nowhere" / "x.zip", at="1999", topic="keys")
    assert ["there is no folder" in told[0], "MEMORY_NOT_FOUND" in told[1]] == [True, True]
    told = refused(memory, memory.root / "no" / "x", topic="nope")
    assert len(told) == 3
    answer = run_json("--home", memory.home, "export", memory.root / "x", "--topic", "nope")
    assert [each["code"] for each in answer["error"]["problems"]] == ["INVALID_ARGUMENT", "MEMORY_NOT_FOUND"]


def test_of_a_memory_without_a_commit_there_is_nothing(tmp_path: Path) -> None:
    with service(tmp_path / "home") as made:
        made.init()
        assert refused(made, tmp_path / "notes") == ["MEMORY_NOT_FOUND: nothing is committed yet"]
    assert run("--home", tmp_path / "no", "export", tmp_path / "notes").code == 4


@pytest.mark.parametrize("form", FORMS)
def test_a_full_disk_leaves_nothing(memory: Service, tmp_path: Path, form: str) -> None:
    full = OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
    before = left(tmp_path)
    for step in ("sync", "install", "sync_folder"):
        if step == "install" and form != "notes":
            continue
        with mock.patch.object(files, step, side_effect=full):
            assert "No space left" in refused(memory, tmp_path / form)[0]
        if step != "sync_folder" or form == "notes":
            assert left(tmp_path) == before, step


@pytest.mark.parametrize("form", FORMS)
def test_an_interruption_leaves_nothing(memory: Service, tmp_path: Path, form: str) -> None:
    before = left(tmp_path)
    with (
        mock.patch("scriptorium.service.exporting.day_in", side_effect=KeyboardInterrupt),
        mock.patch("scriptorium.service.exporting.shown", side_effect=KeyboardInterrupt),
        pytest.raises(KeyboardInterrupt),
    ):
        memory.export(tmp_path / form)
    assert left(tmp_path) == before


@pytest.mark.parametrize("form", FORMS)
def test_what_a_killed_process_left_beside_the_place_goes_with_the_next_export(
    memory: Service, tmp_path: Path, form: str
) -> None:
    with (
        mock.patch.object(parcels, "_clear"),
        mock.patch.object(files, "unlink"),
        mock.patch("scriptorium.service.exporting.day_in", side_effect=KeyboardInterrupt),
        mock.patch("scriptorium.service.exporting.shown", side_effect=KeyboardInterrupt),
        pytest.raises(KeyboardInterrupt),
    ):
        memory.export(tmp_path / form)
    assert form not in left(tmp_path)
    assert len([name for name in left(tmp_path) if name.startswith(".scriptorium-")]) == 2
    memory.export(tmp_path / form)
    assert left(tmp_path) == sorted(["home", form])


@pytest.mark.parametrize("form", FORMS)
def test_what_came_there_meanwhile_stays(memory: Service, tmp_path: Path, form: str) -> None:
    target = tmp_path / form

    def meanwhile(done: int, total: int) -> None:
        target.write_text("mine")

    with pytest.raises(Refused, match="nothing is overwritten"):
        memory.export(target, progress=meanwhile)
    assert target.read_text() == "mine"
    assert left(tmp_path) == sorted(["home", form])


def test_two_at_one_place_do_not_meet(memory: Service, tmp_path: Path) -> None:
    inside: list[str] = []

    def meanwhile(done: int, total: int) -> None:
        (lock,) = tmp_path.glob(".scriptorium-*.lock")
        with pytest.raises(Refused), held(lock, timeout=0):
            pass
        with service(tmp_path / "home") as other:
            inside.extend(refused(other, tmp_path / "notes.jsonl"))

    memory.export(tmp_path / "notes.jsonl", progress=meanwhile)
    assert inside == ["CONCURRENT_UPDATE: another process writes to the same place"]
    assert (tmp_path / "notes.jsonl").stat().st_mode & 0o777 == 0o600


def test_a_disk_whose_files_have_one_name_each_takes_it_too(memory: Service, tmp_path: Path) -> None:
    with mock.patch.object(files, "link", side_effect=OSError(errno.EPERM, "no links")):
        memory.export(tmp_path / "notes.zip")
    assert left(tmp_path) == ["home", "notes.zip"]


def test_a_place_that_may_not_be_written_to_is_named(memory: Service, tmp_path: Path) -> None:
    with mock.patch.object(files, "make_folder", side_effect=PermissionError(errno.EACCES, "denied")):
        (told,) = refused(memory, tmp_path / "notes")
    assert told.startswith("READ_ONLY_PATH")
