"""Copying a sealed library to another storage, byte for byte, without opening it.

Each object is read back and compared, the manifest comes last. A copy that was killed goes on where it was:
what stands there already and has the same bytes is not written again.
"""

from __future__ import annotations

from collections.abc import Callable

from attrs import frozen

from scriptorium_core.problem import Code, Problem
from scriptorium_core.sealing import envelope
from scriptorium_core.sealing.names import MANIFEST, hash_of

from ..refused import Refused
from .beginning import see_it_is_free
from .library import at_once
from .storage import Storage

__all__ = ["Copied", "copy"]

Progress = Callable[[int, int], None]


@frozen
class Copied:
    """What a copy did: objects in all, those that were written now, and the bytes of all files as stored."""

    source: str
    location: str
    objects: int
    new_objects: int
    bytes: int
    one_writer: bool = False


def copy(source: Storage, target: Storage, told: Progress = lambda done, total: None) -> Copied:
    """Copy a library. Raises Refused with every fault, and then the copy has no manifest."""
    manifest = source.read(MANIFEST)
    if manifest is None:
        message, remedy = "there is no sealed library", "look whether the place is the right one"
        raise Refused(Problem(Code.MEMORY_NOT_FOUND, message, source.shown, remedy=remedy))
    checked = envelope.read(manifest, f"{source.shown}/{MANIFEST}")
    if isinstance(checked, Problem):
        raise Refused(checked)
    if target.read(MANIFEST) is not None:
        raise Refused(_taken(target))
    see_it_is_free(target)
    paths = sorted(path for path in source.paths() if hash_of(path) is not None)
    faults, size, new = list[Problem](), 0, 0
    for number, done in enumerate(at_once(lambda path: _copied(source, target, path), paths), 1):
        told(number, len(paths) + 1)
        if isinstance(done, Problem):
            faults.append(done)
        else:
            size, new = size + done[0], new + done[1]
    if faults:
        raise Refused(*faults)
    _finish(source, target, manifest)
    told(len(paths) + 1, len(paths) + 1)
    return Copied(source.shown, target.shown, len(paths), new, size + len(manifest), target.one_writer)


def _copied(source: Storage, target: Storage, path: str) -> tuple[int, int] | Problem:
    """One object: its bytes, and whether it was written now; or why it is not worth a copy."""
    place, data = f"{source.shown}/{path}", source.read(path)
    if data is None:
        return Problem(
            Code.SEAL_BROKEN, "missing: it vanished while it was copied", place, remedy="copy again"
        )
    found = envelope.read(data, place)
    if isinstance(found, Problem):
        return found
    if found.hash != hash_of(path):
        message = f"swapped: the object {found.hash[:12]}… lies in its place"
        return Problem(Code.SEAL_BROKEN, message, place, remedy="copy from another copy of the library")
    new = target.create(path, data)
    if target.read(path) != data:
        message = "other bytes stand there than were written" if new else "something else stands there"
        remedy = "remove it, then copy again"
        return Problem(Code.SEAL_BROKEN, message, f"{target.shown}/{path}", remedy=remedy)
    return len(data), int(new)


def _finish(source: Storage, target: Storage, manifest: bytes) -> None:
    if source.read(MANIFEST) != manifest:
        message = "the library was sealed to while it was copied; the copy has no manifest yet"
        remedy = "copy again: what is there already is not written twice"
        raise Refused(Problem(Code.CONCURRENT_UPDATE, message, source.shown, remedy=remedy))
    if not target.swap(MANIFEST, None, manifest) or target.read(MANIFEST) != manifest:
        raise Refused(_taken(target))


def _taken(target: Storage) -> Problem:
    message = "a sealed library stands there already, and a copy replaces none"
    remedy = "name an empty place; `scriptorium seal` brings a library up to date"
    return Problem(Code.INVALID_ARGUMENT, message, target.shown, remedy=remedy)
