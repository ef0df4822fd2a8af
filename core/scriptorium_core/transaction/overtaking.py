"""Whether somebody was faster: the topics that a request means, and the records that two edits share."""

from collections.abc import Iterable, Iterator, Mapping

from ..changes.model import Change, CreateRecord, DeleteRecord, MoveRecords, UpdateRecord
from ..facts.model import Facts
from ..names import BlockId, TopicPath
from ..problem import Code, Problem
from ..topics.parse import parse_topic
from .model import Report

__all__ = ["meant", "meetings"]


def meant(changes: Iterable[Change], facts: Facts, before: Mapping[str, bytes]) -> frozenset[TopicPath]:
    """The topics in which the records of `changes` stand or shall stand.

    `facts` are those of the present; `before` holds the earlier texts of topics that were changed since,
    so that a record which vanished or moved meanwhile is found where the caller saw it.
    """
    was = {
        block: TopicPath(path)
        for path, data in before.items()
        for block in parse_topic(TopicPath(path), data)[0].ids
    }
    found: set[TopicPath] = set()
    for change in changes:
        found.update(_destinations(change))
        for block in _records(change):
            known = facts.records.get(block)
            found.update([known.record.path] if known else [], [was[block]] if block in was else [])
    return frozenset(found)


def meetings(edit: Report, by_hand: Report) -> tuple[Problem, ...]:
    """The records that an edit would change or delete, and a person has just changed: theirs stay."""
    changed = {*by_hand.updated, *by_hand.deleted, *by_hand.moved}
    return tuple(
        Problem(
            Code.CONCURRENT_UPDATE,
            f"^{block} was edited by hand meanwhile; that text was adopted and stays",
            remedy="read the record again, then make the change anew",
        )
        for block in (*edit.updated, *edit.deleted)
        if block in changed
    )


def _destinations(change: Change) -> Iterator[TopicPath]:
    if isinstance(change, CreateRecord | MoveRecords):
        yield change.destination.topic_path


def _records(change: Change) -> Iterator[BlockId]:
    match change:
        case UpdateRecord(memory_id=block) | DeleteRecord(memory_id=block):
            yield block
        case MoveRecords(memory_ids=blocks):
            yield from blocks
        case CreateRecord():
            pass
    if isinstance(change, CreateRecord | MoveRecords) and change.destination.anchor is not None:
        yield change.destination.anchor
