"""What a person should look at, and what each key decides: nothing is decided without one.

| item | keys |
|---|---|
| disputed | v validate, x discard |
| stale | v validate, d dispute, x retract |
| pending (held, or unverified by its own line) | a approve, x discard |
| near-duplicate, contradictory, colliding | 1 keep the first, 2 the second, b keep both, d dispute both |

Keeping one of two retracts the other; keeping both validates both, and a pair of which both were checked
since the newer one was there does not come again. An item is named by a key of its kind, its records and
what they say: so an answer is to what was seen, or to nothing.
"""

from collections.abc import Iterable, Iterator, Mapping
from datetime import date
from enum import StrEnum
from hashlib import sha256
from itertools import pairwise
from types import MappingProxyType

from attrs import evolve, frozen

from ..facts.model import Facts
from ..recall.alternatives import are_alternatives
from ..topics.notes import alternative_of, is_closed, stands_aside
from ..topics.questions import question_key, questions_of
from ..topics.records import Record
from ..topics.standing import State
from ..when import When
from .assess import Doubt
from .gate import assessed, standing_in
from .judging import Verdict, text_key, waiting
from .likeness import nearly_same
from .pairing import near_pairs
from .restating import noted_of
from .standing import days_since

__all__ = ["KEYS", "Deed", "Item", "Kind", "deeds_of", "reviewed"]

Deed = tuple[int, Verdict]
"""The place of a record in its item, and what is decided about it."""


class Kind(StrEnum):
    """Why something should be looked at, in the order in which it comes up."""

    DISPUTED = "disputed"
    CONTRADICTORY = "contradictory"
    COLLIDING = "colliding"
    NEAR_DUPLICATE = "near-duplicate"
    PENDING = "pending"
    STALE = "stale"


_OF_ONE: Mapping[Kind, Mapping[str, Verdict]] = MappingProxyType(
    {
        Kind.DISPUTED: MappingProxyType({"v": Verdict.VALIDATE, "x": Verdict.DISCARD}),
        Kind.STALE: MappingProxyType({"v": Verdict.VALIDATE, "d": Verdict.DISPUTE, "x": Verdict.RETRACT}),
        Kind.PENDING: MappingProxyType({"a": Verdict.APPROVE, "x": Verdict.DISCARD}),
    }
)
_OF_TWO: Mapping[str, tuple[Deed, ...]] = MappingProxyType(
    {
        "1": ((1, Verdict.RETRACT),),
        "2": ((0, Verdict.RETRACT),),
        "b": ((0, Verdict.VALIDATE), (1, Verdict.VALIDATE)),
        "d": ((0, Verdict.DISPUTE), (1, Verdict.DISPUTE)),
    }
)

KEYS: Mapping[Kind, tuple[str, ...]] = MappingProxyType(
    {kind: tuple(_OF_ONE.get(kind, _OF_TWO)) for kind in Kind}
)
"""The keys that decide an item of a kind."""


@frozen
class Item:
    """Something to look at: one record or two, and why; `question` is what two records both answer."""

    kind: Kind
    records: tuple[Record, ...]
    question: str = ""

    @property
    def key(self) -> str:
        """Its name, 12 hex digits."""
        parts = (self.kind, *(part for each in self.records for part in (each.id, text_key(each))))
        return sha256(" ".join(parts).encode("utf-8", "surrogatepass")).hexdigest()[:12]


def reviewed(facts: Facts, records: Iterable[Record], today: date) -> tuple[Item, ...]:
    """All that should be looked at among the records of a memory, by kind: the same records once."""
    known = tuple({record.id: record for record in records}.values())
    found = (*_alone(facts, known, today), *_colliding(facts, today), *_pairs(facts, known, today))
    order = tuple(Kind)
    items: dict[frozenset[str], Item] = {}
    for each in sorted(found, key=lambda item: order.index(item.kind)):
        ids = frozenset(record.id for record in each.records)
        first = items.setdefault(ids, each)
        items[ids] = evolve(first, question=first.question or each.question)
    return tuple(items.values())


def deeds_of(item: Item, key: str) -> tuple[Deed, ...] | None:
    """What a key decides about the records of an item; None if it is no key of that item."""
    if item.kind in _OF_ONE:
        verdict = _OF_ONE[item.kind].get(key)
        return None if verdict is None else ((0, verdict),)
    return _OF_TWO.get(key)


def _alone(facts: Facts, records: Iterable[Record], today: date) -> Iterator[Item]:
    for record in records:
        found = assessed(facts, record, today)
        if found.state is State.RETRACTED or is_closed(record):
            continue
        if found.state is State.DISPUTED:
            yield Item(Kind.DISPUTED, (record,))
        elif waiting(facts, record) or noted_of(record).state in (State.UNVERIFIED, State.PLAUSIBLE):
            yield Item(Kind.PENDING, (record,))
        elif Doubt.STALE in found.reasons:
            yield Item(Kind.STALE, (record,))


def _colliding(facts: Facts, today: date) -> Iterator[Item]:
    """Records that answer one question and say different things."""
    for key, ids in facts.asked.items():
        known = (facts.records.get(block) for block in ids)
        records = [found.record for found in known if found is not None and _stands(facts, found.record)]
        for one, other in pairwise(records):
            if not nearly_same(one.content, other.content) and not _settled(facts, one, other, today):
                asked = (each for each in questions_of(one) if question_key(each) == key)
                yield Item(Kind.COLLIDING, (one, other), next(asked, ""))


def _pairs(facts: Facts, records: Iterable[Record], today: date) -> Iterator[Item]:
    standing = [record for record in records if _stands(facts, record)]
    for one, other, odds in near_pairs(standing):
        if not _settled(facts, one, other, today) and not _are_branches(one, other):
            yield Item(Kind.CONTRADICTORY if odds else Kind.NEAR_DUPLICATE, (one, other))
    marked = [record for record in standing if alternative_of(record)]
    for place, one in enumerate(marked):
        for other in marked[place + 1 :]:
            if not alternative_of(one).isdisjoint(alternative_of(other)) and not _settled(
                facts, one, other, today
            ):
                yield Item(Kind.CONTRADICTORY, (one, other))


def _stands(facts: Facts, record: Record) -> bool:
    """Whether a record is given as what holds now."""
    state = standing_in(facts, record).state
    aside = is_closed(record) or stands_aside(record)
    return state not in (State.DISPUTED, State.RETRACTED) and not aside


def _settled(facts: Facts, one: Record, other: Record, today: date) -> bool:
    """Whether somebody has checked both since the newer of them was there; what is to come is not yet."""
    standings = [standing_in(facts, record) for record in (one, other)]
    evident = (standing.evident for standing in standings)
    ages = [days_since(when, today) for when in evident if when is not None and _has_come(when, today)]
    checked = [standing.checked for standing in standings]
    return all(when is not None and all(days_since(when, today) <= age for age in ages) for when in checked)


def _has_come(when: When, today: date) -> bool:
    return (when.year or 0, when.month or 1, when.day or 1) <= (today.year, today.month, today.day)


def _are_branches(one: Record, other: Record) -> bool:
    """Whether two records are alternatives of live branches: each holds on its own."""
    return are_alternatives(one, other) and alternative_of(one).isdisjoint(alternative_of(other))
