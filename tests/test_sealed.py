"""Sealing and unsealing a whole memory: the same bytes, the same HEAD, and only what is new is written."""

import shutil
import sqlite3
from pathlib import Path
from typing import Any

import pytest

from scriptorium.sealed import sealing
from scriptorium.service.forgetting import Forgotten
from scriptorium_core.problem import Code
from sealed_homes import WORDS, contents, filled, objects_of, refusal, sealed_pair, small_pieces
from small_homes import git, service, unsound

pytestmark = pytest.mark.sealed
__all__ = ["small_pieces"]


def test_a_memory_comes_back_byte_for_byte(tmp_path: Path) -> None:
    home, library = sealed_pair(tmp_path)
    with service(home) as opened:
        done = opened.unseal(str(library), tmp_path / "new")
    assert contents(tmp_path / "new") == contents(home)
    assert done.revision == git(home / "memory", "rev-parse", "HEAD").strip()
    assert git(home / "memory", "status", "--short") == git(tmp_path / "new" / "memory", "status", "--short")
    assert list(unsound(tmp_path / "new")) == list(unsound(home))
    assert not (tmp_path / "new" / ".unsealing").exists()


def test_the_conversations_come_along(tmp_path: Path) -> None:
    home, library = sealed_pair(tmp_path)
    with service(home) as opened:
        opened.unseal(str(library), tmp_path / "new")
    rows = [
        list(sqlite3.connect(each / "sessions.sqlite3").execute("SELECT * FROM nodes ORDER BY 1, 2"))
        for each in (home, tmp_path / "new")
    ]
    assert rows[0] == rows[1] != []


def test_a_second_sealing_writes_what_is_new_and_a_third_nothing(tmp_path: Path) -> None:
    home, library = sealed_pair(tmp_path)
    before = set(objects_of(library))
    with service(home) as opened:
        opened.remember("Coffee is at nine.", topic="coffee")
        second = opened.seal(str(library))
        third = opened.seal(str(library))
        opened.unseal(str(library), tmp_path / "new")
    assert second.generation == 2
    assert 1 <= second.new_objects <= 4
    assert (third.new_objects, third.generation) == (0, 2)
    assert before <= set(objects_of(library))
    assert contents(tmp_path / "new") == contents(home)


def test_many_sealings_leave_few_packs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from scriptorium_core.sealing import runs

    monkeypatch.setattr(sealing, "kept", lambda found, stands: runs.kept(found, stands, 4))
    home, library = sealed_pair(tmp_path)
    with service(home) as opened:
        for number in range(12):
            opened.remember(f"Number {number}.", topic="numbers")
            opened.seal(str(library), prune=True)
        opened.unseal(str(library), tmp_path / "new")
        assert opened.prove(str(library)).holds
    packs = list((tmp_path / "new" / "memory" / ".git" / "objects" / "pack").glob("*.pack"))
    assert len(packs) <= 5
    assert contents(tmp_path / "new") == contents(home)


@pytest.mark.usefixtures("small_pieces")
def test_a_pack_may_be_of_many_objects(tmp_path: Path) -> None:
    home, library = sealed_pair(tmp_path)
    assert len(objects_of(library)) > 5
    with service(home) as opened:
        opened.unseal(str(library), tmp_path / "new")
    assert contents(tmp_path / "new") == contents(home)


def test_without_the_git_program_the_same_comes_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from scriptorium.history import program

    home = filled(tmp_path / "home")
    wanted = contents(home)
    monkeypatch.setattr(program, "git_program", lambda: None)
    with service(home) as opened:
        opened.seal(str(tmp_path / "library"))
        opened.remember("Coffee is at nine.", topic="coffee")
        opened.seal(str(tmp_path / "library"))
        opened.unseal(str(tmp_path / "library"), tmp_path / "new")
    monkeypatch.undo()
    assert wanted != contents(home) == contents(tmp_path / "new")
    git(tmp_path / "new" / "memory", "fsck", "--strict")


def test_nothing_of_the_words_stands_in_a_library_or_its_journal(tmp_path: Path) -> None:
    home, library = sealed_pair(tmp_path)
    for folder, words in (
        (library, ("zinnober", "Lisbon", "topics/", "Berlin")),
        (home / "sealing", ("zinnober",)),
    ):
        for file in (each for each in folder.rglob("*") if each.is_file()):
            data = file.read_bytes()
            assert not [word for word in (*words, WORDS) if word.encode() in data], file


def test_what_was_erased_leaves_the_library_when_it_is_pruned(tmp_path: Path) -> None:
    home, library = sealed_pair(tmp_path)
    before = set(objects_of(library))
    with service(home) as opened:
        (line,) = opened.grep("zinnober").hits
        gone = opened.forget([f"^{line.record}"], erase=True)
        assert isinstance(gone, Forgotten)
        assert gone.erased is not None
        assert any(str(library) in each for each in gone.erased.copies)
        done = opened.seal(str(library), prune=True)
        opened.unseal(str(library), tmp_path / "new")
    assert done.removed > 0
    assert before - set(objects_of(library))
    said = git(tmp_path / "new" / "memory", "log", "-p", "--all", "--format=%B")
    assert "zinnober" not in said
    assert contents(tmp_path / "new") == contents(home)


def test_a_library_of_another_memory_and_an_older_manifest_are_refused(tmp_path: Path) -> None:
    home, library = sealed_pair(tmp_path)
    old = (library / "manifest.mcma").read_bytes()
    with service(home) as opened:
        opened.remember("Coffee is at nine.", topic="coffee")
        opened.seal(str(library))
        (library / "manifest.mcma").write_bytes(old)
        assert refusal(opened.seal, str(library)).code is Code.SEAL_BROKEN
    other = filled(tmp_path / "other")
    (other / "keys.json").write_bytes((home / "keys.json").read_bytes())
    (other / "keys.json").chmod(0o600)
    with service(other) as opened:
        assert "another memory" in refusal(opened.seal, str(library)).message


def test_of_two_sealings_at_once_one_is_refused_and_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home, library = sealed_pair(tmp_path)
    other = tmp_path / "other"
    shutil.copytree(home, other)
    made = sealing._made

    def late(*given: Any) -> Any:
        found = made(*given)
        monkeypatch.setattr(sealing, "_made", made)
        with service(other) as faster:
            faster.remember("The other one was faster.", topic="other")
            faster.seal(str(library))
        return found

    monkeypatch.setattr(sealing, "_made", late)
    with service(home) as opened:
        opened.remember("Coffee is at nine.", topic="coffee")
        assert refusal(opened.seal, str(library)).code is Code.CONCURRENT_UPDATE
        assert opened.prove(str(library)).generation == 2
        assert opened.seal(str(library)).generation == 3
        opened.unseal(str(library), tmp_path / "new")
    assert contents(tmp_path / "new") == contents(home)


def test_nothing_is_unsealed_over_what_stands_there(tmp_path: Path) -> None:
    home, library = sealed_pair(tmp_path)
    before = contents(home)
    with service(home) as opened:
        assert "not empty" in refusal(opened.unseal, str(library), home).message
        assert refusal(opened.unseal, str(tmp_path / "none"), tmp_path / "new").code is Code.MEMORY_NOT_FOUND
    assert contents(home) == before
    assert not (tmp_path / "new").exists()


@pytest.mark.parametrize(
    "name", ["hosts", "objects/hosts", "objects/ab/cd/hosts.mcma", ".hosts", "etc/hosts"]
)
def test_no_library_begins_where_something_else_lies(tmp_path: Path, name: str) -> None:
    home, library = sealed_pair(tmp_path)
    place = tmp_path / "populated"
    (place / name).parent.mkdir(parents=True)
    (place / name).write_text("mine")
    (home / "keys.json").rename(tmp_path / "keys.json")
    with service(home) as opened:
        found = refusal(opened.seal, str(place))
        assert (found.code, found.path) == (Code.INVALID_ARGUMENT, str(place))
        assert refusal(opened.copy_sealed, str(library), str(place)).message == found.message
        assert "no sealed library" in found.message
        assert not (home / "keys.json").exists()
        (tmp_path / "keys.json").rename(home / "keys.json")
        assert refusal(opened.seal, str(place)) == found
    assert [path for path in place.rglob("*") if path.is_file()] == [place / name]


def test_a_file_in_the_place_of_a_library_is_said_and_stays(tmp_path: Path) -> None:
    home, library = sealed_pair(tmp_path)
    (tmp_path / "file").write_text("mine")
    with service(home) as opened:
        assert "'file'" in refusal(opened.seal, str(tmp_path / "file")).message
        assert "'file'" in refusal(opened.copy_sealed, str(library), str(tmp_path / "file")).message
    assert (tmp_path / "file").read_text() == "mine"


def test_beside_a_library_that_is_there_anything_may_lie(tmp_path: Path) -> None:
    home, library = sealed_pair(tmp_path)
    (library / "read me.txt").write_text("mine")
    with service(home) as opened:
        opened.remember("Coffee is at nine.", topic="coffee")
        assert opened.seal(str(library)).generation == 2


def test_links_are_left_out_and_named(tmp_path: Path) -> None:
    home = filled(tmp_path / "home")
    (home / "memory" / "link").symlink_to("/etc/passwd")
    with service(home) as opened:
        done = opened.seal(str(tmp_path / "library"))
        opened.unseal(str(tmp_path / "library"), tmp_path / "new")
    assert done.passed_over == ("link",)
    assert not (tmp_path / "new" / "memory" / "link").exists()


def test_an_empty_memory_is_sealed_too(tmp_path: Path) -> None:
    with service(tmp_path / "home") as opened:
        opened.init()
        opened.seal(str(tmp_path / "library"))
        done = opened.unseal(str(tmp_path / "library"), tmp_path / "new")
    assert done.revision is None
    with service(tmp_path / "new") as opened:
        opened.remember("The first words.")


def test_a_branch_and_a_tag_of_a_person_come_along(tmp_path: Path) -> None:
    home = filled(tmp_path / "home")
    git(home / "memory", "branch", "before", "HEAD~1")
    git(
        home / "memory",
        "-c",
        "user.name=a",
        "-c",
        "user.email=a@b",
        "tag",
        "-a",
        "first",
        "-m",
        "one",
        "HEAD~1",
    )
    with service(home) as opened:
        opened.seal(str(tmp_path / "library"))
        git(home / "memory", "branch", "again", "HEAD~1")
        opened.seal(str(tmp_path / "library"))
        opened.unseal(str(tmp_path / "library"), tmp_path / "new")
    assert contents(tmp_path / "new") == contents(home)
