"""Finding by meaning: which embedder a search uses, and how near to its query the documents are.

Without `[embeddings]` in the settings words decide alone. With it, a process that lives on (the library, a
server) loads the model once and embeds queries; up to a few new texts are embedded by a search itself, more
of them by the keeper or `scriptorium index`, and until then words decide alone, and the answer says so. A
command of its own process does not wait for a model unless it is told to.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

from attrs import define, field

from scriptorium_core.problem import Code, Problem
from scriptorium_core.recall.passages import LONGEST

from ..refused import Refused

if TYPE_CHECKING:
    from datetime import tzinfo

    from scriptorium_core.recall import Kind, Query

    from ..embeddings import Embedder, Nearness, Table, Vector, Vectors
    from ..layout import Layout
    from ..settings import Settings
    from ..workspace import Memory

__all__ = ["Meaning", "Progress", "meaning_of", "silent"]

Progress = Callable[[int, int], None]

SOON = 8
"""New texts that a search embeds itself, within a fraction of a second."""
REMEMBERED = 16
"""Queries whose vectors are kept."""
MOST = 4_000
"""Questions of records whose vectors are kept."""
_AT_ONCE = 32


def silent(done: int, total: int) -> None:
    """Tell nobody how far it is."""


@define
class Meaning:
    """An embedder, and the vectors of the memory as they were read last; kept while a service is open.

    `trouble` is why the last query was looked for by words alone, though a model is there.
    """

    embedder: Embedder
    needed: bool = False
    trouble: Problem | None = field(default=None, init=False)
    _table: Table | None = field(default=None, init=False)
    _asked: dict[tuple[str, str], Vector] = field(factory=dict[tuple[str, str], "Vector"], init=False)
    _texts: dict[str, Vector] = field(factory=dict[str, "Vector"], init=False)

    def brought_up(self, memory: Memory, progress: Progress | None) -> tuple[Problem, ...]:
        """Embed what is new, all of it where it is needed; why words decide alone, if they do."""
        from .embedding import embed_new, vectors_of

        vectors = vectors_of(memory.layout, self.embedder, memory.zone)
        try:
            stands = vectors.commit == memory.revision and not vectors.cleared and self._follows(vectors)
        finally:
            vectors.close()
        if stands:
            return ()
        most = None if self.needed else SOON
        left = embed_new(memory, self.embedder, progress or silent, most)
        return (_waiting(memory.layout.vectors.name),) if left else ()

    def asked(
        self, layout: Layout, revision: str, zone: tzinfo | None, hidden: frozenset[str] = frozenset()
    ) -> Callable[[Query], Nearness | None]:
        """How near the documents of a commit are to a query: None where that cannot be said.

        Those of the `hidden` ids count as not there.
        """

        @lru_cache(maxsize=2)  # a search may ask twice
        def near(text: str, kinds: tuple[Kind, ...]) -> Nearness | None:
            self.trouble = None
            try:
                return self._near(layout, revision, zone, text, kinds, hidden)
            except Refused as refused:
                if self.needed:
                    raise
                self.trouble = refused.problems[0]
                return None

        return lambda query: near(query.text, query.kinds)

    def alike(self, text: str, others: Sequence[str]) -> tuple[float, ...]:
        """How like a text other texts are; their vectors are kept. Raises Refused where there is no model."""
        from ..embeddings.cosines import cosines

        plain = [_plain(other) for other in others]
        fresh = [other for other in dict.fromkeys(plain) if other not in self._texts]
        for start in range(0, len(fresh), _AT_ONCE):
            some = fresh[start : start + _AT_ONCE]
            self._texts.update(zip(some, self.embedder.embed(some), strict=True))
        found = cosines(self._vector(text), [self._texts[other] for other in plain])
        if len(self._texts) > MOST:  # nobody has so many questions: others that are gone since
            self._texts.clear()
        return found

    def _near(
        self,
        layout: Layout,
        revision: str,
        zone: tzinfo | None,
        text: str,
        kinds: tuple[Kind, ...],
        hidden: frozenset[str],
    ) -> Nearness | None:
        from .embedding import vectors_of

        vectors = vectors_of(layout, self.embedder, zone)
        try:
            holds = self._follows(vectors)
        finally:
            vectors.close()
        if self._table is None or not holds or self._table.commit != revision:
            self.trouble = _waiting(layout.vectors.name)  # another process goes on
            return None
        return self._table.near(self._vector(text), kinds, self.embedder.least, hidden)

    def _follows(self, vectors: Vectors) -> bool:
        """Read what the file holds now; false where nothing of it is of use, and all of that is gone then."""
        from ..embeddings import Table
        from ..embeddings.clearing import alone
        from .embedding import fits

        self._table = self._table or Table()
        self._table.follow(vectors)
        if fits(self._table, self.embedder):
            return self._table.commit is not None
        with alone(vectors.path):
            vectors.renew()
        return False

    def _vector(self, text: str) -> Vector:
        """The vector of a query; the last ones are known, because one question is asked in several ways."""
        key = self.embedder.digest, _plain(text)
        vector = self._asked.pop(key) if key in self._asked else self.embedder.embed([key[1]])[0]
        self._asked[key] = vector
        if len(self._asked) > REMEMBERED:
            del self._asked[next(iter(self._asked))]
        return vector


def meaning_of(settings: Settings, wanted: bool | None) -> Meaning | Problem | None:
    """What a search uses: None without one, a problem where what the settings name is missing.

    `wanted` asks for it even where the settings name none (then the default), or for words alone; None is
    what the settings say.
    """
    from ..embeddings import DEFAULT, embedder_of

    model = settings.embeddings.model or (DEFAULT if wanted else "")
    if wanted is False or not model:
        return None
    found = embedder_of(settings.embeddings, model)
    return found if isinstance(found, Problem) else Meaning(found, bool(wanted))


def _plain(text: str) -> str:
    """As much of a text as is looked at, in Unicode."""
    return text[:LONGEST].encode("utf-8", "replace").decode()


def _waiting(place: str) -> Problem:
    message = "many texts are not embedded yet; until they are, words alone are looked for"
    remedy = "run `scriptorium index`, or let the keeper do it"
    return Problem(Code.INDEX_STALE, message, place, remedy=remedy)
