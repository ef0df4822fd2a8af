"""Records that say the same become one, with all that they rest on.

Of two records of one subject that say the same (`sameness.statement_key`) the first stays where it is and
takes over the other's definitions and, as aliases, its ids: no id, date or citation is lost, and every link
lands. Records with fields of any kind, an end or a branch say more than their words and are left alone, as
are those that rest on other speakers' words, and those beside a fence, a comment or an anchor.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain

from attrs import frozen

from ..changes.evidence import meaning, rebased
from ..changes.working import Working
from ..facts.model import Facts
from ..markdown.footnotes import Footnote
from ..names import EvidenceId, SourceId, TopicPath
from ..sameness import statement_key
from ..topics.edit import block_text, definitions_of, replace_spans
from ..topics.model import Record, Topic
from ..topics.places import remarked
from ..tree import Tree

__all__ = ["Folded", "fold_records", "subject_key"]

_DATE = re.compile(r"\d{4}(?:-\d\d){0,2}|undated")
_MONTHLY = re.compile(r"/(?:\d{4}-\d\d|undated)(?:~\d+)?\.md$")
_IDS = re.compile(r"(?:\s+\^[A-Za-z0-9-]+)+\s*$")
_CITED = re.compile(r"\[\^([^\]\s]+)\]")
_MOST = 48  # citations of one record, so that a paragraph stays one that a person can read


@frozen
class Folded:
    """The topics that changed, and how many records went into others."""

    topics: Mapping[TopicPath, Topic]
    count: int


def fold_records(topics: Mapping[TopicPath, Topic], tree: Tree, facts: Facts) -> Folded:
    """The topics with what they say twice said once; they must be free of problems."""
    work = Working(tree, facts, {}, "")
    texts: dict[TopicPath, dict[int, str]] = {}
    gone: dict[TopicPath, list[Record]] = {}
    groups: dict[tuple[object, ...], list[Record]] = {}
    for path in sorted(topics):
        fixed = remarked(topics[path])
        for record in topics[path].records:
            key = _key(record, facts) if record.headings not in fixed else None
            if key is not None:
                groups.setdefault(key, []).append(record)
    for group in groups.values():
        for first, *others in _bounded(group):
            taken = _taken(work, topics, first, others)
            if taken:
                texts.setdefault(first.path, {})[first.span] = _joined(work, topics, first, taken)
            for other in taken:
                gone.setdefault(other.path, []).append(other)
    changed = {path: _without(topics[path], texts.get(path, {}), gone.get(path, ())) for path in texts | gone}
    return Folded(changed, sum(map(len, gone.values())))


def subject_key(path: TopicPath, headings: Sequence[str]) -> tuple[str, ...]:
    """What the places of records about one subject share: months and days do not count."""
    stem = _MONTHLY.sub("", path).removesuffix(".md")
    return (stem, *(heading for heading in headings if not _DATE.fullmatch(heading)))


def _key(record: Record, facts: Facts) -> tuple[object, ...] | None:
    """What records share that may become one; None for a record that stays by itself."""
    said = {statement_key(record.content, when) for when in record.whens or (None,)}
    if record.legacy or not record.ids or len(said) != 1 or any(group.fields for group in record.evidence):
        return None
    found = [facts.sources.get(facts.places.get(each.place, SourceId(""))) for each in record.sources]
    speakers = frozenset(source.label for source in found if source is not None and source.trusted)
    if any(source is None or not source.trusted for source in found):
        return None
    return (*subject_key(record.path, record.headings), *said, record.links, speakers)


def _bounded(group: Sequence[Record]) -> Iterator[list[Record]]:
    """The group in runs of a bounded number of citations; folding the runs again would change nothing."""
    run: list[Record] = []
    for record in group:
        if run and sum(len(each.evidence) for each in (*run, record)) > _MOST:
            yield run
            run = []
        run.append(record)
    yield run


def _taken(
    work: Working, topics: Mapping[TopicPath, Topic], first: Record, others: Iterable[Record]
) -> tuple[Record, ...]:
    """The records whose definitions the first one's topic can hold beside its own."""
    there = topics[first.path].definitions
    brought: dict[str, tuple[object, ...]] = {}
    taken: list[Record] = []
    for other in others:
        notes = _notes(work, topics, other, first.path)
        held = {note.id: meaning(first.path, there[note.id].note) for note, _ in notes if note.id in there}
        known = held | brought
        if all(known.get(note.id, mine) == mine for note, mine in notes):
            brought |= {note.id: mine for note, mine in notes}
            taken.append(other)
    return tuple(taken)


def _notes(
    work: Working, topics: Mapping[TopicPath, Topic], record: Record, path: TopicPath
) -> list[tuple[Footnote, tuple[object, ...]]]:
    """The definitions of a record as the file `path` writes them, each with what it says."""
    notes = (rebased(work, note, record.path, path) for note in definitions_of(topics[record.path], record))
    return [(note, meaning(path, note)) for note in notes]


def _joined(work: Working, topics: Mapping[TopicPath, Topic], first: Record, others: Sequence[Record]) -> str:
    """The first record's paragraph with the citations and ids of the others, and their definitions."""
    topic = topics[first.path]
    said = [mine for _, mine in _notes(work, topics, first, first.path)]
    cites: dict[str, Footnote] = {}
    for note, mine in chain.from_iterable(_notes(work, topics, other, first.path) for other in others):
        if mine not in said:
            said.append(mine)
            cites[note.id] = note
    ids = [block for other in others for block in other.ids] + list(first.ids)
    text = _IDS.sub("", topic.texts[first.span])
    paragraph = text + "".join(f"[^{name}]" for name in cites) + "".join(f" ^{block}" for block in ids)
    new = [note for name, note in cites.items() if name not in topic.definitions]
    return block_text(paragraph, new, topic.eol)


def _without(topic: Topic, texts: Mapping[int, str], gone: Sequence[Record]) -> Topic:
    """The topic with new texts of some records, without others and what only they cited."""
    away = {record.span for record in gone}
    left = {group.id for record in topic.records if record.span not in away for group in record.evidence}
    left |= {EvidenceId(name) for text in texts.values() for name in _CITED.findall(text)}
    cited = {group.id for record in gone for group in record.evidence}
    idle = [topic.definitions[name].span for name in cited - left if name in topic.definitions]
    return replace_spans(topic, {**texts, **dict.fromkeys([*away, *idle], "")})
