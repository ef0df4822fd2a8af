"""Topics that both sides changed, taken together piece by piece: the first draft of what is committed.

What this leaves undecided, or decides record by record against what the records say, is put right after it
(`records`). Nothing here looks beyond one topic.
"""

from collections.abc import Callable, Mapping

from attrs import evolve

from ..markdown.footnotes import Footnote, parse_footnote, render_footnote
from ..markdown.paragraphs import LEGACY_PREFIX, rename_citations
from ..markdown.spans import SpanKind
from ..names import TopicPath
from ..problem import Code, Problem
from ..topics.edit import replace_spans
from ..topics.model import Topic
from ..topics.parse import parse_topic
from ..topics.render import render_topic
from ..topics.uniting import unite

__all__ = ["drafted_topic", "fresh_label", "is_topic", "renamed", "without_leftovers"]

_LABEL = "new-evidence-sync-"  # a label of ours: the commit gives each its real id


def is_topic(path: str) -> bool:
    """Whether a file is read by records."""
    return path.startswith("topics/") and path.endswith(".md") and "/." not in path


def drafted_topic(
    path: TopicPath, base: bytes | None, first: bytes | None, second: bytes | None
) -> bytes | tuple[Problem, ...] | None:
    """The topic of both sides; where both changed one piece, as the first has it."""
    if first in (base, second):
        return second
    if second == base or second is None:
        return first
    if first is None:
        return second
    topics = [parse_topic(path, data or b"") for data in (base, first, second)]
    faults = [fault for _, found in topics[1:] for fault in found]
    if faults:
        return (_broken(path, faults[0]),)
    (old, _), (mine, _), (other, _) = topics
    united = unite(old, mine, _labels_apart(old, mine, other)).topic
    return render_topic(united)


def fresh_label(topic: Topic, taken: Callable[[str], bool] = lambda label: False) -> str:
    """A label that the topic does not use, for a definition that gets its id at the commit."""
    number = 1
    while f"{_LABEL}{number}" in topic.definitions or taken(f"{_LABEL}{number}"):
        number += 1
    return f"{_LABEL}{number}"


def renamed(topic: Topic, names: Mapping[str, str]) -> Topic:
    """The topic with some labels called otherwise, where they are defined and where they are cited."""
    texts: dict[int, str] = {}
    for index, (span, text) in enumerate(zip(topic.spans, topic.texts, strict=True)):
        if span.kind is SpanKind.PARAGRAPH:
            texts[index] = rename_citations(text, names)
        elif span.kind is SpanKind.DEFINITION:
            texts[index] = _renamed_note(text, names)
    return replace_spans(topic, {n: text for n, text in texts.items() if text != topic.texts[n]})


def without_leftovers(topic: Topic, first: Topic) -> Topic:
    """The topic without what its records left behind.

    These are definitions that stand twice, or that nothing cites any more, and remarks in a section that has
    no record any more.
    """
    cited = {group.id for record in topic.records for group in record.evidence}
    idle = set(first.definitions) - {group.id for record in first.records for group in record.evidence}
    inhabited = {r.headings[:depth] for r in topic.records for depth in range(len(r.headings) + 1)}
    gone: dict[int, str] = {}
    for index, (span, text) in enumerate(zip(topic.spans, topic.texts, strict=True)):
        note = parse_footnote(text.rstrip("\r\n")) if span.kind is SpanKind.DEFINITION else ""
        known = topic.definitions.get(note.id) if isinstance(note, Footnote) else None
        if known is not None and (known.span != index or known.note.id not in cited | idle):
            gone[index] = ""
        if span.kind in (SpanKind.FENCE, SpanKind.HTML) and span.headings not in inhabited:
            gone[index] = ""
    return replace_spans(topic, gone)


def _labels_apart(base: Topic, first: Topic, second: Topic) -> Topic:
    """The second topic, its definitions that say something else than the first's called otherwise."""
    names: dict[str, str] = {}
    for label, definition in second.definitions.items():
        here, was = first.definitions.get(label), base.definitions.get(label)
        # The label of a legacy record is its id, and no other label can stand for it.
        same = here is None or here.note == definition.note or label.startswith(LEGACY_PREFIX)
        one_sided = was is not None and here is not None and was.note in (here.note, definition.note)
        if not same and not one_sided:
            names[label] = fresh_label(first, lambda new: new in second.definitions or new in names.values())
    return renamed(second, names) if names else second


def _renamed_note(text: str, names: Mapping[str, str]) -> str:
    bare = text.rstrip("\r\n")
    note = parse_footnote(bare)
    if not isinstance(note, Footnote) or note.id not in names:
        return text
    return render_footnote(evolve(note, id=names[note.id])) + text[len(bare) :]


def _broken(path: str, fault: Problem) -> Problem:
    message = f"both sides changed {path}, and one of the two cannot be read: {fault.message}"
    return Problem(Code.INVALID_TOPIC_FORMAT, message, path, fault.line, "mend it, then sync again")
