"""Saying otherwise how far a record may be relied on: one definition line is edited, and nothing else."""

from attrs import evolve

from ..changes.working import Working
from ..markdown.footnotes import Footnote, render_footnote
from ..markdown.paragraphs import rename_citations
from ..topics.edit import definitions_of, replace_record, replace_spans, shared_notes
from ..topics.model import Record, Topic
from ..topics.standing import Noted, noted_at, read_noted, with_noted

__all__ = ["noted_of", "restated"]

_OWN = "new-evidence-standing-1"


def noted_of(record: Record) -> Noted:
    """What the definitions of a record say of its standing, as it is written."""
    place = noted_at(record)
    return read_noted(place.fields)[0] if place is not None else Noted()


def restated(work: Working, topic: Topic, record: Record, noted: Noted) -> Working:
    """The topic with a record whose standing is written so, at the line where it is looked for.

    A line that another record cites too keeps what it says of that one: this record gets a line of its own.
    """
    place = noted_at(record)
    if place is None:
        return work
    note = topic.definitions[place.id].note
    changed = evolve(note, fields=with_noted(note.fields, noted))
    if changed == note:
        return work
    if place.id in shared_notes(topic, record):
        return work.with_topic(_apart(topic, record, place.id, evolve(changed, id=_OWN)))
    span = topic.definitions[place.id].span
    text = topic.texts[span]
    ending = text[len(text.rstrip("\r\n")) :]
    return work.with_topic(replace_spans(topic, {span: render_footnote(changed) + ending}))


def _apart(topic: Topic, record: Record, shared: str, own: Footnote) -> Topic:
    """The topic with a definition of its own for a record, in the place of one that it shared."""
    notes = [own if note.id == shared else note for note in definitions_of(topic, record)]
    paragraph = rename_citations(topic.texts[record.span], {shared: own.id})
    return replace_record(topic, record, paragraph, notes)
