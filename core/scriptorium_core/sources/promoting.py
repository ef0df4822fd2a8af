"""Consent to a pending frame: the one change of existing bytes that an archive knows beside erasure."""

from ..problem import Code, Problem
from .archive import scan
from .archived import Archive, Archived
from .header import promoted_token

__all__ = ["promote"]

_OPENING, _CLOSING = b"<!-- source-meta:", b" -->"


def promote(path: str, data: bytes, source: str) -> bytes | Problem:
    """The archive with `source` trusted; only its `source-meta` line differs, and no line moves.

    A frame that is trusted already leaves the bytes as they are; a source that is not there, or
    stands after the place where the file breaks, is a problem.
    """
    archive = scan(path, data)
    found = next((frame for frame in archive.frames if frame.id == source), None)
    if found is None:
        return _missing(archive, source)
    return data if found.trusted else _trusted(data, found)


def _trusted(data: bytes, found: Archived) -> bytes:
    lines = data.split(b"\n")
    # The record follows `record-lines`, which follows `source-meta`; a pending frame always has one.
    index = found.line - 3
    token = lines[index][len(_OPENING) : -len(_CLOSING)].decode()
    lines[index] = _OPENING + promoted_token(token).encode() + _CLOSING
    return b"\n".join(lines)


def _missing(archive: Archive, source: str) -> Problem:
    message = f"{source} is not archived here"
    if not archive.complete:
        message += f", and the archive is damaged at line {archive.broken_at}"
    remedy = "name a source that is archived"
    return Problem(Code.MISSING_SOURCE, message, archive.path, archive.broken_at, remedy)
