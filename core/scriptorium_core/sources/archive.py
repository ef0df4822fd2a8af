"""The archives of evidence: reading one of any age, and appending to one of version 2.

A file of version 2 begins with `<!-- openprogram-source-archive:v2 -->` and an empty line; then come
frames (see `frame`), separated by an empty line. Appending only ever adds bytes at the end.
"""

from collections.abc import Sequence

from ..names import SourceId, archive_path, source_id
from ..problem import Code, Problem
from .archived import Archive, Archived, Place, is_erased
from .frame import Frame, encode_frame, frame_problems
from .framing import OPENING, is_framed, read_frames
from .legacy import is_legacy, read_legacy

__all__ = [
    "Archive",
    "Archived",
    "Place",
    "append",
    "damage",
    "is_archive",
    "is_erased",
    "joint",
    "scan",
]

_RESTORE = "restore the file from an earlier commit; evidence is never edited"


def is_archive(path: str) -> bool:
    """Whether an archive of any age belongs at `path` (relative to the root)."""
    return is_framed(path) or is_legacy(path)


def scan(path: str, data: bytes) -> Archive:
    """The valid frames of an archive, oldest first, and where it breaks if it does. Never raises."""
    if is_framed(path):
        return read_frames(path, data)
    return read_legacy(path, data) if is_legacy(path) else Archive(path, (), False, 1)


def append(path: str, data: bytes | None, frames: Sequence[Frame]) -> bytes | tuple[Problem, ...]:
    """The archive with `frames` added at its end, in their order; `data` None makes a new file.

    A frame whose id is present is skipped if its content is the same. Otherwise, as for a damaged
    file, an erased id or a frame that cannot be written, all problems come back and nothing is added.
    """
    if not is_framed(path):
        return (_read_only(path),)
    archive = Archive(path) if data is None else read_frames(path, data)
    known = {found.id: found for found in archive.frames}
    problems, fresh = list(damage(archive)), dict[SourceId, Frame]()
    for frame in frames:
        faults = _conflicts(path, frame, known.get(frame.id), fresh.get(frame.id))
        problems.extend(faults)
        if not faults and frame.id not in known:
            fresh.setdefault(frame.id, frame)
    if problems:
        return tuple(problems)
    before = OPENING.encode() if data is None else data
    added = "\n".join(map(encode_frame, fresh.values())).encode()
    return before + (joint(archive, before) + added if added else b"")


def joint(archive: Archive, data: bytes) -> bytes:
    """The LF of the empty line after the last frame, where the file leaves it to the next frame."""
    if not archive.frames:
        return b""
    last = archive.frames[-1]
    return b"\n" if last.line + last.record.count("\n") == data.count(b"\n") else b""


def _conflicts(path: str, frame: Frame, known: Archived | None, earlier: Frame | None) -> tuple[Problem, ...]:
    """Why a frame cannot be added beside what is archived, and what stands before it in the request."""
    if known is not None and is_erased(known):
        return (_forgotten(path, known),)
    present = known.text if known is not None else earlier.content if earlier is not None else None
    if present is not None:
        return () if present == frame.content else (_changed(path, frame.id, known.line if known else 0),)
    faults = [problem._replace(path=path) for problem in frame_problems(frame)]
    if source_id(frame.id) is not None and archive_path(frame.id) != path:
        faults.append(_misplaced(path, frame.id))
    return tuple(faults)


def _misplaced(path: str, source: SourceId) -> Problem:
    message = f"{source} belongs into {archive_path(source)}"
    remedy = "append it to the archive of its own thread"
    return Problem(Code.INVALID_ARGUMENT, message, path, remedy=remedy)


def _forgotten(path: str, known: Archived) -> Problem:
    message = f"{known.id} was erased: {known.record}"
    remedy = "leave it out; what is forgotten does not return"
    return Problem(Code.FORGOTTEN, message, path, known.line, remedy)


def _changed(path: str, source: SourceId, line: int) -> Problem:
    message = f"{source} is archived with another content"
    return Problem(Code.SOURCES_CHANGED, message, path, line, "give the changed message an id of its own")


def damage(archive: Archive) -> tuple[Problem, ...]:
    """That an archive breaks off, and where; empty for one that does not."""
    if archive.complete:
        return ()
    message = f"the archive is damaged at line {archive.broken_at}, after {len(archive.frames)} valid frames"
    return (Problem(Code.SOURCES_CHANGED, message, archive.path, archive.broken_at, _RESTORE),)


def _read_only(path: str) -> Problem:
    message = "an older archive is never written" if is_legacy(path) else "no archive belongs here"
    remedy = "append to sources/<provider>/_v2/<thread>.md, percent-encoded"
    return Problem(Code.READ_ONLY_PATH, message, path, remedy=remedy)
