"""Whether two texts say nearly the same, so that one of them is enough in front of a model.

Of such two, one says all that the other says, in the same order, and few words more. A word in the place of
another one (`kitchen`, `cellar`) or two that changed places (`tea to coffee`, `coffee to tea`) may turn what
is said into its opposite: such texts are alike, and worth a person's look, but neither stands for the other.
"""

from functools import lru_cache
from typing import NamedTuple

from ..sameness import NEGATIONS
from ..terms import STOP_WORDS, query_terms, same_text, terms

__all__ = ["Worded", "alike", "at_odds", "holds", "nearly_same", "worded"]

_SHARE = 0.8
_ARTICLES = frozenset(("a", "an", "the"))


class Worded(NamedTuple):
    """What of a text is compared: its words in one spelling, and its terms without stop words.

    `hard` are the terms with a digit and those that negate, `plain` the others that are no stop words.
    """

    same: str
    terms: frozenset[str]
    hard: frozenset[str]
    plain: frozenset[str]


def nearly_same(one: str, other: str) -> bool:
    """Whether the texts are alike, and one is the other with some words more."""
    mine, yours = worded(one), worded(other)
    return mine.same == yours.same or (alike(mine, yours) and _within(_said(one), _said(other)))


def alike(one: Worded, other: Worded) -> bool:
    """Whether the texts share four fifths of their terms, and all numbers and words that negate."""
    return one.same == other.same or (one.hard == other.hard and _shared(one.terms, other.terms))


def at_odds(one: Worded, other: Worded) -> bool:
    """Whether two texts say the same but for a number of each, or but for a word that negates one of them.

    A text that has a number more than the other says more, and nothing else.
    """
    mine, yours = one.hard - NEGATIONS, other.hard - NEGATIONS
    counted = not mine <= yours and not yours <= mine
    turned = one.hard.isdisjoint(NEGATIONS) != other.hard.isdisjoint(NEGATIONS)
    return (counted or turned) and _shared(one.plain, other.plain)


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


@lru_cache(maxsize=1024)
def _said(text: str) -> tuple[str, ...]:
    """The terms of a text as they are said, without articles."""
    return tuple(term for term in terms(text) if term not in _ARTICLES)


def _within(one: tuple[str, ...], other: tuple[str, ...]) -> bool:
    """Whether all terms of the shorter one stand in the other, in the same order."""
    fewer, more = sorted((one, other), key=len)
    rest = iter(more)
    return all(term in rest for term in fewer)


def _shared(mine: frozenset[str], yours: frozenset[str]) -> bool:
    both = len(mine & yours)
    return both > 0 and both >= _SHARE * (len(mine) + len(yours) - both)
