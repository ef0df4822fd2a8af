"""What somebody changes in a sealed library is named, each by its kind, and nothing of it is believed."""

import os
import shutil
from pathlib import Path
from typing import Any

import pytest

from scriptorium.keys import rotate
from scriptorium.sealed.proving import Proof
from scriptorium_core.problem import Code, Problem
from sealed_homes import contents, filled, objects_of, refusal, sealed_pair, small_pieces
from small_homes import service

pytestmark = [pytest.mark.sealed, pytest.mark.usefixtures("small_pieces")]
__all__ = ["small_pieces"]


def proof_of(home: Path, library: Path) -> Proof:
    with service(home) as opened:
        return opened.prove(str(library))


def only_fault(home: Path, library: Path) -> Problem:
    (fault,) = proof_of(home, library).faults
    return fault


def flipped(path: Path, place: int, bit: int = 0) -> None:
    data = bytearray(path.read_bytes())
    data[place] ^= 1 << bit
    path.write_bytes(bytes(data))


def test_a_flipped_bit_in_any_object_is_named(tmp_path: Path) -> None:
    home, library = sealed_pair(tmp_path)
    for number, path in enumerate(objects_of(library)):
        data = path.read_bytes()
        flipped(path, number * 37 % len(data), number % 8)
        fault = only_fault(home, library)
        assert (fault.code, fault.path) == (Code.SEAL_BROKEN, str(path))
        path.write_bytes(data)
    assert proof_of(home, library).holds


def test_a_flipped_bit_anywhere_in_the_manifest_is_refused(tmp_path: Path) -> None:
    home, library = sealed_pair(tmp_path)
    manifest = library / "manifest.mcma"
    data = manifest.read_bytes()
    with service(home) as opened:
        for place in range(0, len(data), max(1, len(data) // 60)):
            flipped(manifest, place, place % 8)
            assert refusal(opened.prove, str(library)).code in (Code.SEAL_BROKEN, Code.KEY_UNAVAILABLE)
            manifest.write_bytes(data)


def test_a_missing_object_is_named(tmp_path: Path) -> None:
    home, library = sealed_pair(tmp_path)
    path = objects_of(library)[1]
    path.unlink()
    fault = only_fault(home, library)
    assert fault.message.startswith("missing")
    assert fault.path == str(path)
    with service(home) as opened:
        assert refusal(opened.unseal, str(library), tmp_path / "new").path == str(path)


def test_an_object_that_is_missing_is_written_again_by_the_next_sealing(tmp_path: Path) -> None:
    home, library = sealed_pair(tmp_path)
    for number in range(len(objects_of(library))):
        objects_of(library)[number].unlink()
        with service(home) as opened:
            done = opened.seal(str(library))
            assert (done.missing, done.new_objects > 0) == (1, True)
            assert opened.seal(str(library)).missing == 0
            assert opened.prove(str(library)).holds
            opened.unseal(str(library), tmp_path / f"new {number}")
        assert contents(tmp_path / f"new {number}") == contents(home)


def test_of_a_history_only_what_is_missing_and_what_follows_it_is_written_again(tmp_path: Path) -> None:
    home, library = sealed_pair(tmp_path)
    stages = [set(objects_of(library))]
    with service(home) as opened:
        for words in ("Coffee is at nine.", "Bread is at ten."):
            opened.remember(words, topic="coffee")
            opened.seal(str(library))
            stages.append(set(objects_of(library)))
        for path in stages[-1] - stages[-2]:
            path.unlink()
        done = opened.seal(str(library))
        assert 0 < done.missing == done.new_objects < len(stages[0])
        for path in objects_of(library):
            path.unlink()
        opened.remember("Wine is at eight.", topic="wine")
        done = opened.seal(str(library), prune=True)
        assert done.new_objects == done.objects
        assert opened.prove(str(library)).holds
        opened.unseal(str(library), tmp_path / "new")
    assert contents(tmp_path / "new") == contents(home)


def test_a_library_that_cannot_be_listed_is_not_one_without_objects(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home, library = sealed_pair(tmp_path)
    before, scandir = objects_of(library), os.scandir

    def closed(path: Any = ".") -> Any:
        if "objects" in str(path):
            raise PermissionError(13, "Permission denied", str(path))
        return scandir(path)

    with service(home) as opened:
        with monkeypatch.context() as patch:
            patch.setattr(os, "scandir", closed)
            assert refusal(opened.seal, str(library)).code is Code.READ_ONLY_PATH
        assert opened.seal(str(library)).new_objects == 0
    assert objects_of(library) == before


def test_two_swapped_objects_are_both_named(tmp_path: Path) -> None:
    home, library = sealed_pair(tmp_path)
    one, two = objects_of(library)[:2]
    first, second = one.read_bytes(), two.read_bytes()
    one.write_bytes(second)
    two.write_bytes(first)
    faults = proof_of(home, library).faults
    assert {fault.path for fault in faults} == {str(one), str(two)}
    assert all(fault.message.startswith("swapped") for fault in faults)


def test_a_foreign_object_is_named_in_the_place_of_another_and_beside_them(tmp_path: Path) -> None:
    home, library = sealed_pair(tmp_path)
    with service(home) as opened:
        opened.seal(str(tmp_path / "second"))
    foreign = objects_of(tmp_path / "second")[0]
    path = objects_of(library)[0]
    data = path.read_bytes()
    path.write_bytes(foreign.read_bytes())
    assert "foreign" in only_fault(home, library).message
    path.write_bytes(data)
    place = library / foreign.relative_to(tmp_path / "second")
    place.parent.mkdir(parents=True, exist_ok=True)
    shutil.copy(foreign, place)
    fault = only_fault(home, library)
    assert ("foreign" in fault.message, fault.path) == (True, str(place))


def test_a_file_that_is_no_object_is_named(tmp_path: Path) -> None:
    home, library = sealed_pair(tmp_path)
    (library / "objects" / "note.txt").write_text("hello")
    assert "foreign file" in only_fault(home, library).message


def test_what_a_killed_sealing_left_is_no_fault(tmp_path: Path) -> None:
    home, library = sealed_pair(tmp_path)
    manifest = (library / "manifest.mcma").read_bytes()
    with service(home) as opened:
        opened.remember("Coffee is at nine.", topic="coffee")
        opened.seal(str(library))
    (library / "manifest.mcma").write_bytes(manifest)
    proof = proof_of(home, library)
    assert proof.holds
    assert len(proof.left) > 0


def test_another_key_of_the_same_version_opens_nothing(tmp_path: Path) -> None:
    home, library = sealed_pair(tmp_path)
    (home / "keys.json").unlink()
    other = filled(tmp_path / "other")
    rotate(other)
    with service(other) as opened:
        for call in (opened.prove, opened.seal):
            wrong = refusal(call, str(library))
            assert (wrong.code, "key-1 does not open it" in wrong.message) == (Code.KEY_UNAVAILABLE, True)
        refusal(opened.unseal, str(library), tmp_path / "new")
    assert not (tmp_path / "new" / "memory").exists()


def test_without_a_key_it_is_said_which_one_is_missing_and_none_is_made(tmp_path: Path) -> None:
    home, library = sealed_pair(tmp_path)
    (home / "keys.json").unlink()
    other = filled(tmp_path / "other")
    with service(other) as opened:
        assert "sealed with key-1" in refusal(opened.seal, str(library)).message
        assert "sealed with key-1" in refusal(opened.prove, str(library)).message
    assert not (other / "keys.json").exists()


def test_what_is_broken_is_not_copied(tmp_path: Path) -> None:
    home, library = sealed_pair(tmp_path)
    path = objects_of(library)[2]
    data = path.read_bytes()
    flipped(path, 40)
    with service(home) as opened:
        assert refusal(opened.copy_sealed, str(library), str(tmp_path / "copy")).path == str(path)
        assert not (tmp_path / "copy" / "manifest.mcma").exists()
        path.write_bytes(data)
        done = opened.copy_sealed(str(library), str(tmp_path / "copy"))
        assert done.new_objects < done.objects
        assert opened.prove(str(tmp_path / "copy")).holds
        again = refusal(opened.copy_sealed, str(library), str(tmp_path / "copy"))
        assert "replaces none" in again.message
        opened.unseal(str(tmp_path / "copy"), tmp_path / "new")
    assert contents(tmp_path / "new") == contents(home)


def test_something_else_in_the_place_of_a_copied_object_is_named(tmp_path: Path) -> None:
    home, library = sealed_pair(tmp_path)
    place = tmp_path / "copy" / objects_of(library)[0].relative_to(library)
    place.parent.mkdir(parents=True)
    place.write_bytes(b"half")
    with service(home) as opened:
        fault = refusal(opened.copy_sealed, str(library), str(tmp_path / "copy"))
    assert ("something else" in fault.message, fault.path) == (True, str(place))
