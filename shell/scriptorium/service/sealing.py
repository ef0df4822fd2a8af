"""The sealed libraries of a home: its keys, its memory, and the storage that is meant."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING

from attrs import evolve

from scriptorium_core.sealing.names import MANIFEST

from .. import keys
from ..sealed.library import Library
from ..sealed.storage import Storage, storage_at

if TYPE_CHECKING:
    from ..keys import Key
    from ..sealed.copying import Copied
    from ..sealed.proving import Proof
    from ..sealed.sealing import Sealed
    from ..sealed.unsealing import Unsealed
    from .place import Place

__all__ = ["copy_sealed", "prove", "seal", "unseal"]

Progress = Callable[[int, int], None]


def seal(service: Place, location: str, again: bool, prune: bool, progress: Progress) -> Sealed:
    """Bring the library at `location` up to the memory; the first key is drawn where there is none."""
    from ..sealed import sealing

    storage, memory = storage_at(location), service.whole()
    known, new = keys.available(service.home), False
    if not known and storage.read(MANIFEST) is None:
        known, new = (keys.master(service.home),), True
    library = _library(storage, known)
    if not known:
        library.known()  # says which key is missing
    done = sealing.seal(service.home, memory.history, library, known[-1], again, prune, progress)
    return evolve(done, new_key=str(keys.place(service.home)) if new else "")


def unseal(service: Place, location: str, target: Path, progress: Progress) -> Unsealed:
    """Make the memory of a library anew in the home `target`, by the keys of this home or of that one."""
    from ..sealed import unsealing

    known = {key.version: key for key in keys.available(target)} if keys.is_here(target) else {}
    known |= {key.version: key for key in keys.available(service.home)}
    return unsealing.unseal(_library(storage_at(location), tuple(known.values())), target, progress)


def prove(service: Place, location: str, progress: Progress) -> Proof:
    """Prove every object of the library at `location`."""
    from ..sealed import proving

    return proving.prove(_library(storage_at(location), keys.available(service.home)), progress)


def copy_sealed(source: str, target: str, progress: Progress) -> Copied:
    """Copy a library, byte for byte; needs no key."""
    from ..sealed import copying

    return copying.copy(storage_at(source), storage_at(target), progress)


def _library(storage: Storage, known: tuple[Key, ...]) -> Library:
    return Library(storage, MappingProxyType({key.version: key for key in known}))
