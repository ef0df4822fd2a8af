"""A generated answer as a record: unverified, with the question that it answers and its sources.

It is a record beside others and takes the place of none. Where a record carries the question already, nothing
is kept: what is there was not generated, or was kept before.
"""

from collections.abc import Iterable

from attrs import frozen

from ..changes.content import unfit
from ..changes.model import CreateRecord, Destination, Position, SourceUse
from ..facts.model import Facts
from ..problem import Code, Problem
from ..recall.grounds import ground
from ..topics.questions import ask_fields, question_key
from ..when import When
from .harmless import plain_label
from .placing import Subject, month_of, place_for
from .remembering import verbatim

__all__ = ["GENERATED", "Generated", "kept_answer"]

GENERATED = ("Status", "unverified 0.5")
"""The standing of what a model said and somebody kept."""

_ANSWERS = Subject("Answers", "topics/answers")
_MOST_SOURCES = 32


@frozen
class Generated:
    """An answer, its question, the ids of the records that it rests on, and the day."""

    question: str
    answer: str
    cited: tuple[str, ...]
    day: When


def kept_answer(made: Generated, facts: Facts) -> tuple[CreateRecord, ...] | tuple[Problem, ...]:
    """The record that an answer becomes, or why it becomes none."""
    known = facts.asked.get(question_key(made.question), ())
    asked = ask_fields((made.question,))
    content = verbatim(made.answer)
    uses = tuple(_sources(facts, made.cited))[:_MOST_SOURCES]
    if known:
        names = ", ".join(f"^{block}" for block in known)
        message = f"{names} carries this question already, and stays as it is"
        return (Problem(Code.NOT_PERMITTED, message, "keep", remedy="correct that record"),)
    if not uses or not asked:
        message = "the answer rests on nothing that is archived" if asked else "the question holds no words"
        return (Problem(Code.MISSING_SOURCE, message, "keep", remedy="keep nothing of it"),)
    if fault := unfit(content):
        return (Problem(Code.INVALID_ARGUMENT, f"the answer {fault.words}", "keep", remedy=fault.remedy),)
    path = place_for(_ANSWERS, month_of(made.day), facts, {})
    destination = Destination(path, (_ANSWERS.title, month_of(made.day)), Position.END)
    return (CreateRecord(content, made.day, uses, destination, "keep", (GENERATED, *asked)),)


def _sources(facts: Facts, cited: Iterable[str]) -> Iterable[SourceUse]:
    """The trusted messages behind the records, each once, called as the records call them."""
    seen: set[str] = set()
    for name in cited:
        known = facts.records.get(name)
        for source in known.record.sources if known is not None else ():
            found = ground(facts, source).source
            if found is None or found.id in seen or not found.trusted or found.withheld:
                continue
            seen.add(found.id)
            yield SourceUse(found.id, plain_label(source.label) or plain_label(found.label) or "memory")
