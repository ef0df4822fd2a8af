"""What is due by itself and when: idle sessions, full batches, branches, failures, the daily cap."""

import pytest

from scriptorium_core.problem import Code
from scriptorium_core.writing.cadence import (
    DAILY_TOKENS,
    DAY,
    Due,
    Organize,
    Pace,
    Plan,
    Stop,
    Talk,
    Wait,
    Why,
    cap,
    plan,
    seconds_of,
    stop,
)
from scriptorium_core.writing.outcome import Failed, Outcome, Wrote, fail
from scriptorium_core.writing.status import WriterStatus, after

NOON = 1_775_217_600  # 2026-04-03T12:00:00Z
PACE = Pace()
FRESH = WriterStatus()


def iso(seconds: int) -> str:
    days, rest = divmod(seconds - NOON + DAY // 2, DAY)
    return f"2026-04-{3 + days:02}T{rest // 3600:02}:{rest % 3600 // 60:02}:{rest % 60:02}+00:00"


def talk(name: str = "chat/s1", ago: int = 60, tokens: int = 10, left: tuple[str, ...] = ()) -> Talk:
    return Talk(name, "3/m3", NOON - ago, tokens, left)


def at_noon(*talks: Talk, status: WriterStatus = FRESH, pace: Pace = PACE, **more: object) -> Plan:
    return plan(talks, status, pace, NOON, **{"scanned_at": NOON, **more})  # type: ignore[arg-type]


def went(*steps: tuple[Outcome, int], name: str = "chat/s1") -> WriterStatus:
    """The status after passes over a session that ended so at these times."""
    known = FRESH
    for outcome, when in steps:
        known = after(known, outcome, iso(when), name, "3/m3")
    return known


# --- Sessions ------------------------------------------------------------------------------------


def test_a_call_after_a_turn_writes_nothing_below_the_threshold() -> None:
    found = at_noon(talk(tokens=15_999))
    assert found.due == ()
    assert found.waits == (Wait("chat/s1", Why.BELOW, NOON - 60 + 1_800),)


def test_a_whole_batch_is_written_without_force() -> None:
    assert at_noon(talk(tokens=16_000)).due == (Due("chat/s1", Why.FULL, False),)


def test_what_was_idle_for_half_an_hour_is_written_whole() -> None:
    assert at_noon(talk(ago=1_799)).due == ()
    assert at_noon(talk(ago=1_800)).due == (Due("chat/s1", Why.IDLE, True),)


def test_a_session_that_ended_waits_for_nothing() -> None:
    assert at_noon(talk(), ended={"chat/s1"}).due == (Due("chat/s1", Why.ENDED, True),)


def test_when_the_head_moves_to_another_branch_the_old_one_is_written_and_the_new_one_waits() -> None:
    found = at_noon(talk(left=("m7", "m9")))
    assert found.due == (Due("chat/s1", Why.LEFT, True, "m7"), Due("chat/s1", Why.LEFT, True, "m9"))
    assert at_noon(talk(left=("m7",), tokens=16_000)).due[-1] == Due("chat/s1", Why.FULL, False)


def test_a_session_whose_last_words_lie_in_the_future_is_idle() -> None:
    assert at_noon(talk(ago=-5_000)).due == (Due("chat/s1", Why.IDLE, True),)


# --- Failures ------------------------------------------------------------------------------------


def test_a_retryable_failure_is_waited_out_twice_as_long_each_time_up_to_an_hour() -> None:
    lost = fail(Code.MODEL_TIMEOUT)
    for failures, wait in ((1, 30), (2, 60), (3, 120), (8, 3_600), (20, 3_600)):
        status = went(*[(lost, NOON)] * failures)
        assert stop(status, PACE, NOON + wait - 1) == Stop(NOON + wait, "MODEL_TIMEOUT")
        assert stop(status, PACE, NOON + wait) is None


def test_a_rate_limit_is_honoured_until_it_is_lifted() -> None:
    status = went((fail(Code.MODEL_RATE_LIMIT, until=iso(NOON + 7_000)), NOON))
    assert stop(status, PACE, NOON + 6_999) == Stop(NOON + 7_000, "MODEL_RATE_LIMIT")
    assert stop(status, PACE, NOON + 7_000) is None
    sooner = went((fail(Code.MODEL_RATE_LIMIT, until="at nine"), NOON))
    assert stop(sooner, PACE, NOON) == Stop(NOON + 30, "MODEL_RATE_LIMIT")


def test_a_success_ends_all_waiting() -> None:
    status = went(*[(fail(Code.MODEL_TIMEOUT), NOON)] * 5, (Wrote("c"), NOON))
    assert stop(status, PACE, NOON) is None
    assert at_noon(talk(ago=1_800), status=status).due


def test_a_final_failure_waits_for_something_new_and_holds_up_no_other_session() -> None:
    status = went((fail(Code.COMMIT_REJECTED), NOON))
    found = at_noon(talk(ago=9_000), talk("chat/s2", ago=9_000), status=status)
    assert found.stop is None
    assert found.due == (Due("chat/s2", Why.IDLE, True),)
    assert found.waits == (Wait("chat/s1", Why.HANDLED, None, "COMMIT_REJECTED"),)
    grown = Talk("chat/s1", "5/m5", NOON - 9_000, 10)
    assert at_noon(grown, status=status).due == (Due("chat/s1", Why.IDLE, True),)


@pytest.mark.parametrize("code", [Code.MODEL_AUTHENTICATION, Code.WRITER_PRECONDITION_FAILED])
def test_a_failure_of_the_writer_itself_is_asked_about_again_after_an_hour(code: Code) -> None:
    status = went((fail(code), NOON))
    assert stop(status, PACE, NOON + 3_599) == Stop(NOON + 3_600, code)
    assert stop(status, PACE, NOON + 3_600) is None


def test_what_failed_comes_behind_what_did_not() -> None:
    status = went((fail(Code.WRITER_FAILURE_UNKNOWN), NOON - 600))
    found = at_noon(talk(ago=9_000), talk("chat/s2", ago=9_000), status=status)
    assert [each.talk for each in found.due] == ["chat/s2", "chat/s1"]


def test_a_session_that_keeps_failing_waits_longer_though_others_succeed() -> None:
    lost = fail(Code.WRITER_FAILURE_UNKNOWN)
    status = after(went(*[(lost, NOON)] * 4), Wrote("c"), iso(NOON), "chat/s2", "1/m1")
    assert at_noon(talk(ago=9_000), status=status).waits == (
        Wait("chat/s1", Why.FAILED, NOON + 240, "WRITER_FAILURE_UNKNOWN"),
    )


# --- The day's tokens ----------------------------------------------------------------------------


def test_a_writer_that_costs_is_stopped_when_the_tokens_of_the_day_are_spent_until_midnight() -> None:
    pace = Pace(costs=True)
    status = went((Wrote("c", tokens=DAILY_TOKENS), NOON))
    assert stop(status, pace, NOON) == Stop(NOON + DAY // 2)
    assert stop(status, pace, NOON + DAY // 2) is None
    assert stop(status, PACE, NOON) is None


def test_midnight_is_that_of_the_local_day() -> None:
    status = WriterStatus(day="2026-04-03", offered=9)
    assert stop(status, Pace(daily_tokens=9), NOON, 120) == Stop(NOON + DAY // 2 - 7_200)
    assert stop(status, Pace(daily_tokens=9), NOON, 13 * 60) is None


def test_a_cap_may_be_set_for_any_writer() -> None:
    assert [cap(Pace()), cap(Pace(costs=True)), cap(Pace(daily_tokens=5))] == [None, DAILY_TOKENS, 5]
    assert cap(Pace(daily_tokens=5, costs=True)) == 5
    assert stop(went((Wrote("c", tokens=5), NOON)), Pace(daily_tokens=5), NOON) == Stop(NOON + DAY // 2)


def test_what_a_failed_pass_was_offered_counts_as_well() -> None:
    lost = Failed(Code.COMMIT_REJECTED, False, tokens=100)
    assert stop(went((lost, NOON)), Pace(daily_tokens=100), NOON) == Stop(NOON + DAY // 2)


# --- Scans, and when to look again ---------------------------------------------------------------


def test_logs_are_looked_for_every_five_minutes_if_any_are_watched() -> None:
    assert [at_noon(scanned_at=at).scan for at in (None, NOON, NOON - 299, NOON - 300)] == [
        True,
        False,
        False,
        True,
    ]
    assert not at_noon(scanned_at=None, pace=Pace(scan=0)).scan


def test_it_is_looked_again_when_the_next_thing_is_due() -> None:
    assert at_noon(talk(ago=1_700)).next_at == NOON + 100
    assert at_noon(talk(ago=60)).next_at == NOON + 300
    assert at_noon(talk(ago=1_800)).next_at == NOON
    assert at_noon(pace=Pace(scan=0)).next_at == NOON + 1_800


def test_while_a_failure_is_waited_out_nothing_is_done_before() -> None:
    status = went((fail(Code.MODEL_TIMEOUT), NOON))
    found = at_noon(talk("chat/s2", ago=1_800), status=status)
    assert (found.stop, found.next_at) == (Stop(NOON + 30, "MODEL_TIMEOUT"), NOON + 30)


def test_a_clock_that_was_set_back_makes_what_waited_due() -> None:
    status = went((fail(Code.MODEL_RATE_LIMIT, until=iso(NOON + 9 * DAY)), NOON + 8 * DAY))
    assert stop(status, PACE, NOON) is None
    assert at_noon(scanned_at=NOON + 8 * DAY).scan


# --- Organizing ----------------------------------------------------------------------------------


def organized(status: WriterStatus, now: int = NOON, offset: int = 0) -> Organize | None:
    return plan((), status, PACE, now, offset).organize


def test_five_batches_or_forty_thousand_tokens_are_organized_the_next_night_at_three() -> None:
    three = NOON + 15 * 3_600
    assert organized(FRESH) is None
    for status in (
        went(*[(Wrote("c", tokens=1), NOON)] * 5),
        went((Wrote("c", tokens=40_000), NOON)),
    ):
        found = organized(status)
        assert found is not None
        assert found.at == three
        assert "tokens were written" in found.why
        in_lisbon = organized(status, offset=60)
        assert in_lisbon is not None
        assert in_lisbon.at == three - 3_600


def test_the_very_first_write_is_organized_when_a_day_has_passed_and_not_at_once() -> None:
    found = organized(went((Wrote("c", tokens=1), NOON)))
    assert found is not None
    assert found.at == NOON + DAY + 15 * 3_600


def test_a_night_that_was_slept_through_is_made_up_for_once() -> None:
    status = went((Wrote("c", tokens=40_000), NOON - DAY))
    found = organized(status, NOON)
    assert found is not None
    assert found.at <= NOON
    again = WriterStatus(organized_at=iso(NOON))
    assert organized(again, NOON) is None


def test_where_it_is_not_known_since_when_a_day_is_taken_to_have_passed() -> None:
    found = organized(WriterStatus(batches=1))
    assert found is not None
    assert NOON < found.at <= NOON + DAY


# --- Times ---------------------------------------------------------------------------------------


def test_times_are_read_with_and_without_a_zone_and_days_are_no_times() -> None:
    assert seconds_of("2026-04-03T12:00:00Z") == NOON
    assert seconds_of("2026-04-03T14:00:00", 120) == NOON
    assert seconds_of("2026-04-03 12:00:00") == NOON
    assert [seconds_of(text) for text in ("", "2026-04-03", "T", "0001-01-01T00:00:00+14:00")] == [
        None,
        None,
        None,
        -62135647200,
    ]


def test_beyond_the_calendar_a_day_is_a_number() -> None:
    far = 10**15
    assert stop(WriterStatus(day=str(far // DAY), offered=9), Pace(daily_tokens=9), far) is not None
    assert stop(WriterStatus(day="2026-04-03", offered=9), Pace(daily_tokens=9), far) is None


def test_a_session_of_which_an_agent_has_taken_a_batch_waits_until_its_lease_ends() -> None:
    idle = talk(ago=10 * DAY, tokens=10_000)
    assert at_noon(idle).due != ()
    held = at_noon(idle, leased={"chat/s1": NOON + 60})
    assert (held.due, held.waits) == ((), (Wait("chat/s1", Why.LEASED, NOON + 60),))
    assert at_noon(idle, leased={"chat/s1": NOON}) == at_noon(idle)


def test_what_is_left_to_an_agent_is_never_due_by_itself() -> None:
    found = at_noon(talk(ago=10 * DAY, tokens=10_000), pace=Pace(agent=True))
    assert (found.due, found.waits) == ((), (Wait("chat/s1", Why.AGENT, None),))
