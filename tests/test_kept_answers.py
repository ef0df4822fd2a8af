"""Examples of generated answers that are kept as records, and of why some are not."""

import pytest

from memory_example import PENDING, S1, S2, memory, snapshot
from scriptorium_core.changes import CreateRecord
from scriptorium_core.facts import Facts
from scriptorium_core.problem import Code
from scriptorium_core.when import When
from scriptorium_core.writing.answers import GENERATED, Generated, kept_answer
from small_topics import base_of, line

BASE = snapshot(memory())
DAY = When(2026, 5, 1)


def kept(question: str, answer: str, *cited: str, facts: Facts = BASE.facts) -> object:
    return kept_answer(Generated(question, answer, cited, DAY), facts)


def record(outcome: object) -> CreateRecord:
    """The one record that an answer became."""
    assert isinstance(outcome, tuple)
    (change,) = outcome
    assert isinstance(change, CreateRecord), change
    return change


def refused(outcome: object) -> list[tuple[Code, str, str]]:
    assert isinstance(outcome, tuple)
    return [(each.code, each.path, each.remedy) for each in outcome]


def test_an_answer_is_an_unverified_record_beside_the_others() -> None:
    change = record(kept("Where is the key?", "Mara has it.", "key1", "old2", "mira1", "none"))
    assert (change.content, change.time) == ("Mara has it.", DAY)
    assert change.fields == (GENERATED, ("Ask", "Where is the key?"))
    assert change.destination.topic_path.startswith("topics/answers")
    assert [(use.source, use.label) for use in change.sources] == [(S1, "said"), (S2, "seen")]


def test_an_answer_that_the_format_would_read_otherwise_is_made_harmless() -> None:
    change = record(kept("Where is the key?", "# Mara has it", "key1"))
    assert change.content == "\\# Mara has it"


def test_what_is_held_or_blank_is_no_ground_of_an_answer() -> None:
    held = base_of(line("a1", "Zed was here.", "", PENDING)).facts
    assert refused(kept("Who?", "Zed.", "a1", facts=held)) == [
        (Code.MISSING_SOURCE, "keep", "keep nothing of it")
    ]
    assert refused(kept(" \n", "Zed.", "key1")) == [(Code.MISSING_SOURCE, "keep", "keep nothing of it")]


def test_a_question_that_a_record_carries_already_keeps_nothing() -> None:
    facts = base_of(line("a1", "In the shed.", "Ask: Where is the key?")).facts
    assert refused(kept("where is  the KEY?", "Mara has it.", "a1", facts=facts)) == [
        (Code.NOT_PERMITTED, "keep", "correct that record")
    ]


@pytest.mark.parametrize(("answer", "remedy"), [("  ", "say what is to be remembered")])
def test_an_answer_that_cannot_be_a_record_is_refused(answer: str, remedy: str) -> None:
    assert refused(kept("Where is the key?", answer, "key1")) == [(Code.INVALID_ARGUMENT, "keep", remedy)]
