"""The sealed libraries of a home: its keys, its memory, and the storage that is meant."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING

from attrs import evolve

from scriptorium_core.sealing.names import MANIFEST

from .. import keys
from ..refused import Refused
from ..sealed import keyrings
from ..sealed.beginning import see_it_is_free
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
        see_it_is_free(storage)  # before a key is made that nothing is sealed with
        known, new = (keys.master(service.home),), True
    library = _library(storage, known)
    if not known:
        library.known()  # says which key is missing
    done = sealing.seal(service.home, memory.history, library, known[-1], again, prune, progress)
    done = evolve(done, new_key=str(keys.place(service.home)) if new else "")
    fault = keyrings.note(done.library, keys.place(service.home)) if keys.stand_in_a_file() else None
    return evolve(done, unnoted=fault.message) if fault is not None else done


def unseal(service: Place, location: str, target: Path, progress: Progress) -> Unsealed:
    """Make the memory of a library anew in the home `target`, by the keys of this home or of that one.

    Where they do not open it, by those with which it was sealed on this computer.
    """
    from ..sealed import unsealing

    known = {key.version: key for key in keys.available(target)} if keys.is_here(target) else {}
    known |= {key.version: key for key in keys.available(service.home)}
    return unsealing.unseal(_opened(storage_at(location), tuple(known.values())), target, progress)


def prove(service: Place, location: str, progress: Progress) -> Proof:
    """Prove every object of the library at `location`."""
    from ..sealed import proving

    return proving.prove(_opened(storage_at(location), keys.available(service.home)), progress)


def copy_sealed(source: str, target: str, progress: Progress) -> Copied:
    """Copy a library, byte for byte; needs no key."""
    from ..sealed import copying

    return copying.copy(storage_at(source), storage_at(target), progress)


def _opened(storage: Storage, known: tuple[Key, ...]) -> Library:
    """The library with the keys that are here, or else with those with which it was sealed here.

    Where neither opens it, with those that are here: what is wrong is said by whoever reads it.
    """
    library = _library(storage, known)
    named = None if _opens(library) else library.named()
    place = keyrings.noted(named) if named is not None else None
    other = _library(storage, keys.read(place)) if place is not None else None
    return other if other is not None and _opens(other) else library


def _opens(library: Library) -> bool:
    try:
        return library.manifest() is not None
    except Refused:
        return False


def _library(storage: Storage, known: tuple[Key, ...]) -> Library:
    return Library(storage, MappingProxyType({key.version: key for key in known}))
