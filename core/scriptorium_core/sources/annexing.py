"""Taking frames over from another copy of an archive, byte for byte, behind those that stand here."""

from collections.abc import Collection, Iterator

from attrs import evolve

from ..problem import Code, Problem
from .archive import damage, joint, scan
from .archived import Archived, is_erased
from .framing import OPENING
from .header import Trust
from .promoting import promote

__all__ = ["annexed"]


def annexed(
    path: str, data: bytes | None, other: bytes, promoted: Collection[str] = ()
) -> bytes | tuple[Problem, ...]:
    """The archive with the frames of `other`, the same archive elsewhere, that it has not.

    A message that waits here and is trusted there becomes trusted if it is among the `promoted`. One that
    has another text there is a problem, and nothing is taken over.
    """
    here, there = scan(path, data or OPENING.encode()), scan(path, other)
    known = {frame.id: frame for frame in here.frames}
    problems = [*damage(here)]
    for frame in there.frames:
        problems += _differs(path, known[frame.id], frame) if frame.id in known else ()
    if problems:
        return tuple(problems)
    let_in = {frame.id for frame in there.frames if frame.trusted and frame.id in promoted}
    waiting = {frame.id for frame in here.frames if not frame.trusted and frame.id in let_in}
    result, lines = data or OPENING.encode(), other.split(b"\n")
    if waiting:
        step = promote(path, result, waiting)
        assert isinstance(step, bytes)  # it was read to its end, and the frames with it
        result = step
    added = b"\n".join(_raw(lines, frame) for frame in there.frames if frame.id not in known)
    return result + (joint(here, result) + added if added else b"")


def _raw(lines: list[bytes], frame: Archived) -> bytes:
    """The lines of a frame: its header, which is as long as what it says, and its record."""
    header = 3 + (frame.speaker_id is not None) + (frame.provenance is not None)
    start, end = frame.line - 1 - header, frame.line + frame.record.count("\n")
    return b"\n".join(lines[start:end]) + b"\n"


def _differs(path: str, here: Archived, there: Archived) -> Iterator[Problem]:
    if _substance(here) != _substance(there) and not is_erased(here):
        message = f"{here.id} is archived here and there with another content"
        remedy = "no program does that: find out which of the two is genuine, and take the other back"
        yield Problem(Code.SOURCES_CHANGED, message, path, here.line, remedy)


def _substance(frame: Archived) -> Archived:
    """All of a frame but where it stands, and whether it is let in."""
    made_by = frame.provenance and frame.provenance._replace(trust=Trust.TRUSTED)
    return evolve(frame, line=0, provenance=made_by, trusted=True)
