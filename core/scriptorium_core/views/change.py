"""The memory after a change, as lookups: the facts of its base, with the touched topics laid over them."""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from itertools import count, islice

from attrs import Factory, field, frozen

from ..facts.model import Event, Facts, Known, SourceFact
from ..facts.rows import events_of
from ..names import BlockId, SourceId, TopicPath
from ..topics.model import Cited, Record, Topic

__all__ = ["Change", "with_ids"]


def with_ids(topics: Mapping[TopicPath, Topic]) -> Iterator[Record]:
    """The records of some topics that have an id, by path; one without is a draft, which no fact knows."""
    return (record for path in sorted(topics) for record in topics[path].records if record.ids)


def _touched(change: "Change") -> frozenset[str]:
    return frozenset(change.before) | frozenset(change.after)


def _written(change: "Change") -> Mapping[BlockId, Record]:
    found: dict[BlockId, Record] = {}
    for record in with_ids(change.after):
        for block in record.ids:
            found.setdefault(block, record)
    return found


def _inbound(change: "Change") -> Mapping[BlockId, frozenset[BlockId]]:
    found: defaultdict[BlockId, set[BlockId]] = defaultdict(set)
    for block, record in change.written.items():
        for target in record.links:
            found[target].add(block)
    return {target: frozenset(blocks) for target, blocks in found.items()}


def _orders(change: "Change") -> Mapping[BlockId, int]:
    known = change.facts.created
    fresh = count(change.facts.next_order)
    return {
        block: order if (order := known.get(block)) is not None else next(fresh) for block in change.created
    }


@frozen
class Change:
    """What a transaction does to the topics, and what it archives or promotes.

    - `facts`: of the base commit.
    - `before`, `after`: the touched topics as they were (absent: new) and will be (absent: deleted).
    - `created`: new block ids in creation order; they get `facts.next_order` and on, unless
      an earlier commit created them already.
    - `sources`: place (`sources/…md#anchor`) to a message that is archived or promoted.
    - `touched`: the paths of `before` and `after`; `written`: every id and alias in `after`.
    """

    facts: Facts
    before: Mapping[TopicPath, Topic]
    after: Mapping[TopicPath, Topic]
    created: tuple[BlockId, ...]
    sources: Mapping[str, SourceFact]
    touched: frozenset[str] = field(init=False, eq=False, default=Factory(_touched, takes_self=True))
    written: Mapping[BlockId, Record] = field(
        init=False, eq=False, repr=False, default=Factory(_written, takes_self=True)
    )
    _sources_of_links: Mapping[BlockId, frozenset[BlockId]] = field(
        init=False, eq=False, repr=False, default=Factory(_inbound, takes_self=True)
    )
    _new_orders: Mapping[BlockId, int] = field(
        init=False, eq=False, repr=False, default=Factory(_orders, takes_self=True)
    )

    def record(self, block: BlockId) -> Record | None:
        """The record with this id or alias, None if there is none after the change."""
        found = self.written.get(block)
        return found if found is not None else self.untouched(block)

    def untouched(self, block: BlockId) -> Record | None:
        """The record with this id or alias, if it stands in a topic that the change leaves alone."""
        known = self.facts.records.get(block)
        return known.record if known is not None and known.record.path not in self.touched else None

    def linking(self, block: BlockId) -> tuple[BlockId, ...]:
        """All ids, aliases too, of the records that link to this very id; sorted."""
        found = set(self._sources_of_links.get(block, ()))
        for identity in self.facts.backlinks.get(block, ()):
            record = self.untouched(identity)
            if record is not None and block in record.links:
                found.update(record.ids)
        return tuple(sorted(found))

    def events(self, day: str) -> tuple[Event, ...]:
        """The dated evidence groups of a day."""
        kept = (event for event in self.facts.days.get(day, ()) if event.path not in self.touched)
        made = (event for record in with_ids(self.after) for event in events_of(record) if event.day == day)
        return (*kept, *made)

    def newest(self, limit: int) -> tuple[Known, ...]:
        """The last `limit` records by creation order, newest first; of equal order, by path and place."""
        written = {record.id: record for record in with_ids(self.after)}
        stood = {record.id for record in with_ids(self.before)}
        # The order of a record that stood stays: only for the others it has to be asked for.
        fresh = [Known(record, self.order(block)) for block, record in written.items() if block not in stood]
        kept = (found for known in self.facts.newest if (found := self._as_written(known, written)))
        both = sorted([*islice(kept, limit), *fresh], key=lambda known: (-known.order, known.record.path))
        return tuple(both[:limit])

    def _as_written(self, known: Known, written: Mapping[BlockId, Record]) -> Known | None:
        """A record of the base as it is after the change, None if it is gone."""
        if known.record.path not in self.touched:
            return known
        record = written.get(known.record.id)
        return Known(record, known.order) if record is not None else None

    def order(self, block: BlockId) -> int:
        """The creation order of a record, -1 if none is known."""
        known = self.facts.records.get(block)
        return self._new_orders.get(block, known.order if known is not None else -1)

    def source_id(self, cited: Cited) -> SourceId | None:
        """The id of a cited source, None if it leads to no archived message."""
        found = self.sources.get(cited.place)
        return found.id if found is not None else self.facts.places.get(cited.place)

    def trusts(self, cited: Cited) -> bool:
        """Whether a cited source leads to an archived message that is trusted, and was not forgotten."""
        found = self.sources.get(cited.place) or _base_source(self.facts, cited.place)
        return found is not None and found.trusted and found.id not in self.facts.forgotten

    def newly_placed(self) -> tuple[str, ...]:
        """Places that lead to a message only since this change."""
        return tuple(place for place in self.sources if place not in self.facts.places)

    def newly_citing(self) -> tuple[Record, ...]:
        """Records in untouched topics that cite what only this change archives."""
        citing = (block for place in self.newly_placed() for block in self.facts.citing.get(place, ()))
        records = (self.untouched(block) for block in dict.fromkeys(citing))
        return tuple(record for record in records if record is not None)

    def newly_trusted(self) -> Iterator[str]:
        """Places whose trust this change alters."""
        for place, source in self.sources.items():
            known = _base_source(self.facts, place)
            if source.trusted != (known is not None and known.trusted):
                yield place


def _base_source(facts: Facts, place: str) -> SourceFact | None:
    known = facts.places.get(place)
    return None if known is None else facts.sources.get(known)
