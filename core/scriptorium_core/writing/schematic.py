"""One JSON object under a schema, asked of a model: read with care, asked for once more where it has no form.

Around the object there may be prose, thoughts and fences; of several the last one counts that has the `key`.
An answer that was cut off, refused or is a provider's error in plain words is a failure, never an object.
"""

import json
from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Generic, TypeVar, cast

from attrs import evolve, frozen

from ..problem import Code, Problem
from .exchange import Asked, Question, Reply
from .faults import cut_short, spoken_fault
from .outcome import Failed, fail
from .prompting import repair_text

__all__ = ["Decode", "Exchange", "Got", "object_in", "read_reply"]

T = TypeVar("T")
Decode = Callable[[Mapping[str, object]], T | tuple[Problem, ...]]
"""An object as its value, or all that is wrong with it."""

_MOST_TRIED = 2_000


@frozen
class Exchange:
    """What is asked next, and whether the model has been told once what was wrong."""

    question: Question
    told: bool = False


@frozen
class Got(Generic[T]):
    """The value of an answer."""

    value: T


def read_reply(
    asked: Exchange, reply: Reply, key: str, decode: Decode[T], now: datetime
) -> Exchange | Got[T] | Failed:
    """What follows from a reply: its value, an end, or the question once again with all that was wrong."""
    failed = spoken_fault(reply.text, now) or cut_short(reply.ending)
    if failed is not None and failed.code is not Code.MODEL_TRUNCATED:
        return failed
    found = object_in(reply.text, key)
    value = (_missing(key),) if failed is not None or found is None else decode(found)
    if not isinstance(value, tuple):
        return Got(value)
    problems = cast("tuple[Problem, ...]", value)
    if asked.told:
        message = "the model gave no answer of the form that was asked for"
        return failed or fail(Code.WRITER_NO_PROGRESS, message, problems=problems)
    turns = (*asked.question.turns, reply, Asked(repair_text(problems)))
    return Exchange(evolve(asked.question, turns=turns), told=True)


def _missing(key: str) -> Problem:
    message = f"the answer holds no JSON object with {key!r}"
    return Problem(
        Code.INVALID_ARGUMENT, message, "answer", remedy=f"answer with one JSON object with {key!r}"
    )


def object_in(text: str, key: str) -> Mapping[str, object] | None:
    """The last JSON object in a text that has a key, None if there is none."""
    decoder = json.JSONDecoder()
    found: Mapping[str, object] | None = None
    start, tried = text.find("{"), 0
    while start >= 0 and tried < _MOST_TRIED:
        tried += 1
        try:
            value, end = cast("tuple[object, int]", decoder.raw_decode(text, start))
        except (ValueError, RecursionError):
            end = start + 1
        else:
            if isinstance(value, dict) and key in value:
                found = cast("Mapping[str, object]", value)
        start = text.find("{", end)
    return found
