"""Examples of what may be done with a record, each line of the order of `assess` once."""

from datetime import date

import pytest

from scriptorium_core.knowledge.asking import Candidate, Gathered, Way, settle
from scriptorium_core.knowledge.asking import Decision as Advice
from scriptorium_core.knowledge.assess import Decision, Doubt, assess
from scriptorium_core.knowledge.gate import barred, marks
from scriptorium_core.knowledge.offer import Reason
from scriptorium_core.knowledge.standing import Standing
from scriptorium_core.names import BlockId
from scriptorium_core.topics.standing import Freshness, Reuse, State
from scriptorium_core.when import When

TODAY = date(2026, 11, 30)
NOVEMBER, OLD = When(2026, 11, 1), When(2024, 1, 1)


def standing(
    state: State = State.VERIFIED,
    confidence: float = 0.95,
    fresh: Freshness = Freshness.STABLE,
    days: int | None = 365,
    reuse: Reuse = Reuse.UNLESS_STALE,
    evident: When | None = NOVEMBER,
    checked: When | None = None,
) -> Standing:
    return Standing(state, confidence, fresh, days, reuse, checked, evident)


@pytest.mark.parametrize(
    ("given", "decision", "reasons"),
    [
        (standing(), Decision.REUSE, ()),
        (standing(State.DISPUTED), Decision.REJECT, (Doubt.DISPUTED,)),
        (standing(State.RETRACTED, evident=OLD), Decision.REJECT, (Doubt.RETRACTED,)),
        (standing(State.DISPUTED, reuse=Reuse.NEVER_DIRECT), Decision.REJECT, (Doubt.DISPUTED,)),
        (standing(reuse=Reuse.NEVER_DIRECT, evident=OLD), Decision.REJECT, (Doubt.NEVER_DIRECT,)),
        (standing(State.PLAUSIBLE), Decision.REVALIDATE, (Doubt.VALIDATION_INSUFFICIENT,)),
        (standing(State.SUPPORTED, 0.75), Decision.REUSE, ()),
        (standing(confidence=0.74), Decision.REVALIDATE, (Doubt.CONFIDENCE_BELOW_THRESHOLD,)),
        (standing(evident=OLD), Decision.REVALIDATE, (Doubt.STALE,)),
        (standing(evident=OLD, checked=NOVEMBER), Decision.REUSE, ()),
        (standing(evident=NOVEMBER, checked=OLD), Decision.REVALIDATE, (Doubt.STALE,)),
        (standing(evident=OLD, reuse=Reuse.ALWAYS), Decision.REUSE, ()),
        (standing(evident=OLD, fresh=Freshness.IMMUTABLE, days=None), Decision.REUSE, ()),
        (
            standing(State.UNVERIFIED, 0.5, evident=OLD),
            Decision.REVALIDATE,
            (Doubt.VALIDATION_INSUFFICIENT, Doubt.CONFIDENCE_BELOW_THRESHOLD, Doubt.STALE),
        ),
        (
            standing(State.UNVERIFIED, 0.5, evident=OLD, reuse=Reuse.ALWAYS),
            Decision.REVALIDATE,
            (Doubt.VALIDATION_INSUFFICIENT, Doubt.CONFIDENCE_BELOW_THRESHOLD),
        ),
    ],
)
def test_the_order_of_the_reasons(given: Standing, decision: Decision, reasons: tuple[Doubt, ...]) -> None:
    found = assess(given, TODAY)
    assert (found.decision, found.reasons) == (decision, reasons)


def test_current_data_is_asked_for_of_all_that_can_change() -> None:
    asked = (Doubt.CURRENT_DATA_REQUESTED,)
    assert assess(standing(), TODAY, current_required=True).reasons == asked
    assert assess(standing(reuse=Reuse.ALWAYS), TODAY, current_required=True).reasons == asked
    for_ever = standing(fresh=Freshness.IMMUTABLE, days=None)
    assert assess(for_ever, TODAY, current_required=True).decision is Decision.REUSE


def test_a_threshold_is_met_by_the_very_confidence() -> None:
    assert assess(standing(confidence=0.6), TODAY, least=0.6).decision is Decision.REUSE
    assert assess(standing(), TODAY, least=0.96).reasons == (Doubt.CONFIDENCE_BELOW_THRESHOLD,)


@pytest.mark.parametrize(
    ("fresh", "days"), [(Freshness.VOLATILE, 1), (Freshness.DYNAMIC, 30), (Freshness.STABLE, 365)]
)
def test_what_is_as_old_as_its_age_is_fresh_and_stale_the_day_after(fresh: Freshness, days: int) -> None:
    born = date.fromordinal(TODAY.toordinal() - days)
    given = standing(fresh=fresh, days=days, evident=When(born.year, born.month, born.day))
    assert assess(given, TODAY).reasons == ()
    assert assess(given, date.fromordinal(TODAY.toordinal() + 1)).reasons == (Doubt.STALE,)


def test_an_assessment_tells_what_it_rests_on() -> None:
    found = assess(standing(checked=OLD, fresh=Freshness.DYNAMIC, days=30, reuse=Reuse.ALWAYS), TODAY)
    assert (found.state, found.confidence, found.policy) == (State.VERIFIED, 0.95, Reuse.ALWAYS)
    assert (found.fresh, found.days, found.checked, found.evident) == (Freshness.DYNAMIC, 30, OLD, NOVEMBER)
    assert found.stale
    assert marks(found) == ("verified 0.95", "checked 2024-01-01", "stale")


@pytest.mark.parametrize(
    ("given", "reason", "said"),
    [
        (standing(evident=OLD), None, ("verified 0.95", "revalidate: stale")),
        (standing(evident=OLD, reuse=Reuse.REVALIDATE), Reason.STALE, ("verified 0.95", "revalidate: stale")),
        (standing(reuse=Reuse.REVALIDATE), None, ("verified 0.95",)),
        (standing(evident=OLD, reuse=Reuse.ALWAYS), None, ("verified 0.95", "stale")),
        (
            standing(reuse=Reuse.NEVER_DIRECT),
            Reason.NOT_PERMITTED,
            ("verified 0.95", "reject: never-direct"),
        ),
        (standing(State.DISPUTED), Reason.DISPUTED, ("disputed 0.95", "reject: disputed")),
        (standing(State.RETRACTED), Reason.DISPUTED, ("retracted 0.95", "reject: retracted")),
        (
            standing(State.UNVERIFIED),
            None,
            ("unverified 0.95", "revalidate: validation-insufficient"),
        ),
    ],
)
def test_the_three_policies_differ_in_what_goes_along(
    given: Standing, reason: Reason | None, said: tuple[str, ...]
) -> None:
    found = assess(given, TODAY)
    assert barred(found) is reason
    assert marks(found) == said


def test_what_is_known_of_a_subject_is_given_marked_or_only_named() -> None:
    sound, old, wrong = (
        Candidate(BlockId(name), "", assess(given, TODAY))
        for name, given in (
            ("a1", standing()),
            ("b2", standing(evident=OLD)),
            ("c3", standing(State.DISPUTED)),
        )
    )
    for found, decision, records in (
        ((sound, old, wrong), Advice.REUSE, ("a1",)),
        ((old, wrong), Advice.REVALIDATE, ("b2",)),
        ((wrong,), Advice.REJECT, ("c3",)),
    ):
        settled = settle(Gathered(subject=found))
        assert (settled.decision, settled.way, settled.records) == (decision, Way.SUBJECT, records)
    assert settle(Gathered(subject=(wrong,))).reasons == (Doubt.DISPUTED,)
