"""Exit codes: every code of a problem has one, and every one is explained."""

import subprocess
from pathlib import Path

import pytest

from cli_example import DINNER, child, fresh_home, held, in_a_process, run, surroundings
from scriptorium.cli.endings import FAULT, INTERRUPTED, MEANINGS
from scriptorium.cli.exits import EXITS, exit_of
from scriptorium_core.problem import Code


@pytest.mark.parametrize("code", Code)
def test_every_code_has_an_exit_that_is_not_success(code: Code) -> None:
    assert exit_of(code) in range(1, 8)


def test_no_code_stands_in_two_rows() -> None:
    assert set(EXITS) == set(Code)


def test_every_exit_is_explained_and_means_one_thing() -> None:
    assert set(EXITS.values()) | {0, 2, FAULT, INTERRUPTED} == set(MEANINGS)
    assert len(set(MEANINGS.values())) == len(MEANINGS)


@pytest.mark.parametrize(
    ("code", "number"),
    [
        (Code.INVALID_ARGUMENT, 2),
        (Code.PATH_OUTSIDE_WORKSPACE, 2),
        (Code.LINK_DANGLING, 3),
        (Code.MEMORY_NOT_FOUND, 4),
        (Code.CONCURRENT_UPDATE, 5),
        (Code.GIT_COMMIT_FAILED, 6),
        (Code.DISK_FAILED, 6),
        (Code.MODEL_TIMEOUT, 7),
    ],
)
def test_scripts_may_rely_on_these(code: Code, number: int) -> None:
    assert exit_of(code) == number


def test_a_topic_that_can_be_none_is_a_wrong_argument_whatever_is_wrong_with_it(tmp_path: Path) -> None:
    home = fresh_home(tmp_path)
    before = held(home)
    for name in ("../x", "/abs", "a:b"):
        for words in (("remember", "Tea.", "--topic", name), ("edit", name), ("organize", name)):
            assert run("--home", home, *words).code == 2, words
    assert held(home) == before


def test_what_is_not_there_is_missing_whatever_it_is(tmp_path: Path) -> None:
    home = fresh_home(tmp_path)
    for words in (
        ("vault", "run", "nope", "--", "true"),
        ("vault", "delete", "nope"),
        ("token", "revoke", "nope"),
        ("show", "nope"),
    ):
        assert run("--home", home, *words).code == 4, words


@pytest.mark.parametrize(
    ("words", "instead"),
    [
        (("validate", DINNER), "--seen "),
        (("key", "export", "keys"), "--passphrase-file"),
        (("vault", "put", "name"), "--file"),
    ],
)
def test_a_question_that_nobody_answers_is_no_interruption(
    tmp_path: Path, words: tuple[str, ...], instead: str
) -> None:
    home = fresh_home(tmp_path)
    run("--home", home, "key", "rotate")
    before = held(home)
    ran = in_a_process("--home", home, *words, input="")
    assert ran.code == 2
    assert "INVALID_ARGUMENT\n  nobody answered: " in ran.err
    assert instead in ran.err.splitlines()[-1]
    assert held(home) == before


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no disk that is always full")
def test_an_answer_that_cannot_be_written_is_no_failed_commit(tmp_path: Path) -> None:
    words = child("--home", fresh_home(tmp_path), "log")
    with open("/dev/full", "w") as full:
        ran = subprocess.run(
            words, env=surroundings(), stdout=full, stderr=subprocess.PIPE, text=True, check=False
        )
        silent = subprocess.run(words, env=surroundings(), stdout=full, stderr=full, check=False)
    assert (ran.returncode, silent.returncode) == (6, 6)
    assert ran.stderr.startswith("DISK_FAILED  stdout\n  stdout: No space left on device\n  →")
    assert len(ran.stderr.splitlines()) == 3
