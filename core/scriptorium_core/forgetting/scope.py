"""What forgetting some names comes to: which records go, which messages, and who is concerned by it."""

from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType

from attrs import field, frozen

from ..facts.model import Facts
from ..names import BlockId, SourceId, source_id
from ..problem import Code, Problem
from ..topics.records import Record
from .model import Scope, Targets, places_of_source

__all__ = ["Earlier", "bare", "scope_of"]

_NONE: Mapping[str, Record] = MappingProxyType({})
_NO_SOURCES: Mapping[str, tuple[SourceId, ...]] = MappingProxyType({})


@frozen
class Earlier:
    """Records that stand no more, by id, as they last stood, and the messages that each took along.

    `lost` are messages that are archived no more, though nobody forgot them.
    """

    records: Mapping[str, Record] = field(default=_NONE)
    sources: Mapping[str, tuple[SourceId, ...]] = field(default=_NO_SOURCES)
    lost: frozenset[SourceId] = frozenset()


def bare(name: str) -> str:
    """A name as ids are written: without the `^` in front of a block id."""
    return name.strip().removeprefix("^")


def scope_of(
    facts: Facts, names: Sequence[str], day: str, earlier: Earlier | None = None, again: bool = False
) -> Scope | tuple[Problem, ...]:
    """What `names` (block ids, aliases, source ids or places of messages) come to, or all that is wrong.

    A record takes along the messages that no other record cites; a message takes along the records that
    cite nothing else. A record that is gone already is taken from `earlier`, if it holds it. `again`
    allows what was forgotten already, so that it can be erased.
    """
    past = earlier or Earlier()
    named = tuple(dict.fromkeys(map(bare, names)))
    sources = {found for name in named if (found := _source(facts, name, past)) is not None}
    records = {facts.records[name].record for name in named if name in facts.records}
    unknown = tuple(name for name in named if name not in facts.records and not _source(facts, name, past))
    problems = tuple(_unknown(facts, name, again) for name in unknown if name not in past.records)
    problems += tuple(
        _unknown(facts, name) for name in sorted(sources) if name in facts.forgotten and not again
    )
    if problems or not named:
        return problems or (_nothing(),)
    places = {place for source in sources for place in places_of_source(source)}
    citing = _records(facts, places)
    gone = records | {record for record in citing if all(cited.place in places for cited in record.sources)}
    alone, shared = _cited(facts, gone)
    formerly = {source for name in unknown for source in past.sources.get(name, ())}
    ids = {block for record in gone for block in record.ids}
    ids |= {block for name in unknown for block in past.records[name].ids}
    targets = Targets(frozenset(ids), frozenset(sources | alone | formerly), day)
    return Scope(
        targets,
        tuple(sorted(shared - sources)),
        tuple(sorted(record.id for record in citing - gone)),
        _linking(facts, ids),
    )


def _source(facts: Facts, name: str, past: Earlier) -> SourceId | None:
    found = facts.places.get(name, name)
    if found in facts.sources or found in past.lost:
        return SourceId(found)
    return source_id(found) if found in facts.forgotten else None


def _records(facts: Facts, places: Iterable[str]) -> set[Record]:
    citing = (block for place in places for block in facts.citing.get(place, ()))
    return {known.record for block in citing if (known := facts.records.get(block)) is not None}


def _cited(facts: Facts, gone: set[Record]) -> tuple[set[SourceId], set[SourceId]]:
    """The archived messages that records cite: those that nobody else cites, and the others."""
    alone, shared = set[SourceId](), set[SourceId]()
    names = {record.id for record in gone}
    for place in {cited.place for record in gone for cited in record.sources}:
        found = facts.places.get(place)
        if found is not None:
            (alone if names.issuperset(facts.citing.get(place, ())) else shared).add(found)
    return alone - shared, shared


def _linking(facts: Facts, ids: set[BlockId]) -> tuple[BlockId, ...]:
    found = {linking for block in ids for linking in facts.backlinks.get(block, ())}
    return tuple(sorted(found - ids))


def _unknown(facts: Facts, name: str, again: bool = False) -> Problem:
    if name in facts.forgotten:
        message = f"{name} was forgotten on {facts.forgotten[name]}"
        remedy = "nothing of it is left" if again else "erase it to take it out of the history too"
        return Problem(Code.FORGOTTEN, message, name, remedy=remedy)
    message = f"there is no record and no message {name!r}"
    return Problem(Code.MEMORY_NOT_FOUND, message, name, remedy="search for its words")


def _nothing() -> Problem:
    return Problem(Code.INVALID_ARGUMENT, "nothing to forget was named", "names", remedy="name a record")
