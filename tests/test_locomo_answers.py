"""How answers are scored, by which key, and which questions are asked."""

import hashlib
import json
import sys
from pathlib import Path

import pytest

from answer_talks import GOLD, TALK, UNKNOWN
from cli_example import ROOT

sys.path.append(str(ROOT / "benchmarks"))
pytest.importorskip("openai", reason="needs the extra `models`: pip install 'scriptorium-memory[models]'")

from locomo_answers_asking import verdict_in
from locomo_answers_scoring import f1, figure, says_unknown
from locomo_answers_set import Asked, Unfit, asked_of, key_of, sample
from locomo_set import conversations


@pytest.fixture
def file(tmp_path: Path) -> Path:
    place = tmp_path / "talk.json"
    place.write_text(json.dumps(TALK))
    return place


def asked(category: int, number: int) -> Asked:
    return Asked(f"c/{category}-{number}", "?", category, "x")


def test_words_count_once_each_and_stems_are_alike() -> None:
    assert f1("The Blue pots!", "under the blue pot", 4) == pytest.approx(0.8)
    assert f1("pot pot pot", "pot", 4) == pytest.approx(0.5)
    assert f1("", "pot", 4) == 0.0
    assert f1("1,000 steps", "1000 step", 2) == 1.0


def test_each_category_has_its_rule() -> None:
    assert f1("a dog", "a dog, a boat", 1) == pytest.approx(0.5)
    assert f1("boat, dog", "a dog, a boat", 1) == 1.0
    assert f1("Likely no", "Likely no; she reads", 3) == 1.0
    assert f1("Likely no", "Likely no; she reads", 4) < 1.0
    assert (f1("Not known.", UNKNOWN, 5), f1("They are slow", UNKNOWN, 5)) == (1.0, 0.0)


@pytest.mark.parametrize(
    "text",
    [
        "Not known.",
        "I don't know",
        "It isn’t mentioned.",
        "No information available",
        "It is not clearly stated",
    ],
)
def test_who_says_that_it_is_not_known_is_heard(text: str) -> None:
    assert says_unknown(text)


@pytest.mark.parametrize("text", ["Bo does not like them", "a known sailor", "no", "They know Ada"])
def test_who_says_something_is_not_taken_for_it(text: str) -> None:
    assert not says_unknown(text)


def test_a_figure_says_what_chance_leaves_open_and_is_drawn_alike() -> None:
    found = figure([1.0, 0.0] * 20)
    assert (found.mean, found.questions) == (0.5, 40)
    assert 0.3 < found.low < 0.5 < found.high < 0.7
    assert found == figure([1.0, 0.0] * 20)
    assert (figure([1.0] * 9).low, figure([0.0] * 9).high) == (1.0, 0.0)


def test_a_verdict_is_read_among_words_and_never_guessed() -> None:
    assert verdict_in('I think:\n```json\n{"why": "same", "right": true}\n```') is True
    assert verdict_in('{"right": false, "why": "{"}') is False
    for text in ("", "right", '{"right": "yes"}', '{"right": tr'):
        assert verdict_in(text) is None, text


def test_a_sample_is_even_and_grows() -> None:
    known = [
        asked(category, n)
        for category, most in ((1, 30), (2, 30), (3, 2), (4, 90), (5, 30))
        for n in range(most)
    ]
    small, large = sample(known, 22, 7), sample(known, 50, 7)
    assert [sum(each.category == n for each in small) for n in range(1, 6)] == [5, 5, 2, 5, 5]
    assert set(small) < set(large)
    assert sample(known, 22, 8) != small
    assert sample(known, None, 7) == tuple(known)


def test_a_key_corrects_and_leaves_out_and_says_which_it_is(file: Path, tmp_path: Path) -> None:
    talks = tuple(conversations(file))
    rows = [
        {"question_id": "conv-1/0", "correct_answer": "under the pot"},
        {"question_id": "locomo_0_qa1", "question": list(GOLD)[1], "correct_answer": None},
        {"question_id": "locomo_0_qa4", "error_type": "WRONG_CITATION", "correct_answer": "a dog!"},
    ]
    place = tmp_path / "errors.json"
    place.write_text(json.dumps(rows))
    key = key_of(place, file, talks)
    assert (key.name, key.sha256) == ("errors.json", hashlib.sha256(place.read_bytes()).hexdigest())
    known = asked_of(talks[0], key)
    assert [each.gold for each in known[:3]] == ["under the pot", "8 May 2023", UNKNOWN]
    assert [each.corrected for each in known] == [True, True, False, False, False]
    assert [each.id for each in sample(known, None, 1)] == ["conv-1/0", "conv-1/2", "conv-1/3", "conv-1/4"]


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        ("[", "is not JSON"),
        ('{"conv-1/0": "x"}', "no list"),
        ('[{"question_id": "conv-2/0", "correct_answer": "x"}]', "is no question"),
        ('[{"question_id": "conv-1/0", "question": "Who?", "correct_answer": "x"}]', "another question"),
        ('[{"question_id": "conv-1/0"}]', "no correct_answer"),
    ],
)
def test_a_key_to_other_questions_is_refused(file: Path, tmp_path: Path, rows: str, said: str) -> None:
    place = tmp_path / "errors.json"
    place.write_text(rows)
    with pytest.raises(Unfit, match=said):
        key_of(place, file, tuple(conversations(file)))
