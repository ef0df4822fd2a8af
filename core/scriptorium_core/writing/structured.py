"""The answer of a model that uses no tools: one JSON object with `memory_changes`, read with care.

    {"memory_changes": [{"op": "create_record", …}], "summary": "Mara moves to Lisbon"}
    {"memory_changes": [], "nothing_to_keep": "small talk"}

Around it there may be prose, thoughts and fences; inside its texts too. What was cut off is `Cut` and what
cannot be read is `Broken`: neither is ever the same as nothing to keep.
"""

import json
from collections.abc import Mapping
from datetime import datetime
from typing import cast

from attrs import evolve, frozen

from ..changes.decode import decode_request
from ..changes.model import Change
from ..problem import Code, Problem
from .agent import Nothing, summary_of
from .exchange import Asked, Question, Reply
from .faults import cut_short, spoken_fault
from .outcome import Failed, fail
from .prompting import repair_text
from .toolset import changes_schema

__all__ = ["Broken", "Changes", "Cut", "Stated", "answer_schema", "decode_answer", "stated"]

_KEYS = ("memory_changes", "nothing_to_keep", "summary")
_MOST_TRIED = 2_000
_HEAD = 200
_AGAIN = "Your answer was cut off. Answer again, shorter: one JSON object, with fewer operations if need be."
_FORM = 'answer with {"memory_changes": […], "summary": "…"}'


@frozen
class Changes:
    """What the model wants changed."""

    changes: tuple[Change, ...]
    summary: str = ""


@frozen
class Cut:
    """The answer ended in the midst of its JSON."""


@frozen
class Broken:
    """The answer is none; why."""

    problems: tuple[Problem, ...]


@frozen
class Stated:
    """The exchange goes on: what is asked next, and whether the model has been told once what was wrong."""

    question: Question
    told: bool = False


def answer_schema() -> Mapping[str, object]:
    """The JSON schema of the answer."""
    return {
        "type": "object",
        "properties": {
            "memory_changes": changes_schema(),
            "summary": {"type": "string", "description": "One line that says what was changed."},
            "nothing_to_keep": {"type": "string", "description": "Without changes: why nothing is kept."},
        },
        "required": ["memory_changes"],
        "additionalProperties": False,
    }


def stated(asked: Stated, reply: Reply, now: datetime) -> Stated | Changes | Nothing | Failed:
    """What follows from a reply: an end, or the question once again with all that was wrong."""
    if (failed := spoken_fault(reply.text, now)) is not None:
        return failed
    cut = cut_short(reply.ending)
    if cut is not None and cut.code is not Code.MODEL_TRUNCATED:
        return cut
    read = decode_answer(reply.text)
    if isinstance(read, Changes | Nothing):
        return read
    if cut is not None or isinstance(read, Cut):
        message = "the answer of the model ended before its JSON was whole"
        return _again(asked, reply, _AGAIN, cut or fail(Code.MODEL_TRUNCATED, message))
    message = "the model gave no changes that can be carried out"
    failed = fail(Code.COMMIT_REJECTED, message, problems=read.problems)
    return _again(asked, reply, repair_text(read.problems), failed)


def decode_answer(text: str) -> Changes | Nothing | Cut | Broken:
    """What an answer says; of several objects of the right form the last one counts."""
    found = None
    start, tried = text.find("{"), 0
    decoder = json.JSONDecoder()
    while start >= 0 and tried < _MOST_TRIED:
        tried += 1
        try:
            value, end = cast("tuple[object, int]", decoder.raw_decode(text, start))
        except (ValueError, RecursionError):
            if _begins(text[start : start + _HEAD]):
                if _is_open(text, start):
                    return Cut()
                found = None  # what stood before it was a draft or an example
            end = start + 1
        else:
            found = value if _is_answer(value) else found
        start = text.find("{", end)
    if found is None:
        return (
            Cut()
            if _is_cut(text)
            else Broken((_problem("", "the answer holds no JSON object of that form"),))
        )
    return _read(cast("Mapping[str, object]", found))


def _again(asked: Stated, reply: Reply, told: str, failed: Failed) -> Stated | Failed:
    if asked.told:
        return failed
    turns = (*asked.question.turns, evolve(reply, calls=(), raw=None), Asked(told))
    return Stated(evolve(asked.question, turns=turns), told=True)


def _read(fields: Mapping[str, object]) -> Changes | Nothing | Broken:
    changes, nothing, summary = (fields.get(key) for key in _KEYS)
    reason = summary_of(nothing) if isinstance(nothing, str) else ""
    if changes in (None, []):
        if reason:
            return Nothing(reason)
        return Broken((_problem("", "there are neither changes nor a reason in nothing_to_keep"),))
    if reason:
        message = "there are changes and a reason for having none"
        return Broken((_problem("nothing_to_keep", message),))
    request, problems = decode_request({"memory_changes": _without_nulls(changes)})
    if problems:
        return Broken(problems)
    return Changes(request.changes, summary_of(summary) if isinstance(summary, str) else "")


def _without_nulls(value: object) -> object:
    """Without the keys that a model fills with null because the schema names them; no date is null too."""
    if isinstance(value, list):
        return [_without_nulls(each) for each in cast("list[object]", value)]
    if isinstance(value, dict):
        fields = cast("dict[str, object]", value)
        return {
            key: _without_nulls(each) for key, each in fields.items() if each is not None or key == "time"
        }
    return value


def _is_answer(value: object) -> bool:
    return isinstance(value, dict) and ("memory_changes" in value or "nothing_to_keep" in value)


def _begins(text: str) -> bool:
    """Whether the beginning of an object looks like that of an answer."""
    return any(f'"{key}"' in text for key in _KEYS)


def _is_cut(text: str) -> bool:
    """Whether the last fence of a text is open, or its first object."""
    start = text.find("{")
    return (start >= 0 and _is_open(text, start)) or text.count("```") % 2 == 1


def _is_open(text: str, start: int) -> bool:
    """Whether the object that begins at `start` is not closed before the text ends."""
    depth, quoted, escaped = 0, False, False
    for char in text[start:]:
        if quoted:
            quoted, escaped = (escaped or char != '"'), (char == "\\" and not escaped)
        elif char == '"':
            quoted = True
        elif char in "{[":
            depth += 1
        elif char in "}]":
            depth -= 1
            if not depth:
                return False
    return True


def _problem(place: str, message: str) -> Problem:
    return Problem(Code.INVALID_ARGUMENT, message, place or "answer", remedy=_FORM)
