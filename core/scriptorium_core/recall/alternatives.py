"""Records that are alternatives: what stands on one live branch of a conversation, and what on another.

Two records are alternatives if each stands on live branches alone, both of one session, neither on the
way to the other (`topics.notes`), and if they speak alike: they are of one topic, and the one with
fewer terms shares at least half of them with the other. They do not contradict each other: each is current
on its branch. Nothing is hidden by it; alternatives are named, and hits that are stand side by side.

So are the texts that one record got in two places at the same time: their notes say so, whatever the words.
"""

from collections.abc import Iterable, Sequence
from functools import lru_cache

from ..facts.model import Facts
from ..names import path_key
from ..terms import query_terms
from ..topics.notes import alternative_of, live_branches
from ..topics.records import Record
from .documents import without_targets

__all__ = ["alike", "alternatives", "are_alternatives", "side_by_side"]


_LOOKED_AT = 16_384  # characters of a record: two that begin quite differently are not of the same


def are_alternatives(one: Record, other: Record) -> bool:
    """Whether two records are alternatives; the order does not matter."""
    if one.path != other.path or one.id == other.id:
        return False
    texts_of_one = not alternative_of(one).isdisjoint(alternative_of(other))
    return texts_of_one or (_apart(one, other) and alike(one.content, other.content))


def alternatives(facts: Facts, record: Record) -> tuple[Record, ...]:
    """The alternatives to a record, in the order of its topic."""
    marked = live_branches(record) or alternative_of(record)
    topic = facts.topics.get(path_key(record.path)) if marked else None
    known = (facts.records.get(block) for block in (topic.ids if topic is not None else ()))
    others = {found.record.id: found.record for found in known if found is not None}
    return tuple(other for other in others.values() if are_alternatives(record, other))


def side_by_side(names: Sequence[str], alternatives_of: Iterable[Sequence[str]]) -> tuple[int, ...]:
    """The places of all names in a new order: behind each its alternatives, otherwise as they were."""
    others = dict(zip(names, alternatives_of, strict=True))
    places = {name: place for place, name in enumerate(names)}
    order: dict[int, None] = {}
    for place, name in enumerate(names):
        if place not in order:
            near = sorted(places[other] for other in others[name] if other in places)
            order |= dict.fromkeys([place, *(each for each in near if each not in order)])
    return tuple(order)


def alike(one: str, other: str) -> bool:
    """Whether the text with fewer terms shares at least half of them with the other."""
    mine, yours = _words(one), _words(other)
    return 2 * len(mine & yours) >= max(1, min(len(mine), len(yours)))


def _apart(one: Record, other: Record) -> bool:
    mine, yours = live_branches(one), live_branches(other)
    return not (mine <= yours or yours <= mine) and not _sessions(mine).isdisjoint(_sessions(yours))


def _sessions(branches: frozenset[str]) -> frozenset[str]:
    return frozenset(branch.split("@", 1)[0] for branch in branches)


@lru_cache(1024)
def _words(content: str) -> frozenset[str]:
    return frozenset(query_terms(without_targets(content[:_LOOKED_AT])).wanted)
