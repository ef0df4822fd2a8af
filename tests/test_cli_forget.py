"""The command that forgets: what it says, and that it asks before it erases."""

from pathlib import Path

import pytest

from cli_example import DINNER, HOTEL, fresh_home, held, in_a_process, run, run_json
from residue import places_with


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return fresh_home(tmp_path)


def words_of(home: Path, block: str) -> str:
    return str(run_json("--home", home, "show", block)["record"]["content"])


def test_forgetting_says_what_went_and_what_keeps_the_words(home: Path) -> None:
    ran = run("--home", home, "forget", f"^{HOTEL}", "--unlink", "--reason", "private")
    assert ran.code == 0, ran.err
    assert f"^{HOTEL}" in ran.out
    assert "--erase takes them out" in ran.out
    shown = run("--home", home, "show", HOTEL)
    assert shown.code == 4
    assert "was forgotten on" in shown.err
    assert run("--home", home, "verify").code == 0


def test_erasing_asks_first_and_no_is_no(home: Path) -> None:
    before = held(home)
    ran = in_a_process("--home", home, "forget", DINNER, "--erase", "--unlink", input="n\n")
    assert ran.code == 130
    assert "would erase" in ran.err
    assert held(home) == before


@pytest.mark.parametrize("answer", ["", "\n", "Yes, but\n"])
@pytest.mark.parametrize("form", [(), ("--json",)])
def test_only_a_yes_is_a_yes(home: Path, answer: str, form: tuple[str, ...]) -> None:
    before = held(home)
    ran = in_a_process("--home", home, "forget", DINNER, "--erase", "--unlink", *form, input=answer)
    assert ran.code == (2 if form or not answer else 130)
    assert held(home) == before


def test_where_nobody_answers_the_flag_is_named_that_does(home: Path) -> None:
    words = ("--home", home, "forget", DINNER, "--erase", "--unlink")
    asked = in_a_process(*words, input="").err
    assert "\nINVALID_ARGUMENT\n" in asked
    assert "say --yes" in asked
    assert "say --yes" in run_json(*words)["error"]["problems"][0]["remedy"]


@pytest.mark.parametrize("answer", ["y\n", "yes\n"])
def test_it_erases_where_it_is_told_to(home: Path, answer: str) -> None:
    ran = in_a_process("--home", home, "forget", DINNER, "--erase", "--unlink", input=answer)
    assert ran.code == 0, ran.err
    assert "erased" in ran.out
    assert run("--home", home, "show", DINNER).code == 4


def test_erasing_reports_what_it_did_and_leaves_nothing(home: Path) -> None:
    words = words_of(home, DINNER)
    answer = run_json("--home", home, "forget", DINNER, "--erase", "--unlink", "--yes")
    assert DINNER in answer["records"]
    assert answer["erased"]["commits"] >= 1
    # Another message or record may say the same; then it is named.
    holding = [place for place in places_with(home, words) if not place.startswith("git object")]
    assert not holding or answer["shared"] or answer["erased"]["remaining"]
    assert run("--home", home, "verify").code == 0


def test_a_dry_run_says_it_and_does_not_ask(home: Path) -> None:
    before = held(home)
    ran = run("--home", home, "forget", DINNER, HOTEL, "--erase", "--unlink", "--dry-run")
    assert ran.code == 0
    assert ran.out.startswith("would erase 2 ids and ")
    assert held(home) == before


def test_an_unknown_name_is_a_missing_one(home: Path) -> None:
    ran = run("--home", home, "forget", "nothing-of-the-kind")
    assert (ran.code, ran.out) == (4, "")
    assert "MEMORY_NOT_FOUND" in ran.err
