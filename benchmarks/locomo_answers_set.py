"""The questions of LoCoMo with what counts as right, by which key, and a sample of them.

A question is named by its conversation and its place in it, from 0: `conv-26/1`. The key is the answers of
the set, or those with the corrections of a file, a list of objects:

    [{"question_id": "conv-26/5", "question": "…", "correct_answer": "The Saturday before 25 May 2023"}]

`locomo_0_qa5` is the same question by the number of its conversation, as the audit of dial481/locomo-audit
names it. `question` may be missing; where it is there, it must be that of the set. A `correct_answer` of null
leaves the question out. An `error_type` of WRONG_CITATION concerns the evidence alone: the answer stays.
"""

import hashlib
import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice, zip_longest
from pathlib import Path
from random import Random
from types import MappingProxyType

from attrs import frozen
from locomo_set import ADVERSARIAL, CATEGORIES, Conversation

__all__ = ["GROUPS", "UNKNOWN", "Asked", "Key", "Unfit", "asked_of", "days_of", "key_of", "sample", "sha256"]

GROUPS: Mapping[int, str] = MappingProxyType({**CATEGORIES, ADVERSARIAL: "adversarial"})
UNKNOWN = "It is not known: the conversation does not say."
"""What is right where the conversation holds no answer."""

_BY_NUMBER = re.compile(r"locomo_(\d+)_qa(\d+)")
_CITATION = "WRONG_CITATION"


class Unfit(Exception):
    """That a file is no key to these questions, and why."""


@frozen
class Asked:
    """A question and what is right; `left_out` where the key says that nothing is."""

    id: str
    text: str
    category: int
    gold: str
    corrected: bool = False
    left_out: bool = False


@frozen
class Key:
    """What counts as right: the name and SHA-256 of its file, and by question id what it corrects."""

    name: str
    sha256: str
    answers: Mapping[str, str | None]
    citations: int = 0


def key_of(file: Path | None, data: Path, talks: Sequence[Conversation]) -> Key:
    """The corrections of `file`, none if there is no such; raises Unfit if they are for other questions."""
    if file is None:
        return Key(f"{data.name}, as published", sha256(data.read_bytes()), {})
    raw = file.read_bytes()
    try:
        rows = json.loads(raw)
    except ValueError as error:
        raise Unfit(f"{file.name} is not JSON: {error}") from error
    if not (isinstance(rows, list) and all(isinstance(row, dict) for row in rows)):
        raise Unfit(f"{file.name} is no list of objects")
    asked = {each.id: each.text for talk in talks for each in _plain(talk)}
    names = {number: talk.name for number, talk in enumerate(talks)}
    answers, citations = dict[str, str | None](), 0
    for row in rows:
        name = _name(str(row.get("question_id", "")), names)
        if name not in asked:
            raise Unfit(f"{file.name}: {row.get('question_id')!r} is no question of {data.name}")
        if " ".join(str(row.get("question", asked[name])).split()) != " ".join(asked[name].split()):
            raise Unfit(f"{file.name}: {row['question_id']} is another question in {data.name}")
        if row.get("error_type") == _CITATION:
            citations += 1
        elif "correct_answer" not in row:
            raise Unfit(f"{file.name}: {row['question_id']} has no correct_answer")
        else:
            answer = row["correct_answer"]
            answers[name] = None if answer is None else str(answer)
    return Key(file.name, sha256(raw), answers, citations)


def asked_of(talk: Conversation, key: Key) -> tuple[Asked, ...]:
    """The questions of a conversation by a key."""
    return tuple(_by(key, each) for each in _plain(talk))


def sample(questions: Sequence[Asked], number: int | None, seed: int) -> tuple[Asked, ...]:
    """As many questions (None: all), as evenly over the categories as they reach.

    A larger sample of the same seed holds the smaller one, and a key that leaves questions out changes
    nothing of the others' order: a run goes on with more questions.
    """
    piles = [list(_shuffled(questions, category, seed)) for category in sorted(GROUPS)]
    rounds = (each for layer in zip_longest(*piles) for each in layer if each is not None)
    chosen = {each.id for each in islice(rounds, number)}
    return tuple(each for each in questions if each.id in chosen)


def days_of(talk: Conversation) -> Mapping[str, str]:
    """By the id of a turn, when its session was, in the words of the set."""
    (sample_,) = json.loads(talk.log)
    held = sample_["conversation"]
    sessions = [name for name, turns in held.items() if isinstance(turns, list)]
    return {
        turn["dia_id"]: str(held.get(f"{name}_date_time", "at an unknown time"))
        for name in sessions
        for turn in held[name]
    }


def sha256(data: bytes) -> str:
    """In hexadecimal digits."""
    return hashlib.sha256(data).hexdigest()


def _shuffled(questions: Iterable[Asked], category: int, seed: int) -> Iterator[Asked]:
    pile = [each for each in questions if each.category == category]
    Random(f"{seed}/{category}").shuffle(pile)
    return (each for each in pile if not each.left_out)


def _plain(talk: Conversation) -> Iterator[Asked]:
    (sample_,) = json.loads(talk.log)
    for place, each in enumerate(sample_["qa"]):
        category = int(each["category"])
        yield Asked(f"{talk.name}/{place}", str(each["question"]), category, _gold(each, category))


def _gold(question: Mapping[str, object], category: int) -> str:
    """The answer of the set; of an adversarial question that it is not known, or its answer if it has one."""
    answer = question.get("answer")
    if category != ADVERSARIAL:
        return str(answer)
    return UNKNOWN if answer is None else f"{answer}; or: {UNKNOWN}"


def _by(key: Key, asked: Asked) -> Asked:
    if asked.id not in key.answers:
        return asked
    answer = key.answers[asked.id]
    gold = asked.gold if answer is None else answer
    return Asked(asked.id, asked.text, asked.category, gold, True, answer is None)


def _name(given: str, names: Mapping[int, str]) -> str:
    by_number = _BY_NUMBER.fullmatch(given)
    return f"{names.get(int(by_number[1]), '')}/{by_number[2]}" if by_number else given
