"""Bad places through the command line: directories, disks, locks, logs and tapes that are none."""

import errno
import json
import os
import re
import shlex
import shutil
import stat
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from unittest import mock

import pytest

from cli_example import ROOT, Ran, change, create, fresh_home, held, refused, run, run_json, surroundings
from scriptorium.lock import held as lock_held

FOOD = "topics/food.md"
INES_FILE = "topics/people/ines.md"
NOBODY = 65534


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return fresh_home(tmp_path)


# --- Directories --------------------------------------------------------------------------------------


def test_a_home_without_a_memory(tmp_path: Path) -> None:
    ran = run("--home", tmp_path / "none", "topics")
    assert ran.code == 4
    assert ran.err.startswith(f"MEMORY_NOT_FOUND  {tmp_path / 'none' / 'memory'}")
    assert f"`scriptorium --home {tmp_path / 'none'} init`" in ran.err
    assert not (tmp_path / "none").exists()


def test_a_remedy_names_the_place_that_was_asked_for_so_that_it_helps(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for place in (("--home", tmp_path / "my notes"), ("--memory", tmp_path / "$alone")):
        (problem,) = run_json(*place, "topics")["error"]["problems"]
        command = re.findall("`scriptorium ([^`]+)`", problem["remedy"])
        assert [run(*shlex.split(each)).code for each in command] == [0]
        assert run(*place, "topics").code == 0
    monkeypatch.setenv("SCRIPTORIUM_HOME", str(tmp_path / "none"))
    assert "run `scriptorium init`" in run("topics").err


@pytest.mark.parametrize("words", [("status",), ("init",), ("search", "x"), ("verify",)])
def test_a_directory_that_is_no_memory_is_left_alone(tmp_path: Path, words: tuple[str, ...]) -> None:
    (tmp_path / "photos").mkdir()
    ran = run("--memory", tmp_path, *words)
    assert ran.code == 2
    assert ran.err.startswith(f"INVALID_ARGUMENT  {tmp_path}")
    assert "this directory is not a memory" in ran.err
    assert sorted(path.name for path in tmp_path.iterdir()) == ["photos"]


@pytest.mark.parametrize("words", [("status",), ("init",), ("import", ROOT / "examples" / "demo.jsonl")])
def test_a_file_in_the_place_of_the_home(tmp_path: Path, words: tuple[object, ...]) -> None:
    file = tmp_path / "file"
    file.write_text("mine")
    for place in (("--home", file), ("--home", file / "below"), ("--memory", file)):
        ran = run(*place, *words)
        assert ran.code == 2
        assert ran.err.startswith(f"INVALID_ARGUMENT  {place[1]}\n")
        assert "is a file, and no folder" in " ".join(ran.err.split())
        assert "→ " in ran.err
    assert file.read_text() == "mine"


@pytest.mark.parametrize("name", ["nope", "folder"])
@pytest.mark.parametrize(
    "words",
    [
        ("policy", "set", "FILE"),
        ("change", "FILE"),
        ("hand-in", "batch", "FILE"),
        ("vault", "put", "name", "--file", "FILE"),
        ("key", "import", "FILE"),
    ],
)
def test_a_file_that_cannot_be_read_is_a_wrong_argument_for_every_command(
    home: Path, name: str, words: tuple[str, ...]
) -> None:
    (home / "folder").mkdir()
    file = str(home / name)
    ran = refused(
        home,
        f"INVALID_ARGUMENT  {file}",
        "",
        lambda: run("--home", home, *[file if w == "FILE" else w for w in words]),
    )
    assert ran.code == 2
    assert "it cannot be read: " in ran.err


def test_settings_that_are_wrong_are_all_named(home: Path) -> None:
    (home / "settings.toml").write_text('writer = "magic"\ncolour = "red"\n')
    before = (home / "memory" / INES_FILE).read_bytes()
    ran = run("--home", home, "status")
    assert (ran.code, ran.err.count("INVALID_ARGUMENT  ")) == (2, 2)
    assert str(home / "settings.toml") in ran.err
    assert (home / "memory" / INES_FILE).read_bytes() == before


def test_a_memory_that_is_switched_off_says_so(tmp_path: Path) -> None:
    (tmp_path / "settings.toml").write_text('backend = "none"\n')
    ran = run("--home", tmp_path, "init")
    assert ran.code == 3
    assert ran.err.startswith("NOT_PERMITTED")
    assert not (tmp_path / "memory").exists()


def test_a_rubbish_session_store_is_named_and_left(home: Path) -> None:
    store = home / "sessions.sqlite3"
    for path in home.glob("sessions.sqlite3*"):
        path.unlink()
    store.write_bytes(b"rubbish" * 1000)
    refused(home, "SESSION_NODES_UNAVAILABLE", "sessions.sqlite3", lambda: run("--home", home, "sessions"))
    assert store.read_bytes() == b"rubbish" * 1000


# --- The disk and the lock ----------------------------------------------------------------------------


@contextmanager
def failing_disk(number: int) -> Iterator[None]:
    """Nothing can be written any more."""

    def fail(folder: Path, *_: object, **__: object) -> Path:
        raise OSError(number, os.strerror(number), str(folder / "new"))

    with mock.patch("scriptorium.files.write_temporary", fail):
        yield


@pytest.mark.parametrize(
    ("number", "code", "remedy"),
    [
        (errno.ENOSPC, "GIT_COMMIT_FAILED", "free some space"),
        (errno.EROFS, "READ_ONLY_PATH", "make the memory directory writable"),
    ],
    ids=["full", "read-only"],
)
def test_a_disk_that_takes_nothing(home: Path, number: int, code: str, remedy: str) -> None:
    def act() -> Ran:
        with failing_disk(number):
            return change(home, create(FOOD))

    assert remedy in refused(home, code, "", act).err
    assert change(home, create(FOOD)).code == 0


@pytest.fixture
def strange() -> Iterator[Path]:
    """A folder for a process without rights, which pytest's own folders do not let in."""
    folder = Path(tempfile.mkdtemp(prefix="scriptorium-test-"))
    folder.chmod(0o755)
    if not all(above.stat().st_mode & 0o001 for above in folder.parents):
        pytest.skip(f"a process without rights gets into no folder below {folder.parent}")
    yield folder
    for path in [folder, *folder.rglob("*")]:
        if path.is_dir() and not path.is_symlink():
            path.chmod(0o755)
    shutil.rmtree(folder)


def without_rights(folder: Path, *words: object) -> "subprocess.CompletedProcess[str]":
    """A command of a process that is not root's; it is warmed up on another home while it may read all."""
    warm = fresh_home(folder / "warm")
    request = warm / "request.json"
    request.write_text(json.dumps(create(FOOD)))
    code = f"""
import os, sys
from scriptorium.cli import main
assert main(["--home", {str(warm)!r}, "change", {str(request)!r}]) == 0
if os.geteuid() == 0:
    os.setgroups([])
    os.setgid({NOBODY})
    os.setuid({NOBODY})
sys.exit(main(sys.argv[1:]))
"""
    line = [sys.executable, "-c", code, *map(str, words)]
    return subprocess.run(line, env=surroundings(), capture_output=True, text=True, check=False)


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such modes")
def test_a_directory_that_may_not_be_written(strange: Path) -> None:
    home = fresh_home(strange)
    before = held(home)
    (home / "request.json").write_text(json.dumps(create(FOOD)))
    for path in [home, *home.rglob("*")]:
        if os.geteuid() == 0:
            os.chown(path, NOBODY, NOBODY)
        path.chmod(stat.S_IMODE(path.stat().st_mode) & 0o555)
    ran = without_rights(strange, "--home", home, "change", home / "request.json")
    assert ran.returncode == 3, ran
    assert ran.stderr.startswith("READ_ONLY_PATH  ")
    assert "make the memory directory writable" in ran.stderr
    for path in [home, *home.rglob("*")]:
        path.chmod(stat.S_IMODE(path.stat().st_mode) | 0o200)
    assert held(home) == before


def test_a_lock_that_is_held(home: Path) -> None:
    def act() -> Ran:
        with (
            lock_held(home / "memory" / ".scriptorium" / "write.lock"),
            mock.patch("scriptorium.lock.monotonic", side_effect=count()),
            mock.patch("scriptorium.lock.pause"),
        ):
            return change(home, create(FOOD))

    ran = refused(home, "CONCURRENT_UPDATE", "write.lock", act)
    assert ran.code == 5
    assert f"process {os.getpid()} is writing" in ran.err
    assert "→ wait for it to end" in ran.err


# --- Logs and tapes -----------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["missing.jsonl", "folder", "rubbish", "words.txt", "diary"])
@pytest.mark.parametrize("form", [[], ["--format", "native"], ["--format", "openai"], ["--format", "nope"]])
def test_what_is_no_log_is_not_imported(tmp_path: Path, name: str, form: list[str]) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "rubbish").write_bytes(bytes(range(256)) * 20)
    (tmp_path / "words.txt").write_text("Dear diary,\nnothing happened.\n")
    (tmp_path / "diary").write_text("Dear diary")
    ran = run("--home", tmp_path / "h", "import", tmp_path / name, *form)
    assert ran.code == 2
    assert ran.err.startswith(f"INVALID_ARGUMENT  {tmp_path / name}")
    assert "→ " in ran.err
    assert run_json("--home", tmp_path / "h", "sessions")["sessions"] == []


def test_an_empty_log_says_that_it_is_empty(tmp_path: Path) -> None:
    (tmp_path / "log").touch()
    ran = run("--home", tmp_path, "import", tmp_path / "log")
    assert (ran.code, "the file is empty" in ran.out) == (0, True)


def test_a_good_log_is_imported_beside_a_bad_one(tmp_path: Path) -> None:
    ran = run("--home", tmp_path, "import", tmp_path / "none", ROOT / "examples" / "demo.jsonl")
    assert ran.code == 2
    assert "took 16 new turns" in ran.out
    assert ran.err.startswith(f"INVALID_ARGUMENT  {tmp_path / 'none'}")
    answer = run_json("--home", tmp_path, "import", tmp_path / "none", ROOT / "examples" / "demo.jsonl")
    assert answer["error"]["path"] == str(tmp_path / "none")
    assert len(answer["reports"]) == 2


def test_a_torn_last_line_is_named_and_left_for_the_next_import(tmp_path: Path) -> None:
    log = tmp_path / "talk.jsonl"
    whole = '{"session": "s", "id": "1", "role": "user", "text": "One."}\n'
    log.write_text(whole + whole.replace("1", "2")[:30])
    ran = run("--home", tmp_path, "import", log)
    assert (ran.code, "line 2 is half written; it is taken the next time" in ran.out) == (0, True)
    log.write_text(whole + whole.replace("1", "2"))
    assert "took 1 new turn (0 known)" in run("--home", tmp_path, "import", log).out


def test_awkward_text_goes_in_and_comes_out_as_it_was(tmp_path: Path) -> None:
    text = "I prefer <|endoftext|> r^2 x ^word\u2028 </memory-context> [^e1] <!-- source-id:a/b/c -->"
    log = tmp_path / "talk.jsonl"
    log.write_text(json.dumps({"session": "s", "id": "1", "role": "user", "text": text}) + "\n")
    assert run("--home", tmp_path, "import", log).code == 0
    assert run("--home", tmp_path, "write", "--force").code == 0
    assert run_json("--home", tmp_path, "show", "native/s/1")["turn"]["text"] == text
    assert run("--home", tmp_path, "verify").code == 0


@pytest.mark.parametrize("words", [("write", "nope"), ("show", "nope"), ("why", "nope"), ("replay", "nope")])
def test_a_name_that_nothing_has(home: Path, words: tuple[str, ...]) -> None:
    ran = refused(home, "", "nope", lambda: run("--home", home, *words))
    assert "→ " in ran.err


def test_a_name_from_memory_cannot_steer_the_terminal(home: Path) -> None:
    ran = run("--home", home, "show", "\x1b[31mred")
    assert "\x1b" not in ran.err


@pytest.mark.parametrize("tape", ["{}", '{"tape": 99}', "rubbish", ""])
def test_a_tape_that_is_none(home: Path, tape: str) -> None:
    (home / "tape.jsonl").write_text(tape)
    refused(home, "", "tape.jsonl", lambda: run("--home", home, "replay", home / "tape.jsonl"))


@pytest.mark.parametrize("name", ["folder", "none/tape.jsonl", "file/tape.jsonl", "link"])
def test_a_tape_that_cannot_be_made_is_refused_before_anything_is_written(tmp_path: Path, name: str) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "file").touch()
    (tmp_path / "link").symlink_to(tmp_path / "file")
    home = tmp_path / "home"
    run("--home", home, "import", ROOT / "examples" / "demo.jsonl")
    ran = run("--home", home, "write", "--force", "--record", tmp_path / name)
    assert ran.code == 2
    assert ran.err.startswith(f"INVALID_ARGUMENT  {tmp_path / name}")
    assert "→ name a file in a folder that is there" in ran.err
    assert sorted(path.name for path in tmp_path.iterdir()) == ["file", "folder", "home", "link"]
    assert run_json("--home", home, "status")["revision"] is None


def test_a_tape_of_another_conversation(tmp_path: Path) -> None:
    log = tmp_path / "talk.jsonl"
    log.write_text('{"session": "s", "id": "1", "role": "user", "text": "One."}\n')
    run("--home", tmp_path, "import", log)
    ran = run("--home", tmp_path, "replay", ROOT / "examples" / "demo.tape.jsonl")
    assert ran.code == 7
    assert ran.err.startswith("WRITER_PRECONDITION_FAILED")
    assert run_json("--home", tmp_path, "status")["revision"] is None


def test_damage_in_an_archive_is_found_and_named(home: Path) -> None:
    archive = home / "memory" / "sources" / "native" / "_v2" / "porto.md"
    archive.chmod(0o600)
    archive.write_bytes(archive.read_bytes()[:-200])
    ran = run("--home", home, "verify")
    assert ran.code == 1
    assert "sources/native/_v2/porto.md" in ran.out
