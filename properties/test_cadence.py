"""Laws of what is due by itself: nothing is skipped for ever, nothing comes in bursts."""

from datetime import UTC, datetime

from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

from scriptorium_core.problem import Code
from scriptorium_core.writing.cadence import DAY, Pace, Talk, Why, plan, seconds_of, stop
from scriptorium_core.writing.outcome import Failed, NothingDue, Outcome, Wrote, backoff, retryable
from scriptorium_core.writing.status import WriterStatus, after, decode_status, encode_status

BEGIN = 1_775_217_600
times = st.integers(BEGIN - 400 * DAY, BEGIN + 400 * DAY)
offsets = st.sampled_from([-720, -90, 0, 60, 330, 840])
codes = st.sampled_from(sorted(Code))
names = st.sampled_from(["chat/a", "chat/b", "codex/c"])


def iso(seconds: int) -> str:
    return datetime.fromtimestamp(seconds, UTC).isoformat()


untils = st.just("") | times.map(iso) | st.text(max_size=5)
failures = st.builds(
    lambda code, until, tokens: Failed(code, retryable(code), "", until, (), tokens),
    codes,
    untils,
    st.integers(0, 50_000),
)
successes = st.builds(lambda tokens: Wrote("c", tokens=tokens), st.integers(0, 50_000))
outcomes: st.SearchStrategy[Outcome] = failures | successes | st.just(NothingDue())
paces = st.builds(
    Pace,
    st.integers(60, DAY),
    st.sampled_from([0, 60, 300]),
    st.integers(0, 1_439),
    st.sampled_from([8_000, 16_000]),
    st.none() | st.integers(1, 90_000),
    st.booleans(),
)
talks = st.lists(
    st.builds(
        Talk,
        names,
        st.sampled_from(["1/m1", "2/m2"]),
        times,
        st.integers(1, 40_000),
        st.sampled_from([(), ("m1",), ("m1", "m2")]),
    ),
    unique_by=lambda each: each.name,
)


@st.composite
def histories(draw: st.DrawFn) -> WriterStatus:
    """What passes left behind, at times in any order."""
    known = WriterStatus()
    for outcome in draw(st.lists(outcomes, max_size=8)):
        known = after(known, outcome, iso(draw(times)), draw(names), draw(st.sampled_from(["1/m1", "2/m2"])))
    return known


class TestPlan:
    """Decisions are total, and each session is either due, or waits for a reason."""

    @given(talks, histories(), paces, times, offsets, st.none() | times, st.sets(names))
    def test_every_session_is_due_or_waits_and_never_both_for_the_same_words(
        self,
        found: list[Talk],
        status: WriterStatus,
        pace: Pace,
        now: int,
        offset: int,
        scanned: int | None,
        ended: set[str],
    ) -> None:
        ahead = plan(found, status, pace, now, offset, scanned_at=scanned, ended=ended)
        told = {each.talk for each in ahead.due} | {each.talk for each in ahead.waits}
        assert told == {each.name for each in found}
        assert not {each.talk for each in ahead.due} & {each.talk for each in ahead.waits}

    @given(talks, histories(), paces, times, offsets, st.none() | times)
    def test_it_is_never_too_late_to_look_again(
        self,
        found: list[Talk],
        status: WriterStatus,
        pace: Pace,
        now: int,
        offset: int,
        scanned: int | None,
    ) -> None:
        ahead = plan(found, status, pace, now, offset, scanned_at=scanned)
        if pace.scan:
            assert now <= ahead.next_at <= now + pace.scan
        else:
            limits = [pace.idle, 3_600] + ([ahead.stop.until - now] if ahead.stop else [])
            assert now <= ahead.next_at <= now + max(limits)

    @given(talks, histories(), paces, times, offsets)
    def test_what_waits_until_a_time_is_due_from_then_on(
        self, found: list[Talk], status: WriterStatus, pace: Pace, now: int, offset: int
    ) -> None:
        ahead = plan(found, status, pace, now, offset)
        for wait in ahead.waits:
            if wait.until is None:
                assert wait.why is Why.HANDLED
                continue
            assert wait.until > now
            then = plan(found, status, pace, wait.until + pace.idle, offset)
            assert wait.talk in {each.talk for each in then.due}

    @given(talks, histories(), times, offsets)
    def test_a_call_after_a_turn_writes_nothing_below_the_threshold(
        self, found: list[Talk], status: WriterStatus, now: int, offset: int
    ) -> None:
        lively = [evolve(each, active_at=now, left=(), tokens=min(each.tokens, 15_999)) for each in found]
        assert plan(lively, status, Pace(), now, offset).due == ()


class TestStop:
    """Back-off doubles to an hour and honours `until`; the cap ends with the day."""

    @given(histories(), paces, times, offsets)
    def test_a_stop_ends(self, status: WriterStatus, pace: Pace, now: int, offset: int) -> None:
        found = stop(status, pace, now, offset)
        if found is None:
            return
        assert found.until > now
        if found.code:
            assert status.failure is not None
            limit = seconds_of(status.failure.until) if status.failure.retryable else None
            assert found.until <= max(now + 3_600, limit or 0)
        else:
            assert found.until <= now + DAY
        later = stop(status, pace, found.until, offset)
        assert later is None or later.code == "" != found.code

    @given(st.integers(1, 200), times, st.integers(0, 5_000), untils)
    def test_in_a_row_of_failures_no_attempt_is_made_too_early(
        self, row: int, when: int, later: int, until: str
    ) -> None:
        known = WriterStatus()
        for _ in range(row):
            known = after(known, Failed(Code.MODEL_RATE_LIMIT, True, until=until), iso(when))
        early = later < backoff(row) or when + later < (seconds_of(until) or 0)
        assert (stop(known, Pace(), when + later) is not None) == early

    @given(histories(), paces, times, offsets)
    def test_behind_the_time_of_the_failure_nothing_is_waited_out(
        self, status: WriterStatus, pace: Pace, now: int, offset: int
    ) -> None:
        failure = status.failure
        if failure is not None and now < (seconds_of(failure.at) or 0):
            found = stop(status, pace, now, offset)
            assert found is None or not found.code

    @given(st.lists(st.tuples(st.integers(0, 3 * 3_600), st.integers(1, 9_000)), max_size=60), offsets)
    def test_no_day_gets_more_than_its_tokens_and_one_batch(
        self, steps: list[tuple[int, int]], offset: int
    ) -> None:
        pace, known, now = Pace(daily_tokens=20_000), WriterStatus(), BEGIN
        days: dict[int, int] = {}
        for wait, tokens in steps:
            now += wait
            if stop(known, pace, now, offset) is None:
                local = iso(now + offset * 60)
                known = after(known, Wrote("c", tokens=tokens), local)
                day = (now + offset * 60) // DAY
                assert days.get(day, 0) < 20_000
                days[day] = days.get(day, 0) + tokens
            else:
                assert days[(now + offset * 60) // DAY] >= 20_000


class TestClock:
    """A clock that jumps, or stands while a laptop sleeps, neither skips a run for ever nor makes a burst."""

    @given(
        st.lists(st.tuples(st.integers(1, 400), st.sampled_from([0, 0, 0, -DAY, DAY, -3_600, 400 * DAY]))),
        st.booleans(),
    )
    def test_scans_keep_their_pace(self, steps: list[tuple[int, int]], watched: bool) -> None:
        pace = Pace(scan=300 if watched else 0)
        now, scanned, quiet = BEGIN, None, 0
        scans, jumps, lasted = 0, 0, 0
        for wait, jump in steps:
            now, quiet, lasted = now + wait + jump, quiet + wait, lasted + wait
            jumps += jump != 0
            if plan((), WriterStatus(), pace, now, scanned_at=scanned).scan:
                scanned, quiet = now, 0
                scans += 1
            assert not watched or quiet < 300
        assert scans <= (lasted // 300 + jumps + 1 if watched else 0)

    @given(
        st.lists(st.tuples(st.integers(60, 900), st.sampled_from([0, 0, 0, -DAY, DAY, -3_600]))),
        st.sampled_from([Code.MODEL_TIMEOUT, Code.MODEL_AUTHENTICATION]),
    )
    def test_attempts_at_a_model_that_is_gone_are_few_and_never_end(
        self, steps: list[tuple[int, int]], code: Code
    ) -> None:
        now, known, quiet = BEGIN, WriterStatus(), 0
        attempts, jumps, lasted = 0, 0, 0
        for wait, jump in steps:
            now, quiet, lasted = now + wait + jump, quiet + wait, lasted + wait
            jumps += jump != 0
            if stop(known, Pace(), now) is None:
                known = after(known, Failed(code, retryable(code)), iso(now))
                attempts, quiet = attempts + 1, 0
            assert quiet < 3_600 + 900
        assert attempts <= lasted // 3_600 + jumps + 9


class TestOrganize:
    """Topics are organized within a day of the need, at the set minute, and not again at once."""

    @given(histories(), paces, times, offsets)
    def test_it_is_at_the_set_minute_and_within_two_days(
        self, status: WriterStatus, pace: Pace, now: int, offset: int
    ) -> None:
        found = plan((), status, pace, now, offset).organize
        assert (found is None) == (status.batches == 0)
        if found is not None:
            assert (found.at + offset * 60) % DAY == pace.organize_at * 60
            assert found.at <= now + 2 * DAY

    @given(histories(), paces, times, offsets)
    def test_a_run_ends_the_need(self, status: WriterStatus, pace: Pace, now: int, offset: int) -> None:
        done = evolve(status, batches=0, tokens=0, since="", organized_at=iso(now))
        assert plan((), done, pace, now, offset).organize is None


class TestStatus:
    """What is kept is read back, whatever happened."""

    @given(histories())
    def test_a_status_is_read_back_as_it_was_written(self, status: WriterStatus) -> None:
        assert decode_status(encode_status(status)) == status
