"""What is held of a topic: records that rest on words for which nobody has vouched yet."""

from collections.abc import Iterable

from ..facts.model import Facts
from ..markdown.spans import lines_of
from ..names import SourceId
from ..topics.model import Topic
from ..topics.records import Record

__all__ = ["held_lines", "is_held", "shown"]


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


def held_lines(facts: Facts, topic: Topic) -> frozenset[int]:
    """The lines, from 1, of paragraphs that are held, and of definitions that nothing else rests on."""
    others = shown(facts, topic.records)
    seen = {record.ids for record in others}
    hidden = [record for record in topic.records if record.ids not in seen]
    kept = {group.id for record in others for group in record.evidence}
    notes = {group.id for record in hidden for group in record.evidence} - kept
    numbers = {n for record in hidden for n in range(record.lines[0], record.lines[1] + 1)}
    for name, definition in topic.definitions.items():
        if name in notes:
            span = topic.spans[definition.span]
            numbers.update(range(span.line, span.line + len(lines_of(span.text))))
    return frozenset(numbers)
