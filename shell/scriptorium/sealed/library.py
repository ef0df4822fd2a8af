"""A sealed library that is open: its objects, each proved before anything of it is believed."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from hashlib import sha256
from typing import TypeVar

from attrs import frozen

from scriptorium_core.problem import Code, Problem
from scriptorium_core.sealing import envelope, manifest, payload
from scriptorium_core.sealing.envelope import Envelope, Protected
from scriptorium_core.sealing.manifest import Manifest, Piece
from scriptorium_core.sealing.names import (
    MANIFEST,
    Key,
    KeyVersion,
    LibraryId,
    StorageHash,
    object_named,
    path_of,
)
from scriptorium_core.sealing.payload import LARGEST, Payload
from scriptorium_core.sealing.proof import Expected, chained, expected, proved

from ..clock import chance
from ..refused import Refused
from .storage import Storage

__all__ = ["THREADS", "Found", "Library", "at_once"]

A = TypeVar("A")
B = TypeVar("B")

THREADS = 4
_LEVEL = 3


@frozen
class Found:
    """A manifest as it was found: what it says, and the bytes of its file."""

    manifest: Manifest
    data: bytes

    @property
    def hash(self) -> str:
        """SHA-256 of the file."""
        return sha256(self.data).hexdigest()


@frozen
class Library:
    """A library on a storage, with the keys that are here."""

    storage: Storage
    keys: Mapping[KeyVersion, Key]

    def manifest(self) -> Found | None:
        """The manifest, proved; None if the storage has none. Raises Refused where it does not hold."""
        data = self.storage.read(MANIFEST)
        if data is None:
            return None
        place = self.place(MANIFEST)
        both = proved(data, Expected(None, envelope.INDEX), self.keys, place)
        content = both if isinstance(both, Problem) else unpacked(both[1], place)
        if isinstance(content, Problem) or isinstance(both, Problem):
            raise Refused(content if isinstance(content, Problem) else _nothing(self.storage))
        found = manifest.read(content, both[0].protected.library, place)
        fault = found if isinstance(found, Problem) else chained(found, place)
        if isinstance(found, Problem) or fault is not None:
            raise Refused(fault or _nothing(self.storage))
        return Found(found, data)

    def named(self) -> LibraryId | None:
        """The id that the library gives itself, unproved; None where nothing there says one."""
        data = self.storage.read(MANIFEST)
        found = envelope.read(data, self.place(MANIFEST)) if data is not None else None
        return found.protected.library if isinstance(found, Envelope) else None

    def known(self) -> Found:
        """The manifest. Raises Refused where there is none."""
        found = self.manifest()
        if found is None:
            raise Refused(_nothing(self.storage))
        return found

    def content(self, library: LibraryId, piece: Piece) -> bytes | Problem:
        """The content of a piece, proved whole, or what is wrong with it."""
        place = self.place(path_of(piece.hash))
        data = self.storage.read(path_of(piece.hash))
        if data is None:
            return _missing(place)
        both = proved(data, expected(library, piece), self.keys, place)
        if isinstance(both, Problem):
            return both
        inside = both[1]
        if (inside.sha256, inside.size) != (piece.sha256, piece.size):
            return _broken(place, "swapped: its content is another than the manifest names")
        return unpacked(inside, place)

    def stranger(self, library: LibraryId, found: StorageHash) -> Envelope | Problem:
        """An object that no manifest names, proved as one of this library, or why it is not."""
        place = self.place(path_of(found))
        data = self.storage.read(path_of(found))
        if data is None:
            return _missing(place)
        both = proved(data, Expected(library, envelope.OBJECT, found), self.keys, place)
        return both if isinstance(both, Problem) else both[0]

    def put(self, library: LibraryId, key: Key, content: bytes) -> Piece:
        """A new object that holds `content`, written whole when this returns."""
        packed = Payload("piece", *_packed(content))
        protected = _fresh(library, key, envelope.OBJECT)
        found, data = envelope.sealed(key, protected, payload.written(packed))
        if not self.storage.create(path_of(found), data):
            raise Refused(_taken(self.place(path_of(found))))
        return Piece(protected.object, found, key.version, packed.sha256, packed.size)

    def replace(self, old: bytes | None, new: Manifest, key: Key) -> Found | None:
        """The manifest written in the place of `old`; None where another one stands there by now."""
        packed = Payload("manifest", *_packed(manifest.written(new)))
        protected = _fresh(new.library, key, envelope.INDEX)
        _, data = envelope.sealed(key, protected, payload.written(packed))
        return Found(new, data) if self.storage.swap(MANIFEST, old, data) else None

    def place(self, path: str) -> str:
        """Where a file of the library is, for a person."""
        return f"{self.storage.shown.rstrip('/')}/{path}"


def unpacked(inside: Payload, place: str) -> bytes | Problem:
    """The content of a payload as it was, or that it is not the one that was sealed."""
    content = inside.stored
    if inside.encoding == "zstd":
        import zstandard

        try:
            content = zstandard.ZstdDecompressor().decompress(content, max_output_size=LARGEST)
        except zstandard.ZstdError:
            return _broken(place, "its content does not unpack")
    return payload.faults(inside, content, place) or content


def at_once(function: Callable[[A], B], items: Iterable[A]) -> Iterator[B]:
    """What a function gives for each item, in order, a few at a time: storages are slow to answer."""
    with ThreadPoolExecutor(THREADS) as pool:
        waiting = deque[Future[B]]()
        try:
            for item in items:
                waiting.append(pool.submit(function, item))
                if len(waiting) > THREADS:
                    yield waiting.popleft().result()
            while waiting:
                yield waiting.popleft().result()
        finally:
            for each in waiting:
                each.cancel()


def _packed(content: bytes) -> tuple[str, str, int, bytes]:
    """Encoding, SHA-256, size and the bytes as they are stored: packed where that is shorter."""
    import zstandard

    packed = zstandard.ZstdCompressor(level=_LEVEL).compress(content)
    shorter = len(packed) < len(content)
    digest = sha256(content).hexdigest()
    return ("zstd" if shorter else "none"), digest, len(content), packed if shorter else content


def _fresh(library: LibraryId, key: Key, context: str) -> Protected:
    return Protected(library, object_named(chance(16)), key.version, context, bytes.fromhex(chance(12)))


def _missing(place: str) -> Problem:
    message = "missing: the manifest names this object, and it is not there"
    remedy = "take it from another copy of the library, or seal again: what is missing is then written anew"
    return Problem(Code.SEAL_BROKEN, message, place, remedy=remedy)


def _broken(place: str, why: str) -> Problem:
    remedy = "take this object from another copy of the library, or seal to an empty place"
    return Problem(Code.SEAL_BROKEN, why, place, remedy=remedy)


def _nothing(storage: Storage) -> Problem:
    remedy = "`scriptorium seal LOCATION` makes one; look whether the place is the right one"
    return Problem(Code.MEMORY_NOT_FOUND, "there is no sealed library", storage.shown, remedy=remedy)


def _taken(place: str) -> Problem:
    return Problem(Code.STORAGE_FAILED, "something stands where a new object goes", place, remedy="try again")
