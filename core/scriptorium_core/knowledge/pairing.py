"""Records that say nearly the same, or the same but for a number or a `not`: found without comparing all.

Two texts that share four fifths of all their terms have one of their rarest terms in common: of n terms, the
rarest n − ⌈0.8 n⌉ + 1. So only those that share one of them are compared, each with the newest 32 of them:
where more say nearly the same, each of them is met beside some of the others.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from math import ceil

from ..topics.records import Record
from .likeness import alike, at_odds, worded

__all__ = ["near_pairs"]

_SHARE = 0.8
_MOST = 32


def near_pairs(records: Iterable[Record]) -> Iterator[tuple[Record, Record, bool]]:
    """Pairs of records that say nearly the same, in order; true where they are at odds instead."""
    listed = tuple(records)
    texts = [worded(record.content) for record in listed]
    often = Counter(term for each in texts for term in each.terms)
    seen: defaultdict[str, list[int]] = defaultdict(list)
    for place, (record, text) in enumerate(zip(listed, texts, strict=True)):
        marks = {*_rarest(text.terms, often), *_rarest(text.plain, often), f"= {text.same}"}
        for other in sorted({other for mark in marks for other in seen[mark][-_MOST:]}):
            if alike(texts[other], text):
                yield listed[other], record, False
            elif at_odds(texts[other], text):
                yield listed[other], record, True
        for mark in marks:
            seen[mark].append(place)


def _rarest(terms: frozenset[str], often: Mapping[str, int]) -> list[str]:
    """The terms of which another text that shares enough has at least one."""
    ordered = sorted(terms, key=lambda term: (often[term], term))
    return ordered[: len(ordered) - ceil(_SHARE * len(ordered)) + 1]
