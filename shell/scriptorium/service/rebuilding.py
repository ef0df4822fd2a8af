"""Bringing all indexes up to the commit, or making them anew: facts, full text, vectors."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from attrs import frozen

from scriptorium_core.problem import Code, Problem
from scriptorium_core.recall import Kind

from ..embeddings.clearing import discard_vectors
from ..embeddings.table import MANY
from ..fulltext import FullText
from ..refused import Refused
from ..unwritable import see_it_is_writable
from .embedding import embed_new, see_they_hold, vectors_of
from .indexing import bring_up, changes_since
from .meaning import Meaning, meaning_of, silent

if TYPE_CHECKING:
    from ..layout import Layout
    from .place import Place

__all__ = ["Indexed", "caught_up", "embed", "follow", "index"]

_FEW = 32  # files that differ: what a prompt can wait for


@frozen
class Indexed:
    """What the indexes hold: records and turns that are found by their words, texts by their meaning.

    `model` is what embeds, empty where nothing does.
    """

    revision: str | None
    records: int = 0
    turns: int = 0
    vectors: int = 0
    model: str = ""
    notices: tuple[Problem, ...] = ()


def index(service: Place, rebuild: bool, progress: Callable[[int, int], None]) -> Indexed:
    """Make every index stand for the present commit. Raises Refused where another process is in the way."""
    memory = service.whole()
    layout = memory.layout
    see_it_is_writable(layout.runtime)
    if rebuild:
        _discard(layout)
        memory.index.rebuild()
    with memory.reading(progress) as (revision, base):
        if revision is None:
            return Indexed(None)
        found = FullText.open(layout.fulltext, memory.zone)
        if not bring_up(memory, revision, base.facts, found, progress):
            raise Refused(_busy(layout.fulltext.name))
        held = found.documents()
    notices = embed(service, progress, look=True)
    model, vectors = _embedded(service)
    notices += (_many(vectors),) if vectors > MANY else ()
    return Indexed(revision, held[Kind.RECORD], held[Kind.TURN], vectors, model, notices)


def follow(service: Place) -> tuple[Problem, ...]:
    """Bring full text up, so that a prompt finds what was written, and embed; what stood in the way."""
    try:
        memory = service.whole()
        with memory.reading() as (revision, base):
            if revision is not None:
                # False where another process is at it, which then brings it up.
                found = FullText.open(memory.layout.fulltext, memory.zone)
                bring_up(memory, revision, base.facts, found, silent)
    except Refused as refused:
        return refused.problems
    return embed(service)


def caught_up(service: Place) -> bool:
    """Bring the full text index over a few files; false where it is more work, or that of another process."""
    memory = service.whole()
    with memory.reading() as (revision, base):
        found = FullText.open(memory.layout.fulltext, memory.zone)
        since = found.stands_for()
        changes = changes_since(memory, since, revision) if since and revision else None
        if revision is None or changes is None or len(changes) > _FEW:
            return False
        return bring_up(memory, revision, base.facts, found, silent)


def embed(
    service: Place, progress: Callable[[int, int], None] = silent, *, look: bool = False
) -> tuple[Problem, ...]:
    """Embed all that is new, where the settings name a model; what stood in the way.

    With `look` all that is there is looked at first, and embedded again where it is of no use.
    """
    found = meaning_of(service.settings, service.by_meaning or None)
    if not isinstance(found, Meaning):
        return (found,) if found is not None else ()
    try:
        if look:
            see_they_hold(service.whole(), found.embedder)
        embed_new(service.whole(), found.embedder, progress)
    except Refused as refused:
        return refused.problems
    return ()


def _embedded(service: Place) -> tuple[str, int]:
    """The model of the settings, and how many texts have a vector of it."""
    memory, found = service.whole(), meaning_of(service.settings, service.by_meaning or None)
    if not isinstance(found, Meaning):
        return "", 0
    vectors = vectors_of(memory.layout, found.embedder, memory.zone)
    try:
        return found.embedder.name, len(vectors.numbers()) if vectors.commit else 0
    finally:
        vectors.close()


def _discard(layout: Layout) -> None:
    discard_vectors(layout.vectors)
    if not FullText.open(layout.fulltext).discard():
        raise Refused(_busy(layout.fulltext.name))


def _many(vectors: int) -> Problem:
    message = f"{vectors:,} texts are compared one by one; above {MANY:,} a search by meaning takes longer"
    return Problem(Code.INDEX_STALE, message, "vectors.sqlite3", remedy="search by words alone if it is slow")


def _busy(place: str) -> Problem:
    message = "another process is writing to the full text index"
    return Problem(Code.CONCURRENT_UPDATE, message, place, remedy="wait for it to end, then try again")
