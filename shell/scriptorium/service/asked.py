"""What comes of a question: the decision, why, and what it rests on."""

from __future__ import annotations

from typing import TYPE_CHECKING

from attrs import frozen

from scriptorium_core.problem import Problem
from scriptorium_core.writing.used import NOTHING_USED, Used

if TYPE_CHECKING:
    from scriptorium_core.knowledge.asking import Decision, Way
    from scriptorium_core.knowledge.assess import Assessment
    from scriptorium_core.knowledge.offer import Left, Shown

    from .cited import Citation

__all__ = ["Answered", "AskedRecord"]


@frozen
class AskedRecord:
    """A record that a decision rests on, with the turns that it cites.

    `question` is that of its questions which was meant, empty where it was found by its words; `likeness` is
    1 for the very question. Of one that may not be given at all, only that it is there is said: `content` and
    `citations` are empty, and its assessment says why.
    """

    id: str
    content: str
    path: str
    headings: tuple[str, ...]
    dates: tuple[str, ...]
    assessment: Assessment
    question: str = ""
    likeness: float = 1.0
    current: bool = True
    citations: tuple[Citation, ...] = ()


@frozen
class Answered:
    """What was decided for a question, and what is delivered.

    `answer` is there where the decision is reuse or generated. `text` is all that is delivered, character for
    character as it is traced: the answer, and a context with what it rests on. `rivals` are several records
    that carry one question. `kept` is the record that a generated answer became. `failure` is why a model
    gave none; `used` is what it took. `normaliser` is the version of how questions are compared.
    """

    revision: str | None
    question: str
    decision: Decision
    way: Way
    reasons: tuple[str, ...]
    answer: str
    records: tuple[AskedRecord, ...]
    rivals: tuple[str, ...]
    text: str
    tokens: int
    budget: int
    counter: str
    shown: tuple[Shown, ...]
    left_out: tuple[Left, ...]
    kept: str = ""
    failure: Problem | None = None
    used: Used = NOTHING_USED
    notices: tuple[Problem, ...] = ()
    normaliser: int = 1
