"""Laws of whether a record may be used again (knowledge, Standing), each by its sentence."""

from datetime import date, timedelta

from hypothesis import assume, given
from hypothesis import strategies as st

from scriptorium_core.knowledge.assess import LEAST, Decision, Doubt, assess
from scriptorium_core.knowledge.gate import barred
from scriptorium_core.knowledge.offer import Reason
from scriptorium_core.knowledge.standing import Standing, is_stale
from scriptorium_core.topics.standing import (
    Freshness,
    Noted,
    Reuse,
    State,
    read_noted,
    render_noted,
    with_noted,
)
from scriptorium_core.when import When
from standing_strategies import days, fields, noted, standings

leasts = st.sampled_from([0.0, 0.5, 0.75, 0.9, 1.0]) | st.floats(0, 1)
Fields = tuple[tuple[str, str], ...]


class TestAssess:
    """It is total and computed at every reading, in a given order."""

    @given(standings(), days, st.booleans(), leasts)
    def test_it_is_total_and_says_why(self, given: Standing, now: date, current: bool, least: float) -> None:
        found = assess(given, now, current, least)
        assert (found.decision is Decision.REUSE) == (found.reasons == ())
        assert (found.state, found.confidence, found.policy) == (given.state, given.confidence, given.reuse)
        assert found.stale == is_stale(given, now)
        assert assess(given, now, current, least) == found

    @given(standings(), days, st.booleans(), leasts)
    def test_disputed_or_retracted_come_first_then_never_direct(
        self, given: Standing, now: date, current: bool, least: float
    ) -> None:
        found = assess(given, now, current, least)
        if given.state in (State.DISPUTED, State.RETRACTED):
            assert (found.decision, found.reasons) == (Decision.REJECT, (Doubt(given.state.value),))
        elif given.reuse is Reuse.NEVER_DIRECT:
            assert (found.decision, found.reasons) == (Decision.REJECT, (Doubt.NEVER_DIRECT,))
        else:
            assert found.decision is not Decision.REJECT

    @given(standings(), days, st.booleans(), leasts)
    def test_any_reason_is_revalidate_and_none_is_reuse(
        self, given: Standing, now: date, current: bool, least: float
    ) -> None:
        found = assess(given, now, current, least)
        assume(found.decision is not Decision.REJECT)
        holds = {
            Doubt.VALIDATION_INSUFFICIENT: given.state in (State.UNVERIFIED, State.PLAUSIBLE),
            Doubt.CONFIDENCE_BELOW_THRESHOLD: given.confidence < least,
            Doubt.STALE: is_stale(given, now) and given.reuse is not Reuse.ALWAYS,
            Doubt.CURRENT_DATA_REQUESTED: current and given.fresh is not Freshness.IMMUTABLE,
        }
        assert found.reasons == tuple(doubt for doubt, true in holds.items() if true)

    @given(standings(), days, st.integers(0, 3_000))
    def test_time_passing_never_turns_stale_into_fresh(self, given: Standing, now: date, later: int) -> None:
        then = now + timedelta(days=later)
        assert not is_stale(given, now) or is_stale(given, then)
        kept = set(assess(given, now).reasons) - {Doubt.STALE}
        assert kept == set(assess(given, then).reasons) - {Doubt.STALE}
        assert barred(assess(given, now)) is None or barred(assess(given, then)) is not None

    @given(standings(), days, leasts, leasts, st.booleans())
    def test_a_higher_threshold_never_adds_a_reuse(
        self, given: Standing, now: date, one: float, other: float, current: bool
    ) -> None:
        low, high = sorted((one, other))
        strict = assess(given, now, current, high)
        assert strict.decision is not Decision.REUSE or assess(given, now, current, low) == strict

    @given(standings(), days)
    def test_a_question_for_current_data_never_adds_a_reuse(self, given: Standing, now: date) -> None:
        asked = assess(given, now, current_required=True)
        assert set(assess(given, now).reasons) <= set(asked.reasons)
        assert (asked.decision is Decision.REUSE) <= (given.fresh is Freshness.IMMUTABLE)

    @given(standings(), days)
    def test_the_immutable_is_never_stale(self, given: Standing, now: date) -> None:
        for_ever = given._replace(fresh=Freshness.IMMUTABLE, days=None)
        assert not assess(for_ever, now).stale

    @given(standings(), days)
    def test_only_a_positive_check_renews_the_clock(self, given: Standing, now: date) -> None:
        checked = given._replace(checked=When(now.year, now.month, now.day))
        assert not is_stale(checked, now)
        # What changes anything else leaves the age as it was.
        for other in (
            given._replace(state=State.VERIFIED, confidence=1.0),
            given._replace(reuse=Reuse.ALWAYS),
        ):
            assert is_stale(other, now) == is_stale(given, now)

    @given(standings(), days)
    def test_the_three_policies_differ_only_for_what_is_stale(self, given: Standing, now: date) -> None:
        known = given._replace(state=State.VERIFIED, confidence=max(given.confidence, LEAST))
        always, unless, revalidate = (
            assess(known._replace(reuse=reuse), now)
            for reuse in (Reuse.ALWAYS, Reuse.UNLESS_STALE, Reuse.REVALIDATE)
        )
        assert (always.decision, barred(always)) == (Decision.REUSE, None)
        stale = is_stale(known, now)
        assert {unless.decision, revalidate.decision} == {Decision.REVALIDATE if stale else Decision.REUSE}
        assert (barred(unless), barred(revalidate)) == (None, Reason.STALE if stale else None)


class TestStandingFields:
    """Standing fields are read and written without loss; each fault is named, and no edit changes another."""

    @given(noted())
    def test_what_is_written_is_read_again(self, given: Noted) -> None:
        assert read_noted(render_noted(given)) == (given, ())

    @given(fields)
    def test_any_value_is_read_as_something_and_what_is_wrong_is_named(self, given: Fields) -> None:
        found, problems = read_noted(given)
        assert read_noted(render_noted(found)) == (found, ())
        assert all(problem.message and problem.remedy for problem in problems)
        assert with_noted(given, found) == given

    @given(fields, noted())
    def test_an_edit_leaves_every_other_field_as_it_is_written(self, given: Fields, wanted: Noted) -> None:
        made = with_noted(given, wanted)
        old = read_noted(given)[0]
        for name in {name for name, _ in given}:
            before, after = ([v for n, v in some if n == name] for some in (given, made))
            same = dict(render_noted(old)).get(name) == dict(render_noted(wanted)).get(name)
            assert before == after or not same
        assert read_noted(made)[0] == wanted

    @given(noted(), noted())
    def test_a_standing_is_replaced_by_another(self, old: Noted, wanted: Noted) -> None:
        assert read_noted(with_noted(render_noted(old), wanted)) == (wanted, ())
