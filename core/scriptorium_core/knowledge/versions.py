"""Comparing two states of memory record by record: what was made, changed, moved, deleted.

The path in a link follows its target and is no change of the record that holds it: texts are compared, and
their differences given, with each link by the id that it means.
"""

from collections.abc import Iterable, Iterator, Mapping
from enum import StrEnum

from attrs import frozen

from ..forgetting.model import Targets
from ..markdown.links import without_paths
from ..names import BlockId
from ..topics.records import Evidence, Record
from ..topics.standing import FIELDS, noted_at
from .withholding import hides
from .words import Piece, word_changes

__all__ = ["Deed", "Step", "said", "standing_said", "step", "steps", "withheld"]

_CLOSED = "Until"

States = Mapping[BlockId, tuple[int, Record]]  # the record of an id, with a number that it alone has


class Deed(StrEnum):
    """What became of a record; several may be true of one step."""

    CREATED = "created"
    DELETED = "deleted"
    CHANGED = "changed"
    EVIDENCE = "evidence"
    STANDING = "standing"
    SUPERSEDED = "superseded"
    MERGED = "merged"
    MOVED = "moved"


@frozen
class Step:
    """A record before and after; None where it is not there."""

    id: BlockId
    before: Record | None
    after: Record | None
    deeds: tuple[Deed, ...]

    @property
    def words(self) -> tuple[Piece, ...]:
        """The way from the old text to the new one; a text that did not change is one piece."""
        return word_changes(*(said(record) if record else "" for record in (self.before, self.after)))

    @property
    def gained(self) -> tuple[Evidence, ...]:
        """The evidence that came, or came back otherwise."""
        return _beyond(self.after, self.before)

    @property
    def lost(self) -> tuple[Evidence, ...]:
        """The evidence that went, or went on otherwise."""
        return _beyond(self.before, self.after)

    @property
    def restated(self) -> tuple[str, str] | None:
        """The standing before and after as it is written; None where it stayed, or the record went."""
        before, after = standing_said(self.before), standing_said(self.after)
        return None if before == after or self.after is None else (before, after)


def standing_said(record: Record | None) -> str:
    """The fields of a record's standing as they are written; empty where all of it is by default."""
    place = noted_at(record) if record is not None else None
    fields = place.fields if place is not None else ()
    return "; ".join(f"{name}: {value}" for name, value in fields if name in FIELDS)


def said(record: Record) -> str:
    """What a record says, wherever it stands."""
    return without_paths(record.content)


def step(block: BlockId, before: Record | None, after: Record | None) -> Step | None:
    """What became of the record with this id; None if nothing did."""
    deeds = tuple(_deeds(before, after))
    return Step(block, before, after, deeds) if deeds else None


def steps(before: Iterable[Record], after: Iterable[Record]) -> tuple[Step, ...]:
    """What became of each record: those that are there in their order, then those that are not.

    A record with several ids is one step; where two were merged or one was split, each id that went
    another way is a step of its own.
    """
    old, new = _by_id(before), _by_id(after)
    pairs: dict[tuple[int, ...], list[BlockId]] = {}
    for block in dict.fromkeys((*new, *old)):
        way = tuple(states[block][0] if block in states else -1 for states in (old, new))
        pairs.setdefault(way, []).append(block)
    found = (_step(blocks, old, new) for blocks in pairs.values())
    return tuple(each for each in found if each is not None)


def withheld(found: Step, targets: Targets) -> bool:
    """Whether a step must not be shown, because one of its states holds something that was forgotten."""
    states = (record for record in (found.before, found.after) if record is not None)
    return found.id in targets.ids or any(hides(record, targets) for record in states)


def _deeds(before: Record | None, after: Record | None) -> Iterator[Deed]:
    if before is None or after is None:
        if after is not None:
            yield Deed.CREATED
        if before is not None:
            yield Deed.DELETED
        return
    if said(before) != said(after):
        yield Deed.CHANGED
    if _closed(after) > _closed(before):
        yield Deed.SUPERSEDED
    else:
        if [*map(_rests, before.evidence)] != [*map(_rests, after.evidence)]:
            yield Deed.EVIDENCE
        if standing_said(before) != standing_said(after) or _restated_in_place(before, after):
            yield Deed.STANDING
    if before.ids != after.ids:
        yield Deed.MERGED
    if (before.path, before.headings) != (after.path, after.headings):
        yield Deed.MOVED


def _step(blocks: list[BlockId], old: States, new: States) -> Step | None:
    """The step of ids that went the same way, under the identity of the record if it is among them."""
    before, after = (states[blocks[0]][1] if blocks[0] in states else None for states in (old, new))
    identities = {record.id for record in (after, before) if record is not None}
    block = next((block for block in blocks if block in identities), blocks[-1])
    return step(block, before, after)


def _by_id(records: Iterable[Record]) -> States:
    """Block id to record; of two with one id, the first."""
    found: dict[BlockId, tuple[int, Record]] = {}
    for number, record in enumerate(records):
        for block in record.ids:
            found.setdefault(block, (number, record))
    return found


def _beyond(one: Record | None, other: Record | None) -> tuple[Evidence, ...]:
    known = [_grounds(group) for group in other.evidence] if other else []
    return tuple(group for group in one.evidence if _grounds(group) not in known) if one else ()


def _grounds(group: Evidence) -> tuple[object, ...]:
    """What evidence says, wherever it stands and however it is labelled."""
    return group.id, group.when, tuple(cited.place or cited.target for cited in group.sources), group.fields


def _rests(group: Evidence) -> tuple[object, ...]:
    """The same without its standing."""
    return *_grounds(group)[:-1], tuple(each for each in group.fields if each not in _standing_fields(group))


def _restated_in_place(before: Record, after: Record) -> bool:
    """Whether a definition that stayed says something else of the standing, whether it counts or not."""
    old = {group.id: _standing_fields(group) for group in before.evidence}
    return any(
        old.get(group.id, _standing_fields(group)) != _standing_fields(group) for group in after.evidence
    )


def _standing_fields(group: Evidence) -> tuple[tuple[str, str], ...]:
    return tuple(each for each in group.fields if each[0] in FIELDS)


def _closed(record: Record) -> int:
    return sum(name == _CLOSED for group in record.evidence for name, _ in group.fields)
