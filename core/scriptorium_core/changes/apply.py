"""Carrying out operations: all content operations in request order, then all moves."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import assert_never

from attrs import evolve, frozen

from ..facts.model import Facts
from ..markdown.footnotes import Footnote
from ..names import BlockId
from ..problem import Code, Problem, within
from ..topics.edit import (
    block_text,
    definitions_of,
    legacy_unit,
    remove_record,
    replace_record,
    replace_spans,
)
from ..topics.model import Record, Topic
from ..topics.questions import ask_fields, questions_of
from ..tree import Tree
from ..when import render_when
from .evidence import closed, note_of, unknown_sources
from .model import Change, CreateRecord, DeleteRecord, Destination, MoveRecords, Position, UpdateRecord
from .moving import move
from .placing import misplaced, put
from .working import Working, find

__all__ = ["Applied", "apply_changes", "conflicts"]

_IDS = re.compile(r"(?:\s+\^[A-Za-z0-9-]+)+\s*$")


@frozen
class Applied:
    """The edited directory, and which ids were deleted on purpose."""

    tree: Tree
    deleted: frozenset[BlockId]


def apply_changes(
    tree: Tree,
    facts: Facts,
    changes: tuple[Change, ...],
    places: Mapping[str, str],
    today: str,
    labelled: int = 0,
) -> Applied | tuple[Problem, ...]:
    """Carry out the operations on the base, or name every one that cannot be.

    `places` are the places of the sources that the request brings, by label and by id; `today`
    (`YYYY-MM-DD`) closes superseded evidence when the new one is undated; `labelled` is how many pieces
    of evidence earlier operations on the same base have labelled.
    """
    problems = list(conflicts(changes, facts))
    work = Working(tree, facts, places, today)
    ordered = [c for c in changes if not isinstance(c, MoveRecords)] + [
        c for c in changes if isinstance(c, MoveRecords)
    ]
    due = (item for item in _labelled(ordered, labelled) if not _is_done(work, item[0]))
    for run in _runs(due):
        first, label = run[0]
        step = _creates(work, run) if len(run) > 1 else _step(work, first, label)
        if isinstance(step, Working):
            work = step
        else:
            problems += step if len(run) > 1 else [within(problem, first.place) for problem in step]
    return tuple(problems) if problems else Applied(work.result(), work.deleted)


def _labelled(changes: Sequence[Change], evidence: int) -> Iterator[tuple[Change, str]]:
    """Each operation with the label of the evidence that it brings, if it brings any."""
    for change in changes:
        evidence += isinstance(change, CreateRecord | UpdateRecord)
        yield change, f"new-evidence-record-{evidence}"


def _is_done(work: Working, change: Change) -> bool:
    """Whether the same call made this record before: what it brings is archived, and a record says just that.

    So a caller who did not hear the answer can ask again, and changes nothing the second time.
    """
    if not isinstance(change, CreateRecord):
        return False
    places = [work.places.get(use.source, "") for use in change.sources]
    if not all(place in work.facts.places for place in places):
        return False
    known = (work.facts.records[block].record for block in work.facts.citing.get(places[0], ()))
    return any(
        (record.content, record.when, [source.place for source in record.sources])
        == (change.content, change.time, places)
        for record in known
    )


def _runs(labelled: Iterable[tuple[Change, str]]) -> Iterator[list[tuple[Change, str]]]:
    """Operations one by one, but creates that follow one another to the end of a section together.

    A writer brings hundreds of them; one by one, each would read its topic anew.
    """
    for _, run in groupby(labelled, key=lambda item: _joins(item[0]) or object()):
        yield list(run)


def _joins(change: Change) -> Destination | None:
    if isinstance(change, CreateRecord) and change.destination.position is Position.END:
        return change.destination
    return None


def conflicts(changes: tuple[Change, ...], facts: Facts) -> Iterator[Problem]:
    """Each id takes at most one content operation and one move, and is not both deleted and moved."""
    content: dict[str, str] = {}
    moved: dict[str, str] = {}
    gone: set[str] = set()
    for change in changes:
        moving = isinstance(change, MoveRecords)
        for block in _ids(change):
            known = facts.records.get(block)
            name = known.record.id if known and not isinstance(change, DeleteRecord) else block
            seen = moved if moving else content
            # The ids of a merged record stand for it together in one move.
            if name in seen and not (moving and seen[name] == change.place):
                yield _refuse(f"^{block} is changed by {seen[name]} already", change.place)
            seen.setdefault(name, change.place)
            if moving:
                moved.setdefault(block, change.place)
            elif isinstance(change, DeleteRecord):
                gone.add(block)
    for twice in sorted(gone & moved.keys()):
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
            return move(work, change)
    assert_never(change)


def _create(work: Working, change: CreateRecord, label: str) -> Working | tuple[Problem, ...]:
    wrong = (*unknown_sources(work, change.sources), *misplaced(work, change.destination))
    if wrong:
        return wrong
    note = note_of(work, change.destination.topic_path, label, change.time, change.sources, change.fields)
    paragraph = f"{change.content}[^{label}]"
    return put(work, change.destination, lambda eol: block_text(paragraph, [note], eol), 1)


def _creates(work: Working, run: Sequence[tuple[Change, str]]) -> Working | tuple[Problem, ...]:
    """Several creates with one destination, as one block of text; problems name the operation."""
    creates = [(change, label) for change, label in run if isinstance(change, CreateRecord)]
    destination = creates[0][0].destination
    wrong = [
        within(fault, each.place) for each, _ in creates for fault in unknown_sources(work, each.sources)
    ]
    wrong += [within(fault, creates[0][0].place) for fault in misplaced(work, destination)]
    if wrong:
        return tuple(wrong)
    path = destination.topic_path
    blocks = [
        (f"{each.content}[^{label}]", [note_of(work, path, label, each.time, each.sources, each.fields)])
        for each, label in creates
    ]
    made = put(
        work, destination, lambda eol: eol.join(block_text(*block, eol) for block in blocks), len(blocks)
    )
    return made if isinstance(made, Working) else tuple(within(fault, creates[0][0].place) for fault in made)


def _update(work: Working, change: UpdateRecord, label: str) -> Working | tuple[Problem, ...]:
    wrong = unknown_sources(work, change.sources)
    found = find(work, change.memory_id)
    if isinstance(found, Problem):
        return (within(found, "memory_id"), *wrong)
    if wrong:
        return wrong
    topic, record = found
    # Final evidence replaces what was there; what the record is asked for is no evidence.
    asked = () if change.supersede or change.add else ask_fields(questions_of(record))
    note = note_of(work, topic.path, label, change.time, change.sources, asked)
    if record.legacy:
        return _updated_unit(work, change, topic, record, note)
    until = render_when(change.time) if change.time else work.today
    earlier = _earlier(topic, record, change, until, f"{note.id}-until")
    ids = "".join(f" ^{block}" for block in record.ids)
    if change.add and change.content == record.content:  # what each citation says stays with it
        paragraph = f"{_IDS.sub('', topic.texts[record.span])}[^{note.id}]{ids}"
    else:
        cites = "".join(f"[^{each.id}]" for each in (*earlier, note))
        paragraph = f"{change.content}{cites}{ids}"
    return work.with_topic(replace_record(topic, record, paragraph, [*earlier, note]))


def _earlier(
    topic: Topic, record: Record, change: UpdateRecord, until: str, label: str
) -> tuple[Footnote, ...]:
    """The definitions that an update keeps before its own."""
    if change.supersede:
        return closed(topic, record, until, label)
    return definitions_of(topic, record) if change.add else ()


def _updated_unit(
    work: Working, change: UpdateRecord, topic: Topic, record: Record, note: Footnote
) -> Working | tuple[Problem, ...]:
    """The older form: its citations are its ids, so that each of its definitions gets the final evidence."""
    if change.supersede or change.add:
        key = "supersede" if change.supersede else "add"
        message = f"^{record.id} has the older form, which keeps no earlier evidence"
        return (Problem(Code.INVALID_ARGUMENT, message, key, remedy=f"update it without {key}"),)
    start, end = legacy_unit(topic, record)
    text = topic.texts[record.span]
    cites = "".join(f"[^{block}]" for block in record.ids)
    paragraph = f"{text[:start]}{' ' if start else ''}{change.content}{cites}{text[end:]}"
    notes = [evolve(note, id=block) for block in record.ids]
    return work.with_topic(replace_record(topic, record, paragraph, notes))


def _delete(work: Working, change: DeleteRecord) -> Working | tuple[Problem, ...]:
    if change.memory_id in work.deleted:
        return work  # It went with the record whose alias it was.
    found = find(work, change.memory_id)
    if isinstance(found, Problem):
        return (within(found, "memory_id"),)
    topic, record = found
    if record.legacy or change.memory_id == record.id:
        return work.with_topic(remove_record(topic, record)).without(record.ids)
    ids = re.compile(rf"\s+\^{change.memory_id}(?![A-Za-z0-9-])")
    text = topic.texts[record.span]
    *_, place = ids.finditer(text)
    kept = text[: place.start()] + text[place.end() :]
    return work.with_topic(replace_spans(topic, {record.span: kept})).without((change.memory_id,))


def _refuse(message: str, place: str) -> Problem:
    remedy = "say it in one operation, or send another request after this one"
    return Problem(Code.INVALID_ARGUMENT, message, place, remedy=remedy)
