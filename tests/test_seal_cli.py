"""`seal`, `unseal`, `verify LOCATION`, `copy` and `key` as a person types them, and for a program."""

import shutil
from pathlib import Path

import pytest

from cli_example import Ran, fresh_home, held, run, run_json
from scriptorium.service import Service

pytestmark = pytest.mark.sealed


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return fresh_home(tmp_path)


def at(home: Path, *words: object) -> Ran:
    return run("--home", home, *words)


def code_of(home: Path, *words: object) -> str:
    """The code with which a command is refused."""
    return str(run_json("--home", home, *words)["error"]["code"])


def words_in(tmp_path: Path, words: str = "blue door, six o'clock") -> Path:
    file = tmp_path / "words.txt"
    file.write_text(f"{words}\n")
    return file


def test_a_memory_is_sealed_verified_copied_and_unsealed(home: Path, tmp_path: Path) -> None:
    library, copy = tmp_path / "library", tmp_path / "copy"
    first = at(home, "seal", library)
    assert first.code == 0, first
    assert "a key was made" in first.out
    assert "key export" in first.out
    assert "nothing new" in at(home, "seal", library).out
    assert "nothing is broken" in at(home, "verify", library).out
    assert at(home, "copy", library, copy).code == 0
    assert at(home, "verify", copy).code == 0
    done = at(home, "unseal", copy, tmp_path / "new")
    assert done.code == 0, done
    assert held(tmp_path / "new") == held(home)
    assert at(tmp_path / "new", "log").out == at(home, "log").out
    assert at(tmp_path / "new", "sessions").out == at(home, "sessions").out
    assert at(tmp_path / "new", "verify").code == 0


def test_a_home_and_a_library_may_be_named_from_where_one_stands(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    here = home.relative_to(tmp_path) if home != tmp_path else Path()
    assert at(here, "seal", "library").code == 0
    assert at(here, "unseal", "library", "new").code == 0
    assert held(tmp_path / "new") == held(home)


def test_a_flipped_byte_is_named_with_exit_code_one(home: Path, tmp_path: Path) -> None:
    library = tmp_path / "library"
    at(home, "seal", library)
    path = min((library / "objects").rglob("*.mcma"))
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    path.write_bytes(data)
    ran = at(home, "verify", library)
    assert (ran.code, str(path) in ran.out, "SEAL_BROKEN" in ran.out) == (1, True, True)
    found = run_json("--home", home, "verify", library)
    assert (found["error"]["code"], found["holds"]) == ("SEAL_BROKEN", False)
    assert code_of(home, "unseal", library, tmp_path / "new") == "SEAL_BROKEN"


def test_each_size_says_whether_it_is_of_what_is_stored_or_of_what_it_holds(
    home: Path, tmp_path: Path
) -> None:
    library, copy = tmp_path / "library", tmp_path / "copy"
    at(home, "seal", library)
    stored = sum(path.stat().st_size for path in library.rglob("*.mcma"))
    ran = at(home, "copy", library, copy)
    assert f"{stored / 1024:,.0f} KiB in all as stored" in ran.out
    held_in_all = f"{run_json('--home', home, 'verify', library)['bytes'] / 1024:,.0f} KiB unpacked"
    assert held_in_all in at(home, "verify", copy).out
    assert held_in_all in at(home, "seal", tmp_path / "again").out
    assert held_in_all in at(home, "unseal", copy, tmp_path / "new").out


def test_that_objects_were_missing_is_said_by_the_sealing_that_writes_them_again(
    home: Path, tmp_path: Path
) -> None:
    library = tmp_path / "library"
    at(home, "seal", library)
    min((library / "objects").rglob("*.mcma")).unlink()
    ran = at(home, "verify", library)
    assert (ran.code, "seal again" in ran.out) == (1, True)
    ran = at(home, "seal", library)
    assert (ran.code, "1 object was missing" in ran.out, "nothing new" in ran.out) == (0, True, False)
    assert at(home, "verify", library).code == 0
    assert "was missing" not in at(home, "seal", library).out


def test_keys_go_to_another_computer_under_a_passphrase(home: Path, tmp_path: Path) -> None:
    library, file, new = tmp_path / "library", tmp_path / "keys.txt", tmp_path / "new"
    at(home, "seal", library)
    shutil.move(home / "keys.json", tmp_path / "away.json")
    assert code_of(home, "unseal", library, new) == "KEY_UNAVAILABLE"
    shutil.move(tmp_path / "away.json", home / "keys.json")
    words = words_in(tmp_path)
    assert at(home, "key", "export", file, "--passphrase-file", words).code == 0
    assert code_of(home, "key", "export", file, "--passphrase-file", words) == "INVALID_ARGUMENT"
    assert file.stat().st_mode & 0o777 == 0o600
    wrong = words_in(tmp_path, "another")
    wanted = "KEY_UNAVAILABLE"
    assert code_of(new, "key", "import", file, "--passphrase-file", wrong) == wanted
    assert at(new, "key", "import", file, "--passphrase-file", words_in(tmp_path)).code == 0
    assert at(new, "unseal", library, new).code == 0
    assert held(new) == held(home)


def test_a_library_is_opened_from_any_home_of_this_computer(home: Path, tmp_path: Path) -> None:
    library, other = tmp_path / "library", tmp_path / "other"
    at(home, "seal", library)
    with Service(other) as made:
        made.remember("Tea is at six.")
    at(other, "seal", tmp_path / "of the other")
    assert (home / "keys.json").read_text() != (other / "keys.json").read_text()
    assert at(other, "verify", library).code == 0
    assert at(other, "unseal", library, tmp_path / "new").code == 0
    assert held(tmp_path / "new") == held(home)
    assert not (tmp_path / "new" / "keys.json").exists()
    (home / "keys.json").unlink()
    assert code_of(other, "verify", library) == "KEY_UNAVAILABLE"


def test_where_keys_stand_that_is_not_noted_is_said(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "data").write_text("no folder")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    ran = at(home, "seal", tmp_path / "library")
    assert (ran.code, "name this home to open it again" in ran.out) == (0, True)
    assert at(home, "unseal", tmp_path / "library", tmp_path / "new").code == 0


@pytest.mark.parametrize("text", ["", "[]", '{"keys": 1}', '{"keys": {"lib_x": 1}}', "\xff"])
def test_a_note_that_is_damaged_notes_nothing_and_is_written_anew(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str
) -> None:
    monkeypatch.setenv("SCRIPTORIUM_HOME", str(tmp_path / "mine"))
    (tmp_path / "mine").mkdir()
    note = tmp_path / "mine" / "libraries.json"
    note.write_bytes(text.encode("latin-1"))
    at(home, "seal", tmp_path / "library")
    assert note.stat().st_mode & 0o777 == 0o600
    assert at(tmp_path / "none", "verify", tmp_path / "library").code == 0
    note.write_bytes(text.encode("latin-1"))
    assert code_of(tmp_path / "none", "verify", tmp_path / "library") == "KEY_UNAVAILABLE"


def test_keys_are_listed_and_rotated_and_never_shown(home: Path, tmp_path: Path) -> None:
    assert "no key yet" in at(home, "key", "list").out
    at(home, "seal", tmp_path / "library")
    assert "key-2" in at(home, "key", "rotate").out
    shown = at(home, "key", "list").out
    assert shown.split() == ["key-1", "key-2"]
    again = run_json("--home", home, "seal", tmp_path / "library", "--again", "--prune")
    assert (again["key_version"], again["removed"] > 0) == ("key-2", True)
    secrets = (home / "keys.json").read_text()
    for said in (shown, str(again), str(run_json("--home", home, "key", "list"))):
        assert not any(word in said for word in secrets.split('"') if len(word) == 43)


def test_an_empty_passphrase_is_refused(home: Path, tmp_path: Path) -> None:
    at(home, "seal", tmp_path / "library")
    file, words = tmp_path / "keys.txt", words_in(tmp_path, "")
    assert code_of(home, "key", "export", file, "--passphrase-file", words) == "INVALID_ARGUMENT"
    assert not file.exists()


def test_the_way_of_the_library(home: Path, tmp_path: Path) -> None:
    from scriptorium import Memory

    with Memory.open(home / "memory") as memory:
        done = memory.seal(tmp_path / "library")
        memory.copy_sealed(tmp_path / "library", tmp_path / "copy")
        assert memory.verify_sealed(tmp_path / "copy").holds
        revision = memory.revision
    (tmp_path / "new").mkdir()
    shutil.copy2(home / "keys.json", tmp_path / "new" / "keys.json")
    there = Memory.unseal(tmp_path / "copy", tmp_path / "new")
    assert (there.revision, there.library) == (revision, done.library)
    with Memory.open(tmp_path / "new" / "memory", make=False) as memory:
        assert memory.verify().holds


def test_nobody_but_the_owner_seals_or_unseals(home: Path, tmp_path: Path) -> None:
    from scriptorium.refused import Refused
    from scriptorium.service import Service
    from scriptorium_core.policy import Actor

    place = str(tmp_path / "library")
    with Service(home, actor=Actor("agent")) as service:
        for call in (
            lambda: service.seal(place),
            lambda: service.unseal(place, tmp_path / "new"),
            lambda: service.prove(place),
            lambda: service.copy_sealed(place, f"{place}-2"),
        ):
            with pytest.raises(Refused, match="NOT_PERMITTED"):
                call()
    assert not (home / "keys.json").exists()
