"""The branch notes of evidence (format, section 5), as a writer's definitions get them and as they change.

Where all that is cited stands on abandoned branches: `; Branch: <session>@<node>`, of the cited message, of
several the last one's. Where it stands on one of several live branches: `; Branch: <session>@<node> live` for
each fork above it, of the message with which the branch begins. Both are percent-encoded, so that no id can
imitate another field.
"""

from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType

from attrs import evolve

from ..changes.sources import place
from ..facts.model import Facts
from ..markdown.footnotes import Footnote, Source, render_footnote
from ..markdown.spans import line_ending
from ..names import SourceId, TopicPath, percent
from ..sources.frame import Context
from ..topics.edit import replace_spans
from ..topics.model import Topic, place_of
from ..topics.notes import BRANCH, is_live_note, stands_aside
from ..topics.parse import parse_topic
from ..topics.render import render_topic
from ..tree import Tree

__all__ = ["BRANCH", "LiveNotes", "branch_note", "stands_aside", "with_branches", "with_states"]

LiveNotes = Mapping[SourceId, tuple[str, ...]]
"""The notes of each message that stands on one of several live branches (`topics.notes.live_note`)."""

_NONE: LiveNotes = MappingProxyType({})


def branch_note(context: Context) -> str:
    """`session@node` for a message of an abandoned branch, empty for any other."""
    if context.branch != "abandoned":
        return ""
    return f"{percent(context.session)}@{percent(context.node)}"


def with_branches(tree: Tree, contexts: Iterable[Context], facts: Facts, live: LiveNotes = _NONE) -> Tree:
    """An edited tree whose new definitions carry their branch; `contexts` are those of the batch.

    A definition of which one source stands on a live branch is not noted as abandoned: what it says is
    current. Of several live branches it gets those that all its current sources stand on.
    """
    batch: dict[str, Context] = {}
    for context in contexts:
        batch |= {context.id: context, place(context.id): context}
    for path, data in tree.differences().items():
        if path.startswith("topics/") and data is not None:
            topic = parse_topic(TopicPath(path), data)[0]
            before = parse_topic(TopicPath(path), tree.base.get(path) or b"")[0]
            texts = _noted(topic, before, batch, facts, live)
            tree = tree.put(path, render_topic(replace_spans(topic, texts))) if texts else tree
    return tree


def with_states(tree: Tree, contexts: Iterable[Context], facts: Facts, live: LiveNotes = _NONE) -> Tree:
    """The tree with the definitions that cite these archived messages noted as their branches stand now.

    A definition gets its note when the last of its sources is given up, and loses it when one is taken up
    again; a note that names something else is somebody's own, and stays. Of live branches it has those of
    `live`. Quarantined topics are left.
    """
    turned: dict[str, Context] = {}
    paths: set[TopicPath] = set()
    for context in contexts:
        turned |= {context.id: context, place(context.id): context}
        records = (facts.records.get(block) for block in facts.citing.get(place(context.id), ()))
        paths.update(known.record.path for known in records if known is not None)
    for path in sorted(paths - facts.broken.keys()):
        topic = parse_topic(path, tree.get(path) or b"")[0]
        texts = _restated(topic, turned, facts, live)
        tree = tree.put(path, render_topic(replace_spans(topic, texts))) if texts else tree
    return tree


def _restated(topic: Topic, turned: Mapping[str, Context], facts: Facts, live: LiveNotes) -> dict[int, str]:
    """The new lines of the definitions whose note changes, by the index of their span."""
    texts: dict[int, str] = {}
    for definition in topic.definitions.values():
        note = definition.note
        found = [_context(source, topic, turned, facts) for source in note.sources]
        fields = _fields(note, found, live)
        if fields != note.fields and any(context and context.id in turned for context in found):
            line = render_footnote(evolve(note, fields=fields))
            texts[definition.span] = line + line_ending(topic.spans[definition.span].text, "")
    return texts


def _fields(note: Footnote, found: Sequence[Context | None], live: LiveNotes) -> tuple[tuple[str, str], ...]:
    """The fields of a definition as its branches stand now; with a note of somebody else, as they were."""
    has = [value for name, value in note.fields if name == BRANCH]
    given_up = {branch_note(context._replace(branch="abandoned")) for context in found if context}
    ours = [value in given_up or is_live_note(value) for value in has]
    wanted = _notes(found, live)
    # Of several messages that are given up, one that is named already goes on to be the one that is named.
    same = wanted and not is_live_note(wanted[0]) and not given_up.isdisjoint(has)
    if not all(ours) or same or set(has) == set(wanted):
        return note.fields
    others = tuple(each for each in note.fields if each[0] != BRANCH)
    return (*others, *((BRANCH, value) for value in wanted))


def _noted(
    topic: Topic, before: Topic, batch: Mapping[str, Context], facts: Facts, live: LiveNotes
) -> dict[int, str]:
    """The new lines of the definitions that get a note, by the index of their span."""
    texts: dict[int, str] = {}
    for label, definition in topic.definitions.items():
        note = definition.note
        has_one = any(name == BRANCH for name, _ in note.fields)
        found = [_context(source, topic, batch, facts) for source in note.sources]
        if label not in before.definitions and not has_one and (notes := _notes(found, live)):
            line = render_footnote(evolve(note, fields=(*note.fields, *((BRANCH, each) for each in notes))))
            texts[definition.span] = line + line_ending(topic.spans[definition.span].text, "")
    return texts


def _notes(found: Sequence[Context | None], live: LiveNotes) -> tuple[str, ...]:
    """The notes that a definition gets for its sources; None is a message of which nothing is known."""
    given_up = [branch_note(context) if context else "" for context in found]
    if all(given_up):
        return tuple(given_up[-1:])
    current = [context for context in found if context is None or context.branch != "abandoned"]
    paths = [live.get(context.id, ()) if context else () for context in current]
    return tuple(note for note in paths[0] if all(note in path for path in paths))


def _context(source: Source, topic: Topic, batch: Mapping[str, Context], facts: Facts) -> Context | None:
    name = place_of(topic.path, source) or source.target
    if name in batch:
        return batch[name]
    known = facts.sources.get(facts.places.get(name, SourceId(name)))
    return known.context if known else None
