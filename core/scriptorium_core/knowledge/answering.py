"""A question put to a model with a context, and its answer: out of what it was shown, with what it rests on.

The answer of a model that cites nothing, or what it was not shown, is none.
"""

from collections.abc import Collection, Mapping
from datetime import datetime
from types import MappingProxyType

from attrs import frozen

from ..changes.reading import is_text
from ..names import BlockId
from ..problem import Code, Problem
from ..writing.datalines import data_line
from ..writing.exchange import Asked, Question, Reply
from ..writing.outcome import Failed
from ..writing.prompts import ANSWER
from ..writing.schematic import Exchange, Got, read_reply

__all__ = ["Answer", "answer_question", "answer_read"]

LONGEST = 2_000
"""Characters of an answer."""

_FORM = 'answer with {"answer": "…", "cited": ["^id"]}'
_SCHEMA: Mapping[str, object] = MappingProxyType(
    {
        "type": "object",
        "properties": {
            "answer": {"type": "string", "description": "What the data says; empty if it does not say it."},
            "cited": {"type": "array", "items": {"type": "string"}, "description": "Ids of records."},
        },
        "required": ["answer", "cited"],
        "additionalProperties": False,
    }
)


@frozen
class Answer:
    """What a model said, on one line, and the records that it names; both empty where it found nothing."""

    text: str
    cited: tuple[BlockId, ...] = ()


def answer_question(question: str, context: str, today: str) -> Question:
    """What a model is asked; `context` is the text that is delivered, `today` is `YYYY-MM-DD`."""
    task = f"Today is {today}.\n\n{data_line({'question': question})}\n\n{context}"
    return Question(ANSWER.text, (Asked(task),), (), dict(_SCHEMA))


def answer_read(
    asked: Exchange, reply: Reply, shown: Collection[str], now: datetime
) -> Exchange | Got[Answer] | Failed:
    """What follows from a reply; `shown` are the ids of the records that the model saw."""
    return read_reply(asked, reply, "answer", lambda fields: _decoded(fields, shown), now)


def _decoded(fields: Mapping[str, object], shown: Collection[str]) -> Answer | tuple[Problem, ...]:
    text, named = fields.get("answer"), fields.get("cited", [])
    if not isinstance(text, str) or not isinstance(named, list):
        return (_problem("answer is a text and cited a list of ids", "answer"),)
    said = " ".join(text.split())
    if not said:
        return Answer("")
    cited = [str(name).strip().lstrip("^") for name in named]  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType]
    faults = [_problem(f"no record ^{name[:40]} was shown", "cited") for name in cited if name not in shown]
    if not cited:
        faults.append(_problem("an answer that cites no record is none", "cited"))
    if len(said) > LONGEST or not is_text(said):
        faults.append(_problem(f"the answer is no text of at most {LONGEST:,} characters", "answer"))
    return tuple(faults) or Answer(said, tuple(dict.fromkeys(map(BlockId, cited))))


def _problem(message: str, place: str) -> Problem:
    return Problem(Code.INVALID_ARGUMENT, message, place, remedy=_FORM)
