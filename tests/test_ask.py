"""Asking a memory: each decision on made-up data, with its reasons, its citations and its trace."""

import datetime
from collections.abc import Iterator
from pathlib import Path

import pytest

from asked_homes import KEY, QUESTION, asked_home, noted, saved
from embedders import Meanings
from scriptorium.clock import Moment
from scriptorium.refused import Refused
from scriptorium.service import Service
from scriptorium_core.knowledge.asking import Decision, Ground, Way
from scriptorium_core.knowledge.assess import Doubt
from scriptorium_core.problem import Code
from small_homes import NOW

LATER = Moment(NOW.seconds + 400 * 86_400, 0)


@pytest.fixture
def made(tmp_path: Path) -> Iterator[Service]:
    """A home whose memory is empty."""
    with asked_home(tmp_path) as service:
        yield service


def test_the_very_question_is_answered_by_the_record_that_carries_it(made: Service) -> None:
    block = saved(made, KEY, QUESTION)
    found = made.ask("  where IS the\tspare key? ")
    assert (found.decision, found.way, found.reasons) == (Decision.REUSE, Way.EXACT, ())
    assert found.answer == KEY
    (record,) = found.records
    assert (record.id, record.question, record.likeness) == (block, QUESTION, 1.0)
    (citation,) = record.citations
    assert citation.turn is not None
    assert citation.turn.text == KEY
    assert found.text.startswith(f"{KEY}\n\n<memory-context")
    assert (found.revision, found.normaliser) == (made.memory().revision, 1)


def test_what_is_delivered_is_traced_character_for_character(made: Service) -> None:
    saved(made, KEY, QUESTION)
    given = [made.ask(QUESTION), made.ask("Which door is blue?"), made.ask("zeppelins")]
    traces = made.traces()
    assert [trace.text for trace in traces] == [each.text for each in given[1::-1]]
    assert [trace.tokens for trace in traces] == [each.tokens for each in given[1::-1]]
    assert {trace.door for trace in traces} == {"ask"}
    assert given[2].text == ""


def test_nothing_that_bears_on_a_question_is_a_miss(made: Service) -> None:
    for question in ("zeppelins", "the", "*"):
        found = made.ask(question)
        assert (found.decision, found.reasons) == (Decision.MISS, (Ground.NOTHING_KNOWN,))
        assert (found.answer, found.text, found.records) == ("", "", ())
    with pytest.raises(Refused) as refused:
        made.ask(" \n ")
    assert refused.value.problems[0].code is Code.INVALID_ARGUMENT


def test_without_a_model_the_context_is_the_result(made: Service) -> None:
    block = saved(made, KEY)
    found = made.ask("What hangs behind the blue door?", keep=True)
    assert (found.decision, found.way) == (Decision.PROVIDER_REQUIRED, Way.CONTEXT)
    assert found.reasons == (Ground.NO_MODEL,)
    assert [record.id for record in found.records] == [block]
    assert KEY in found.text
    assert (found.answer, found.kept) == ("", "")


def test_what_is_stale_is_to_be_checked_in_the_very_next_answer(made: Service) -> None:
    saved(made, KEY, QUESTION)
    assert made.ask(QUESTION).decision is Decision.REUSE
    made.moment = lambda: LATER
    found = made.ask(QUESTION)
    assert (found.decision, found.reasons) == (Decision.REVALIDATE, (Doubt.STALE,))
    assert found.answer == ""
    assert KEY in found.text, "it goes along, marked"
    assert "stale" in found.text


def test_what_is_withheld_is_named_and_not_said(made: Service) -> None:
    block = saved(made, KEY, QUESTION)
    noted(made, block, Status="disputed 0.5")
    found = made.ask(QUESTION)
    assert (found.decision, found.reasons) == (Decision.REJECT, (Doubt.DISPUTED,))
    assert (found.answer, found.text) == ("", "")
    (record,) = found.records
    assert (record.id, record.content, record.citations) == (block, "", ())
    noted(made, block, Status="verified 0.95", Reuse="never-direct")
    assert made.ask(QUESTION).reasons == (Doubt.NEVER_DIRECT,)


def test_a_higher_threshold_and_current_data_ask_for_a_check(made: Service) -> None:
    saved(made, KEY, QUESTION)
    assert made.ask(QUESTION, least=0.96).reasons == (Doubt.CONFIDENCE_BELOW_THRESHOLD,)
    assert made.ask(QUESTION, current_required=True).reasons == (Doubt.CURRENT_DATA_REQUESTED,)


def test_two_records_on_one_question_that_differ_are_named_and_not_used(made: Service) -> None:
    first = saved(made, KEY, QUESTION)
    second = saved(made, "The spare key lies under the third pot.", QUESTION.upper())
    found = made.ask(QUESTION)
    assert (found.decision, found.reasons[0]) == (Decision.REVALIDATE, Ground.COLLISION)
    assert set(found.rivals) == {record.id for record in found.records} == {first, second}
    noted(made, second, Status="retracted 0")
    settled = made.ask(QUESTION)
    assert (settled.decision, settled.answer) == (Decision.REUSE, KEY)
    assert set(settled.rivals) == {first, second}, "it is still reported"


def test_a_broad_subject_lists_what_there_is(made: Service) -> None:
    key = saved(made, KEY)
    saved(made, "Ines is allergic to shellfish.")
    found = made.ask("What do you know about the spare key?")
    assert (found.decision, found.way) == (Decision.REUSE, Way.SUBJECT)
    assert [record.id for record in found.records] == [key]
    assert found.answer == KEY
    assert made.ask("Was weißt du über Zeppeline?").decision is Decision.MISS


def test_a_former_value_is_no_answer(made: Service) -> None:
    block = saved(made, KEY, QUESTION)
    noted(made, block, Until="2023-10")
    found = made.ask(QUESTION)
    assert (found.decision, found.reasons) == (Decision.REVALIDATE, (Ground.NOT_CURRENT,))
    assert found.records[0].current is False


def test_a_question_that_is_alike_is_answered_and_one_that_is_less_alike_goes_along(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("numpy", reason="the extra [semantic] is not installed")
    monkeypatch.setattr("scriptorium.embeddings.embedder_of", lambda settings, model: Meanings())
    with asked_home(tmp_path) as made:
        block = saved(made, "It leaves at noon.", "When does the railway to Porto leave?")
        alike, near = "When does the train to Porto leave?", "Which train goes to Porto today?"
        assert made.ask(alike).decision is Decision.MISS, "a cold command waits for no model"
        made.by_meaning = True
        found = made.ask(alike)
        assert (found.decision, found.way) == (Decision.REUSE, Way.SIMILAR)
        assert found.records[0].likeness >= 0.78
        assert found.records[0].question == "When does the railway to Porto leave?"
        other = made.ask("When does the train to Lisbon leave?")
        assert other.decision is not Decision.REUSE, "a name differs"
        wide = made.ask(near)
        assert wide.decision is Decision.PROVIDER_REQUIRED
        assert [record.id for record in wide.records] == [block]
        assert wide.answer == ""


def test_what_is_forgotten_answers_nothing(made: Service) -> None:
    block = saved(made, KEY, QUESTION)
    made.forget([block])
    assert made.ask(QUESTION).decision is Decision.MISS


def test_a_budget_holds_for_what_goes_along(made: Service) -> None:
    saved(made, KEY, QUESTION)
    small = made.ask(QUESTION, 30)
    assert (small.decision, small.answer) == (Decision.REUSE, KEY)
    assert "<memory-context" not in small.text
    whole = made.ask(QUESTION, 300)
    assert whole.tokens <= 300
    assert "<memory-context" in whole.text
    assert datetime.date.fromisoformat(whole.records[0].dates[0]) == datetime.date(2023, 11, 14)
