"""The laws of asking."""

import unicodedata
from datetime import date, timedelta

from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

from scriptorium_core.knowledge.asking import (
    DIRECT,
    Candidate,
    Decision,
    Gathered,
    Way,
    settle,
    widening,
)
from scriptorium_core.knowledge.assess import Doubt, assess
from scriptorium_core.knowledge.standing import Standing
from scriptorium_core.names import BlockId
from scriptorium_core.topics.questions import ask_fields, normalised, question_key
from scriptorium_core.topics.standing import Freshness, Reuse, State
from scriptorium_core.when import When
from strategies import awkward_texts

TODAY = date(2026, 11, 30)
KEYS = ("k1", "k2", "k3")
TEXTS = ("The key hangs in the shed.", "the key hangs in the shed", "The key is lost.", "It is not.")


def standings() -> st.SearchStrategy[Standing]:
    """Any standing."""
    days = st.none() | st.integers(0, 800)
    return st.builds(
        Standing,
        st.sampled_from(State),
        st.integers(0, 20).map(lambda number: number / 20),
        st.sampled_from(Freshness),
        days,
        st.sampled_from(Reuse),
        st.none() | st.just(When(2026, 10)),
        st.none() | st.just(When(2025, 1, 1)),
    )


@st.composite
def candidates(draw: st.DrawFn, exact: bool = False) -> tuple[Candidate, Standing]:
    """A record that could answer, with its standing, assessed today."""
    held = draw(standings())
    return (
        Candidate(
            BlockId(draw(st.sampled_from(("aa", "bb", "cc", "dd")))),
            draw(st.sampled_from(TEXTS)),
            assess(held, TODAY),
            "k0" if exact else draw(st.sampled_from(KEYS)),
            1.0 if exact else draw(st.integers(0, 100)) / 100,
            draw(st.booleans()),
        ),
        held,
    )


Drawn = tuple[list[tuple[Candidate, Standing]], ...]


def drawn() -> st.SearchStrategy[Drawn]:
    """Exact and similar ones, and ones on the subject."""
    return st.tuples(
        st.lists(candidates(exact=True), max_size=3),
        st.lists(candidates(), max_size=4),
        st.lists(candidates(), max_size=3),
    )


def gathered(rows: Drawn, context: bool, now: date = TODAY, least: float = 0.75) -> Gathered:
    """What was found, assessed on a day with a threshold."""
    exact, similar, subject = (
        tuple(evolve(each, assessment=assess(held, now, least=least)) for each, held in row) for row in rows
    )
    return Gathered(exact, similar, subject, (BlockId("zz"),) if context else ())


class TestDecisions:
    """Decisions are total, with reasons, and rest on cited records."""

    @given(drawn(), st.booleans())
    def test_whatever_is_found_there_is_a_decision_with_its_reasons(self, rows: Drawn, context: bool) -> None:
        found = gathered(rows, context)
        settled = settle(found)
        known = {each.record for row in (found.exact, found.similar, found.subject) for each in row}
        assert settled.decision in set(Decision) - {Decision.GENERATED}
        assert set(settled.records) <= known | set(found.context)
        assert bool(settled.reasons) is (settled.decision is not Decision.REUSE)
        assert bool(settled.records) is (settled.decision is not Decision.MISS)
        if settled.decision is Decision.REUSE:
            rows_of = {Way.EXACT: found.exact, Way.SIMILAR: found.similar, Way.SUBJECT: found.subject}
            given_ = rows_of[settled.way]
            assert all(any(each.usable for each in given_ if each.record == name) for name in settled.records)

    @given(drawn(), st.booleans())
    def test_the_very_question_decides_before_all_else(self, rows: Drawn, context: bool) -> None:
        found = gathered(rows, context)
        if found.exact:
            assert settle(found) == settle(Gathered(found.exact))

    @given(drawn(), st.booleans())
    def test_two_that_differ_are_never_used(self, rows: Drawn, context: bool) -> None:
        found = gathered(rows, context)
        settled = settle(found)
        if settled.way in (Way.EXACT, Way.SIMILAR) and settled.decision is Decision.REUSE:
            row = found.exact if settled.way is Way.EXACT else found.similar
            keys = {each.key for each in row if each.record in settled.records}
            mine = [each for each in row if each.key in keys and each.current and not each.rejected]
            mine = [each for each in mine if each.likeness >= DIRECT]
            assert len({each.text.lower().rstrip(".") for each in mine}) == 1


class TestThresholds:
    """A higher threshold never adds a reuse; time passing never does."""

    @given(drawn(), st.booleans(), st.integers(0, 20), st.integers(0, 20))
    def test_a_higher_threshold_never_adds_a_reuse(
        self, rows: Drawn, context: bool, one: int, other: int
    ) -> None:
        low, high = sorted((one / 20, other / 20))
        if settle(gathered(rows, context, least=high)).decision is Decision.REUSE:
            assert settle(gathered(rows, context, least=low)).decision is Decision.REUSE

    @given(drawn(), st.booleans(), st.integers(0, 2_000))
    def test_time_passing_never_adds_a_reuse(self, rows: Drawn, context: bool, days: int) -> None:
        later = settle(gathered(rows, context, TODAY + timedelta(days)))
        if later.decision is Decision.REUSE:
            assert settle(gathered(rows, context)).decision is Decision.REUSE


class TestDiscovery:
    """Discovery only widens what may go along as context; it never makes an answer."""

    @given(drawn(), st.booleans())
    def test_questions_below_the_threshold_decide_nothing(self, rows: Drawn, context: bool) -> None:
        found = gathered(rows, context)
        near = tuple(each for each in found.similar if each.likeness >= DIRECT)
        assert settle(found) == settle(evolve(found, similar=near))

    @given(drawn())
    def test_what_is_rejected_does_not_go_along(self, rows: Drawn) -> None:
        found = gathered(rows, False)
        for name in widening(found.similar):
            mine = [each for each in found.similar if each.record == name]
            assert any(each.likeness >= 0.55 and not each.rejected for each in mine)

    @given(drawn())
    def test_what_was_disputed_is_said_to_be(self, rows: Drawn) -> None:
        settled = settle(gathered(rows, False))
        if settled.decision is Decision.REJECT:
            assert {*settled.reasons} & {Doubt.DISPUTED, Doubt.RETRACTED, Doubt.NEVER_DIRECT}


class TestNormaliser:
    """The normaliser is idempotent, and knows no case, form or white space."""

    @given(awkward_texts() | st.text())
    def test_what_it_gives_it_gives_again(self, text: str) -> None:
        once = normalised(text)
        assert normalised(once) == once
        assert once == unicodedata.normalize("NFC", once)

    @given(awkward_texts() | st.text())
    def test_forms_and_spaces_have_one_key(self, text: str) -> None:
        for other in (f"  {text}\n", unicodedata.normalize("NFD", text), " \t".join(["", text, ""])):
            assert question_key(other) == question_key(text)

    @given(st.lists(awkward_texts(), max_size=4))
    def test_fields_hold_each_question_once_on_one_line(self, questions: list[str]) -> None:
        fields = ask_fields(questions)
        assert all(";" not in value and "\n" not in value and value.strip() for _, value in fields)
        assert len({question_key(value) for _, value in fields}) == len(fields)
