"""The names in a sealed library: of the library, its objects and its keys, and where an object lies."""

import re
from typing import Any, NewType, TypeGuard

from attrs import frozen

__all__ = [
    "HASH",
    "MANIFEST",
    "OBJECTS",
    "Key",
    "KeyVersion",
    "LibraryId",
    "ObjectId",
    "StorageHash",
    "following",
    "hash_of",
    "is_hash",
    "is_library",
    "is_object",
    "is_version",
    "library_named",
    "object_named",
    "path_of",
]

LibraryId = NewType("LibraryId", str)
ObjectId = NewType("ObjectId", str)
KeyVersion = NewType("KeyVersion", str)
StorageHash = NewType("StorageHash", str)

MANIFEST = "manifest.mcma"
OBJECTS = "objects"
"""The folder of all objects."""
HASH = re.compile(r"[0-9a-f]{64}")
_UUID = r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}"
_LIBRARY = re.compile(f"lib_{_UUID}")
_OBJECT = re.compile(f"obj_{_UUID}")
_VERSION = re.compile(r"key-([1-9][0-9]{0,5})")
_PATH = re.compile(r"objects/([0-9a-f]{2})/([0-9a-f]{2})/([0-9a-f]{64})\.mcma")


@frozen
class Key:
    """A master key of 32 bytes and its name; the bytes are never shown."""

    version: KeyVersion
    secret: bytes

    def __repr__(self) -> str:
        return f"Key({self.version!r})"


def is_library(value: Any) -> TypeGuard[LibraryId]:
    """Whether a value is the id of a library: `lib_` and a UUID."""
    return isinstance(value, str) and _LIBRARY.fullmatch(value) is not None


def is_object(value: Any) -> TypeGuard[ObjectId]:
    """Whether a value is the id of an object: `obj_` and a UUID."""
    return isinstance(value, str) and _OBJECT.fullmatch(value) is not None


def is_version(value: Any) -> TypeGuard[KeyVersion]:
    """Whether a value names a key: `key-1`, `key-2` and so on."""
    return isinstance(value, str) and _VERSION.fullmatch(value) is not None


def is_hash(value: Any) -> TypeGuard[StorageHash]:
    """Whether a value is a SHA-256 in 64 hex digits."""
    return isinstance(value, str) and HASH.fullmatch(value) is not None


def library_named(digits: str) -> LibraryId:
    """The id of a library from 32 hex digits that were drawn."""
    return LibraryId(f"lib_{_uuid(digits)}")


def object_named(digits: str) -> ObjectId:
    """The id of an object from 32 hex digits that were drawn."""
    return ObjectId(f"obj_{_uuid(digits)}")


def following(version: KeyVersion) -> KeyVersion:
    """The name of the key that comes after another."""
    return KeyVersion(f"key-{int(version.removeprefix('key-')) + 1}")


def path_of(found: StorageHash) -> str:
    """Where the object with a storage hash lies in its library."""
    return f"objects/{found[:2]}/{found[2:4]}/{found}.mcma"


def hash_of(path: str) -> StorageHash | None:
    """The storage hash that a path stands for; None for a path at which no object lies."""
    match = _PATH.fullmatch(path)
    if match is None or not match[3].startswith(match[1] + match[2]):
        return None
    return StorageHash(match[3])


def _uuid(digits: str) -> str:
    """A random UUID (version 4) of 32 hex digits."""
    variant = "89ab"[int(digits[16], 16) % 4]
    return f"{digits[:8]}-{digits[8:12]}-4{digits[13:16]}-{variant}{digits[17:20]}-{digits[20:32]}"
