"""The documents of a memory: every record and every archived message, as they are found."""

from collections.abc import Iterable, Iterator
from datetime import tzinfo

from attrs import evolve

from ..facts.model import Facts, SourceFact
from ..facts.rows import ArchiveRows, ContextRows, file_facts
from ..facts.scopes import scopes_of
from ..markdown.links import links_in
from ..sources.header import Trust
from ..topics.model import Record
from ..when import day_of
from .document import Document, Kind
from .grounds import grounds, trust_of, voice_of

__all__ = [
    "Turns",
    "archive_of",
    "changed_grounds",
    "changed_turns",
    "read_turns",
    "record_document",
    "turn_document",
    "turn_documents",
    "without_targets",
]

Turns = tuple[SourceFact, ...]
"""The messages of one archive, in its order."""


def record_document(facts: Facts, record: Record) -> Document:
    """A record, found by its words without links, by what stands above it, and by who said it."""
    found = grounds(facts, record)
    known = [each.source for each in found if each.source is not None]
    voices = tuple(dict.fromkeys(voice_of(source) for source in known))
    return Document(
        id=record.id,
        kind=Kind.RECORD,
        content=without_targets(record.content),
        path=record.path,
        headings=record.headings,
        dates=record.whens,
        speaker=voices[0] if voices else "",
        others=voices[1:],
        scopes=scopes_of(known),
        trust=trust_of(facts, record, found),
        sources=tuple(source.id for source in known),
    )


def turn_document(source: SourceFact, order: int, zone: tzinfo | None = None) -> Document:
    """A message, the one of this number in its archive, on its day in `zone` (`when.day_of`)."""
    day = day_of(source.at, zone)
    return Document(
        id=source.id,
        kind=Kind.TURN,
        content=source.text,
        path=source.path,
        dates=(day,) if day is not None else (),
        speaker=voice_of(source),
        scopes=scopes_of((source,)),
        trust=Trust.TRUSTED if source.trusted else Trust.PENDING,
        order=order,
    )


def turn_documents(sources: Iterable[SourceFact], zone: tzinfo | None = None) -> Iterator[Document]:
    """The messages of one archive, in its order."""
    return (turn_document(source, order, zone) for order, source in enumerate(sources))


def archive_of(path: str) -> str:
    """The archive that a file below `sources/` is, or is the context of."""
    return path.removesuffix(".jsonl") + ".md" if path.endswith(".jsonl") else path


def read_turns(path: str, data: bytes | None, contexts: bytes | None) -> Turns:
    """The messages of an archive with their contexts, read from both files; none where there is none."""
    rows = file_facts(path, data) if data is not None else None
    beside = file_facts(path.removesuffix(".md") + ".jsonl", contexts) if contexts is not None else None
    if not isinstance(rows, ArchiveRows):
        return ()
    known = {line.id: line for line in beside.contexts} if isinstance(beside, ContextRows) else {}
    return tuple(evolve(source, context=known.get(source.id)) for source in rows.sources)


def changed_turns(
    before: Turns, after: Turns, zone: tzinfo | None = None
) -> tuple[tuple[str, ...], tuple[Document, ...]]:
    """From one state of an archive to the next: the ids that go, and the documents that come."""
    old = {document.id: document for document in turn_documents(before, zone)}
    new = {document.id: document for document in turn_documents(after, zone)}
    gone = tuple(name for name, document in old.items() if new.get(name) != document)
    return gone, tuple(document for name, document in new.items() if old.get(name) != document)


def changed_grounds(before: Turns, after: Turns) -> tuple[str, ...]:
    """The places where a record that cites them now rests on something else: trust, speaker, scope."""
    old, new = ({source.place: _as_ground(source) for source in turns} for turns in (before, after))
    return tuple(place for place in old | new if old.get(place) != new.get(place))


def _as_ground(source: SourceFact) -> tuple[object, ...]:
    scope = source.context.scope if source.context is not None else None
    return source.id, source.trusted, voice_of(source), scope


def without_targets(text: str) -> str:
    """The text with each link reduced to its label."""
    pieces: list[str] = []
    done = 0
    for link in links_in(text):
        label = link.start - len("](") - len(link.label)
        pieces += [text[done : label - len("[")], link.label]
        done = link.end + len(")")
    return "".join([*pieces, text[done:]])
