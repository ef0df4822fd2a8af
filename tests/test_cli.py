"""The command line: what each command answers to a person and to a program."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from unittest import mock

import pytest

from cli_example import (
    DINNER,
    HOTEL,
    INES,
    PORTO,
    child,
    fresh_home,
    held,
    in_a_process,
    run,
    run_json,
    surroundings,
)
from scriptorium.cli import cli
from scriptorium.cli.endings import MEANINGS

COMMANDS = tuple(cli.list_commands(mock.Mock()))
HEAVY = "cattrs dulwich sqlite3 tantivy toktok".split()

READING = [
    ("status",),
    ("verify",),
    ("sessions",),
    ("search", "dinner"),
    ("search", "zzzz"),
    ("show", f"^{DINNER}"),
    ("show", PORTO),
    ("show", "native/porto/m7"),
    ("why", HOTEL),
    ("topics",),
    ("core",),
    ("timeline",),
    ("timeline", "2026-03"),
    ("recent",),
    ("relations",),
    ("relations", PORTO),
    ("relations", INES),
    ("log",),
    ("write",),
    ("adopt",),
    ("init",),
]


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return fresh_home(tmp_path)


# --- All commands ------------------------------------------------------------------------------------


def test_how_many_is_said_by_the_same_letter_everywhere() -> None:
    context = mock.Mock()
    options = [
        (name, option.opts)
        for name in COMMANDS
        if (found := cli.get_command(context, name)) is not None
        for option in found.params
        if "--limit" in option.opts
    ]
    assert "review" in {name for name, _ in options}
    assert [name for name, letters in options if "-n" not in letters] == []


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_help_and_the_shared_options(name: str) -> None:
    ran = run(name, "--help")
    assert ran.code == 0
    for words in (f"Usage: scriptorium {name}", "--home", "--memory", "--json", "--clock"):
        assert words in ran.out


def test_help_lists_every_command_and_every_exit_code() -> None:
    text = run("--help").out
    assert all(f"\n  {name} " in text for name in COMMANDS)
    assert all(f"\n  {code} " in text for code in MEANINGS)


def test_help_loads_nothing_that_it_does_not_need() -> None:
    code = f"""
import sys
from scriptorium.cli import main
for words in {[["--help"], *([name, "--help"] for name in COMMANDS)]!r}:
    assert main(words) == 0
heavy = {HEAVY!r}
found = [name for name in sys.modules if name.split(".")[0] in heavy or ".service" in name]
print(found, file=sys.stderr)
"""
    done = subprocess.run(
        [sys.executable, "-c", code], env=surroundings(), capture_output=True, text=True, check=True
    )
    assert done.stderr.strip() == "[]"


@pytest.mark.parametrize("words", READING, ids=" ".join)
def test_every_answer_is_one_json_object_for_a_program(home: Path, words: tuple[str, ...]) -> None:
    assert run_json("--home", home, *words)["ok"] is True


@pytest.mark.parametrize("words", READING, ids=" ".join)
def test_every_answer_is_text_for_a_person_and_changes_nothing(home: Path, words: tuple[str, ...]) -> None:
    before = held(home)
    ran = run("--home", home, *words)
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.strip()
    assert held(home) == before


@pytest.mark.parametrize(
    "words", [("show", "nope"), ("show",), ("timeline", "x"), ("nope",), ("show", "--nope")]
)
def test_every_error_is_one_json_object_with_code_message_path_and_problems(
    home: Path, words: tuple[str, ...]
) -> None:
    error = run_json("--home", home, *words)["error"]
    assert set(error) == {"code", "message", "path", "problems"}
    assert {key: error["problems"][0][key] for key in ("code", "message", "path")} == {
        key: error[key] for key in ("code", "message", "path")
    }


def test_the_shared_options_stand_before_or_after_the_name(home: Path) -> None:
    before, after = run("--home", home, "--json", "topics"), run("topics", "--json", "--home", home)
    assert before == after
    assert before.json["ok"]


def test_the_home_comes_from_the_environment(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SCRIPTORIUM_HOME", str(home))
    assert run_json("status")["records"] == 10


def test_a_memory_directory_may_be_named_by_itself(home: Path) -> None:
    answer = run_json("--memory", home / "memory", "status")
    assert (answer["records"], answer["sessions"]) == (10, 1)


def test_what_belongs_to_a_memory_directory_lies_around_it_unless_a_home_is_named(
    home: Path, tmp_path: Path
) -> None:
    other, named = tmp_path / "other", ("--memory", home / "memory")
    assert run_json(*named, "token", "create", "--actor", "agent")["ok"] is True
    assert (home / "credentials.json").is_file()
    assert run_json(*named, "--home", other, "status")["sessions"] == 0
    assert run_json(*named, "--home", other, "token", "list")["tokens"] == []
    assert "are those of its folder, unless --home names another" in " ".join(run("--help").out.split())


def test_a_reader_that_leaves_early_does_no_harm(home: Path) -> None:
    command = " ".join([*child("--home", home, "timeline", "2026"), "2>&1 | head -1; exit ${PIPESTATUS[0]}"])
    done = subprocess.run(
        ["bash", "-c", command], env=surroundings(), capture_output=True, text=True, check=False
    )
    assert done.returncode == 0
    assert len(done.stdout.splitlines()) == 1


def test_a_terminal_that_cannot_show_a_character_gets_a_question_mark(home: Path) -> None:
    plain = dict(surroundings()) | {"PYTHONIOENCODING": "ascii"}
    shown = in_a_process("--home", home, "show", PORTO, env=plain)
    assert (shown.code, shown.err) == (0, "")
    assert "Pens?o Flor" in shown.out
    told = in_a_process("--home", home, "show", PORTO, "--json", env=plain)
    assert "Pensão Flor" in json.loads(told.out)["text"]


@pytest.mark.skipif(sys.platform != "linux", reason="other systems have no such names")
def test_where_the_path_of_a_memory_is_no_text_that_is_what_is_said(tmp_path: Path) -> None:
    odd = tmp_path / os.fsdecode(b"caf\xe9")
    ran = run("--home", odd, "remember", "Oats.")
    assert ran.code == 0
    assert "names that are UTF-8" in run("--home", odd, "search", "Oats.").err


@pytest.mark.skipif(sys.platform != "linux", reason="names are UTF-8 there whatever the locale says")
def test_a_locale_that_cannot_hold_the_names_of_a_memory_is_refused(home: Path) -> None:
    before = held(home)
    narrow = {**surroundings(), "LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    for words in (
        ("remember", "Ärger"),
        ("remember", "Oats.", "--ask", "Wäre?"),
        ("search", "Ines"),
        ("status",),
    ):
        ran = in_a_process("--home", home, *words, env=narrow)
        assert (ran.code, ran.out) == (2, "")
        assert ran.err.startswith("INVALID_ARGUMENT  locale\n")
        assert "PYTHONUTF8=1" in ran.err
    called = in_a_process("--home", home, "hook", "session-start", env=narrow, input="{}")
    assert (called.code, called.out) == (0, "")
    assert "PYTHONUTF8=1" in called.err
    assert in_a_process("--home", home / "new", "remember", "Oats.", env=narrow).code == 2
    assert not (home / "new").exists()
    assert held(home) == before


def test_a_key_that_interrupts_ends_with_its_own_exit_code(home: Path) -> None:
    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    with mock.patch("scriptorium.service.Service.topics", interrupt):
        ran = run("--home", home, "topics")
        assert (ran.code, ran.err.strip()) == (130, "interrupted; what was committed stays")
        assert run("--home", home, "topics", "--json").json["error"]["code"] == "INTERRUPTED"


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such signal")
def test_a_signal_that_interrupts_shows_no_traceback(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    waiting = subprocess.Popen(
        child("--home", tmp_path, "change", pipe), env=surroundings(), stderr=subprocess.PIPE, text=True
    )
    with pipe.open("w"):
        waiting.send_signal(signal.SIGINT)
        _, told = waiting.communicate(timeout=60)
    assert waiting.returncode == 130
    assert "Traceback" not in told


def test_a_fault_of_the_program_is_called_one(home: Path) -> None:
    with mock.patch("scriptorium.service.Service.topics", side_effect=ZeroDivisionError("by nothing")):
        ran = run("--home", home, "topics", "--json")
    assert ran.code == 70
    assert ran.json["error"]["code"] == "PROGRAM_FAULT"
    assert "ZeroDivisionError: by nothing" in ran.err
