"""Consent to pending frames: the one change of existing bytes that an archive knows beside erasure."""

from collections.abc import Collection

from ..problem import Code, Problem
from .archive import scan
from .archived import Archive
from .header import promoted_token

__all__ = ["promote"]

_OPENING, _CLOSING = b"<!-- source-meta:", b" -->"


def promote(path: str, data: bytes, sources: Collection[str]) -> bytes | tuple[Problem, ...]:
    """The archive with `sources` trusted; only their `source-meta` lines differ, and no line moves.

    A frame that is trusted already stays as it is. Sources that are not there, or stand after the place
    where the file breaks, come back as problems, and nothing is changed.
    """
    archive = scan(path, data)
    known = {frame.id for frame in archive.frames}
    if missing := tuple(_missing(archive, source) for source in sources if source not in known):
        return missing
    lines = data.split(b"\n")
    for frame in archive.frames:
        if frame.id in sources and not frame.trusted:
            # The record follows `record-lines`, which follows `source-meta`; a pending frame always has one.
            lines[frame.line - 3] = _trusted(lines[frame.line - 3])
    return b"\n".join(lines)


def _trusted(line: bytes) -> bytes:
    """A `source-meta` line that says so."""
    token = line[len(_OPENING) : -len(_CLOSING)].decode()
    return _OPENING + promoted_token(token).encode() + _CLOSING


def _missing(archive: Archive, source: str) -> Problem:
    message = f"{source} is not archived here"
    if not archive.complete:
        message += f", and the archive is damaged at line {archive.broken_at}"
    remedy = "name a source that is archived"
    return Problem(Code.MISSING_SOURCE, message, archive.path, archive.broken_at, remedy)
