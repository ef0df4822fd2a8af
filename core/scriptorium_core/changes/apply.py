"""Carrying out operations: all content operations in request order, then all moves."""

from collections.abc import Callable, Iterator, Mapping

from attrs import evolve, frozen

from ..facts.model import Facts
from ..markdown.footnotes import Footnote, Source
from ..markdown.links import Link, rebase_links, relative, resolve
from ..names import BlockId, SourceId, TopicPath, source_id
from ..problem import Code, Problem, within
from ..topics.edit import (
    block_text,
    definitions_of,
    insert_at,
    legacy_unit,
    remove_record,
    replace_record,
    replace_spans,
    section_end,
    section_start,
    with_headings,
)
from ..topics.model import Record, Topic, place_of
from ..tree import Tree
from ..when import When, render_when
from .model import (
    Change,
    CreateRecord,
    DeleteRecord,
    Destination,
    MoveRecords,
    Position,
    SourceUse,
    UpdateRecord,
)
from .working import Working, find, load

__all__ = ["Applied", "apply_changes", "conflicts"]

UNTIL = "Until"


@frozen
class Applied:
    """The edited directory, and which ids were deleted on purpose."""

    tree: Tree
    deleted: frozenset[BlockId]


def apply_changes(
    tree: Tree, facts: Facts, changes: tuple[Change, ...], places: Mapping[str, str], today: str
) -> Applied | tuple[Problem, ...]:
    """Carry out the operations on the base, or name every one that cannot be.

    `places` are the places of the sources that the request brings, by label and by id; `today`
    (`YYYY-MM-DD`) closes superseded evidence when the new one is undated.
    """
    problems = list(conflicts(changes, facts))
    work = Working(tree, facts, places, today)
    ordered = [c for c in changes if not isinstance(c, MoveRecords)] + [
        c for c in changes if isinstance(c, MoveRecords)
    ]
    evidence = 0
    for change in ordered:
        evidence += isinstance(change, CreateRecord | UpdateRecord)
        step = _step(work, change, f"new-evidence-record-{evidence}")
        if isinstance(step, Working):
            work = step
        else:
            problems += [within(problem, change.place) for problem in step]
    return tuple(problems) if problems else Applied(work.result(), work.deleted)


def conflicts(changes: tuple[Change, ...], facts: Facts) -> Iterator[Problem]:
    """Each id takes at most one content operation and one move, and is not both deleted and moved."""
    content: dict[str, str] = {}
    moved: dict[str, str] = {}
    gone: dict[str, str] = {}
    for change in changes:
        for block in _ids(change):
            known = facts.records.get(block)
            name: str = known.record.id if known and not isinstance(change, DeleteRecord) else block
            seen = moved if isinstance(change, MoveRecords) else content
            if name in seen and not (isinstance(change, MoveRecords) and seen[name] == change.place):
                yield _refuse(f"^{block} is changed by {seen[name]} already", change.place)
            seen.setdefault(name, change.place)
            if isinstance(change, DeleteRecord):
                gone[name] = change.place
    for twice in sorted(gone.keys() & moved.keys()):
        yield _refuse(f"^{twice} is both deleted and moved", moved[twice])


def _ids(change: Change) -> tuple[BlockId, ...]:
    match change:
        case CreateRecord():
            return ()
        case MoveRecords():
            return change.memory_ids
        case _:
            return (change.memory_id,)


def _step(work: Working, change: Change, label: str) -> Working | tuple[Problem, ...]:
    match change:
        case CreateRecord():
            return _create(work, change, label)
        case UpdateRecord():
            return _update(work, change, label)
        case DeleteRecord():
            return _delete(work, change)
        case MoveRecords():
            return _move(work, change)


def _create(work: Working, change: CreateRecord, label: str) -> Working | tuple[Problem, ...]:
    path = change.destination.topic_path
    note = _note(work, path, label, change.time, change.sources)
    if not isinstance(note, Footnote):
        return note
    return _put(work, change.destination, lambda eol: block_text(f"{change.content}[^{label}]", [note], eol))


def _update(work: Working, change: UpdateRecord, label: str) -> Working | tuple[Problem, ...]:
    found = find(work, change.memory_id)
    if isinstance(found, Problem):
        return (within(found, "memory_id"),)
    topic, record = found
    name = record.ids[-1] if record.legacy else label
    note = _note(work, topic.path, name, change.time, change.sources)
    if not isinstance(note, Footnote):
        return note
    if record.legacy:
        text = topic.spans[record.span].text
        unit = legacy_unit(text, record)
        paragraph = text.replace(unit, unit.replace(record.content, change.content, 1), 1)
        return work.with_topic(replace_record(topic, record, paragraph, [note]))
    closing = render_when(change.time) if change.time else work.today
    earlier = _closed(definitions_of(topic, record), closing) if change.supersede else ()
    cites = "".join(f"[^{each.id}]" for each in (*earlier, note))
    ids = "".join(f" ^{block}" for block in record.ids)
    return work.with_topic(replace_record(topic, record, f"{change.content}{cites}{ids}", [*earlier, note]))


def _closed(notes: tuple[Footnote, ...], until: str) -> tuple[Footnote, ...]:
    """The definitions with the last one's validity closed."""
    last = notes[-1]
    fields = (*((name, value) for name, value in last.fields if name != UNTIL), (UNTIL, until))
    return (*notes[:-1], evolve(last, fields=fields))


def _delete(work: Working, change: DeleteRecord) -> Working | tuple[Problem, ...]:
    found = find(work, change.memory_id)
    if isinstance(found, Problem):
        return (within(found, "memory_id"),)
    topic, record = found
    if record.legacy or change.memory_id == record.id:
        return work.with_topic(remove_record(topic, record)).without(record.ids)
    text = topic.spans[record.span].text
    head, _, tail = text.rpartition(f" ^{change.memory_id}")
    return work.with_topic(replace_spans(topic, {record.span: head + tail})).without((change.memory_id,))


def _move(work: Working, change: MoveRecords) -> Working | tuple[Problem, ...]:
    problems: list[Problem] = []
    path = change.destination.topic_path
    paragraphs: list[tuple[str, tuple[Footnote, ...]]] = []
    done: set[BlockId] = set()
    for index, block in enumerate(change.memory_ids):
        if block in done:
            continue
        found = find(work, block)
        if isinstance(found, Problem):
            problems.append(within(found, f"memory_ids[{index}]"))
            continue
        topic, record = found
        if not record.legacy and change.memory_ids[index : index + len(record.ids)] != record.ids:
            whole = ", ".join(f"^{each}" for each in record.ids)
            problems.append(
                _refuse(
                    f"^{block} is part of a merged record and moves only as a whole ({whole})",
                    f"memory_ids[{index}]",
                )
            )
        done.update(record.ids)
        paragraphs.append(_lifted(topic, record, path))
        work = work.with_topic(remove_record(topic, record))
    if problems:
        return tuple(problems)
    target = load(work, path)
    clash = (
        []
        if isinstance(target, Problem)
        else list(_clashes(target, [n for _, notes in paragraphs for n in notes]))
    )
    return (
        tuple(clash)
        if clash
        else _put(work, change.destination, lambda eol: _blocks(target, paragraphs, eol))
    )


def _lifted(topic: Topic, record: Record, path: TopicPath) -> tuple[str, tuple[Footnote, ...]]:
    """A record's paragraph and definitions as the file `path` would write them."""
    text = topic.spans[record.span].text
    paragraph = (legacy_unit(text, record) if record.legacy else text).strip().lstrip("\ufeff")

    def target(link: Link) -> str | None:
        file = resolve(topic.path, link.target.partition("#")[0]) if link.path else None
        tail = link.target[len(link.target.partition("#")[0]) :]
        return relative(path, file) + tail if file else None

    notes = tuple(
        evolve(note, sources=tuple(_rebased(source, topic.path, path) for source in note.sources))
        for note in definitions_of(topic, record)
    )
    return (rebase_links(paragraph, target) if path != topic.path else paragraph), notes


def _rebased(source: Source, old: TopicPath, new: TopicPath) -> Source:
    place = place_of(old, source)
    return Source(source.label, relative(new, place)) if place else source


def _clashes(topic: Topic, notes: list[Footnote]) -> Iterator[Problem]:
    for note in notes:
        known = topic.definitions.get(note.id)
        if known is not None and known.note != note:
            yield Problem(
                Code.INVALID_TOPIC_FORMAT,
                f"[^{note.id}] is defined differently in {topic.path}",
                "destination.topic_path",
                remedy="update the record with evidence of its own, then move it",
            )


def _blocks(topic: Topic | Problem, paragraphs: list[tuple[str, tuple[Footnote, ...]]], eol: str) -> str:
    written = set(topic.definitions) if isinstance(topic, Topic) else set[str]()
    blocks: list[str] = []
    for paragraph, notes in paragraphs:
        blocks.append(block_text(paragraph, [note for note in notes if note.id not in written], eol))
        written |= {note.id for note in notes}
    return eol.join(blocks)


def _put(
    work: Working, destination: Destination, text: Callable[[str], str]
) -> Working | tuple[Problem, ...]:
    """The block of text put where the destination says."""
    topic = load(work, destination.topic_path)
    if isinstance(topic, Problem):
        return (within(topic, "destination.topic_path"),)
    if destination.anchor is not None:
        index = _beside(work, destination)
        if isinstance(index, Problem):
            return (within(index, "destination.anchor_memory_id"),)
    else:
        topic = with_headings(topic, destination.headings)
        at_start = destination.position is Position.START
        index = (section_start if at_start else section_end)(topic, destination.headings)
    return work.with_topic(insert_at(topic, index, text(topic.eol)))


def _beside(work: Working, destination: Destination) -> int | Problem:
    """The index of the span before which a record goes that stands before or after another."""
    found = find(work, destination.anchor or BlockId(""))
    if isinstance(found, Problem):
        return found
    topic, record = found
    if topic.path != destination.topic_path or record.headings != destination.headings:
        section = " > ".join(record.headings) or "(no heading)"
        return _refuse(f"the anchor ^{destination.anchor} stands in {topic.path}, {section}", "")
    return record.span + (destination.position is Position.AFTER)


def _note(
    work: Working, path: TopicPath, label: str, when: When | None, uses: tuple[SourceUse, ...]
) -> Footnote | tuple[Problem, ...]:
    """The definition that cites some sources, as the file `path` writes it."""
    sources: list[Source] = []
    problems: list[Problem] = []
    for index, use in enumerate(uses):
        place = _place(work, use.source)
        if isinstance(place, Problem):
            problems.append(within(place, f"sources[{index}].source"))
        else:
            sources.append(Source(use.label, relative(path, place)))
    return tuple(problems) if problems else Footnote(label, when, tuple(sources))


def _place(work: Working, source: str) -> str | Problem:
    if source in work.places:
        return work.places[source]
    known = work.facts.sources.get(SourceId(source))
    if known is not None:
        return known.place
    if source in work.facts.forgotten:
        return Problem(Code.FORGOTTEN, f"the source {source} was forgotten on {work.facts.forgotten[source]}")
    if source_id(source) is None and not source.startswith(("new-source-", "D")):
        return Problem(
            Code.INVALID_TOPIC_FORMAT, f"{source!r} is not a source id", remedy="use provider/thread/message"
        )
    return Problem(
        Code.MISSING_SOURCE,
        f"no source {source!r} is archived",
        remedy="cite an archived source or bring it in `sources`",
    )


def _refuse(message: str, place: str) -> Problem:
    return Problem(Code.INVALID_ARGUMENT, message, place)
