"""How a pass ends, and what its watcher does next."""

import pytest

from scriptorium_core.problem import Code, Problem
from scriptorium_core.writing.outcome import (
    RETRYABLE,
    Failed,
    Handled,
    NothingDue,
    NothingToKeep,
    Outcome,
    Retry,
    Wrote,
    fail,
    handled,
    next_move,
    retryable,
)

TABLE = {
    "lock held": (Code.CONCURRENT_UPDATE, True),
    "model unreachable": (Code.MODEL_TRANSPORT, True),
    "rate limited": (Code.MODEL_RATE_LIMIT, True),
    "provider error": (Code.MODEL_PROVIDER_INTERNAL, True),
    "git failed": (Code.GIT_COMMIT_FAILED, True),
    "the disk failed": (Code.DISK_FAILED, True),
    "rejected twice": (Code.COMMIT_REJECTED, False),
    "no progress": (Code.WRITER_NO_PROGRESS, False),
    "authentication": (Code.MODEL_AUTHENTICATION, False),
    "invalid request": (Code.MODEL_INVALID_REQUEST, False),
    "content policy": (Code.MODEL_CONTENT_POLICY, False),
    "no session id": (Code.MISSING_SESSION_ID, False),
}


@pytest.mark.parametrize("when", TABLE)
def test_each_failure_is_retryable_as_the_table_says(when: str) -> None:
    code, again = TABLE[when]
    assert retryable(code) is again
    assert fail(code).retryable is again
    assert handled(fail(code)) is not again


@pytest.mark.parametrize("outcome", [Wrote("c0ffee"), NothingToKeep("small talk"), NothingDue()])
def test_what_went_well_is_handled_and_says_nothing(outcome: Outcome) -> None:
    assert handled(outcome)
    assert next_move(outcome) == Handled()


def test_a_failure_that_is_final_is_handled_with_its_reason() -> None:
    assert next_move(fail(Code.COMMIT_REJECTED, "two problems")) == Handled("COMMIT_REJECTED: two problems")
    assert next_move(fail(Code.MISSING_SESSION_ID)) == Handled("MISSING_SESSION_ID")


def test_a_retryable_failure_waits_twice_as_long_each_time_up_to_an_hour() -> None:
    waits = [next_move(fail(Code.MODEL_TIMEOUT), failures) for failures in (0, 1, 2, 3, 7, 8, 1000)]
    assert waits == [Retry(seconds) for seconds in (30, 30, 60, 120, 1920, 3600, 3600)]


def test_a_rate_limit_says_until_when() -> None:
    assert next_move(fail(Code.MODEL_RATE_LIMIT, until="2026-03-01T21:00:00Z")) == Retry(
        30, "2026-03-01T21:00:00Z"
    )


def test_a_failure_carries_all_problems() -> None:
    problems = (Problem(Code.BLOCK_LOST, "one"), Problem(Code.LINK_DANGLING, "two"))
    assert fail(Code.COMMIT_REJECTED, problems=problems) == Failed(
        Code.COMMIT_REJECTED, False, problems=problems
    )


def test_what_a_person_has_to_mend_is_never_retried() -> None:
    for code in (Code.INVALID_ARGUMENT, Code.INVALID_TOPIC_FORMAT, Code.NOT_PERMITTED, Code.FORGOTTEN):
        assert code not in RETRYABLE
