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
    ROOT,
    child,
    create,
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
    ("log",),
    ("write",),
    ("adopt",),
    ("init",),
]


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return fresh_home(tmp_path)


# --- All commands ------------------------------------------------------------------------------------


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


# --- Conversations -----------------------------------------------------------------------------------


def test_a_conversation_is_imported_written_found_and_explained(tmp_path: Path) -> None:
    log = tmp_path / "talk.jsonl"
    lines = [
        {"session": "s", "id": "1", "role": "user", "text": "I prefer trains to planes.", "at": "2026-05-02"},
        {"session": "s", "id": "2", "role": "assistant", "text": "Noted."},
    ]
    log.write_text("".join(json.dumps(line) + "\n" for line in lines))
    (report,) = run_json("--home", tmp_path, "import", log)["reports"]
    assert (report["format"], report["turns_new"], report["sessions"]) == ("native", 2, ["native/s"])
    (waiting,) = run_json("--home", tmp_path, "sessions")["sessions"]
    assert (waiting["session"]["id"], waiting["pending"]) == ("s", 2)
    (done,) = run_json("--home", tmp_path, "write", "--force")["passes"]
    assert (done["session"], done["outcomes"][0]["outcome"]) == ("native/s", "Wrote")
    (hit,) = run_json("--home", tmp_path, "search", "trains")["hits"]
    assert hit["citations"][0]["turn"]["text"] == "I prefer trains to planes."
    told = run("--home", tmp_path, "why", f"^{hit['id']}").out
    assert "→ " in told
    assert "Noted." in told
    assert f"created by “{run_json('--home', tmp_path, 'log')['log'][0]['subject']}”" in told
    again = run_json("--home", tmp_path, "write", "--all", "--force")["passes"]
    assert again[0]["outcomes"] == [{"outcome": "NothingDue", "waiting": 0, "marked": 0}]


def test_less_than_a_batch_waits_for_force(tmp_path: Path) -> None:
    run("--home", tmp_path, "import", ROOT / "examples" / "demo.jsonl")
    told = run("--home", tmp_path, "write").out
    assert "less than a batch (--force writes them)" in told
    assert "1 session" not in run("--home", tmp_path, "status").out
    assert "1 with less wait for `--force`" in run("--home", tmp_path, "status").out


def test_a_dry_run_takes_nothing(tmp_path: Path) -> None:
    told = run("--home", tmp_path, "import", "--dry-run", ROOT / "examples" / "demo.jsonl").out
    assert "would take 16 new turns" in told
    assert run_json("--home", tmp_path, "sessions")["sessions"] == []


def test_what_a_writer_did_is_recorded_and_played_back_to_the_same_commit(tmp_path: Path) -> None:
    log, tape = ROOT / "examples" / "demo.jsonl", tmp_path / "tape.jsonl"
    heads = []
    for name, words in (("a", ["write", "--force", "--record", tape]), ("b", ["replay", tape])):
        home = ["--home", tmp_path / name, "--clock", "2026-05-02T10:00:00+02:00"]
        run(*home, "import", log)
        assert run(*home, *words).code == 0
        heads.append(run_json(*home, "topics"))
    assert heads[0] == heads[1]


def test_names_and_all_are_not_given_together(tmp_path: Path) -> None:
    assert run("--home", tmp_path, "write", "s", "--all").code == 2


# --- Reading -----------------------------------------------------------------------------------------


def test_a_hit_comes_with_the_turn_that_it_cites(home: Path) -> None:
    told = run("--home", home, "search", "dinner on Saturday", "-n", "1").out
    assert told.startswith("Dinner is at Casa Oliva on Saturday 9 May at eight")
    assert f"^{DINNER}  2026-03-21  {PORTO} > Porto, May 2026 > Plan" in told
    assert "Mara, 2026-03-21 09:30  (native/porto/m12)" in told


def test_a_search_that_finds_nothing_says_why(home: Path) -> None:
    ran = run("--home", home, "search", "zzzz")
    assert (ran.code, ran.out.split(":")[0]) == (0, "nothing found")
    assert run_json("--home", home, "search", "zzzz")["hits"] == []


def test_a_search_is_narrowed(home: Path) -> None:
    def found(*words: str) -> list[str]:
        return [hit["id"] for hit in run_json("--home", home, "search", "Mara Ines Porto", *words)["hits"]]

    assert INES in found()
    assert INES not in found("--topic", "trips")
    assert found("--since", "2026-04") == found("--until", "2025") == found("--speaker", "Bo") == []
    assert found("--source", "native/porto") == found()
    assert all("/" in each for each in found("--kind", "turn"))


@pytest.mark.parametrize("text", ['"', "100%_done", "NEAR(", "*", "a AND", "(" * 50, "x" * 10_000, "--"])
def test_no_sign_in_a_search_has_a_meaning_of_its_own(home: Path, text: str) -> None:
    assert run("--home", home, "search", "--", text).code == 0


@pytest.mark.parametrize("name", [PORTO, "trips/porto.md", "trips/porto", "topics/trips/porto"])
def test_a_topic_is_shown_by_any_form_of_its_path(home: Path, name: str) -> None:
    text = (home / "memory" / PORTO).read_text("utf-8")
    assert run("--home", home, "show", name).out.strip() == text.strip()
    answer = run_json("--home", home, "show", name)
    assert (answer["kind"], answer["text"]) == ("topic", text)


def test_a_record_is_shown_with_its_evidence_and_its_neighbours(home: Path) -> None:
    told = run("--home", home, "show", f"^{INES}").out
    assert "I want to surprise her with a weekend in Porto." in told
    assert "linked from" in told
    assert run_json("--home", home, "show", INES)["kind"] == "record"


def test_why_leads_to_the_turn_among_its_neighbours_and_to_the_other_branch(home: Path) -> None:
    told = run("--home", home, "why", f"^{HOTEL}").out
    assert "[abandoned branch: not current]" in told
    assert "→ Mara, 2026-03-14 18:10  [abandoned branch]  (native/porto/m7)" in told
    assert "another branch (live) leaves after m6" in told
    assert "created by “Write 10 changes from porto”" in told


def test_why_of_a_topic_names_its_records_instead(home: Path) -> None:
    ran = run("--home", home, "why", PORTO)
    assert ran.code == 2
    assert "name one of its records" in ran.err


def test_the_core_says_what_it_costs(home: Path) -> None:
    assert run("--home", home, "core").out.startswith("253 / 2,000 tokens, 3 of 3 records")


def test_the_timeline_counts_and_then_tells(home: Path) -> None:
    assert run("--home", home, "timeline").out.split() == "2026-03-14 7 records 2026-03-21 3 records".split()
    assert run("--home", home, "timeline", "2026-03-21").out.count("2026-03-21  ^") == 3
    assert run("--home", home, "timeline", "2025").out.strip() == "nothing is dated 2025"


def test_a_long_commit_is_told_in_short(home: Path) -> None:
    told = run("--home", home, "log").out
    assert "created: abc27c32 b96dde76 f1124edd f785be39 7f49a01d b13732f2 … and 4 more" in told
    assert "kind:" not in told


# --- Changing ----------------------------------------------------------------------------------------


def test_a_change_is_one_commit(home: Path, tmp_path: Path) -> None:
    request = tmp_path / "request.json"
    request.write_text(json.dumps(create("topics/food.md")))
    told = run("--home", home, "change", request).out
    assert told.startswith("committed ")
    assert "topics/food.md" in told
    assert len(run_json("--home", home, "log")["log"]) == 2
    assert "oats" in run("--home", home, "show", "food").out


def test_the_example_in_the_help_of_change_works(tmp_path: Path) -> None:
    text = run("change", "--help").out
    request = tmp_path / "request.json"
    request.write_text(text[text.index('{"sources"') : text.index("}}]}") + 4])
    assert run_json("--home", tmp_path, "change", request)["memory_committed"] is True
    assert run("--home", tmp_path, "verify").code == 0


def test_a_change_comes_from_a_pipe_too(home: Path) -> None:
    ran = in_a_process("--home", home, "change", "-", input=json.dumps(create("topics/food.md")))
    assert ran.code == 0, ran.err


def test_the_same_clock_gives_the_same_commit(tmp_path: Path) -> None:
    request = tmp_path / "request.json"
    request.write_text(json.dumps(create("topics/food.md")))
    homes = [fresh_home(tmp_path / name) for name in "ab"]
    first, second = (
        run_json("--home", home, "--clock", "2026-05-02T10:00:00+02:00", "change", request) for home in homes
    )
    assert first["revision"] == second["revision"]


def test_an_edit_by_hand_is_seen_and_taken_in(home: Path) -> None:
    topic = home / "memory" / "topics" / "people" / "ines.md"
    topic.write_text(topic.read_text("utf-8").replace("shellfish", "all shellfish"), "utf-8")
    assert (
        "topics/people/ines.md was edited by hand: `scriptorium adopt`" in run("--home", home, "status").out
    )
    assert run_json("--home", home, "adopt")["report"]["updated"] == ["7f49a01d"]
    assert run_json("--home", home, "adopt")["unchanged"] is True


# --- First run ---------------------------------------------------------------------------------------


def test_a_home_is_made_once(tmp_path: Path) -> None:
    first, second = (run_json("--home", tmp_path / "h", "init") for _ in range(2))
    assert (first["created"], second["created"]) == (True, False)
    assert first["workspace"] == second["workspace"]
    assert run("--home", tmp_path / "h", "verify").code == 0


def test_damage_that_verify_finds_is_named_and_gives_its_own_exit_code(home: Path) -> None:
    view = home / "memory" / "core.md"
    view.write_text("something else\n")
    ran = run("--home", home, "verify")
    if ran.code == 0:
        pytest.skip("an edited view is put back at the opening")
    assert ran.code == 1
    assert "core.md" in ran.out
    assert run("--home", home, "verify", "--json").json["error"]["code"]
