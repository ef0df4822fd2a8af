"""Erasing messages at the owner's wish: id, anchor and trust of a frame stay, its words and its speaker go.

    <a id="source-d27322333c5a46bd"></a>
    <!-- source-id:chat/s1/m2 -->
    <!-- source-meta:eyJhdXRo… -->
    <!-- record-lines:1 -->
    [erased 2026-05-01] erased:␠

(␠ is a blank.) Beside promotion this is the one change of existing bytes that an archive knows (format,
section 5).
"""

from collections.abc import Mapping

from attrs import frozen

from ..names import SourceId
from .archive import scan
from .archived import Archived, erased_record, is_erased
from .framing import is_framed

__all__ = ["ErasedArchive", "erase"]


@frozen
class ErasedArchive:
    """An archive without the words of some messages, those words, and whether it could be read to its end."""

    data: bytes
    texts: tuple[str, ...]
    complete: bool


def erase(path: str, data: bytes, days: Mapping[SourceId, str]) -> ErasedArchive:
    """The archive with the frames of sources erased, each on its day; those that are erased already stay.

    Archives of every age are read. What stands after the place where a file breaks is left as it is.
    """
    archive = scan(path, data)
    found = [frame for frame in archive.frames if frame.id in days and not is_erased(frame)]
    lines = data.split(b"\n")
    for frame in reversed(found):
        first = frame.line - 1
        lines[first : first + frame.record.count("\n") + 1] = [erased_record(days[frame.id]).encode()]
        if is_framed(path):
            _header(lines, first, frame)
    return ErasedArchive(b"\n".join(lines), tuple(frame.text for frame in found), archive.complete)


def _header(lines: list[bytes], first: int, frame: Archived) -> None:
    """The lines above a record whose first line has that index: one line of record, and nobody who spoke."""
    lines[first - 1] = b"<!-- record-lines:1 -->"
    if frame.speaker_id is not None:
        del lines[first - (3 if frame.provenance is not None else 2)]
