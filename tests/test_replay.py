"""The commit that the README shows is the one that everybody gets; that prompts differ is told."""

import json
import re
from pathlib import Path

import pytest

from cli_example import run, run_json
from demo_play import DEMO
from scriptorium_core.writing.prompting import prompts_of
from test_readme import README, ROOT

SESSION = re.compile(r"^\$ scriptorium --home H (.*)\n((?:(?!\$ |```).*\n)*)", re.MULTILINE)
CLOCK = "2026-03-22T18:00:00Z"


def shown() -> list[tuple[str, str]]:
    """The commands of the README on the home H, each with the output that stands below it."""
    return SESSION.findall(README)


def recorded_with(folder: Path, prompt: str) -> Path:
    """The tape of the demo, as if it had been recorded with a prompt."""
    head, *lines = (DEMO / "demo.tape.jsonl").read_text("utf-8").splitlines(keepends=True)
    tape = folder / "tape.jsonl"
    tape.write_text(json.dumps(json.loads(head) | {"prompt": prompt}) + "\n" + "".join(lines), "utf-8")
    return tape


def test_the_readme_shows_an_import_and_a_tape_with_its_commit() -> None:
    (first, _), (second, output) = shown()
    assert first.startswith("import ")
    assert "write --all --writer recorded --tape examples/" in second
    assert re.search(r"\([0-9a-f]{10}\)", output)


@pytest.mark.parametrize("zone", ["UTC", "Asia/Tokyo"])
def test_the_commands_print_what_the_readme_shows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, zone: str
) -> None:
    monkeypatch.setenv("TZ", zone)
    monkeypatch.chdir(ROOT)
    for command, output in shown():
        ran = run("--home", tmp_path / "H", *command.split())
        assert (ran.code, ran.out, ran.err) == (0, output, "")


def test_what_of_a_prompt_is_another_now_is_said_and_is_no_error(tmp_path: Path) -> None:
    now = prompts_of("write")
    told = f"write/0-00000000 is {now.split()[0]} now"
    for prompt, differences in ((now, []), (f"write/0-00000000 {now.split()[1]}", [told])):
        home = tmp_path / prompt.partition("-")[0].replace("/", "-")
        home.mkdir()
        run("--home", home, "import", DEMO / "demo.jsonl")
        tape = recorded_with(home, prompt)
        (one,) = run_json("--home", home, "--clock", CLOCK, "replay", tape)["passes"]
        assert one["differences"] == differences
        assert one["outcomes"][0]["frames"] == 16
    run("--home", tmp_path / "third", "import", DEMO / "demo.jsonl")
    ran = run("--home", tmp_path / "third", "write", "--writer", "recorded", "--tape", tape)
    assert ran.code == 0
    assert ran.out.endswith(f"the tape was recorded with another prompt: {told}\n")
