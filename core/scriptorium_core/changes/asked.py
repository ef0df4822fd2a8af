"""What records are asked for, kept where a whole topic is written with other evidence: it is no evidence.

A definition that stays says itself which questions its record carries: whoever takes one out there means it.
"""

from collections.abc import Iterable

from attrs import evolve

from ..facts.model import Facts
from ..markdown.footnotes import render_footnote
from ..names import TopicPath
from ..topics.edit import replace_spans, shared_notes
from ..topics.model import Record, Topic
from ..topics.parse import parse_topic
from ..topics.questions import ask_fields, questions_of
from ..topics.render import render_topic
from ..tree import Tree

__all__ = ["still_asked"]


def still_asked(tree: Tree, facts: Facts, paths: Iterable[TopicPath]) -> Tree:
    """The directory with the questions of records whose evidence was written anew in the topics at `paths`.

    A topic that cannot be read is left as it is, and so is a definition that another record cites too.
    """
    for path in sorted(paths):
        data = tree.get(path)
        topic, problems = parse_topic(path, data) if data is not None else (None, ())
        if topic is not None and not problems and (texts := _texts(topic, facts)):
            tree = tree.put(path, render_topic(replace_spans(topic, texts)))
    return tree


def _texts(topic: Topic, facts: Facts) -> dict[int, str]:
    """The definitions that get questions, by span."""
    texts: dict[int, str] = {}
    for record in topic.records:
        asked = ask_fields(_lost(record, facts))
        last = record.evidence[-1].id if record.evidence else ""
        if not asked or last in shared_notes(topic, record):
            continue
        note, span = topic.definitions[last].note, topic.definitions[last].span
        ending = topic.texts[span][len(topic.texts[span].rstrip("\r\n")) :]
        texts[span] = render_footnote(evolve(note, fields=(*note.fields, *asked))) + ending
    return texts


def _lost(record: Record, facts: Facts) -> tuple[str, ...]:
    """The questions that a record carried, where it carries none and nothing of its evidence stayed."""
    known = (facts.records.get(block) for block in record.ids)
    before = {each.record.id: each.record for each in known if each is not None}
    stayed = {group.id for old in before.values() for group in old.evidence}
    if questions_of(record) or any(group.id in stayed for group in record.evidence):
        return ()
    return tuple(question for old in before.values() for question in questions_of(old))
