"""Bringing the vectors to a commit: only texts that are new are embedded, whatever else changed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from hashlib import sha256
from itertools import islice
from typing import TYPE_CHECKING

from scriptorium_core import recall
from scriptorium_core.problem import Code, Problem
from scriptorium_core.recall.passages import VERSION
from scriptorium_core.recall.turns import archive_of

from ..embeddings import Embedder, Row, Table, Vectors
from ..embeddings.clearing import alone
from ..embeddings.table import packed
from ..refused import Refused
from .indexing import changes_since, documents_in, forgotten_between

if TYPE_CHECKING:
    from datetime import tzinfo

    from scriptorium_core.facts import Facts

    from ..layout import Layout
    from ..workspace import Memory

__all__ = ["embed_new", "fits", "see_they_hold", "vectors_of"]

_AT_ONCE = 32
_DIGEST = 16  # bytes


def vectors_of(layout: Layout, embedder: Embedder, zone: tzinfo | None) -> Vectors:
    """The vectors beside the index as this embedder makes them; it need not be loaded for that."""
    parts = (embedder.digest, str(VERSION), str(zone or ""))
    return Vectors.open(layout.vectors, "\n".join(parts))


def fits(table: Table, embedder: Embedder) -> bool:
    """Whether the vectors are as long as the embedder's; they are not where another model took its name."""
    return not table.dimensions or table.dimensions == embedder.dimensions


def see_they_hold(memory: Memory, embedder: Embedder) -> None:
    """Look at every vector that is there; what is of no use goes, and is embedded again with what is new."""
    with alone(memory.layout.vectors, 0):
        vectors = vectors_of(memory.layout, embedder, memory.zone)
        try:
            table = Table()
            table.follow(vectors)  # what is damaged goes by being read
            if not fits(table, embedder):
                vectors.renew()
        finally:
            vectors.close()


def embed_new(
    memory: Memory,
    embedder: Embedder,
    progress: Callable[[int, int], None],
    most: int | None = None,
) -> int:
    """Make the vectors stand for HEAD; how many texts are left, of which there are more than `most`.

    One process at a time, and never while something is erased. A killed one has kept what it embedded. Raises
    Refused where the disk, the model or another process does not allow it.
    """
    layout = memory.layout
    with alone(layout.vectors, 0), memory.reading() as (revision, base):
        if revision is None:
            return 0
        vectors = vectors_of(layout, embedder, memory.zone)
        try:
            return _followed(memory, revision, base.facts, vectors, embedder, progress, most)
        finally:
            vectors.close()


def _followed(
    memory: Memory,
    revision: str,
    facts: Facts,
    vectors: Vectors,
    embedder: Embedder,
    progress: Callable[[int, int], None],
    most: int | None,
) -> int:
    before, cleared = vectors.commit, vectors.cleared
    if before == revision and not cleared:
        return 0
    changed = _changed(memory, facts, before, revision) if before is not None else None
    paths = None if changed is None else tuple(sorted({*changed, *cleared}))
    rows, texts = list[Row](), dict[bytes, str]()
    for path in paths if paths is not None else _all(memory, facts):
        found = list(_passages(memory, facts, path))
        rows += (row for row, _ in found)
        known = vectors.known([row.hash for row, _ in found])
        texts |= {row.hash: text for row, text in found if row.hash not in known}
        if most is not None and len(texts) > most:
            return len(texts)
    progress(0, len(texts))
    waiting, done = iter(texts.items()), 0
    while some := dict(islice(waiting, _AT_ONCE)):
        made = embedder.embed(tuple(some.values()))
        vectors.add({name: packed(vector) for name, vector in zip(some, made, strict=True)})
        done += len(some)
        progress(done, len(texts))
    if not vectors.settle(before, revision, paths, rows):
        if before is not None and vectors.commit is None:  # the new ones are of another length: all are made
            return _followed(memory, revision, facts, vectors, embedder, progress, most)
        raise Refused(_disturbed())
    return 0


def _passages(memory: Memory, facts: Facts, path: str) -> Iterator[tuple[Row, str]]:
    for document, text in recall.passages(tuple(documents_in(memory, facts, path))):
        if text:
            plain = text.encode("utf-8", "replace")
            yield Row(path, document.kind, document.id, sha256(plain).digest()[:_DIGEST]), plain.decode()


def _all(memory: Memory, facts: Facts) -> Iterator[str]:
    yield from (path for path, _ in memory.index.queries.topics())
    yield from facts.archives


def _changed(memory: Memory, facts: Facts, base: str, revision: str) -> tuple[str, ...] | None:
    """The files whose documents may differ; None where the history does not know the base any more."""
    changes = changes_since(memory, base, revision)
    if changes is None:
        return None
    paths = {archive_of(change.path) for change in changes}
    forgotten = (facts.sources.get(name) for name in forgotten_between(memory, base, revision))
    paths.update(source.path for source in forgotten if source is not None)
    return tuple(sorted(paths))


def _disturbed() -> Problem:
    message = "the vectors were changed by another program while they were brought up to date"
    return Problem(Code.CONCURRENT_UPDATE, message, "vectors.sqlite3", remedy="try again")
