"""From a topic as somebody wrote it to the topic that is committed.

Ids are allocated, plain handles become links, the paths of block links are recomputed. Only what
changed is rewritten: a paragraph or definition that stood in the base stays byte for byte, unless a
record that it links to has moved.
"""

import re
from collections.abc import Callable, Iterator, Mapping

from attrs import evolve, field, frozen

from ..markdown.footnotes import Footnote, Source, parse_footnote, render_footnote
from ..markdown.links import Link, link_path, links_in, rebase_links, relative, resolve
from ..markdown.paragraphs import rename_citations
from ..markdown.spans import SpanKind
from ..names import BlockId, EvidenceId, block_id, evidence_id
from ..problem import Code, Problem
from ..when import render_when
from .edit import replace_spans, tidy
from .model import Definition, Topic

__all__ = ["Lookups", "Naming", "is_local_label", "normalize"]

_LOCAL_LABEL = re.compile(r"e[0-9]+|new-evidence-[A-Za-z0-9-]+")


@frozen
class Lookups:
    """What normalizing asks about the directory around the topic.

    `taken` says whether an id exists or is tombstoned; `path_of` where a block id stands after the
    edit; `place_of_source` where a source stands.
    """

    taken: Callable[[str], bool]
    path_of: Callable[[str], str | None]
    place_of_source: Callable[[str], str | None]


@frozen
class Naming:
    """The ids that were allocated: by `path#n` (n-th new paragraph of the topic), and by `path#label`.

    A label of the writer's own means something in its file alone.
    """

    blocks: Mapping[str, BlockId] = field(factory=dict[str, BlockId])
    evidence: Mapping[str, EvidenceId] = field(factory=dict[str, EvidenceId])


def is_local_label(label: str) -> bool:
    """Whether a citation's label is the writer's own and gets its real id at the commit."""
    return _LOCAL_LABEL.fullmatch(label) is not None


def normalize(
    topic: Topic, before: Topic | None, lookups: Lookups
) -> tuple[Topic, Naming, tuple[Problem, ...]]:
    """The topic as it is committed, the ids that were allocated, and what could not be resolved.

    Idempotent, and every id that is there stays.
    """
    notes, problems = _linked_notes(topic, lookups)
    blocks = _block_names(topic, lookups)
    evidence = _evidence_names(topic, before, lookups)
    texts: dict[int, str] = {}
    old = set(before.texts) if before else set[str]()
    moved = _moved_targets(topic, before, lookups)
    for index, (span, text) in enumerate(zip(topic.spans, topic.texts, strict=True)):
        if span.kind is SpanKind.PARAGRAPH:
            texts[index] = _paragraph(topic, index, text in old, moved, blocks, evidence, lookups)
        elif span.kind is SpanKind.DEFINITION and (text not in old or _holds_handle(text)):
            texts[index] = _definition(text, notes, evidence)
    changed = {index: text for index, text in texts.items() if text != topic.texts[index]}
    named = Naming(
        {f"{topic.path}#{n}": block for n, block in enumerate(blocks.values())},
        {f"{topic.path}#{label}": name for label, name in evidence.items()},
    )
    return tidy(replace_spans(topic, changed)), named, tuple(problems)


def _linked_notes(topic: Topic, lookups: Lookups) -> tuple[dict[str, Footnote], list[Problem]]:
    """The definitions with plain handles replaced by links, and the handles that mean nothing."""
    notes: dict[str, Footnote] = {}
    problems: list[Problem] = []
    for label, definition in topic.definitions.items():
        sources: list[Source] = []
        for source in definition.note.sources:
            place = lookups.place_of_source(source.target) if source.is_handle else None
            if source.is_handle and place is None:
                problems.append(_missing(topic, definition.span, source.target))
            link = Source(source.label or source.target, relative(topic.path, place)) if place else source
            sources.append(link)
        notes[label] = evolve(definition.note, sources=tuple(sources))
    return notes, problems


def _missing(topic: Topic, index: int, handle: str) -> Problem:
    line = topic.spans[index].line
    message = f"no source {handle!r} is archived"
    return Problem(Code.MISSING_SOURCE, message, topic.path, line, "cite a source that is archived")


def _block_names(topic: Topic, lookups: Lookups) -> dict[int, BlockId]:
    """A new id for each paragraph that has none, by the index of its span."""
    names: dict[int, BlockId] = {}
    own = set[str](topic.ids)
    for record in topic.records:
        if not record.ids:
            text = topic.texts[record.span]
            file = topic.path.rsplit("/", 1)[-1]
            names[record.span] = block_id(file, text, lambda name: name in own or lookups.taken(name))
            own.add(names[record.span])
    return names


def _evidence_names(topic: Topic, before: Topic | None, lookups: Lookups) -> dict[str, EvidenceId]:
    """A new id for each local label that is defined in the topic; one that was committed stays."""
    names: dict[str, EvidenceId] = {}
    own = set(topic.definitions)
    committed: Mapping[str, Definition] = before.definitions if before else {}
    for label, definition in topic.definitions.items():
        if not is_local_label(label) or committed.get(label) == definition:
            continue
        note = definition.note
        targets = tuple(source.target for source in note.sources)
        names[label] = evidence_id(
            render_when(note.when), targets, lambda name: name in own or lookups.taken(name)
        )
        own.add(names[label])
    return names


def _moved_targets(topic: Topic, before: Topic | None, lookups: Lookups) -> frozenset[str]:
    """The block ids that the base of the topic links to by a path that no longer holds."""
    return frozenset(
        link.block for link, path in _block_links(before or topic) if path != lookups.path_of(link.block)
    )


def _block_links(topic: Topic) -> Iterator[tuple[Link, str | None]]:
    for record in topic.records:
        for link in links_in(record.content):
            if link.block:
                yield link, resolve(topic.path, link.path) if link.path else topic.path


def _paragraph(
    topic: Topic,
    index: int,
    stood: bool,
    moved: frozenset[str],
    blocks: Mapping[int, BlockId],
    evidence: Mapping[str, EvidenceId],
    lookups: Lookups,
) -> str:
    """The text of one paragraph as it is committed; one that stood in the base keeps what still holds."""

    def target(link: Link) -> str | None:
        if not link.block or (stood and link.block not in moved):
            return None
        path = lookups.path_of(link.block)
        if path is None or (path == topic.path and not link.path):
            return None
        # The name of the file itself is kept for a link within it, as the shared format writes it.
        return f"{link_path(relative(topic.path, path))}#^{link.block}"

    text = rebase_links(rename_citations(topic.texts[index], evidence), target)
    if index in blocks:
        ending = text[len(text.rstrip()) :]
        text = f"{text.rstrip()} ^{blocks[index]}{ending}"
    return text


def _definition(text: str, notes: Mapping[str, Footnote], evidence: Mapping[str, EvidenceId]) -> str:
    """A definition line in its canonical form."""
    note = parse_footnote(text)
    if isinstance(note, str):
        return text
    linked = notes.get(note.id, note)
    ending = text[len(text.rstrip("\r\n")) :]
    return render_footnote(evolve(linked, id=evidence.get(note.id, note.id))) + ending


def _holds_handle(text: str) -> bool:
    note = parse_footnote(text)
    return isinstance(note, Footnote) and any(source.is_handle for source in note.sources)
