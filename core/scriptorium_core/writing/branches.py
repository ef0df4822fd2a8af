"""The branch note of evidence: `; Branch: <session>@<node>` where it stands on an abandoned branch only.

`session` and `node` are those of the cited message, of several the last one's, percent-encoded so that
no id can imitate another field (format, section 5).
"""

from collections.abc import Iterable, Mapping, Sequence

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

__all__ = ["BRANCH", "branch_note", "stands_aside", "with_branches", "with_states"]

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


def with_states(tree: Tree, contexts: Iterable[Context], facts: Facts) -> Tree:
    """The tree with the definitions that cite these archived messages noted as their branches stand now.

    A definition gets its note when the last of its sources is given up, and loses it when one is taken up
    again; a note that names something else is somebody's own, and stays. Quarantined topics are left.
    """
    turned: dict[str, Context] = {}
    paths: set[TopicPath] = set()
    for context in contexts:
        turned |= {context.id: context, place(context.id): context}
        records = (facts.records.get(block) for block in facts.citing.get(place(context.id), ()))
        paths.update(known.record.path for known in records if known is not None)
    for path in sorted(paths - facts.broken.keys()):
        topic = parse_topic(path, tree.get(path) or b"")[0]
        texts = _restated(topic, turned, facts)
        tree = tree.put(path, render_topic(replace_spans(topic, texts))) if texts else tree
    return tree


def _restated(topic: Topic, turned: Mapping[str, Context], facts: Facts) -> dict[int, str]:
    """The new lines of the definitions whose note changes, by the index of their span."""
    texts: dict[int, str] = {}
    for definition in topic.definitions.values():
        note = definition.note
        found = [_context(source, topic, turned, facts) for source in note.sources]
        fields = _fields(note, found)
        if fields != note.fields and any(context and context.id in turned for context in found):
            line = render_footnote(evolve(note, fields=fields))
            texts[definition.span] = line + line_ending(topic.spans[definition.span].text, "")
    return texts


def _fields(note: Footnote, found: Sequence[Context | None]) -> tuple[tuple[str, str], ...]:
    branch = _branch(found)
    if branch:
        noted = any(name == BRANCH for name, _ in note.fields)
        return note.fields if noted else (*note.fields, (BRANCH, branch))
    own = {(BRANCH, branch_note(evolve(context, branch="abandoned"))) for context in found if context}
    return tuple(each for each in note.fields if each not in own)


def _noted(topic: Topic, before: Topic, batch: Mapping[str, Context], facts: Facts) -> dict[int, str]:
    """The new lines of the definitions that get a note, by the index of their span."""
    texts: dict[int, str] = {}
    for label, definition in topic.definitions.items():
        note = definition.note
        has_one = any(name == BRANCH for name, _ in note.fields)
        found = [_context(source, topic, batch, facts) for source in note.sources]
        if label not in before.definitions and not has_one and (branch := _branch(found)):
            line = render_footnote(evolve(note, fields=(*note.fields, (BRANCH, branch))))
            texts[definition.span] = line + line_ending(topic.spans[definition.span].text, "")
    return texts


def _branch(found: Sequence[Context | None]) -> str:
    notes = [branch_note(context) if context else "" for context in found]
    return notes[-1] if all(notes) else ""


def _context(source: Source, topic: Topic, batch: Mapping[str, Context], facts: Facts) -> Context | None:
    name = place_of(topic.path, source) or source.target
    if name in batch:
        return batch[name]
    known = facts.sources.get(facts.places.get(name, SourceId(name)))
    return known.context if known else None
