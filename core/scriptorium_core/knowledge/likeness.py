"""Whether two texts say nearly the same, so that one of them is enough in front of a model."""

from functools import lru_cache

from ..sameness import NEGATIONS
from ..terms import STOP_WORDS, query_terms, same_text

__all__ = ["holds", "nearly_same", "terms_in"]

_SHARE = 0.8


def nearly_same(one: str, other: str) -> bool:
    """Whether the texts share four fifths of their terms, and all numbers and words that negate."""
    if _same(one) == _same(other):
        return True
    mine, yours = terms_in(one), terms_in(other)
    differing = mine ^ yours
    if any(any(char.isdigit() for char in term) for term in differing) or differing & NEGATIONS:
        return False
    shared = (mine & yours) - STOP_WORDS
    return bool(shared) and len(shared) >= _SHARE * len((mine | yours) - STOP_WORDS)


def holds(whole: str, part: str) -> bool:
    """Whether a text says all that another one says, in its words."""
    return same_text(part) in same_text(whole)


@lru_cache(maxsize=4096)
def terms_in(text: str) -> frozenset[str]:
    """All terms of a text; it is compared with many others."""
    asked = query_terms(text)
    return frozenset((*asked.wanted, *asked.common))


@lru_cache(maxsize=4096)
def _same(text: str) -> str:
    return same_text(text)
