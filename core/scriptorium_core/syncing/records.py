"""What becomes of each record that two sides have since they were one.

A record is as the side has it that changed it. Where both changed it, the first side's text keeps its id
and the second side's stands beside it. A record that one side deleted stays away, unless the other changed
it meanwhile, without knowing; one that was forgotten stays away in any case. A record that is gone on one
side, where no commit says that it was deleted, is there.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from attrs import field, frozen

from ..markdown.links import without_paths
from ..names import BlockId, TopicPath
from ..topics.model import Record, Topic

__all__ = ["Clash", "Decided", "Stand", "Stands", "decided", "stands_in", "substance"]


@frozen
class Stand:
    """A record and the topic in which it stands."""

    topic: Topic
    record: Record


Stands = Mapping[BlockId, Stand]


@frozen
class Clash:
    """A record that both sides changed: it stays as in `kept`, and `other` stands beside it as well."""

    kept: Stand
    other: Stand


@frozen
class Decided:
    """What is to stand in the topics that either side changed.

    `wanted` are the records, each as one side has it, with the topic that it is to stand in; `gone` ids that
    are to be nowhere; `clashes` where both changed one; `ids` all ids that are spoken of.
    """

    wanted: tuple[tuple[Stand, TopicPath], ...]
    gone: frozenset[BlockId]
    clashes: tuple[Clash, ...] = field(default=())
    ids: frozenset[BlockId] = frozenset()


@frozen
class _Sides:
    base: Stands
    each: tuple[Stands, Stands]  # of the first side, and of the second
    deleted: tuple[frozenset[str], frozenset[str]]  # by the first side, and by the second
    forgotten: frozenset[str]
    spared: frozenset[BlockId]  # deleted, and there all the same: something links to them

    def is_deleted(self, block: BlockId, side: int) -> bool:
        """Whether a side deleted a record in words, and nothing asks for it all the same."""
        return block in self.deleted[side] and block not in self.each[side] and block not in self.spared

    def is_changed(self, stand: Stand) -> bool:
        """Whether a record says something else than it did, or rests on something else."""
        was = self.base.get(stand.record.id)
        return was is None or substance(was.record) != substance(stand.record)


def stands_in(topics: Iterable[Topic]) -> Stands:
    """Every record by each of its ids; of two with one id the first by path."""
    found: dict[BlockId, Stand] = {}
    for topic in sorted(topics, key=lambda topic: topic.path):
        for record in topic.records:
            for block in record.ids:
                found.setdefault(block, Stand(topic, record))
    return found


def substance(record: Record) -> tuple[object, ...]:
    """What a record says and rests on, wherever it stands."""
    evidence = tuple(group._replace(quote="", sources=()) for group in record.evidence)
    places = tuple(tuple(source.place or source.target for source in g.sources) for g in record.evidence)
    return record.ids, without_paths(record.content), evidence, places


def decided(
    base: Stands,
    first: Stands,
    second: Stands,
    deleted: tuple[frozenset[str], frozenset[str]],
    forgotten: frozenset[str],
    spared: frozenset[BlockId] = frozenset(),
) -> Decided:
    """What becomes of the records of the topics that either side changed."""
    sides = _Sides(base, (first, second), deleted, forgotten, spared)
    wanted: list[tuple[Stand, TopicPath]] = []
    clashes: list[Clash] = []
    ids: set[BlockId] = set()
    for group in _groups(base, first, second):
        ids |= group
        kept, beside = _group(sides, group)
        wanted += [(each, _place(sides, each)) for each in kept]
        clashes += beside
    there = {block for each, _ in wanted for block in each.record.ids}
    there |= {block for clash in clashes for block in clash.other.record.ids}
    return Decided(tuple(wanted), frozenset(ids - there), tuple(clashes), frozenset(ids))


def _groups(base: Stands, first: Stands, second: Stands) -> Iterator[frozenset[BlockId]]:
    """The ids that are one paragraph on either side, and those that are so with them."""
    leader: dict[BlockId, BlockId] = {}

    def top(block: BlockId) -> BlockId:
        while leader.setdefault(block, block) != block:
            block = leader[block]
        return block

    for stand in (*base.values(), *first.values(), *second.values()):
        for block in stand.record.ids:
            leader[top(block)] = top(stand.record.ids[0])
    groups: dict[BlockId, set[BlockId]] = {}
    for block in sorted(leader):
        groups.setdefault(top(block), set()).add(block)
    yield from map(frozenset, groups.values())


def _group(sides: _Sides, group: frozenset[BlockId]) -> tuple[Sequence[Stand], Sequence[Clash]]:
    """What stands of some ids that belong together, and what stands beside it."""
    ids = sorted(group - sides.forgotten)
    for side, other in ((0, 1), (1, 0)):
        if _only_lost(sides, ids, other):
            return _left(sides, ids, side), ()
    first, second = (_records(_kept(sides, ids, side)) for side in (0, 1))
    return first, tuple(_clashes(sides, first, second))


def _only_lost(sides: _Sides, ids: Iterable[BlockId], side: int) -> bool:
    """Whether a side has these records as they were, or not at all."""
    own = sides.each[side]
    return all(_said(own.get(block)) in (None, _said(sides.base.get(block))) for block in ids)


def _left(sides: _Sides, ids: Iterable[BlockId], side: int) -> tuple[Stand, ...]:
    """The records of one side without those that it left as they were and that the other side deleted."""
    records = _records(_kept(sides, ids, side))
    return tuple(each for each in records if sides.is_changed(each) or not _meant(sides, each, 1 - side))


def _meant(sides: _Sides, stand: Stand, side: int) -> bool:
    """Whether a side deleted a record with all its ids, and nothing asks for it any more."""
    return all(sides.is_deleted(block, side) for block in stand.record.ids)


def _kept(sides: _Sides, ids: Iterable[BlockId], side: int) -> Stands:
    """The records of one side, with what it lost without a word, or deleted while the other changed it.

    What the other has in one paragraph with a record that is still here is not brought back beside that.
    """
    own, other = sides.each[side], sides.each[1 - side]
    found: dict[BlockId, Stand] = {}
    for block in ids:
        stand = own.get(block)
        if stand is None and block in sides.base and (elsewhere := other.get(block)) is not None:
            is_away = sides.is_deleted(block, side) and not sides.is_changed(elsewhere)
            is_here = any(each in own for each in elsewhere.record.ids)
            stand = None if is_away or is_here else elsewhere
        if stand is not None:
            found[block] = stand
    return found


def _records(stands: Stands) -> tuple[Stand, ...]:
    named = {(each.topic.path, each.record.span, each.record.ids): each for each in stands.values()}
    return tuple(named.values())


def _said(stand: Stand | None) -> tuple[object, ...] | None:
    return None if stand is None else substance(stand.record)


def _clashes(sides: _Sides, first: Sequence[Stand], second: Sequence[Stand]) -> Iterator[Clash]:
    """What the second side says that neither the first says nor both said before."""
    known = {substance(each.record) for each in first} | {substance(s.record) for s in sides.base.values()}
    for each in second:
        if substance(each.record) not in known:
            near = max(first, key=lambda kept: len({*kept.record.ids} & {*each.record.ids}))
            yield Clash(near, each)


def _place(sides: _Sides, stand: Stand) -> TopicPath:
    """The topic in which a record is to stand: where it was moved to, by the first side if by both."""
    block, known = stand.record.id, (sides.base, *sides.each)
    was, one, two = (side[block].topic.path if block in side else None for side in known)
    if one is None or two is None:
        return one or two or stand.topic.path
    return two if one == was else one
