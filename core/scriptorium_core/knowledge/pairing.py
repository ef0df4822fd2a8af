"""Records that say nearly the same, or the same but for a number or a `not`: found without comparing all.

Two texts that share four fifths of all their terms have one of their rarest terms in common: of n terms, the
rarest n − ⌈0.8 n⌉ + 1. So only those that share one of them are compared, each with the newest 32 of them:
where more say nearly the same, each of them is met beside some of the others.

A few words mean what stands around them (`Room 4`, `I loved it`): records of different topics are compared
only if they share some more.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from math import ceil

from ..topics.records import Record
from .likeness import Worded, alike, at_odds, worded

__all__ = ["near_pairs"]

_SHARE = 0.8
_MOST = 32
_FEW = 3


def near_pairs(records: Iterable[Record]) -> Iterator[tuple[Record, Record, bool]]:
    """Pairs of records that say nearly the same, in order; true where they are at odds instead."""
    listed = tuple(records)
    texts = [worded(record.content) for record in listed]
    often = Counter(term for each in texts for term in each.terms)
    seen: defaultdict[str, list[int]] = defaultdict(list)
    for place, (record, text) in enumerate(zip(listed, texts, strict=True)):
        marks = {*_rarest(text.terms, often), *_rarest(text.plain, often), f"= {text.same}"}
        for other in sorted({other for mark in marks for other in seen[mark][-_MOST:]}):
            if not _may_mean_one(listed[other], record, texts[other], text):
                continue
            if alike(texts[other], text):
                yield listed[other], record, False
            elif at_odds(texts[other], text):
                yield listed[other], record, True
        for mark in marks:
            seen[mark].append(place)


def _may_mean_one(one: Record, other: Record, mine: Worded, yours: Worded) -> bool:
    """Whether two records can speak of one thing: they stand in one topic, or share more than a few words."""
    return one.path == other.path or len(mine.plain & yours.plain) >= _FEW


def _rarest(terms: frozenset[str], often: Mapping[str, int]) -> list[str]:
    """The terms of which another text that shares enough has at least one."""
    ordered = sorted(terms, key=lambda term: (often[term], term))
    return ordered[: len(ordered) - ceil(_SHARE * len(ordered)) + 1]
