"""Moving records: the paragraphs and their definitions go, everything else about them stays."""

from collections.abc import Iterator

from attrs import frozen

from ..markdown.footnotes import Footnote
from ..markdown.links import Link, link_path, rebase_links, relative, resolve
from ..names import BlockId, TopicPath
from ..problem import Code, Problem, within
from ..topics.edit import block_text, definitions_of, lifted_text, remove_record
from ..topics.model import Record, Topic
from .evidence import meaning, rebased
from .model import MoveRecords
from .placing import put
from .working import Working, find, load

__all__ = ["Lifted", "blocks_of", "clashes", "lift", "move", "moved_target"]


@frozen
class Lifted:
    """A paragraph on its way, with its definitions, as the file that it goes to writes them."""

    paragraph: str
    notes: tuple[Footnote, ...]


def move(work: Working, change: MoveRecords) -> Working | tuple[Problem, ...]:
    """The records taken out where they stand, and put in together."""
    path = change.destination.topic_path
    lifted: list[Lifted] = []
    problems: list[Problem] = []
    done: set[BlockId] = set()
    for index, block in enumerate(change.memory_ids):
        if block in done:
            continue
        found = find(work, block)
        if isinstance(found, Problem):
            problems.append(within(found, f"memory_ids[{index}]"))
            continue
        topic, record = found
        problems += _divided(record, change.memory_ids, index)
        done.update(record.ids)
        lifted.append(lift(work, topic, record, path))
        work = work.with_topic(remove_record(topic, record))
    target = load(work, path)
    known = target if isinstance(target, Topic) else Topic(path, (), (), {})
    problems += [clash for each in lifted for clash in clashes(known, each.notes)]
    if problems:
        return tuple(problems)
    return put(work, change.destination, lambda eol: blocks_of(known, lifted, eol), len(lifted))


def _divided(record: Record, ids: tuple[BlockId, ...], index: int) -> Iterator[Problem]:
    if not record.legacy and ids[index : index + len(record.ids)] != record.ids:
        whole = ", ".join(f"^{each}" for each in record.ids)
        message = f"^{ids[index]} is part of a merged record and moves only as a whole ({whole})"
        remedy = "name all of its ids, one after the other"
        yield Problem(Code.INVALID_ARGUMENT, message, f"memory_ids[{index}]", remedy=remedy)


def lift(work: Working, topic: Topic, record: Record, path: TopicPath) -> Lifted:
    """A record of a topic as the file at `path` writes it."""
    paragraph = lifted_text(topic, record).strip()
    notes = tuple(rebased(work, note, topic.path, path) for note in definitions_of(topic, record))
    if path == topic.path:
        return Lifted(paragraph, notes)
    return Lifted(rebase_links(paragraph, lambda link: moved_target(link, topic.path, path)), notes)


def moved_target(link: Link, old: TopicPath, new: TopicPath) -> str | None:
    """The target of a link that stood in the file `old`, as the file `new` writes it; encoded as it was."""
    path, mark, rest = link.target.strip("<>").partition("#")
    file = resolve(link_path(old), path) if link.path else None
    if not file:
        return None
    target = relative(link_path(new), file) + mark + rest
    return f"<{target}>" if link.target.startswith("<") else target


def clashes(topic: Topic, notes: tuple[Footnote, ...]) -> Iterator[Problem]:
    """Where the topic defines a label otherwise than a record brings it."""
    for note in notes:
        known = topic.definitions.get(note.id)
        if known is not None and meaning(topic.path, known.note) != meaning(topic.path, note):
            yield Problem(
                Code.INVALID_TOPIC_FORMAT,
                f"[^{note.id}] is defined differently in {topic.path}",
                "destination.topic_path",
                remedy="update the record with evidence of its own, then move it",
            )


def blocks_of(topic: Topic, lifted: list[Lifted], eol: str) -> str:
    """The text of lifted records, with the definitions that the topic does not hold yet."""
    written = set(topic.definitions)
    blocks: list[str] = []
    for each in lifted:
        blocks.append(
            block_text(each.paragraph, [note for note in each.notes if note.id not in written], eol)
        )
        written |= {note.id for note in each.notes}
    return eol.join(blocks)
