"""The documents of a memory: every record and every archived message, as they are found."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from ..facts.model import Facts, SourceFact
from ..markdown.links import links_in
from ..sources.header import Trust
from ..topics.model import Record
from ..when import day_of
from .document import Document, Kind
from .grounds import grounds, trust_of, voice_of

__all__ = ["changed_turns", "record_document", "turn_documents", "without_targets"]


def record_document(facts: Facts, record: Record) -> Document:
    """A record, found by its words without links, by what stands above it, and by who said it."""
    found = grounds(facts, record)
    known = [each.source for each in found if each.source is not None]
    voices = tuple(dict.fromkeys(voice_of(source) for source in known))
    scopes = {source.context.scope for source in known if source.context is not None}
    return Document(
        id=record.id,
        kind=Kind.RECORD,
        content=without_targets(record.content),
        path=record.path,
        headings=record.headings,
        dates=record.whens,
        speaker=voices[0] if voices else "",
        others=voices[1:],
        scope=next(iter(scopes)) if len(scopes) == 1 else None,
        trust=trust_of(found),
        sources=tuple(source.id for source in known),
    )


def turn_documents(sources: Iterable[SourceFact]) -> Iterator[Document]:
    """The messages of one archive, in its order."""
    for order, source in enumerate(sources):
        day = day_of(source.at)
        yield Document(
            id=source.id,
            kind=Kind.TURN,
            content=source.text,
            path=source.path,
            dates=(day,) if day is not None else (),
            speaker=voice_of(source),
            scope=source.context.scope if source.context is not None else None,
            trust=Trust.TRUSTED if source.trusted else Trust.PENDING,
            order=order,
        )


def changed_turns(
    before: Sequence[Document], after: Sequence[Document]
) -> tuple[tuple[str, ...], tuple[Document, ...]]:
    """From one state of an archive to the next: the ids that go, and the documents that come."""
    known: Mapping[str, Document] = {document.id: document for document in before}
    fresh = tuple(document for document in after if known.get(document.id) != document)
    kept = {document.id for document in after}
    gone = [document.id for document in before if document.id not in kept]
    return (*gone, *(document.id for document in fresh if document.id in known)), fresh


def without_targets(text: str) -> str:
    """The text with each link reduced to its label."""
    pieces: list[str] = []
    done = 0
    for link in links_in(text):
        label = link.start - len("](") - len(link.label)
        pieces += [text[done : label - len("[")], link.label]
        done = link.end + len(")")
    return "".join([*pieces, text[done:]])
