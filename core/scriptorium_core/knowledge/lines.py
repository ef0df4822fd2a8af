"""The lines of a topic as an agent may see them, and those of them in which a text stands, letter by letter.

Of what is held, nothing but that it is held; of a topic in which all is held, not even its name.
"""

from collections.abc import Iterable, Iterator, Mapping

from attrs import evolve, frozen

from ..facts.model import Facts
from ..markdown.spans import BOM, lines_of
from ..names import BlockId, TopicPath
from ..topics.model import Record, Topic
from ..topics.parse import parse_topic
from ..writing.holding import held_lines, shown
from ..writing.looking import HELD

__all__ = ["LONGEST", "Line", "hits_in", "lines_for"]

LONGEST = 400
"""Characters of a line that go along with a hit."""


@frozen
class Line:
    """A line without its end, its number from 1, and the record whose paragraph it is of, if any.

    Of a line that defines evidence, `evidence_of` is the first record that rests on it.
    """

    number: int
    text: str
    record: BlockId | None = None
    evidence_of: BlockId | None = None


def lines_for(facts: Facts, path: TopicPath, data: bytes) -> tuple[Line, ...]:
    """All lines of a topic, each that is held replaced; none where there is nothing that may be seen."""
    topic = parse_topic(path, data)[0]
    open_ones = shown(facts, topic.records)
    if topic.records and not open_ones:
        return ()
    held, owner, resting = held_lines(facts, topic), _owners(open_ones), _resting(topic, open_ones)
    lines = lines_of(data.decode("utf-8", "replace").removeprefix(BOM))
    return tuple(
        Line(number, HELD)
        if number in held
        else Line(number, text.rstrip("\r\n"), owner.get(number), resting.get(number))
        for number, text in enumerate(lines, 1)
    )


def hits_in(
    facts: Facts, path: TopicPath, data: bytes, text: str, ignore_case: bool = False
) -> Iterator[Line]:
    """The lines in which a text stands as it is: no sign in it has a meaning. Long ones are cut around it.

    In a topic that is quarantined nothing is found: nobody knows what of it is held.
    """
    wanted = text.casefold() if ignore_case else text
    whole = data.decode("utf-8", "replace")
    if path in facts.broken or wanted not in (whole.casefold() if ignore_case else whole):
        return
    for line in lines_for(facts, path, data):
        place = (line.text.casefold() if ignore_case else line.text).find(wanted)
        if place >= 0 and line.text != HELD:
            yield evolve(line, text=_around(line.text, place))


def _around(line: str, place: int) -> str:
    """A line, of a long one the part around a place in it."""
    if len(line) <= LONGEST:
        return line
    # Folding may have changed the number of letters; what stands around the place is near enough.
    start = min(max(place - LONGEST // 3, 0), len(line) - LONGEST)
    end = start + LONGEST
    return f"{'…' if start else ''}{line[start:end]}{'…' if end < len(line) else ''}"


def _owners(records: Iterable[Record]) -> Mapping[int, BlockId]:
    return {number: record.id for record in records for number in range(record.lines[0], record.lines[1] + 1)}


def _resting(topic: Topic, records: Iterable[Record]) -> Mapping[int, BlockId]:
    """By the lines of definitions, the first record that rests on each."""
    first: dict[int, BlockId] = {}
    for record in records:
        for group in record.evidence:
            span = topic.spans[topic.definitions[group.id].span] if group.id in topic.definitions else None
            lines = range(span.line, span.line + len(lines_of(span.text))) if span is not None else ()
            for number in lines:
                first.setdefault(number, record.id)
    return first
