"""The branch note of evidence: `; Branch: <session>@<node>` where it stands on an abandoned branch only.

`session` and `node` are those of the cited message, of several the last one's, percent-encoded so that
no id can imitate another field (format, section 5).
"""

from collections.abc import Iterable, Mapping

from attrs import evolve

from ..changes.sources import place
from ..facts.model import Facts
from ..markdown.footnotes import Footnote, Source, render_footnote
from ..markdown.spans import line_ending
from ..names import SourceId, TopicPath, percent
from ..sources.frame import Context
from ..topics.edit import replace_spans
from ..topics.model import Record, Topic, place_of
from ..topics.parse import parse_topic
from ..topics.render import render_topic
from ..tree import Tree

__all__ = ["BRANCH", "branch_note", "stands_aside", "with_branches"]

BRANCH = "Branch"


def branch_note(context: Context) -> str:
    """`session@node` for a message of an abandoned branch, empty for any other."""
    if context.branch != "abandoned":
        return ""
    return f"{percent(context.session)}@{percent(context.node)}"


def stands_aside(record: Record) -> bool:
    """Whether all that a record rests on was said on branches that were abandoned."""
    groups = record.evidence
    return bool(groups) and all(any(name == BRANCH for name, _ in group.fields) for group in groups)


def with_branches(tree: Tree, contexts: Iterable[Context], facts: Facts) -> Tree:
    """An edited tree whose new definitions carry their branch; `contexts` are those of the batch.

    A definition of which one source stands on a live branch gets no note: what it says is current.
    """
    batch: dict[str, Context] = {}
    for context in contexts:
        batch |= {context.id: context, place(context.id): context}
    for path, data in tree.differences().items():
        if path.startswith("topics/") and data is not None:
            topic = parse_topic(TopicPath(path), data)[0]
            before = parse_topic(TopicPath(path), tree.base.get(path) or b"")[0]
            texts = _noted(topic, before, batch, facts)
            tree = tree.put(path, render_topic(replace_spans(topic, texts))) if texts else tree
    return tree


def _noted(topic: Topic, before: Topic, batch: Mapping[str, Context], facts: Facts) -> dict[int, str]:
    """The new lines of the definitions that get a note, by the index of their span."""
    texts: dict[int, str] = {}
    for label, definition in topic.definitions.items():
        note = definition.note
        has_one = any(name == BRANCH for name, _ in note.fields)
        if label not in before.definitions and not has_one and (branch := _branch(note, topic, batch, facts)):
            line = render_footnote(evolve(note, fields=(*note.fields, (BRANCH, branch))))
            texts[definition.span] = line + line_ending(topic.spans[definition.span].text, "")
    return texts


def _branch(note: Footnote, topic: Topic, batch: Mapping[str, Context], facts: Facts) -> str:
    found = [_context(source, topic, batch, facts) for source in note.sources]
    notes = [branch_note(context) if context else "" for context in found]
    return notes[-1] if all(notes) else ""


def _context(source: Source, topic: Topic, batch: Mapping[str, Context], facts: Facts) -> Context | None:
    name = place_of(topic.path, source) or source.target
    if name in batch:
        return batch[name]
    known = facts.sources.get(facts.places.get(name, SourceId(name)))
    return known.context if known else None
