"""Whether two texts say nearly the same, so that one of them is enough in front of a model."""

from functools import lru_cache
from typing import NamedTuple

from ..sameness import NEGATIONS
from ..terms import STOP_WORDS, query_terms, same_text

__all__ = ["Worded", "alike", "at_odds", "holds", "nearly_same", "worded"]

_SHARE = 0.8


class Worded(NamedTuple):
    """What of a text is compared: its words in one spelling, and its terms without stop words.

    `hard` are the terms with a digit and those that negate, `plain` the others that are no stop words.
    """

    same: str
    terms: frozenset[str]
    hard: frozenset[str]
    plain: frozenset[str]


def nearly_same(one: str, other: str) -> bool:
    """Whether the texts share four fifths of their terms, and all numbers and words that negate."""
    return alike(worded(one), worded(other))


def alike(one: Worded, other: Worded) -> bool:
    """`nearly_same` of texts whose terms are known."""
    return one.same == other.same or (one.hard == other.hard and _shared(one.terms, other.terms))


def at_odds(one: Worded, other: Worded) -> bool:
    """Whether two texts say the same but for numbers, or but for a word that negates."""
    return one.hard != other.hard and _shared(one.plain, other.plain)


def holds(whole: str, part: str) -> bool:
    """Whether a text says all that another one says, in its words."""
    return same_text(part) in same_text(whole)


@lru_cache(maxsize=4096)
def worded(text: str) -> Worded:
    """The terms of a text; it is compared with many others."""
    asked = query_terms(text)
    terms = frozenset((*asked.wanted, *asked.common))
    hard = frozenset(term for term in terms if term in NEGATIONS or any(map(str.isdigit, term)))
    said = terms - STOP_WORDS
    return Worded(same_text(text), said, hard, said - hard)


def _shared(mine: frozenset[str], yours: frozenset[str]) -> bool:
    both = len(mine & yours)
    return both > 0 and both >= _SHARE * (len(mine) + len(yours) - both)
