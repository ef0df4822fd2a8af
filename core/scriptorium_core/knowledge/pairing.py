"""Records that say nearly the same, or the same but for a number or a `not`: found without comparing all.

Two texts that share four fifths of all their terms have one of their rarest terms in common: of n terms, the
rarest n − ⌈0.8 n⌉ + 1. So only those that share one of them are compared, each with the newest 200 of them.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from math import ceil

from ..sameness import NEGATIONS
from ..terms import STOP_WORDS, same_text
from ..topics.records import Record
from .likeness import nearly_same, terms_in

__all__ = ["at_odds", "near_pairs"]

_SHARE = 0.8
_MOST = 200


def near_pairs(records: Iterable[Record]) -> Iterator[tuple[Record, Record, bool]]:
    """Pairs of records that say nearly the same, in order; true where they are at odds instead."""
    listed = tuple(records)
    wholes = [terms_in(record.content) - STOP_WORDS for record in listed]
    often = Counter(term for each in wholes for term in each)
    seen: defaultdict[str, list[int]] = defaultdict(list)
    for place, (record, whole) in enumerate(zip(listed, wholes, strict=True)):
        marks = {*_rarest(whole, often), *_rarest(_plain(whole), often), f"= {same_text(record.content)}"}
        for other in sorted({other for mark in marks for other in seen[mark][-_MOST:]}):
            if nearly_same(listed[other].content, record.content):
                yield listed[other], record, False
            elif at_odds(listed[other].content, record.content):
                yield listed[other], record, True
        for mark in marks:
            seen[mark].append(place)


def at_odds(one: str, other: str) -> bool:
    """Whether two texts say the same but for numbers, or but for a word that negates."""
    mine, yours = terms_in(one), terms_in(other)
    differing = mine ^ yours
    turned = {term for term in differing if term in NEGATIONS or _has_digit(term)}
    return bool(turned) and _shared(_plain_in(one), _plain_in(other))


def _rarest(terms: frozenset[str], often: Mapping[str, int]) -> list[str]:
    """The terms of which another text that shares enough has at least one."""
    ordered = sorted(terms, key=lambda term: (often[term], term))
    return ordered[: len(ordered) - ceil(_SHARE * len(ordered)) + 1]


def _shared(mine: frozenset[str], yours: frozenset[str]) -> bool:
    both = mine & yours
    return bool(both) and len(both) >= _SHARE * len(mine | yours)


@lru_cache(maxsize=4096)
def _plain_in(text: str) -> frozenset[str]:
    """Those of a text; it is compared with many others."""
    return _plain(terms_in(text))


def _plain(words: frozenset[str]) -> frozenset[str]:
    """The terms that say what a text is about: without numbers, negations and words that say nothing."""
    return frozenset(term for term in words - STOP_WORDS - NEGATIONS if not _has_digit(term))


def _has_digit(term: str) -> bool:
    return any(char.isdigit() for char in term)
