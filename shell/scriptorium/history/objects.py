"""Git objects: read from packs and loose files by dulwich, written as one durable pack a commit.

A pack is put in place before its index, because git takes no notice of a pack without one: no reader
sees half of it, and a crash in between leaves a file that means nothing.
"""

import re
import weakref
from collections.abc import Sequence
from hashlib import sha1
from io import BytesIO
from pathlib import Path
from threading import RLock
from types import MappingProxyType

from attrs import frozen
from dulwich.object_format import DEFAULT_OBJECT_FORMAT
from dulwich.object_store import DiskObjectStore
from dulwich.objects import ObjectID
from dulwich.pack import pack_header_chunks, write_pack_index_v2, write_pack_object

from .. import files

__all__ = [
    "BLOB",
    "COMMIT",
    "TAG",
    "TREE",
    "NewObject",
    "Objects",
    "blob_id",
    "blob_of",
    "object_id",
    "packed",
]

COMMIT, TREE, BLOB, TAG = 1, 2, 3, 4  # the numbers that git gives them
_NAMES = MappingProxyType({COMMIT: b"commit", TREE: b"tree", BLOB: b"blob", TAG: b"tag"})
_ID = re.compile(rb"[0-9a-f]{40}")
_KEPT = 4 * 1024 * 1024  # bytes
_LARGE = 16 * 1024  # bytes


@frozen
class NewObject:
    """An object that is not in the repository yet; `id` is its hash in 40 hex digits."""

    kind: int
    id: bytes
    data: bytes


def object_id(kind: int, data: bytes) -> bytes:
    """The id of an object: 40 hex digits of SHA-1 over its header and bytes."""
    return sha1(_NAMES[kind] + b" %d\0" % len(data) + data, usedforsecurity=False).hexdigest().encode()


def blob_id(data: bytes) -> str:
    """The id of the object that holds a file's bytes."""
    return object_id(BLOB, data).decode()


def blob_of(data: bytes) -> NewObject:
    """The object that holds a file's bytes."""
    return NewObject(BLOB, object_id(BLOB, data), data)


class Objects:
    """The objects of one repository. A pack that another process replaced is looked for again."""

    def __init__(self, git: Path) -> None:
        self.packs = git / "objects" / "pack"
        self._store = DiskObjectStore(git / "objects")
        self._recent: dict[bytes, bytes] = {}  # what was written last is read next, for the files
        self._turn = RLock()
        # dulwich complains, file by file, about packs that are still open when the process ends.
        weakref.finalize(self, self._store.close)

    def read(self, identifier: bytes) -> bytes:
        """The bytes of an object, without its header; KeyError if there is none of that id."""
        with self._turn:
            if (known := self._recent.get(identifier)) is not None:
                return known
            if not _ID.fullmatch(identifier):
                raise KeyError(identifier)
            return self._store.get_raw(ObjectID(identifier))[1]

    def add(self, objects: Sequence[NewObject]) -> str:
        """Write `objects` as one pack, on the disk when this returns, and not yet part of any history.

        The name of the pack, without its ending.
        """
        unique = tuple({new.id: new for new in objects}.values())
        pack, index, name = packed(unique)
        files.write_many(
            {self.packs / f"pack-{name}.pack": pack, self.packs / f"pack-{name}.idx": index},
            mode=0o400,
        )
        few = sum(len(new.data) for new in unique) <= _KEPT
        self._recent = {new.id: new.data for new in unique} if few else {}
        return f"pack-{name}"

    def close(self) -> None:
        """Let go of the open packs."""
        with self._turn:
            self._store.close()


def packed(objects: Sequence[NewObject]) -> tuple[bytes, bytes, str]:
    """The bytes of a pack, of its index, and the hash that both are named after."""
    pack, digest = BytesIO(), sha1(usedforsecurity=False)
    for chunk in pack_header_chunks(len(objects)):
        pack.write(chunk)
        digest.update(chunk)
    entries: list[tuple[bytes, int, int | None]] = []
    for new in objects:
        start = pack.tell()
        checksum = write_pack_object(
            pack.write, new.kind, [new.data], DEFAULT_OBJECT_FORMAT, sha=digest, compression_level=_level(new)
        )
        entries.append((bytes.fromhex(new.id.decode()), start, checksum))
    pack.write(digest.digest())
    index = BytesIO()
    write_pack_index_v2(index, sorted(entries), digest.digest())
    return pack.getvalue(), index.getvalue(), digest.hexdigest()


def _level(new: NewObject) -> int:
    """How hard zlib is to try. A large folder is mostly hashes: a repack will make it a delta."""
    return 0 if new.kind == TREE and len(new.data) > _LARGE else 1
