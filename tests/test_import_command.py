"""`scriptorium import` on folders, archives and what programs keep: what it asks, says and leaves out."""

import json
import os
import re
import signal
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from unittest import mock

import pytest

from cli_example import ROOT, child, run, run_json, surroundings
from packed_logs import talk, turn, zipped, zst
from scriptorium.conversations import taking
from scriptorium.service import Service


@pytest.fixture
def person(tmp_path: Path) -> Iterator[Path]:
    """The home folder of a person who has used several programs."""
    own = tmp_path / "person"
    claude = own / ".claude" / "projects" / "-w-shop"
    claude.mkdir(parents=True)
    (claude / "11111111-0000-4000-8000-000000000001.jsonl").write_text(claude_line("u1", "S1"))
    (claude / "notes.md").write_text("# Notes\n\nsomebody: says this\n")
    codex = own / ".codex" / "sessions" / "2026" / "05" / "01"
    codex.mkdir(parents=True)
    (codex / "rollout-2026-05-01T10-00-00-x.jsonl.zst").write_bytes(zst(talk("thread", 3)))
    with mock.patch.dict(os.environ, {"HOME": str(own)}):
        os.environ.pop("CODEX_HOME", None)
        yield own


def test_the_help_names_the_programs_that_the_readme_names() -> None:
    readme = " ".join((ROOT / "README.md").read_text("utf-8").split())
    listed = re.search(r"sessions of (.*?) and (\w+), exports of (\w+) and ([\w.]+) ", readme)
    assert listed is not None
    names = [name for part in listed.groups() for name in part.split(", ")]
    text = " ".join(run("import", "--help").out.split())
    assert len(names) > 5
    assert [name for name in names if name not in text] == []


def claude_line(name: str, session: str) -> str:
    row = {
        "type": "user",
        "uuid": name,
        "parentUuid": None,
        "sessionId": session,
        "timestamp": "2026-05-02T09:00:00.000Z",
        "cwd": "/w/shop",
        "version": "2.1.81",
        "isSidechain": False,
        "userType": "external",
        "message": {"role": "user", "content": "Use pnpm here, not npm."},
    }
    return json.dumps(row) + "\n"


# --- What programs keep ------------------------------------------------------------------------------


def test_auto_shows_what_programs_keep_and_imports_it_only_when_told(tmp_path: Path, person: Path) -> None:
    home = ("--home", tmp_path / "h")
    ran = run(*home, "import", "--auto")
    assert ran.code == 0
    assert "say --yes" in ran.out
    assert [line[:11].strip() for line in ran.err.splitlines()] == ["program", "Claude Code", "Codex"]
    assert run_json(*home, "sessions")["sessions"] == []
    answer = run_json(*home, "import", "--auto")
    assert [(each["program"], each["files"]) for each in answer["found"]] == [
        ("Claude Code", 1),
        ("Codex", 1),
    ]
    assert answer["reports"] == []
    answer = run_json(*home, "import", "--auto", "--yes")
    assert (answer["totals"]["files"], answer["totals"]["turns_new"]) == (2, 4)
    assert run_json(*home, "import", "--auto", "--yes")["totals"]["unchanged"] == 2


def test_auto_asks_whoever_can_answer(tmp_path: Path, person: Path) -> None:
    home = ("--home", tmp_path / "h")
    with mock.patch("sys.stdin") as keys:
        keys.isatty.return_value = True
        with mock.patch("click.confirm", side_effect=lambda *_, **__: False):
            ran = run(*home, "import", "--auto")
        assert (ran.code, ran.out) == (0, "nothing was imported\n")
        with mock.patch("click.confirm", side_effect=lambda *_, **__: True) as asked:
            assert "took 4 new turns" in run(*home, "import", "--auto").out
        assert asked.call_count == 1


def test_auto_says_when_no_program_keeps_anything(tmp_path: Path) -> None:
    with mock.patch.dict(os.environ, {"HOME": str(tmp_path), "CODEX_HOME": str(tmp_path / "none")}):
        ran = run("--home", tmp_path / "h", "import", "--auto", "--yes")
    assert (ran.code, "no program keeps conversations here" in ran.out) == (0, True)


def test_codex_may_keep_its_logs_elsewhere(tmp_path: Path) -> None:
    (tmp_path / "elsewhere" / "archived_sessions").mkdir(parents=True)
    (tmp_path / "elsewhere" / "archived_sessions" / "a.jsonl").write_bytes(talk("s"))
    with mock.patch.dict(os.environ, {"HOME": str(tmp_path), "CODEX_HOME": str(tmp_path / "elsewhere")}):
        (found,) = run_json("--home", tmp_path / "h", "import", "--auto")["found"]
    assert (found["program"], found["files"]) == ("Codex", 1)


def test_without_a_path_it_says_what_to_name(tmp_path: Path) -> None:
    ran = run("--home", tmp_path, "import")
    assert (ran.code, "--auto" in ran.err) == (2, True)


# --- What it says ------------------------------------------------------------------------------------


def test_few_logs_get_their_own_lines_and_many_one_summary(tmp_path: Path) -> None:
    logs = tmp_path / "logs"
    logs.mkdir()
    for number in range(40):
        (logs / f"{number}.jsonl").write_bytes(talk(f"s{number}"))
    (logs / "readme.txt").write_text("not a log")
    ran = run("--home", tmp_path / "h", "import", logs)
    assert ran.out.splitlines() == [
        "40 logs: took 80 new turns (0 known) of 40 sessions (40 new), 40 branches",
        "  passed over: 1 (no log)",
    ]
    ran = run("--home", tmp_path / "h", "import", logs, "--verbose")
    assert len(ran.out.splitlines()) == 42
    ran = run("--home", tmp_path / "h", "import", logs / "1.jsonl", logs / "2.jsonl", "--again")
    assert len(ran.out.splitlines()) == 3


def test_a_summary_counts_what_is_torn_and_left_out(tmp_path: Path) -> None:
    logs = tmp_path / "logs"
    logs.mkdir()
    for number in range(7):
        (logs / f"{number}").write_text(turn("a", f"s{number}") + "{broken\n" + '{"session": "s')
    ran = run("--home", tmp_path / "h", "import", logs)
    assert "  left out: 7 not JSON" in ran.out
    assert "  7 logs end in half a record; it is taken the next time" in ran.out


def test_a_member_of_an_archive_is_named_with_its_archive(tmp_path: Path) -> None:
    archive = zipped(tmp_path / "a.zip", {"x/talk.jsonl": talk("s")})
    assert f"{archive}/x/talk.jsonl (native): took 2" in run("--home", tmp_path / "h", "import", archive).out


def test_json_holds_a_report_of_each_log_and_the_totals(tmp_path: Path) -> None:
    archive = zipped(tmp_path / "a.zip", {"a.jsonl": talk("a"), "b.jsonl": talk("b"), "c.txt": b"diary"})
    answer = run_json("--home", tmp_path / "h", "import", archive)
    assert [report["files"] for report in answer["reports"]] == [1, 1, 0]
    totals = answer["totals"]
    assert (totals["files"], totals["turns_new"], totals["passed_over"]) == (2, 4, {"no log": 1})


def test_many_broken_logs_do_not_fill_the_screen(tmp_path: Path) -> None:
    logs = tmp_path / "logs"
    logs.mkdir()
    (logs / "good").write_bytes(talk("good"))
    for number in range(30):
        (logs / f"{number}.zst").write_bytes(b"\x28\xb5\x2f\xfd" + b"\xff" * 50)
    ran = run("--home", tmp_path / "h", "import", logs)
    assert (ran.code, ran.err.count("INVALID_ARGUMENT")) == (2, 20)
    assert "and 10 more" in ran.err
    assert "took 2 new turns" in ran.out
    assert len(run("--home", tmp_path / "h", "import", logs, "--json").json["error"]["problems"]) == 30


def test_sessions_say_from_which_others_they_came(tmp_path: Path) -> None:
    run("--home", tmp_path / "h", "import", ROOT / "tests" / "fixtures" / "claude-code")
    told = run("--home", tmp_path / "h", "sessions").out
    assert "\n  forked from " in told
    assert "\n  begun by an agent of " in told
    listed = run_json("--home", tmp_path / "h", "sessions")["sessions"]
    kinds = sorted(link["kind"] for each in listed for link in each["links"])
    assert kinds == ["forked_from", "spawned_by", "spawned_by", "spawned_by"]


# --- Stopped -----------------------------------------------------------------------------------------


def test_an_import_that_is_stopped_says_how_far_it_came_and_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    logs = tmp_path / "logs"
    logs.mkdir()
    for name in ("a", "b", "c"):
        (logs / name).write_bytes(talk(name, 3))
        os.utime(logs / name, times=(0, 0))
    stored = taking.Taking._store

    def stop(self: taking.Taking, *given: object) -> None:
        if self.cursor.path.endswith("/b"):
            raise KeyboardInterrupt
        stored(self, *given)  # type: ignore[arg-type]

    monkeypatch.setattr(taking.Taking, "_store", stop)
    ran = run("--home", tmp_path / "h", "import", logs)
    assert ran.code == 130
    assert "took 3 new turns" in ran.out
    assert "interrupted after" in ran.err
    assert "33 % of all" in ran.err
    assert "goes on from there" in ran.err
    answer = run("--home", tmp_path / "h", "import", logs, "--json")
    assert (answer.code, answer.json["error"]["code"], len(answer.json["reports"])) == (130, "INTERRUPTED", 1)
    ran = run("--home", tmp_path / "h", "import", logs / "b")
    assert (ran.code, ran.out) == (130, "")  # of a log that was begun it is not said that none was read
    monkeypatch.undo()
    totals = run_json("--home", tmp_path / "h", "import", logs)["totals"]
    assert (totals["turns_new"], totals["unchanged"]) == (6, 1)


LARGE = 20_000  # messages: reading them takes several times as long as to come to the first that are stored


@pytest.mark.parametrize("name", ["SIGINT", "SIGTERM", "SIGKILL"])
def test_whatever_ends_an_import_in_a_large_log_the_next_one_goes_on(tmp_path: Path, name: str) -> None:
    log, home = tmp_path / "log", tmp_path / "h"
    log.write_bytes(talk("s", LARGE))
    process = subprocess.Popen(
        child("--home", home, "import", log),
        env=surroundings(),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    store = home / "sessions.sqlite3-wal"
    while process.poll() is None and not (store.is_file() and store.stat().st_size > 500_000):
        time.sleep(0.01)
    process.send_signal(signal.Signals[name])
    _, said = process.communicate(timeout=60)
    ends = {"SIGINT": 130}.get(name, -signal.Signals[name])
    assert (process.returncode, b"interrupted after" in said) == (ends, name == "SIGINT"), said
    with Service(home) as service:
        (before,) = service.sessions()
        (report,) = service.import_paths([log])
        (after,) = service.sessions()
    assert 0 < before.session.turns < LARGE
    assert (report.turns_known <= 1, after.session.turns) == (True, LARGE)
    assert report.turns_new == LARGE - before.session.turns
