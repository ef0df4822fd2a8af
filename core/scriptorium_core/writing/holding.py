"""What is held of a topic: records that rest on words for which nobody has vouched yet."""

from collections.abc import Iterable

from ..facts.model import Facts
from ..names import SourceId
from ..topics.records import Record

__all__ = ["is_held", "shown"]


def is_held(facts: Facts, record: Record) -> bool:
    """Whether a record cites a message that waits for the owner's consent."""
    named = (facts.places.get(source.place, SourceId(source.target)) for source in record.sources)
    found = (facts.sources.get(name) for name in named)
    return any(source is not None and not source.trusted for source in found)


def shown(facts: Facts, records: Iterable[Record]) -> tuple[Record, ...]:
    """The records that a writer is shown: neither held nor, by a commit that no check saw, back again."""
    return tuple(
        record
        for record in records
        if not any(block in facts.forgotten for block in record.ids) and not is_held(facts, record)
    )
