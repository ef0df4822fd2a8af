"""Exit codes: every code of a problem has one, and every one is explained."""

import pytest

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
        (Code.MODEL_TIMEOUT, 7),
    ],
)
def test_scripts_may_rely_on_these(code: Code, number: int) -> None:
    assert exit_of(code) == number
