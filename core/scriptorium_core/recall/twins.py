"""Documents that say the same, folded into the first of them.

Twins are documents whose texts differ at most in case, form, punctuation and white space, and of which
nothing else that is known tells them apart: what a judge knows of each (how it stands, where it holds), and
who said it where the text speaks of its speaker. A record stands for the turn that it repeats.
"""

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable
from typing import NamedTuple

from ..sameness import speaks_of_itself
from ..terms import same_text
from .document import Document, Kind
from .ranking import Ranked

__all__ = ["Folded", "Judge", "anything", "folded"]

_LONG = 16_384  # characters

Judge = Callable[[Document], Hashable | None]
"""What is known of a document beside its words, None of one that is to be left out."""


class Folded(NamedTuple):
    """A document and the ids of those that say the same."""

    ranked: Ranked
    twins: tuple[str, ...] = ()


class _Kept(NamedTuple):
    folded: Folded
    known: Hashable


def anything(document: Document) -> Hashable | None:
    """The judge who knows of nothing and leaves out nothing."""
    return ()


def folded(ranked: Iterable[Ranked], limit: int, judge: Judge = anything) -> tuple[Folded, ...]:
    """The best `limit` of what is ranked, the best first, each with its twins.

    One after the other: who needs ten judges and compares none of the others.
    """
    kept: list[_Kept] = []
    places: defaultdict[str, list[int]] = defaultdict(list)
    for each in ranked:
        known = judge(each.document)
        if known is None:
            continue
        same = places[_compared(each.document.content)]
        place = next((place for place in same if _are_twins(kept[place], each.document, known)), None)
        if place is not None:
            kept[place] = _united(kept[place], each, known)
        elif len(kept) < limit:
            same.append(len(kept))
            kept.append(_Kept(Folded(each), known))
        else:
            break
    return tuple(each.folded for each in kept)


def _compared(text: str) -> str:
    """What of a text is compared: of a book, each letter."""
    return same_text(text) if len(text) <= _LONG else text


def _are_twins(kept: _Kept, document: Document, known: Hashable) -> bool:
    first = kept.folded.ranked.document
    if first.kind is document.kind and kept.known != known:
        return False
    heard = {first.speaker, *first.others}
    return not heard.isdisjoint((document.speaker, *document.others)) or not speaks_of_itself(first.content)


def _united(kept: _Kept, ranked: Ranked, known: Hashable) -> _Kept:
    first, twins = kept.folded
    if first.document.kind is Kind.RECORD or ranked.document.kind is Kind.TURN:
        return kept._replace(folded=Folded(first, (*twins, ranked.document.id)))
    return _Kept(Folded(ranked._replace(score=first.score), (*twins, first.document.id)), known)
