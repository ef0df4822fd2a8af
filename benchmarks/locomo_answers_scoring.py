"""How right an answer is without any judge, and figures over questions with what chance leaves open.

The F1 of words is that of the LoCoMo paper: texts in lower case, without commas, punctuation and articles,
words stemmed by Porter. For multi-hop questions both sides are lists with commas, and each part of the gold
answer counts with the part of the answer that is nearest to it; for open-domain ones the gold answer ends at
the first semicolon. An adversarial question is right (1, else 0) if the answer says that it is not known.
"""

import re
import string
from collections import Counter
from collections.abc import Sequence
from random import Random
from statistics import fmean

from attrs import frozen
from locomo_set import ADVERSARIAL
from Stemmer import Stemmer

__all__ = ["SEED", "Figure", "f1", "figure", "says_unknown", "words_f1"]

SEED = 20_240_401
_DRAWS = 2_000
_MULTI_HOP, _OPEN = 1, 3
_ARTICLES = frozenset({"a", "an", "the", "and"})
_PUNCTUATION = str.maketrans("", "", string.punctuation)
_UNKNOWN = re.compile(
    r"(?:\bnot|n['’]t|\bnever|\bnowhere)(?: \w+)? "
    r"(?:know|known|mention|mentioned|say|said|specified|stated?)\b"
    r"|\bno information\b|\bunknown\b|\b(?:cannot|can['’]t|could not) be (?:determined|answered)\b",
    re.IGNORECASE,
)


@frozen
class Figure:
    """A mean over questions, and 95 % of its bootstrap."""

    mean: float
    low: float
    high: float
    questions: int


def f1(answer: str, gold: str, category: int) -> float:
    """How much of the gold answer's words an answer has, by the category's rule."""
    if category == ADVERSARIAL:
        return float(says_unknown(answer))
    if category == _MULTI_HOP:
        given = answer.split(",")
        return fmean(max(words_f1(each, part) for each in given) for part in gold.split(","))
    return words_f1(answer, gold.partition(";")[0] if category == _OPEN else gold)


def words_f1(answer: str, gold: str) -> float:
    """The harmonic mean of precision and recall of words, each as often as it stands there."""
    given, wanted = _words(answer), _words(gold)
    same = sum((Counter(given) & Counter(wanted)).values())
    return 2 * same / (len(given) + len(wanted)) if same else 0.0


def says_unknown(answer: str) -> bool:
    """Whether an answer says that it is not known."""
    return _UNKNOWN.search(answer) is not None


def figure(values: Sequence[float]) -> Figure:
    """The mean of values, of which there is at least one; drawn from `SEED` each time."""
    random = Random(SEED)
    drawn = sorted(fmean(random.choices(values, k=len(values))) for _ in range(_DRAWS))
    low, high = drawn[int(0.025 * _DRAWS)], drawn[int(0.975 * _DRAWS)]
    return Figure(fmean(values), low, high, len(values))


def _words(text: str) -> Sequence[str]:
    plain = text.replace(",", "").lower().translate(_PUNCTUATION).split()
    return Stemmer("porter").stemWords([word for word in plain if word not in _ARTICLES])
