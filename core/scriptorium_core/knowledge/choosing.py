"""Which of the offers go along, if the budget lets them: few, none twice, none that is beside the point.

| | considered | at most | |
|---|---|---|---|
| turns of the conversation | the newest 12 | 6 | the newest 2 always, the others by similarity |
| records | the best 8 | 4 | by score; versions and alternatives stand beside each other |
| on the subject | the next 8 below headings or in topics that the question names | 8 | by score |

Below the threshold is what holds less than a quarter of the question, or less than 0.4 of what the best
one holds. On LoCoMo, at the default budget, one turn in eight that goes along is evidence. Of those that
lower thresholds (0.15 and 0.2) add, one in a hundred is; of those that higher ones (0.35 and 0.5) take away,
one in thirty. In between little changes.
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from ..recall.alternatives import side_by_side
from ..sameness import speaks_of_itself
from .likeness import nearly_same
from .offer import Offer, Part, Reason

__all__ = ["CONSIDERED", "Chosen", "LeftOut", "choose", "least_important"]

CONSIDERED = 8
"""How many records, and how many on the subject."""

_TURNS = 12
_MOST_TURNS = 6
_ANCHORS = 2
_MOST_RECORDS = 4
_LEAST = 0.25
_NEAR_THE_BEST = 0.4

LeftOut = tuple[Part, Offer, Reason]
"""As what a thing was considered, and why it is left out."""


class Chosen(NamedTuple):
    """What may go along, by part, in the order of showing; and what may not."""

    turns: tuple[Offer, ...]
    records: tuple[Offer, ...]
    subject: tuple[Offer, ...]
    left_out: tuple[LeftOut, ...]


def choose(turns: Sequence[Offer], records: Iterable[Offer]) -> Chosen:
    """Choose of the turns of a conversation, oldest first, and of records in any order."""
    kept, fewer = _turns(turns[-_TURNS:])
    order = sorted(records, key=lambda offer: (-offer.score, offer.id))
    first = order[:CONSIDERED]
    near = {name for offer in first for name in offer.beside}
    first += [offer for offer in order[CONSIDERED:] if offer.id in near]
    others = [offer for offer in order[CONSIDERED:] if offer.subject and offer not in first][:CONSIDERED]
    places = side_by_side([offer.id for offer in first], [offer.beside for offer in first])
    whole = [*(first[place] for place in places), *others]
    sound, held = _sound(whole)
    best, subject = sound[:_MOST_RECORDS], sound[_MOST_RECORDS:]
    fitting = [offer for offer in subject if offer.subject]
    crowded = [
        *((Part.SUBJECT, offer, Reason.BUDGET) for offer in fitting[CONSIDERED:]),
        *((Part.RECORD, offer, Reason.BUDGET) for offer in subject if not offer.subject),
    ]
    return Chosen(kept, tuple(best), tuple(fitting[:CONSIDERED]), (*fewer, *held, *crowded))


def least_important(part: Part, offers: Sequence[Offer]) -> Offer:
    """Which of the chosen ones of a part goes first where there is no room; of turns an anchor last."""
    if part is not Part.TURN:
        return offers[-1]
    older = offers[:-_ANCHORS]
    return min(older, key=lambda turn: turn.similarity) if older else offers[0]


def _turns(newest: Sequence[Offer]) -> tuple[tuple[Offer, ...], list[LeftOut]]:
    left: list[LeftOut] = [(Part.TURN, turn, turn.held) for turn in newest if turn.held is not None]
    free = [turn for turn in newest if turn.held is None]
    anchors, older = free[-_ANCHORS:], free[:-_ANCHORS]
    near = [turn for turn in older if turn.similarity >= _LEAST]
    left += [(Part.TURN, turn, Reason.BELOW_THRESHOLD) for turn in older if turn.similarity < _LEAST]
    # Of turns that are equally near, the newer one.
    ranked = sorted(enumerate(near), key=lambda each: (-each[1].similarity, -each[0]))
    taken = {place for place, _ in ranked[: _MOST_TURNS - len(anchors)]}
    left += [(Part.TURN, turn, Reason.BUDGET) for place, turn in enumerate(near) if place not in taken]
    return (*(turn for place, turn in enumerate(near) if place in taken), *anchors), left


def _sound(records: Sequence[Offer]) -> tuple[list[Offer], list[LeftOut]]:
    """The records that may be shown: none held back, none beside the point, none twice."""
    best = max((offer.similarity for offer in records if offer.held is None), default=0.0)
    least = max(_LEAST, _NEAR_THE_BEST * best)
    near = {name for offer in records if offer.similarity >= least for name in offer.beside}
    kept: list[Offer] = []
    left: list[LeftOut] = []
    for offer in records:
        reason = offer.held
        if reason is None and offer.similarity < least and offer.id not in near:
            reason = Reason.BELOW_THRESHOLD
        if reason is None and any(_twice(offer, other) for other in kept):
            reason = Reason.DUPLICATE
        if reason is None:
            kept.append(offer)
        else:
            left.append((Part.RECORD, offer, reason))
    known = {offer.id for offer in records}
    twins = ((offer, name) for offer in records for name in offer.twins if name not in known)
    left += [(Part.RECORD, Offer(name, "", "", offer.score), Reason.DUPLICATE) for offer, name in twins]
    return kept, left


def _twice(offer: Offer, other: Offer) -> bool:
    if offer.id in other.beside or other.id in offer.beside or not nearly_same(offer.text, other.text):
        return False
    return not offer.voices.isdisjoint(other.voices) or not speaks_of_itself(offer.text)
