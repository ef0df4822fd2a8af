"""Looking for words everywhere below a folder: files, git objects, compressed streams, SQLite pages."""

import re
import sqlite3
import zlib
from collections.abc import Iterator
from pathlib import Path

from dulwich.object_store import DiskObjectStore

__all__ = ["places_with"]

_STREAM = re.compile(rb"\x78[\x01\x5e\x9c\xda]|\x1f\x8b\x08")


def places_with(folder: Path, *words: str) -> list[str]:
    """Where any of the words stand, as `path`, `path (inflated)`, `git object …`, `path: table`."""
    needles = [form for word in words for form in _forms(word)]
    return sorted({place for place, data in _everything(folder) if any(each in data for each in needles)})


def _forms(word: str) -> Iterator[bytes]:
    yield word.encode()
    yield word.encode("utf-16-le")
    yield word.encode("unicode_escape")
    yield word.casefold().encode()


def _everything(folder: Path) -> Iterator[tuple[str, bytes]]:
    for path in sorted(folder.rglob("*")):
        if path.is_file():
            name, data = path.relative_to(folder).as_posix(), path.read_bytes()
            yield name, name.encode() + b"\0" + data
            yield from ((f"{name} (inflated)", each) for each in _inflated(data))
            if data.startswith(b"SQLite format 3\0"):
                yield from ((f"{name}: {table}", row) for table, row in _rows(path))
        if path.name == "objects" and path.parent.name == ".git":
            store = DiskObjectStore(path)
            for each in store:
                yield f"git object {each.decode()}", store.get_raw(each)[1]
            store.close()


def _inflated(data: bytes) -> Iterator[bytes]:
    for start in (match.start() for match in _STREAM.finditer(data)):
        try:
            yield zlib.decompressobj(47).decompress(data[start:])
        except zlib.error:
            continue


def _rows(path: Path) -> Iterator[tuple[str, bytes]]:
    database = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
    tables = [name for (name,) in database.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")]
    for table in tables:
        for row in database.execute(f"SELECT * FROM {table}"):
            yield table, repr(row).encode()
    database.close()
