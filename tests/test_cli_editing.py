"""Examples of `edit`, `restore` and `undo` on the command line."""

import os
from pathlib import Path

import pytest

from cli_example import DINNER, PORTO, fresh_home, held, run, run_json


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return fresh_home(tmp_path)


def editor(folder: Path, monkeypatch: pytest.MonkeyPatch, script: str) -> None:
    """An editor that is a shell script; `$1` is the file."""
    path = folder / "editor"
    path.write_text(f"#!/bin/sh\n{script}\n")
    os.chmod(path, 0o700)
    monkeypatch.setenv("EDITOR", str(path))
    monkeypatch.delenv("VISUAL", raising=False)


def test_edit_commits_what_the_editor_left(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    editor(tmp_path, monkeypatch, 'sed -i.bak \'s/^# .*/# The trip to Porto/\' "$1"; rm -f "$1.bak"')
    ran = run("--home", home, "edit", "trips/porto")
    assert ran.code == 0, ran.err
    assert (home / "memory" / PORTO).read_text("utf-8").startswith("# The trip to Porto")


def test_edit_keeps_and_names_a_draft_that_is_rejected(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    editor(tmp_path, monkeypatch, "printf '\\nNo evidence.\\n\\nNor here.\\n' >> \"$1\"")
    before = held(home)
    answer = run_json("--home", home, "edit", PORTO)
    assert [problem["code"] for problem in answer["error"]["problems"]] == [
        "INVALID_TOPIC_FORMAT",
        "INVALID_TOPIC_FORMAT",
        "DRAFT_IN_THE_WAY",
    ]
    draft = Path(answer["error"]["problems"][-1]["path"])
    assert "Nor here." in draft.read_text("utf-8")
    assert held(home) == before
    again = run("--home", home, "edit", PORTO)
    assert "taken up" in again.err
    fresh = run("--home", home, "edit", PORTO, "--fresh")
    assert "is now in" in fresh.err


def test_edit_deletes_records_only_when_it_is_told_to(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    editor(tmp_path, monkeypatch, ': > "$1"')
    assert run("--home", home, "edit", PORTO).code == 3
    answer = run_json("--home", home, "edit", PORTO, "--delete")
    assert DINNER in answer["report"]["deleted"]


def test_an_editor_that_fails_changes_nothing(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    editor(tmp_path, monkeypatch, "exit 3")
    ran = run("--home", home, "edit", PORTO)
    assert ran.code == 2
    assert "$EDITOR" in ran.err


def test_what_was_deleted_comes_back(home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = (home / "memory" / PORTO).read_text("utf-8")
    editor(tmp_path, monkeypatch, ': > "$1"')
    run("--home", home, "edit", PORTO, "--delete")
    assert run("--home", home, "restore", PORTO, "--from", "HEAD~1").code == 0
    assert (home / "memory" / PORTO).read_text("utf-8") == before


def test_undo_takes_a_commit_back_and_says_what_it_deleted(home: Path) -> None:
    ran = run("--home", home, "undo", "HEAD")
    assert ran.code == 0, ran.err
    assert "committed" in ran.out


@pytest.mark.parametrize("command", [["undo", ""], ["restore", f"^{DINNER}", "--from", " "]])
def test_a_revision_that_was_forgotten_is_not_taken_for_the_newest(command: list[str], home: Path) -> None:
    before = run_json("--home", home, "status")["revision"]
    assert run("--home", home, *command).code == 2
    assert run_json("--home", home, "status")["revision"] == before


def test_a_revision_that_is_not_there_is_named(home: Path) -> None:
    assert run("--home", home, "restore", f"^{DINNER}", "--from", "HEAD~99").code == 4
