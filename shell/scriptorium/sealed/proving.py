"""Proving a sealed library: every object that the manifest names, and whatever else lies there."""

from __future__ import annotations

from collections.abc import Callable

from attrs import frozen

from scriptorium_core.problem import Code, Problem
from scriptorium_core.sealing.manifest import Piece
from scriptorium_core.sealing.names import LibraryId, hash_of, path_of

from .library import Library, at_once

__all__ = ["Proof", "prove"]

Progress = Callable[[int, int], None]


@frozen
class Proof:
    """What a library holds, and what is wrong with it; `bytes` are those of the contents, unpacked.

    `left` are objects of this library that the manifest does not name: a killed sealing left them, or a later
    one needs them no more. They are no fault.
    """

    location: str
    library: str
    generation: int
    revision: str | None
    objects: int
    bytes: int
    faults: tuple[Problem, ...] = ()
    left: tuple[str, ...] = ()

    @property
    def holds(self) -> bool:
        """Whether nothing is wrong."""
        return not self.faults


def prove(library: Library, told: Progress = lambda done, total: None) -> Proof:
    """Prove all of a library. Raises Refused where its manifest does not hold."""
    manifest = library.known().manifest
    named = {path_of(piece.hash): piece for piece in manifest.pieces()}
    total, done = sum(piece.size for piece in named.values()), 0
    faults = list[Problem]()

    def look(piece: Piece) -> tuple[Piece, bytes | Problem]:
        return piece, library.content(manifest.library, piece)

    for piece, content in at_once(look, named.values()):
        done += piece.size
        told(done, total)
        if isinstance(content, Problem):
            faults.append(content)
    left = list[str]()
    for path in sorted(set(library.storage.paths()) - named.keys()):
        fault = _stranger(library, manifest.library, path)
        if fault is None:
            left.append(path)
        else:
            faults.append(fault)
    return Proof(
        library.storage.shown,
        manifest.library,
        manifest.generation,
        manifest.head,
        len(named),
        total,
        tuple(faults),
        tuple(left),
    )


def _stranger(library: Library, identity: LibraryId, path: str) -> Problem | None:
    """What is wrong with a file that the manifest does not name; None for an object of this library."""
    found = hash_of(path)
    if found is None:
        message = "a foreign file: no object has such a name"
        remedy = "remove it; nothing of the library needs it"
        return Problem(Code.SEAL_BROKEN, message, library.place(path), remedy=remedy)
    proved = library.stranger(identity, found)
    return proved if isinstance(proved, Problem) else None
