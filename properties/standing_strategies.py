"""Standings, the fields that spell them and fields that spell nothing, and days of a present."""

from datetime import date

from hypothesis import strategies as st

from scriptorium_core.knowledge.standing import AGES, Standing
from scriptorium_core.topics.standing import FIELDS, Freshness, Noted, Reuse, State
from scriptorium_core.when import When

__all__ = ["days", "fields", "noted", "standings", "whens"]

days = st.dates(date(2020, 1, 1), date(2032, 12, 31))
"""Days of a present."""

whens = st.one_of(
    st.integers(2018, 2034).map(When),
    st.builds(When, st.integers(2018, 2034), st.integers(1, 12), st.just(0)),
    st.dates(date(2018, 1, 1), date(2034, 12, 31)).map(lambda day: When(day.year, day.month, day.day)),
)
"""Dates of every precision, before and after the present."""

_confidence = st.one_of(
    st.sampled_from([0.0, 0.5, 0.74, 0.75, 0.76, 0.95, 1.0]),
    st.integers(0, 1_000_000).map(lambda parts: parts / 1_000_000),
)


@st.composite
def standings(draw: st.DrawFn) -> Standing:
    """Any standing that can be read."""
    fresh = draw(st.sampled_from(Freshness))
    age = None if fresh is Freshness.IMMUTABLE else draw(st.one_of(st.just(AGES[fresh]), st.integers(0, 800)))
    return Standing(
        draw(st.sampled_from(State)),
        draw(_confidence),
        fresh,
        age,
        draw(st.sampled_from(Reuse)),
        draw(st.none() | whens),
        draw(st.none() | whens),
    )


@st.composite
def noted(draw: st.DrawFn) -> Noted:
    """Any standing that the fields of a definition can spell."""
    state = draw(st.none() | st.sampled_from(State))
    fresh = draw(st.none() | st.sampled_from(Freshness))
    return Noted(
        state,
        draw(st.none() | _confidence) if state is not None else None,
        draw(st.none() | whens),
        fresh,
        draw(st.none() | st.integers(0, 99_999)) if fresh is not None else None,
        draw(st.none() | st.sampled_from(Reuse)),
    )


_WRONG = (
    "",
    "verifed 0.9",
    "verified 2",
    "verified -1",
    "stable 1y",
    "2026-02-30",
    "sometimes",
    "0.9",
    "ſ",
    "１",
)
_RIGHT = (
    "Verified 0.9",
    "disputed",
    "2026-02-28",
    "`2026`",
    "STABLE  30d",
    "immutable",
    "Never-Direct",
    "always",
)

fields = st.lists(
    st.tuples(
        st.sampled_from((*FIELDS, "Until", "Branch", "Other")),
        st.sampled_from((*_WRONG, *_RIGHT)) | st.text(max_size=8),
    ),
    max_size=6,
).map(tuple)
"""Fields as somebody may have written them: right, wrong, given twice, and of other names."""
