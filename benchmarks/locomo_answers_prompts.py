"""Every word that the answerer and the judge are told.

The category of a question is told to nobody. Both prompts of the judge go to the same judge about the same
answer: how far their figures lie apart is how much a figure says about the prompt.
"""

import hashlib
from collections.abc import Mapping
from types import MappingProxyType

__all__ = ["JUDGES", "NOT_KNOWN", "VERDICT", "answering", "digest", "judging", "published"]

NOT_KNOWN = "Not known."
"""What the answerer is told to say where what it is shown holds no answer."""

_ANSWER_SYSTEM = f"""\
You answer questions about a conversation between two people. You are shown what is at hand of it.
Answer with the shortest words that are complete: a name, a date, a list with commas, a short clause.
Give dates as days of the calendar (7 May 2023): count them from the date at which something was said.
Infer what follows from what is shown. Where nothing shown bears on the question, answer exactly: {NOT_KNOWN}
Say nothing else."""

_ANSWER = """\
What is at hand:

{shown}

Question: {question}
Answer:"""

_NOTHING = "(nothing)"

_LENIENT = """\
You judge whether an answer to a question is right. Be generous. The answer is right if it is about the same
thing as the gold answer: it may be longer, say it in other words, name only a part of a list, or give a date
in another way or in the same period. Only an answer that names something else, or says that it is not known
where the gold answer names something, is wrong."""

_STRICT = """\
You judge whether an answer to a question is right. Be exact. The answer is right only if it says all that the
gold answer says: every thing of a list, the same person, the same number, the same day where the gold answer
gives a day. It may say it in other words. It is wrong if a part is missing, if it says anything that
contradicts the gold answer, if it is vaguer, if it leaves open which of several things it means, or if it
says that it is not known where the gold answer names something."""

_JUDGE = """\
Question: {question}
Gold answer: {gold}
Answer to be judged: {answer}

Answer with one JSON object of two fields: "why", a short sentence, and "right", true or false."""

JUDGES: Mapping[str, str] = MappingProxyType({"lenient": _LENIENT, "strict": _STRICT})
"""The two ways of judging, by name."""

VERDICT: Mapping[str, object] = MappingProxyType(
    {
        "type": "object",
        "properties": {"why": {"type": "string"}, "right": {"type": "boolean"}},
        "required": ["why", "right"],
        "additionalProperties": False,
    }
)
"""The schema of a verdict."""

Told = tuple[str, str]


def answering(shown: str, question: str) -> Told:
    """What the answerer is told: the rules, and the question beside what is shown."""
    return _ANSWER_SYSTEM, _ANSWER.format(shown=shown or _NOTHING, question=question)


def judging(judge: str, question: str, gold: str, answer: str) -> Told:
    """What the judge is told in one of the two ways."""
    return JUDGES[judge], _JUDGE.format(question=question, gold=gold, answer=answer or "(no words)")


def digest(told: Told) -> str:
    """The SHA-256 of all that was told."""
    return hashlib.sha256("\n\n".join(told).encode()).hexdigest()


def published() -> Mapping[str, str]:
    """The prompts by name, before anything is filled in."""
    return {
        "answer-system": _ANSWER_SYSTEM,
        "answer": _ANSWER,
        "judge-lenient-system": _LENIENT,
        "judge-strict-system": _STRICT,
        "judge": _JUDGE,
    }
