"""The earlier texts of records put back where they stood, with the evidence that they had."""

from collections.abc import Iterable, Iterator, Sequence

from attrs import frozen

from ..names import BlockId, TopicPath
from ..problem import Code, Problem, within
from ..topics.edit import legacy_unit, remove_record, replace_record, shared_notes
from ..topics.model import Record, Topic
from ..topics.parse import parse_topic
from ..tree import Tree
from .evidence import meaning
from .model import Destination, Position
from .moving import Lifted, blocks_of, clashes, lift
from .placing import put
from .working import Working, find, load, missing

__all__ = ["destination_of", "restore_records"]


@frozen
class _Earlier:
    """A record as it stood in a topic, and its place in the list that asks for it."""

    topic: Topic
    record: Record
    place: str


def restore_records(
    work: Working, old: Tree, differing: Iterable[str], ids: Sequence[BlockId]
) -> Working | tuple[Problem, ...]:
    """The records of `ids` as they stood in `old`, or why some cannot be restored.

    `differing` are the files that are not the same in `old`; what stands in any other needs no restoring.
    A record that is there keeps its place; one that is not goes beside its old neighbours, or to the end of
    its chain of headings.
    """
    topics = _Topics(old, tuple(TopicPath(path) for path in differing if path.startswith("topics/")))
    found: dict[BlockId, _Earlier] = {}
    problems: list[Problem] = []
    for index, block in enumerate(ids):
        earlier = _find_earlier(work, topics, block, f"ids[{index}]")
        if isinstance(earlier, Problem):
            problems.append(within(earlier, f"ids[{index}]"))
        else:
            found.setdefault(earlier.record.id, earlier)
    problems += _divided(work, tuple(found.values()))
    if problems:
        return tuple(problems)
    return _restored(work, sorted(found.values(), key=lambda each: (each.topic.path, each.record.span)))


class _Topics:
    """The topics of an earlier state, read when they are asked for."""

    def __init__(self, old: Tree, differing: tuple[TopicPath, ...]) -> None:
        self._old, self._differing = old, differing

    def holding(self, block: BlockId, first: TopicPath | None) -> tuple[Topic, Record] | None:
        """The record with an id; `first` is where it stands now."""
        for path in dict.fromkeys((*((first,) if first else ()), *self._differing)):
            data = self._old.get(path)
            if data is None or block.encode() not in data:
                continue
            topic = parse_topic(path, data)[0]
            for record in topic.records:
                if block in record.ids:
                    return topic, record
        return None


def _find_earlier(work: Working, topics: _Topics, block: BlockId, place: str) -> _Earlier | Problem:
    known = work.facts.records.get(block)
    if known is None and block in work.facts.forgotten:
        return missing(work, block)
    found = topics.holding(block, known.record.path if known else None)
    if found is None:
        return Problem(
            Code.MEMORY_NOT_FOUND,
            f"there was no record ^{block} then, or it is where it was",
            remedy="name a revision in which it stood; its history is shown by `why`",
        )
    return _Earlier(*found, place)


def _divided(work: Working, wanted: Sequence[_Earlier]) -> Iterator[Problem]:
    """Records that are part of a merged one now: restoring some of them would lose the others."""
    whole = {block for each in wanted for block in each.record.ids}
    for each in wanted:
        for _, now in _standing(work, each.record):
            if rest := [f"^{block}" for block in now.ids if block not in whole]:
                message = f"^{each.record.id} is merged with {', '.join(rest)} now"
                remedy = "restore these as well, or split the record first"
                yield Problem(Code.INVALID_ARGUMENT, message, each.place, remedy=remedy)


def _standing(work: Working, record: Record) -> list[tuple[Topic, Record]]:
    """The records that bear one of its ids now."""
    found = (find(work, block) for block in record.ids)
    return list({at[1].id: at for at in found if not isinstance(at, Problem)}.values())


def _restored(work: Working, wanted: Sequence[_Earlier]) -> Working | tuple[Problem, ...]:
    problems: list[Problem] = []
    absent: list[_Earlier] = []
    for each in wanted:
        standing = _standing(work, each.record)
        alone = len(standing) == 1 and set(standing[0][1].ids) <= set(each.record.ids)
        if alone and standing[0][1].legacy == each.record.legacy:
            step = _in_place(work, each, *standing[0])
            if isinstance(step, tuple):
                problems += step
            else:
                work = step
        else:
            absent.append(each)
    for each in absent:
        for topic, record in _standing(work, each.record):
            work = work.with_topic(remove_record(topic, record))
    for each in absent:
        step = _put_back(work, each)
        if isinstance(step, tuple):
            problems += (within(problem, each.place) for problem in step)
        else:
            work = step
    return tuple(problems) if problems else work


def _in_place(work: Working, each: _Earlier, topic: Topic, now: Record) -> Working | tuple[Problem, ...]:
    lifted = lift(work, each.topic, each.record, topic.path)
    own = {group.id for group in now.evidence} - shared_notes(topic, now)
    for note in lifted.notes:
        known = topic.definitions.get(note.id)
        if known and note.id not in own and meaning(topic.path, known.note) != meaning(topic.path, note):
            return (_defined_otherwise(topic, note.id, each.place),)
    paragraph = lifted.paragraph
    if now.legacy:
        text = topic.texts[now.span]
        start, end = legacy_unit(topic, now)
        paragraph = f"{text[:start]}{' ' if start else ''}{paragraph}{text[end:]}"
    return work.with_topic(replace_record(topic, now, paragraph, lifted.notes))


def _put_back(work: Working, each: _Earlier) -> Working | tuple[Problem, ...]:
    path = each.topic.path
    target = load(work, path)
    if isinstance(target, Problem):
        return (target,)
    lifted: Lifted = lift(work, each.topic, each.record, path)
    wrong = tuple(problem._replace(path="") for problem in clashes(target, lifted.notes))
    if wrong:
        return wrong
    where = destination_of(target, each.topic, each.record)
    return put(work, where, lambda eol: blocks_of(target, [lifted], eol), 1)


def destination_of(target: Topic, topic: Topic, record: Record) -> Destination:
    """Beside the nearest old neighbour that still stands in the section of `target`, else at its end."""
    headings = record.headings
    section = [other for other in topic.records if other.headings == headings]
    place = section.index(record)
    there = {block for each in target.records if each.headings == headings for block in each.ids}
    for neighbours, position in ((section[:place][::-1], Position.AFTER), (section[place:], Position.BEFORE)):
        for other in neighbours:
            if other.id in there:
                return Destination(target.path, headings, position, other.id)
    return Destination(target.path, headings, Position.END)


def _defined_otherwise(topic: Topic, label: str, place: str) -> Problem:
    message = f"[^{label}] is defined differently in {topic.path} now, for another record"
    return Problem(
        Code.INVALID_TOPIC_FORMAT,
        message,
        place,
        remedy="restore the other record as well, or the whole topic",
    )
