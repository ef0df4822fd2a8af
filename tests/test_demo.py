"""The demo: what a person sees in the first minute."""

import json
import shlex
from pathlib import Path

import pytest

from cli_example import DINNER, HOTEL, ROOT, fresh_home, held, run, run_json


def test_it_shows_a_topic_a_hit_with_its_turn_a_commit_and_how_to_go_on() -> None:
    ran = run("demo")
    assert (ran.code, ran.err) == (0, "")
    for words in (
        "# Porto, May 2026",
        f"^{DINNER}",
        "Mara, 2026-03-21 09:30  (native/porto/m12)",
        "I booked a table for five",
        "Write 10 changes from porto",
        "nothing is broken: 10 records",
        "scriptorium import FILE",
    ):
        assert words in ran.out


def test_how_to_go_on_can_be_copied_into_a_shell(tmp_path: Path) -> None:
    lines = run("demo").out.split("How to go on")[1].splitlines()
    typed = [line.split("  ")[0] for line in map(str.strip, lines) if line.startswith("scriptorium ")]
    (search,) = (shlex.split(line) for line in typed if " search " in line)
    assert search == ["scriptorium", "search", "a question"]
    assert run("--home", fresh_home(tmp_path), *search[1:]).code == 0


def test_what_stands_only_on_the_abandoned_branch_says_so() -> None:
    step = run("demo").out.split("5. ")[1].split("6. ")[0]
    assert f"^{HOTEL}" in step
    assert "[abandoned branch: not current]" in step


def test_it_leaves_nothing_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    assert run("demo").code == 0
    assert list(tmp_path.iterdir()) == []


def test_kept_it_says_where_and_the_next_command_works(tmp_path: Path) -> None:
    ran = run("demo", "--home", tmp_path / "h")
    assert f"This memory stays in {tmp_path / 'h'}." in ran.out
    assert f"scriptorium --home {tmp_path / 'h'} why ^{DINNER}" in ran.out
    assert run("--home", tmp_path / "h", "why", f"^{DINNER}").code == 0


def test_keep_keeps_the_temporary_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    home = Path(run_json("demo", "--keep")["home"])
    assert (home / "memory" / "topics" / "trips" / "porto.md").is_file()


def test_everybody_sees_the_same_commits(tmp_path: Path) -> None:
    first, second = (run_json("demo", "--home", tmp_path / name) for name in "ab")
    assert [entry["commit"] for entry in first["log"]] == [entry["commit"] for entry in second["log"]]


def test_played_twice_in_one_home_it_writes_once(tmp_path: Path) -> None:
    home = fresh_home(tmp_path)
    before = held(home)
    ran = run("demo", "--home", home)
    assert ran.code == 0
    assert "nothing is unwritten" in ran.out
    assert held(home) == before


def test_it_never_mixes_with_a_memory_of_its_own(tmp_path: Path) -> None:
    talk = tmp_path / "talk.json"
    talk.write_text(json.dumps([{"role": "user", "content": "I live in Porto."}]))
    run("--home", tmp_path / "h", "import", talk)
    ran = run("demo", "--home", tmp_path / "h")
    assert ran.code == 2
    assert "other memory than the demo's" in ran.err
    assert len(run_json("--home", tmp_path / "h", "sessions")["sessions"]) == 1


def test_it_takes_no_memory_directory(tmp_path: Path) -> None:
    assert run("demo", "--memory", tmp_path).code == 2


def test_it_answers_a_program_too() -> None:
    answer = run_json("demo")
    assert answer["home"] is None
    assert answer["outcomes"][0]["outcome"] == "Wrote"
    assert answer["found"]["hits"][0]["id"] == DINNER
    assert answer["aside"]["hits"][0]["is_abandoned"] is True
    assert answer["proof"]["holds"] is True


def test_the_topic_in_the_readme_is_what_the_demo_shows() -> None:
    readme = (ROOT / "README.md").read_text("utf-8")
    shown = readme.split("```markdown\n")[1].split("```")[0].strip()
    assert shown in "\n".join(line.removeprefix("  ") for line in run("demo").out.split("\n"))
