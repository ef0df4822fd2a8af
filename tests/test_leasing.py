"""Leases as values: whose a batch is, until when, and what the file of them holds."""

import pytest
from attrs import evolve

from scriptorium_core.problem import Code
from scriptorium_core.writing import leasing
from scriptorium_core.writing.handing import HandIn, Nothing, decode_hand_in, requested
from scriptorium_core.writing.leasing import (
    LENGTH,
    MOST,
    Lapsed,
    Lease,
    Mine,
    Others,
    Unknown,
    Written,
    after_outcome,
    decode_leases,
    encode_leases,
    ended,
    granted,
    holding,
    is_news,
    own,
    put,
    rejected,
    standing,
)
from scriptorium_core.writing.outcome import Wrote, fail

NOW = 1_775_217_600


def lease(batch: str = "b-1", session: str = "chat/s1", holder: str = "ada", now: int = NOW) -> Lease:
    return leasing.lease(batch, session, holder, (f"{session}/m1",), "text", "c0ffee", now, 12)


def test_a_lease_stands_by_its_holder_and_by_the_clock() -> None:
    leases = (lease(),)
    assert standing(leases, "b-1", "ada", NOW) == Mine(lease())
    assert standing(leases, "b-1", "bo", NOW + LENGTH - 1) == Others(lease())
    assert standing(leases, "b-1", "ada", NOW + LENGTH) == Lapsed(lease())
    assert standing(leases, "b-1", "ada", NOW - 1) == Lapsed(lease())
    assert standing(leases, "b-2", "ada", NOW) == Unknown()
    done = ended(lease(), "written", "abc")
    assert standing((done,), "b-1", "bo", NOW + 9 * LENGTH) == Written(done)


def test_a_session_is_held_by_one_and_asking_again_finds_ones_own() -> None:
    leases = (lease(), lease("b-2", "chat/s2", "bo"))
    assert holding(leases, "chat/s2", NOW) == leases[1]
    assert own(leases, "bo", NOW) == leases[1]
    assert own(leases, "bo", NOW, "chat/s1") is None
    assert granted(leases, lease("b-3", "chat/s2", "cy"), NOW) == leases[1]
    mine = granted(leases, lease("b-3", "chat/s2", "bo"), NOW)
    assert isinstance(mine, tuple)
    assert [(each.batch, each.end) for each in mine] == [("b-1", ""), ("b-2", "overtaken"), ("b-3", "")]


def test_a_message_that_forks_share_is_with_one_holder() -> None:
    leases = (lease(),)
    fork = evolve(lease("b-2", "chat/fork", "bo"), refs=("chat/fork/m0", "chat/s1/m1"))
    assert holding(leases, "chat/fork", NOW) is None
    assert holding(leases, "chat/fork", NOW, fork.refs) == leases[0]
    assert granted(leases, fork, NOW) == leases[0]
    assert granted(leases, fork, NOW + LENGTH) == (*leases, fork)


def test_a_rejection_gives_time_for_one_more_and_the_second_is_the_end() -> None:
    once = rejected(lease(), NOW + 590)
    assert (once.attempts, once.begun, once.until) == (1, NOW + 590, NOW + 590 + LENGTH)
    twice = rejected(once, NOW + 600)
    assert (twice.attempts, twice.end) == (0, "rejected")
    assert standing((twice,), "b-1", "ada", NOW + 601) == Lapsed(twice)


@pytest.mark.parametrize(
    ("code", "attempts", "news"),
    [
        (Code.COMMIT_REJECTED, 1, False),
        (Code.WRITER_NO_PROGRESS, 1, False),
        (Code.CONCURRENT_UPDATE, 2, False),
        (Code.DRAFT_IN_THE_WAY, 2, True),
        (Code.GIT_COMMIT_FAILED, 2, True),
    ],
)
def test_only_what_can_be_mended_costs_an_attempt(code: Code, attempts: int, news: bool) -> None:
    outcome = fail(code)
    after = after_outcome(lease(), outcome, NOW)
    assert (after.attempts, is_news(after, outcome)) == (attempts, news)
    assert is_news(after_outcome(after_outcome(lease(), outcome, NOW), outcome, NOW), outcome) == (
        attempts == 1 or news
    )


def test_what_was_written_ends_the_lease_with_its_commit() -> None:
    after = after_outcome(lease(), Wrote("abc"), NOW)
    assert (after.end, after.commit, after.attempts) == ("written", "abc", 0)
    assert is_news(after, Wrote("abc"))


def test_old_leases_are_forgotten_and_open_ones_never() -> None:
    leases: leasing.Leases = (lease(),)
    for number in range(2 * MOST):
        leases = put(leases, ended(lease(f"c-{number}"), "written"), NOW)
    assert len(leases) == MOST
    assert leases[0] == lease()
    assert leases[-1].batch == f"c-{2 * MOST - 1}"
    assert len(put(leases, lease("d", "chat/s9"), NOW + LENGTH)) == MOST


@pytest.mark.parametrize(
    "data",
    [None, b"", b"[]", b"{", b'{"leases": 3}', b'{"leases": [3, {"batch": "b"}]}', b"\xff", b"[" * 9_999],
)
def test_a_file_that_cannot_be_read_holds_no_lease(data: bytes | None) -> None:
    assert decode_leases(data) == ()


def test_a_row_that_is_wrong_is_left_out_alone() -> None:
    data = encode_leases((lease(), evolve(lease("b-2"), end="written", commit="abc")))
    assert decode_leases(data.replace(b'"begun": 1775217600', b'"begun": true', 1)) == (
        evolve(lease("b-2"), end="written", commit="abc"),
    )


def test_what_is_handed_in_is_one_of_four_forms() -> None:
    assert decode_hand_in({"nothing_to_keep": " small\ntalk "}) == Nothing("small")
    given = decode_hand_in({"patch": "--- a", "deleted": ["x1"], "summary": "Tea", "base_revision": "abc"})
    assert given == HandIn({"patch": "--- a", "deleted": ["x1"]}, "Tea", "abc")
    assert isinstance(given, HandIn)
    request, problems = requested(given)
    assert problems
    assert request.deleted == {"x1"}


@pytest.mark.parametrize("raw", [None, 3, [], {}, {"x": 1}, {"patch": "a", "changes": []}, {"summary": "x"}])
def test_anything_else_is_named(raw: object) -> None:
    found = decode_hand_in(raw)
    assert isinstance(found, tuple)
    assert all(problem.remedy and problem.path for problem in found)


def test_what_is_nested_without_end_is_not_looked_into() -> None:
    deep: list[object] = []
    for _ in range(100_000):
        deep = [deep]
    found = decode_hand_in({"memory_changes": deep})
    assert isinstance(found, tuple)
    assert "nested too deep" in found[0].message
