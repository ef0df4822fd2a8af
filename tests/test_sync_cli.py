"""`scriptorium sync` as a person types it, and as a program reads it."""

import re
import shlex
from pathlib import Path

import pytest

from cli_example import PORTO, Ran, fresh_home, refused, run, run_json
from sync_homes import git


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return fresh_home(tmp_path)


def at(home: Path, *words: str) -> Ran:
    return run(*words, "--home", home)


def test_two_homes_meet_and_say_what_they_did(home: Path, tmp_path: Path) -> None:
    remote = str(tmp_path / "shared" / "memory.git")
    done = at(home, "sync", remote, "--init")
    assert (done.code, "what is new here was given to it" in done.out) == (0, True), done
    other = tmp_path / "other"
    assert "taken in" in at(other, "sync", remote).out
    assert PORTO in at(other, "topics").out
    at(other, "remember", "Tea is at six.", "--topic", "tea")
    at(home, "remember", "The gate is green.", "--topic", "house")
    assert "given to it" in at(other, "sync", remote).out
    shown = at(home, "sync", remote, "--dry-run").out
    assert "both sides would be united" in shown
    assert "1 message archived" in shown
    found = run_json("sync", remote, "--home", home)
    assert (found["did"], found["pushed"], len(found["created"])) == ("united", True, 1)
    assert "nothing new on either side" in at(home, "sync", remote).out
    assert git(Path(remote), "rev-parse", "main") == found["revision"]


def test_two_texts_of_one_record_are_named(home: Path, tmp_path: Path) -> None:
    remote, other = str(tmp_path / "memory.git"), tmp_path / "other"
    at(home, "sync", remote, "--init")
    at(other, "sync", remote)
    for place, word in ((home, "first"), (other, "second")):
        topic = place / "memory" / PORTO
        lines = topic.read_text().split("\n")
        line = next(n for n, text in enumerate(lines) if text.endswith("]") is False and "[^e-" in text)
        lines[line] = f"In the {word} place: {lines[line]}"
        topic.write_text("\n".join(lines))
        assert at(place, "adopt").code == 0
    at(home, "sync", remote)
    told = at(other, "sync", remote).out
    assert "two texts of one record" in told
    block = told.split("two texts of one record: ^")[1].split(" ")[0]
    assert "written in another copy at the same time" in at(other, "show", f"^{block}").out


def test_a_setting_names_the_copy_and_without_one_that_is_said(home: Path, tmp_path: Path) -> None:
    refused(home, "INVALID_ARGUMENT", "remote", lambda: at(home, "sync"))
    (home / "settings.toml").write_text(f'remote = "{tmp_path / "copy.git"}"\n')
    assert at(home, "sync", "--init").code == 0


def test_where_no_repository_is_the_remedy_makes_one(home: Path, tmp_path: Path) -> None:
    place = tmp_path / "my copies" / "memory.git"
    (problem,) = run_json("sync", str(place), "--home", home)["error"]["problems"]
    assert problem["message"] == "there is no git repository"
    (command,) = re.findall("`scriptorium ([^`]+)`", problem["remedy"])
    assert run(*shlex.split(command)).code == 0
    assert at(home, "sync", str(place)).code == 0


def test_after_an_erasure_the_remedy_puts_the_cleaned_history_in_its_place(
    home: Path, tmp_path: Path
) -> None:
    remote = str(tmp_path / "memory.git")
    at(home, "remember", "The gate code is 4711.", "--topic", "house")
    at(home, "sync", remote, "--init")
    (hit,) = run_json("search", "gate code", "--limit", "1", "--home", home)["hits"]
    assert at(home, "forget", f"^{hit['id']}", "--erase", "--yes").code == 0
    (problem,) = run_json("sync", remote, "--home", home)["error"]["problems"]
    (command,) = re.findall("`scriptorium ([^`]+)`", problem["remedy"])
    done = run(*shlex.split(command))
    assert (done.code, "its history was replaced by this one" in done.out) == (0, True), done
    assert "4711" not in git(Path(remote), "log", "-p", "main")
    assert "nothing new on either side" in at(home, "sync", remote).out


@pytest.mark.parametrize("options", [(), ("--init",)])
def test_no_repository_is_made_of_what_is_there_already(
    home: Path, tmp_path: Path, options: tuple[str, ...]
) -> None:
    (tmp_path / "photos").mkdir()
    (tmp_path / "photos" / "sea").write_text("mine")
    for name, kind in (("photos", "a folder with other things in it"), ("photos/sea", "a file")):
        (problem,) = run_json("sync", str(tmp_path / name), *options, "--home", home)["error"]["problems"]
        assert problem["message"] == f"{kind} is there, and no git repository"
        assert "in a new folder" in problem["remedy"]
    assert [path.name for path in (tmp_path / "photos").iterdir()] == ["sea"]
    assert (tmp_path / "photos" / "sea").read_text() == "mine"


def test_what_is_refused_ends_with_a_code_and_changes_nothing(home: Path, tmp_path: Path) -> None:
    for address, code in (
        ("http://example.org/m.git", "INVALID_ARGUMENT"),
        (str(tmp_path / "nowhere"), "GIT_UNAVAILABLE"),
    ):
        refused(home, code, address, lambda address=address: at(home, "sync", address))  # type: ignore[misc]
