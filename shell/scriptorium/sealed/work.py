"""A sealing under way: contents become objects, unless the library has them or a killed sealing left them.

That a manifest names an object does not say that it still lies there: what the storage lists is asked once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from hashlib import sha256
from itertools import takewhile

from attrs import define, field

from scriptorium_core.sealing.manifest import Piece, Run
from scriptorium_core.sealing.names import Key, LibraryId, is_library, library_named, path_of

from ..clock import chance
from .journal import Journal
from .library import Found, Library, at_once

__all__ = ["Progress", "Work"]

Progress = Callable[[int, int], None]


@define
class Work:
    """What is known of the library and what was done; `again`: what an older key sealed will not do."""

    library: Library
    key: Key
    journal: Journal
    found: Found | None
    again: bool
    told: Progress
    id: LibraryId = field(init=False)
    lying: frozenset[str] = field(init=False)
    known: dict[str, Piece] = field(init=False)
    fresh: list[Piece] = field(factory=list[Piece])
    passed_over: list[str] = field(factory=list[str])
    estimate: int = 0
    size: int = 0

    def __attrs_post_init__(self) -> None:
        begun = self.journal.begun
        self.id = self.found.manifest.library if self.found else LibraryId(begun)
        if not is_library(self.id):
            self.id = library_named(chance(16))
        named = tuple(self.found.manifest.pieces()) if self.found else ()
        self.lying = frozenset(self.library.storage.paths() if named else ())
        self.known = {piece.sha256: piece for piece in named if self.stays(piece)}

    @property
    def runs(self) -> tuple[Run, ...]:
        """The packs of the last manifest that need not be sealed again, up to the first of which one must."""
        runs = self.found.manifest.runs if self.found else ()
        return tuple(takewhile(lambda run: all(map(self.stays, run.pieces)), runs))

    @property
    def missing(self) -> int:
        """How many objects the last manifest names that do not lie there."""
        named = self.found.manifest.pieces() if self.found else ()
        return len({path_of(piece.hash) for piece in named} - self.lying)

    def stays(self, piece: Piece) -> bool:
        """Whether an object that the last manifest names will do: it lies there, and under the right key."""
        return path_of(piece.hash) in self.lying and (not self.again or piece.version == self.key.version)

    def pieces(self, contents: Iterable[bytes]) -> tuple[Piece, ...]:
        """The objects of some contents, those that are not there yet written."""
        return tuple(map(self._noted, at_once(self._piece, contents)))

    def _piece(self, content: bytes) -> tuple[Piece, bool]:
        digest = sha256(content).hexdigest()
        if (there := self.known.get(digest)) is not None:
            return there, False
        left = self.journal.pieces.get(digest)
        if left is not None and left.version == self.key.version and self._is_there(left):
            return left, False
        return self.library.put(self.id, self.key, content), True

    def _is_there(self, left: Piece) -> bool:
        """Whether an object of a killed sealing stands, of this library and whole."""
        return isinstance(self.library.content(self.id, left), bytes)

    def _noted(self, made: tuple[Piece, bool]) -> Piece:
        piece, is_new = made
        if is_new:
            self.fresh.append(piece)
            self.journal.written(piece)
        self.size += piece.size
        self.told(self.size, max(self.estimate, self.size))
        return piece
