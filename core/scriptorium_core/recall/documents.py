"""The documents of a memory: every record and every archived message, as they are found."""

from collections.abc import Iterable, Iterator
from datetime import tzinfo

from ..facts.model import Facts, SourceFact
from ..facts.scopes import scopes_of
from ..sources.kinds import Trust
from ..topics.records import Record
from ..when import day_of
from .document import Document, Kind
from .grounds import grounds, trust_of, voice_of

__all__ = ["record_document", "turn_document", "turn_documents", "without_targets"]


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


def without_targets(text: str) -> str:
    """The text with each link reduced to its label."""
    if "](" not in text:
        return text
    from ..markdown.links import links_in

    pieces: list[str] = []
    done = 0
    for link in links_in(text):
        label = link.start - len("](") - len(link.label)
        pieces += [text[done : label - len("[")], link.label]
        done = link.end + len(")")
    return "".join([*pieces, text[done:]])
