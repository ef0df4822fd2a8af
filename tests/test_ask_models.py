"""A model that answers and one that puts words in order: what is taken of it, what it costs, how it fails."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from asked_homes import KEY, QUESTION, asked_home, modelled, saved, stated
from provider_server import played
from scriptorium.refused import Refused
from scriptorium.service.asked import Answered
from scriptorium.service.runtime import read_costs, read_status
from scriptorium.service.trust import Remembered
from scriptorium_core.knowledge.asking import Decision, Ground
from scriptorium_core.knowledge.assess import Doubt
from scriptorium_core.policy import READER
from scriptorium_core.problem import Code
from scriptorium_core.topics.standing import State
from wire_formats import error

pytest.importorskip("openai", reason="needs the extra `models`: pip install 'scriptorium-memory[models]'")
pytestmark = pytest.mark.provider

ASKED = "What hangs behind the blue door?"
SAID = "The spare key hangs there."
BOILER = "please remember that the boiler was renewed by mira in 2024, not 2023"


def test_a_model_answers_out_of_the_context_and_cites_it(tmp_path: Path) -> None:
    with asked_home(tmp_path) as made:
        block = saved(made, KEY)
    with played(stated({"answer": SAID, "cited": [f"^{block}"]})) as play, modelled(tmp_path, play) as made:
        found = made.ask(ASKED)
        assert (found.decision, found.answer) == (Decision.GENERATED, SAID)
        assert found.reasons == (Doubt.VALIDATION_INSUFFICIENT,)
        assert [record.id for record in found.records] == [block]
        assert found.text.startswith(SAID)
        assert (found.kept, found.used.calls) == ("", 1)
        assert made.traces()[0].text == found.text
        layout = made.memory().layout
        assert [entry.session for entry in read_costs(layout)] == ["ask"]
        assert read_status(layout).offered > 0
        assert KEY in str(play.asked[0].body)
        assert made.ask("zeppelins").decision is Decision.MISS
        assert len(play.asked) == 1, "nothing is asked where nothing is known"
        assert made.ask(ASKED, model=False).reasons == (Ground.NOT_ASKED,)
        made.actor = READER
        assert made.ask(ASKED).decision is not Decision.GENERATED, "costs are for those who may write"


def test_a_model_answers_out_of_what_memory_held_then_and_nothing_is_kept(tmp_path: Path) -> None:
    with asked_home(tmp_path) as made:
        block = saved(made, KEY)
        made.retract(block)
    with played(stated({"answer": SAID, "cited": [block]})) as play, modelled(tmp_path, play) as made:
        assert made.ask(ASKED).decision is not Decision.GENERATED
        before = made.memory().revision
        with made.at("HEAD~1") as past:
            found = past.ask(ASKED)
            assert (found.decision, found.answer) == (Decision.GENERATED, SAID)
            assert made.traces()[0].text == found.text
            with pytest.raises(Refused) as refused:
                past.ask(ASKED, keep=True)
            assert refused.value.problems[0].code is Code.NOT_PERMITTED
        assert (made.memory().revision, len(play.asked)) == (before, 1)


def test_an_answer_of_then_is_dropped_where_what_it_rests_on_was_forgotten_meanwhile(tmp_path: Path) -> None:
    with asked_home(tmp_path) as made:
        block = saved(made, KEY)
        saved(made, "Bread is at ten.")
    with played(stated({"answer": SAID, "cited": [block]})) as play, modelled(tmp_path, play) as made:
        with made.at("HEAD~1") as past:
            past.topics()
            made.forget([block])
            found = past.ask(ASKED)
        assert (found.decision, found.reasons) == (Decision.PROVIDER_REQUIRED, (Ground.CHANGED,))
        assert len(play.asked) == 1


def test_an_answer_is_kept_where_it_is_asked_for_as_unverified_and_once(tmp_path: Path) -> None:
    with asked_home(tmp_path) as made:
        block = saved(made, KEY)
    with played(stated({"answer": SAID, "cited": [block]})) as play, modelled(tmp_path, play) as made:
        before = made.memory().revision
        found = made.ask(ASKED, keep=True)
        assert found.kept
        shown = made.show(found.kept)
        assert shown.assessment.state is State.UNVERIFIED  # type: ignore[union-attr]
        assert shown.assessment.confidence == 0.5  # type: ignore[union-attr]
        assert shown.groups[0].citations[0].turn.text == KEY  # type: ignore[union-attr]
        assert made.memory().revision != before
        again = made.ask(ASKED, keep=True)
        assert again.decision is Decision.REVALIDATE, "what a model said is no answer by itself"
        assert (again.kept, len(play.asked)) == ("", 1)


def test_a_request_with_a_key_is_answered_alike_and_its_answer_kept_once(tmp_path: Path) -> None:
    with asked_home(tmp_path) as made:
        block = saved(made, KEY)
        saved(made, "The blue door squeaks.")
    good, other = (stated({"answer": text, "cited": [block]}) for text in (SAID, "Something else."))
    with played(good, other) as play, modelled(tmp_path, play) as made:
        given = []
        for _ in range(2):
            with made.once("k1", ["ask", ASKED]):
                given.append(made.ask(ASKED, keep=True))
        first, again = given
        assert (first.decision, first.answer) == (again.decision, again.answer) == (Decision.GENERATED, SAID)
        assert first.kept == again.kept != ""
        assert [each.id for each in again.records] == [block]
        assert (len(play.asked), again.used.calls) == (1, 0)
        with pytest.raises(Refused) as refused, made.once("k1", ["ask", "Something else?"]):
            made.ask("What else hangs behind the blue door?", keep=True)
        assert refused.value.problems[0].path == "idempotency_key"
        assert len(play.asked) == 1, "no model is asked for what is refused"
        made.forget([first.kept])
        with made.once("k1", ["ask", ASKED]):
            gone = made.ask(ASKED, keep=True, model=False)
        assert (gone.decision, gone.kept) == (Decision.PROVIDER_REQUIRED, "")


def test_of_two_requests_with_one_key_at_once_both_have_the_answer_that_was_kept(tmp_path: Path) -> None:
    with asked_home(tmp_path) as made:
        block = saved(made, KEY)
        assert made.ask(ASKED).records, "the index is there before two ask it at once"
    answers = [stated({"answer": f"{SAID} {word}", "cited": [block]}) for word in ("One.", "Two.")]
    with played(*answers) as play, ThreadPoolExecutor(2) as pool:

        def asked(_: int) -> Answered:
            with modelled(tmp_path, play) as made, made.once("k1", ["ask", ASKED]):
                return made.ask(ASKED, keep=True)

        one, other = pool.map(asked, range(2))
        assert (one.answer, one.kept) == (other.answer, other.kept)
        assert one.kept
    with asked_home(tmp_path) as made:
        assert [each.kind for each in made.log(None)] == ["ask", "remember"]


def test_a_record_with_the_very_question_is_never_overwritten(tmp_path: Path) -> None:
    with asked_home(tmp_path) as made:
        block = saved(made, KEY, QUESTION)
    with played(stated({"answer": "Elsewhere.", "cited": [block]})) as play, modelled(tmp_path, play) as made:
        from scriptorium.service.answers import keep_answer
        from scriptorium_core.writing.used import NOTHING_USED

        before = made.memory().revision
        assert made.ask(QUESTION, least=1.0, keep=True).decision is Decision.REVALIDATE
        kept, problems = keep_answer(made, QUESTION.lower(), "Elsewhere.", [block], NOTHING_USED)
        assert (kept, [problem.code for problem in problems]) == ("", [Code.NOT_PERMITTED])
        assert made.memory().revision == before
        assert not play.asked


@pytest.mark.parametrize(
    "wrong",
    [
        {"answer": SAID, "cited": []},
        {"answer": SAID, "cited": ["^ffffffff"]},
        {"answer": 7, "cited": []},
        "no object at all",
    ],
)
def test_an_answer_without_its_form_is_told_once_and_then_none(tmp_path: Path, wrong: object) -> None:
    with asked_home(tmp_path) as made:
        block = saved(made, KEY)
    good = stated({"answer": SAID, "cited": [block]})
    with played(stated(wrong), good) as play, modelled(tmp_path, play) as made:
        assert made.ask(ASKED).decision is Decision.GENERATED
    with played(stated(wrong)) as play, modelled(tmp_path, play) as made:
        found = made.ask(ASKED)
        assert (found.decision, found.reasons) == (Decision.PROVIDER_REQUIRED, (Ground.MODEL_FAILED,))
        assert found.failure is not None
        assert found.failure.code is Code.WRITER_NO_PROGRESS
        assert (len(play.asked), found.used.calls) == (2, 2)
        assert KEY in found.text


def test_a_model_that_finds_no_answer_says_so_and_one_that_fails_is_an_outcome(tmp_path: Path) -> None:
    with asked_home(tmp_path) as made:
        saved(made, KEY)
    with played(stated({"answer": "", "cited": []})) as play, modelled(tmp_path, play) as made:
        found = made.ask(ASKED)
        assert (found.decision, found.reasons) == (Decision.MISS, (Ground.NOT_IN_MEMORY,))
    broken = error(401, {"error": {"message": "bad key", "type": "invalid_api_key"}})
    with played(broken) as play, modelled(tmp_path, play) as made:
        found = made.ask(ASKED)
        assert found.decision is Decision.PROVIDER_REQUIRED
        assert found.failure is not None
        assert found.failure.code is Code.MODEL_AUTHENTICATION
        assert KEY in found.text


def test_words_that_are_saved_are_put_in_order_and_said_in_other_words(tmp_path: Path) -> None:
    proposal = {
        "topic": "topics/house.md",
        "title": "Boiler",
        "records": ["The boiler was renewed by Mira in 2024, not 2023."],
    }
    with played(stated(proposal)) as play, modelled(tmp_path, play) as made:
        done = made.remember(BOILER, organize=True)
        assert isinstance(done, Remembered)
        (record,) = done.records
        assert (record.content, record.topic_path) == (proposal["records"][0], "topics/house.md")
        assert record.headings == ("House", "Boiler")
        assert done.organized is not None
        assert (done.organized.reworded, done.organized.refused) == (True, ())
        shown = made.show(record.id)
        assert shown.assessment.state is State.SUPPORTED  # type: ignore[union-attr]
        assert shown.groups[0].citations[0].turn.text == BOILER  # type: ignore[union-attr]
        again = made.remember(BOILER, organize=True)
        assert isinstance(again, Remembered)
        assert (again.known, again.committed.unchanged, len(play.asked)) == (True, True, 1)


@pytest.mark.parametrize(
    ("words", "why"),
    [
        ("The boiler was renewed by Mira in 2025, not 2023.", "2025"),
        ("The boiler was renewed by Tom in 2024, not 2023.", "Tom"),
        ("The boiler was renewed by Mira in 2024 and 2023.", "negates"),
        ("The boiler was renewed.[^e1] ^aa", "citation"),
    ],
)
def test_words_that_say_something_else_are_not_taken(tmp_path: Path, words: str, why: str) -> None:
    proposal = {"topic": "topics/core.md", "title": "By Anna", "records": [words]}
    with played(stated(proposal)) as play, modelled(tmp_path, play) as made:
        done = made.remember(BOILER, organize=True)
        assert isinstance(done, Remembered)
        (record,) = done.records
        assert (record.content, record.topic_path) == (BOILER, "topics/notes.md")
        assert made.show(record.id).assessment.state is State.VERIFIED  # type: ignore[union-attr]
        assert done.organized is not None
        assert any(why in line for line in done.organized.refused), done.organized.refused
        assert any("core" in line for line in done.organized.refused)
        assert any("Anna" in line for line in done.organized.refused)


def test_words_are_saved_whatever_becomes_of_the_model(tmp_path: Path) -> None:
    with played(stated("I would rather not.")) as play, modelled(tmp_path, play) as made:
        done = made.remember(KEY, organize=True)
        assert isinstance(done, Remembered)
        assert done.records[0].content == KEY
        assert done.organized is not None
        assert done.organized.failure is not None
        assert len(play.asked) == 2
    with asked_home(tmp_path / "without") as made:
        done = made.remember(KEY, organize=True)
        assert isinstance(done, Remembered)
        assert done.records[0].content == KEY
        assert done.organized is not None
        assert done.organized.failure is not None
