"""Two texts of one record, which both sides changed: side by side, and marked as what they are.

    Tea is at six.[^e-1] ^6c1f02aa
    [^e-1]: Time: `2026-03-01`; Sources: …; Alternative: 6c1f02aa

    Tea is at five.[^e-2] ^91be44d0
    [^e-2]: Time: `2026-03-01`; Sources: …; Alternative: 6c1f02aa

The first keeps the id, so that links to it mean what they meant; the second is a record of its own.
"""

import re
from collections.abc import Collection, Iterable

from attrs import evolve

from ..changes.model import Destination, Position
from ..changes.moving import Lifted, blocks_of, lift
from ..changes.placing import put
from ..changes.working import Working, find
from ..markdown.footnotes import Footnote, render_footnote
from ..markdown.paragraphs import rename_citations
from ..names import BlockId
from ..problem import Problem
from ..topics.edit import definitions_of, replace_record, replace_spans, shared_notes
from ..topics.model import Record, Topic
from ..topics.notes import ALTERNATIVE, alternative_of
from .records import Clash
from .texts import fresh_label

__all__ = ["relabelled", "side_by_side"]

_UNTIL = "Until"
_IDS = re.compile(r"(?:\s+\^[A-Za-z0-9-]+)+\s*\Z")


def side_by_side(work: Working, clash: Clash, there: Collection[BlockId]) -> Working | None:
    """With the other text beside the one that is kept, which stands there, and both marked.

    `there` are ids that stand already. None: the other words cannot stand there by themselves.
    """
    found = find(work, clash.kept.record.id)
    assert not isinstance(found, Problem)
    topic, record = found
    name = min(alternative_of(record), default=str(record.id))
    work = work.with_topic(_marked(topic, record, name))
    target = find(work, record.id)
    assert not isinstance(target, Problem)
    lifted = relabelled(target[0], lift(work, clash.other.topic, clash.other.record, topic.path))
    left = [block for block in clash.other.record.ids if block not in there and not clash.other.record.legacy]
    text = "".join([_IDS.sub("", lifted.paragraph), *(f" ^{block}" for block in left)])
    beside = Lifted(text, _with_mark(lifted.notes, name))
    where = Destination(topic.path, target[1].headings, Position.AFTER, record.id)
    step = put(work, where, lambda eol: blocks_of(target[0], [beside], eol), 1)
    return step if isinstance(step, Working) else None


def relabelled(topic: Topic, lifted: Lifted) -> Lifted:
    """A record on its way with labels that mean nothing else in the topic that it goes to."""
    names: dict[str, str] = {}
    for note in lifted.notes:
        names[note.id] = fresh_label(topic, lambda label: label in names.values())
    notes = tuple(evolve(note, id=names[note.id]) for note in lifted.notes)
    return Lifted(rename_citations(lifted.paragraph, names), notes)


def _marked(topic: Topic, record: Record, name: str) -> Topic:
    """The topic with the mark on what a record rests on; what others rest on too is given to it anew."""
    notes = definitions_of(topic, record)
    if record.legacy:
        spans = {topic.definitions[note.id].span: note for note in _with_mark(notes, name)}
        ends = {index: topic.texts[index][len(topic.texts[index].rstrip("\r\n")) :] for index in spans}
        return replace_spans(topic, {n: render_footnote(note) + ends[n] for n, note in spans.items()})
    names: dict[str, str] = {}
    for label in sorted(shared_notes(topic, record)):
        names[label] = fresh_label(topic, lambda new: new in names.values())
    own = [evolve(note, id=names.get(note.id, note.id)) for note in notes]
    paragraph = rename_citations(topic.texts[record.span], names)
    return replace_record(topic, record, paragraph, _with_mark(own, name))


def _with_mark(notes: Iterable[Footnote], name: str) -> tuple[Footnote, ...]:
    """The definitions with the mark on those that hold still, on all if none does."""
    given = tuple(notes)
    current = {note.id for note in given if all(key != _UNTIL for key, _ in note.fields)}
    mark = (ALTERNATIVE, name)
    return tuple(
        evolve(note, fields=(*note.fields, mark))
        if (not current or note.id in current) and mark not in note.fields
        else note
        for note in given
    )
