"""The questions of a LoCoMo file, and each of its conversations as a log of its own.

A question names the turns that hold its answer, its evidence. Ids that name no turn are left out, some of the
file are misspelt; `D8:6; D9:17` names two. A question without any evidence is left out of recall.
"""

import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path

from attrs import frozen

__all__ = ["ADVERSARIAL", "CATEGORIES", "Conversation", "Question", "conversations"]

CATEGORIES = {1: "multi-hop", 2: "temporal", 3: "open-domain", 4: "single-hop"}
ADVERSARIAL = 5
_TURN = re.compile(r"D\d+:\d+")


@frozen
class Question:
    """What is asked, its category, and the ids of the turns that hold the answer."""

    text: str
    category: int
    evidence: frozenset[str]


@frozen
class Conversation:
    """One conversation: `log` is what an importer reads."""

    name: str
    log: str
    questions: tuple[Question, ...]

    @property
    def answerable(self) -> tuple[Question, ...]:
        """Those by which recall is measured."""
        return tuple(each for each in self.questions if each.evidence and each.category != ADVERSARIAL)

    @property
    def adversarial(self) -> tuple[Question, ...]:
        """Those whose answer stands nowhere."""
        return tuple(each for each in self.questions if each.category == ADVERSARIAL)


def conversations(path: Path, most: int | None = None) -> Iterator[Conversation]:
    """The first `most` conversations of a file, all if None."""
    for sample in json.loads(path.read_bytes())[:most]:
        known = set(_ids(sample["conversation"]))
        questions = tuple(_question(each, known) for each in sample["qa"])
        yield Conversation(sample["sample_id"], json.dumps([sample]), questions)


def _ids(talk: Mapping[str, object]) -> Iterator[str]:
    for turns in talk.values():
        yield from (turn["dia_id"] for turn in turns if "dia_id" in turn) if isinstance(turns, list) else ()


def _question(asked: Mapping[str, object], known: set[str]) -> Question:
    named = _TURN.findall(" ".join(map(str, asked.get("evidence") or ())))  # type: ignore[call-overload]
    return Question(str(asked["question"]), int(str(asked["category"])), frozenset(named) & known)
