"""What becomes of documents where an archive changes: its messages, and the records that rest on them."""

from datetime import tzinfo

from ..facts.model import SourceFact
from .document import Document
from .documents import turn_documents
from .grounds import voice_of

__all__ = ["Turns", "archive_of", "changed_grounds", "changed_turns"]

Turns = tuple[SourceFact, ...]
"""The messages of one archive, in its order."""


def archive_of(path: str) -> str:
    """The archive that a file below `sources/` is, or is the context of."""
    return path.removesuffix(".jsonl") + ".md" if path.endswith(".jsonl") else path


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
