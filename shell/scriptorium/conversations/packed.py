"""Logs that are packed: compressed files and members of archives, unpacked into a file that has no name.

What a file is, its first bytes say: zstandard (`.zst`), gzip (`.gz`), zip. What is unpacked lies in a
temporary file (mode 0600) that is gone with its last use, so that a packed log can be read from any place. A
log may be packed twice, as `rollout.jsonl.zst` in a zip is. The end of a half-written compressed file is the
end of its log. Names in an archive are only names: nothing is ever written under one.
"""

import contextlib
import tempfile
import zipfile
import zlib
from collections.abc import Callable, Iterable, Iterator
from itertools import chain
from typing import IO, BinaryIO, Literal, cast

from scriptorium_core.problem import Code, Problem

from ..refused import Refused

__all__ = ["LARGEST", "SQLITE", "START", "members", "packing", "unpacked"]

LARGEST = 8 * 1024**3
"""The most bytes to which one log is unpacked."""

START = 65536
"""How much of a file tells what it is."""

SQLITE = b"SQLite format 3\x00"

_MOST_MEMBERS = 100_000
_MOST_UNPACKED = 16 * LARGEST
_CHUNK = 16 * 1024
_WRITTEN = 1024 * 1024
_DEEP = 2
_ENCRYPTED = 0x1
_JUNK = ("__MACOSX/", "._", ".DS_Store", "Thumbs.db")

Packing = Literal["zip", "gzip", "zstd", ""]


def packing(start: bytes) -> Packing:
    """How a file that begins like this is packed, empty if it is not."""
    if start[:4] in (b"PK\x03\x04", b"PK\x05\x06"):
        return "zip"
    if start[:3] == b"\x1f\x8b\x08":
        return "gzip"
    return "zstd" if start[:4] == b"\x28\xb5\x2f\xfd" else ""


@contextlib.contextmanager
def unpacked(opened: Callable[[], IO[bytes]], shown: str) -> Iterator[BinaryIO]:
    """The content of a compressed file or of a member, as a file that can be read from any place.

    Raises Refused where it is damaged, too large, or packed in a way that cannot be read here.
    """
    with tempfile.TemporaryFile() as whole:
        with _explained(shown), opened() as file:
            for data in _content(file, shown):
                if whole.tell() + len(data) > LARGEST:
                    raise Refused(_too_large(shown))
                whole.write(data)
        whole.seek(0)
        yield cast(BinaryIO, whole)


def members(archive: zipfile.ZipFile, shown: str) -> tuple[zipfile.ZipInfo, ...]:
    """The files in an archive, without what operating systems add to them.

    Raises Refused where there are too many, or all are encrypted.
    """
    found = archive.infolist()
    if len(found) > _MOST_MEMBERS:
        message = f"{shown} holds {len(found):,} files, more than {_MOST_MEMBERS:,}"
        raise Refused(_problem(shown, message, "unpack it, and import the folder"))
    if sum(info.file_size for info in found) > _MOST_UNPACKED:
        message = f"{shown} unpacks to more than {_MOST_UNPACKED // 1024**3} GiB"
        raise Refused(_problem(shown, message, "unpack what you need of it, and import the folder"))
    files = [info for info in found if not info.is_dir() and not _is_junk(info.filename)]
    if files and all(info.flag_bits & _ENCRYPTED for info in files):
        remedy = "unpack it with its password, and import the folder"
        raise Refused(_problem(shown, f"{shown} is encrypted", remedy))
    return tuple(files)


def _is_junk(name: str) -> bool:
    base = name.rpartition("/")[2]
    return name.startswith(_JUNK[0]) or "/__MACOSX/" in name or base.startswith(_JUNK[1:])


def _content(file: IO[bytes], shown: str) -> Iterator[bytes]:
    """The bytes of a log, out of each packing that it is in."""
    data: Iterable[bytes] = iter(lambda: file.read(_CHUNK), b"")
    for _ in range(_DEEP):
        chunks = iter(data)
        first = next(chunks, b"")
        while first and len(first) < 4 and (more := next(chunks, b"")):
            first += more
        data = chain([first], chunks)
        match packing(first):
            case "gzip":
                data = _gunzipped(data)
            case "zstd":
                data = _unzstd(data, shown)
            case _:
                break
    return iter(data)


def _gunzipped(data: Iterable[bytes]) -> Iterator[bytes]:
    inner = zlib.decompressobj(31)
    for chunk in data:
        rest = chunk
        while rest:
            yield inner.decompress(rest)
            rest = inner.unused_data
            if inner.eof:
                inner = zlib.decompressobj(31)


def _unzstd(data: Iterable[bytes], shown: str) -> Iterator[bytes]:
    try:
        import zstandard
    except ImportError as error:
        message = f"{shown} is compressed by zstandard, which the library of that name reads"
        raise Refused(_problem(shown, message, "pip install zstandard")) from error
    reader = zstandard.ZstdDecompressor().stream_reader(
        cast(IO[bytes], _Stream(data)), read_across_frames=True
    )
    try:
        yield from iter(lambda: reader.read(_WRITTEN), b"")
    except zstandard.ZstdError as error:
        raise Refused(_damaged(shown, error)) from error


class _Stream:
    """Chunks as something that can be read."""

    def __init__(self, chunks: Iterable[bytes]) -> None:
        self._chunks = iter(chunks)
        self._rest = b""

    def read(self, size: int = -1) -> bytes:
        """At most `size` bytes, empty at the end."""
        data = self._rest or next(self._chunks, b"")
        end = len(data) if size < 0 else size
        self._rest = data[end:]
        return data[:end]


@contextlib.contextmanager
def _explained(shown: str) -> Iterator[None]:
    try:
        yield
    except (zlib.error, zipfile.BadZipFile, EOFError) as error:
        raise Refused(_damaged(shown, error)) from error
    except NotImplementedError as error:
        message = f"{shown} is packed in a way that is not known: {error}"
        raise Refused(
            _problem(shown, message, "unpack it with another program, and import the file")
        ) from error
    except RuntimeError as error:
        raise Refused(
            _problem(shown, f"{shown} is encrypted", "unpack it with its password, and import the file")
        ) from error


def _damaged(shown: str, error: Exception) -> Problem:
    return _problem(shown, f"{shown} is damaged: {error}", "copy or download it again")


def _too_large(shown: str) -> Problem:
    message = f"{shown} unpacks to more than {LARGEST // 1024**3} GiB"
    return _problem(shown, message, "if that is right, unpack it with another program, and import the file")


def _problem(shown: str, message: str, remedy: str) -> Problem:
    return Problem(Code.INVALID_ARGUMENT, message, shown, remedy=remedy)
