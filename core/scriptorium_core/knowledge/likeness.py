"""Whether two texts say nearly the same, so that one of them is enough in front of a model."""

from ..sameness import NEGATIONS
from ..terms import STOP_WORDS, query_terms, same_text

__all__ = ["holds", "nearly_same"]

_SHARE = 0.8


def nearly_same(one: str, other: str) -> bool:
    """Whether the texts share four fifths of their terms, and all numbers and words that negate."""
    if same_text(one) == same_text(other):
        return True
    mine, yours = _terms(one), _terms(other)
    differing = mine ^ yours
    if any(any(char.isdigit() for char in term) for term in differing) or differing & NEGATIONS:
        return False
    shared = (mine & yours) - STOP_WORDS
    return bool(shared) and len(shared) >= _SHARE * len((mine | yours) - STOP_WORDS)


def holds(whole: str, part: str) -> bool:
    """Whether a text says all that another one says, in its words."""
    return same_text(part) in same_text(whole)


def _terms(text: str) -> frozenset[str]:
    asked = query_terms(text)
    return frozenset((*asked.wanted, *asked.common))
