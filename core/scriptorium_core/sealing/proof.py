"""What must hold of an object before its content is believed, each fault by its name.

altered: the bytes are not those of its storage hash; swapped: another object lies in its place; foreign: it
belongs to another library; wrong key: the tag does not prove it.
"""

from collections.abc import Mapping

from attrs import frozen

from ..problem import Code, Problem
from . import envelope, payload
from .envelope import Envelope
from .manifest import Manifest, Piece
from .names import Key, KeyVersion, LibraryId, ObjectId, StorageHash
from .payload import Payload

__all__ = ["Expected", "chained", "expected", "proved"]


@frozen
class Expected:
    """What an object must be; None where nothing names it."""

    library: LibraryId | None
    context: str = envelope.OBJECT
    hash: StorageHash | None = None
    object: ObjectId | None = None


def expected(library: LibraryId, piece: Piece) -> Expected:
    """What the object of a piece must be."""
    return Expected(library, envelope.OBJECT, piece.hash, piece.object)


def proved(
    data: bytes, wanted: Expected, keys: Mapping[KeyVersion, Key], place: str
) -> tuple[Envelope, Payload] | Problem:
    """The envelope in `data` and its payload, all proved but the unpacked content; or the first fault."""
    found = envelope.read(data, place)
    if isinstance(found, Problem):
        return found
    if fault := _fault(found, wanted, place):
        return fault
    version = found.protected.version
    key = keys.get(version)
    if key is None:
        return _no_key(version, keys, place)
    plain = envelope.opened(found, key, place)
    if isinstance(plain, Problem):
        return plain
    inside = payload.read(plain, place)
    if isinstance(inside, Problem):
        return inside
    kind = "manifest" if wanted.context == envelope.INDEX else "piece"
    return (found, inside) if inside.kind == kind else _broken(place, "it holds something of another kind")


def chained(manifest: Manifest, place: str) -> Problem | None:
    """That a pack of the history builds on commits that no pack before it leads to; None if none does."""
    known = set[str]()
    for run in manifest.runs:
        if not known.issuperset(run.old):
            return _broken(place, "a part of the history builds on one that the manifest does not name")
        known.update(run.new)
    if not known.issuperset(manifest.refs.values()):
        return _broken(place, "a branch leads to a commit that no part of the history ends in")
    return None


def _fault(found: Envelope, wanted: Expected, place: str) -> Problem | None:
    protected = found.protected
    if wanted.library is not None and protected.library != wanted.library:
        return _broken(place, f"a foreign object: it belongs to {protected.library}")
    if protected.context != wanted.context:
        return _broken(place, f"swapped: it is sealed as {protected.context}")
    if wanted.hash is not None and found.hash != wanted.hash:
        return _broken(place, f"swapped: the object {found.hash[:12]}… lies in its place")
    if wanted.object is not None and protected.object != wanted.object:
        return _broken(place, "swapped: it is another object than the manifest names")
    return None


def _no_key(version: KeyVersion, keys: Mapping[KeyVersion, Key], place: str) -> Problem:
    here = ", ".join(keys) or "none"
    message = f"it is sealed with {version}, and the keys that are here are: {here}"
    remedy = (
        "name the home that has the key (`--home`), import it (`scriptorium key import FILE`), or say where"
        " the file of keys is (SCRIPTORIUM_KEY_FILE)"
    )
    return Problem(Code.KEY_UNAVAILABLE, message, place, remedy=remedy)


def _broken(place: str, why: str) -> Problem:
    remedy = "take this object from another copy of the library, or seal to an empty place"
    return Problem(Code.SEAL_BROKEN, why, place, remedy=remedy)
