"""The storage of a sealed library: a folder on this computer, or whatever fsspec reaches by an address.

/mnt/stick/sealed           a folder; file:///mnt/stick/sealed is the same
s3://bucket/sealed          and gs://, abfs://, webdav+https://, sftp://, …: with the package for it
memory://sealed             as long as this process lives
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Protocol
from urllib.parse import unquote, urlsplit

from scriptorium_core.problem import Code, Problem
from scriptorium_core.syncing.address import told

from ..refused import Refused
from ..settings import expanded

__all__ = ["Storage", "storage_at"]

_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]+)://")


class Storage(Protocol):
    """Files by their path below one place. Everything raises Refused where the storage fails.

    `shown` is the place without credentials. `one_writer` says that the storage has no conditional write:
    what two write at once there is only noticed afterwards.
    """

    shown: str
    one_writer: bool

    def read(self, path: str) -> bytes | None:
        """The bytes of a file, None if there is none."""
        ...

    def create(self, path: str, data: bytes) -> bool:
        """Write a new file, whole; False, and nothing changed, where one stands already."""
        ...

    def swap(self, path: str, old: bytes | None, new: bytes) -> bool:
        """Write a file where it still holds `old` (None: where there is none); whether it was written."""
        ...

    def size(self, path: str) -> int | None:
        """The bytes that a file has, None if there is none."""
        ...

    def paths(self) -> Iterator[str]:
        """The path of every file below `objects/`."""
        ...

    def others(self) -> Iterator[str]:
        """The names of what lies directly at the place and belongs to no library."""
        ...

    def remove(self, path: str) -> None:
        """Take a file away, if it is there."""
        ...


def storage_at(location: str) -> Storage:
    """The storage that is meant; nothing is made or asked yet. Raises Refused where there can be none."""
    match = _SCHEME.match(location)
    if "::" in location or not location.strip() or not location.isprintable():
        raise Refused(_refused(location, "this names no storage", "give a folder, or an address like s3://…"))
    if match is None or match[1].lower() == "file":
        from .folder import Folder

        path = location if match is None else unquote(urlsplit(location).path)
        return Folder(expanded(path).absolute())
    from .remote import Remote

    return Remote(location)


def _refused(location: str, message: str, remedy: str) -> Problem:
    return Problem(Code.INVALID_ARGUMENT, message, told(location), remedy=remedy)
