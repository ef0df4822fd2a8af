"""Putting a block of text where a destination says."""

from collections.abc import Callable

from ..names import BlockId
from ..problem import Code, Problem, within
from ..topics.edit import insert_at
from ..topics.model import Topic
from ..topics.places import section_end, section_start, with_headings
from .model import Destination, Position
from .working import Working, find, load

__all__ = ["misplaced", "put"]


def put(
    work: Working, destination: Destination, text: Callable[[str], str], records: int
) -> Working | tuple[Problem, ...]:
    """The block that `text` gives for a line end, put where the destination says; it holds `records`."""
    place = _place(work, destination)
    if isinstance(place, Problem):
        return (within(place, "destination"),)
    topic, index = place
    filled = insert_at(topic, index, text(topic.eol))
    if len(filled.records) != len(topic.records) + records:
        message = f"what is put there cannot be read back from {topic.path}"
        return (Problem(Code.INVALID_TOPIC_FORMAT, message, "destination", remedy="choose another place"),)
    return work.with_topic(filled)


def misplaced(work: Working, destination: Destination) -> tuple[Problem, ...]:
    """Why nothing can be put where the destination says."""
    place = _place(work, destination)
    return (within(place, "destination"),) if isinstance(place, Problem) else ()


def _place(work: Working, destination: Destination) -> tuple[Topic, int] | Problem:
    """The topic with its headings made, and the index of the span before which the block goes."""
    topic = load(work, destination.topic_path)
    if isinstance(topic, Problem):
        return within(topic, "topic_path")
    if destination.anchor is not None:
        index = _beside(work, destination, destination.anchor)
        return within(index, "anchor_memory_id") if isinstance(index, Problem) else (topic, index)
    made = with_headings(topic, destination.headings)
    at_start = destination.position is Position.START
    return made, (section_start if at_start else section_end)(made, destination.headings)


def _beside(work: Working, destination: Destination, anchor: BlockId) -> int | Problem:
    found = find(work, anchor)
    if isinstance(found, Problem):
        return found
    topic, record = found
    if topic.path != destination.topic_path or record.headings != destination.headings:
        section = " > ".join(record.headings) or "(no heading)"
        message = f"the anchor ^{anchor} stands in {topic.path}, {section}"
        remedy = "give that topic and these headings, or another anchor"
        return Problem(Code.INVALID_ARGUMENT, message, remedy=remedy)
    return record.span + (destination.position is Position.AFTER)
