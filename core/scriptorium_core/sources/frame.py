"""One archived message as a value, and how it is written into an archive.

A frame of source archive version 2 (format, section 4), each line ended by LF:

    <a id="source-d27322333c5a46bd"></a>
    <!-- source-id:chat/s1/m2 -->
    <!-- speaker-id:4402 -->                optional; empty: a display name only
    <!-- source-meta:eyJhdXRo… -->          optional; base64url of compact JSON
    <!-- record-lines:1 -->
    [2026-04-22T10:21:00+02:00] Bo (4402): the text, verbatim

An empty line follows. Between frames its LF is written, after the last frame of a file it is not.
"""

from typing import NamedTuple

from ..names import SourceId, anchor, source_id
from ..problem import Code, Problem
from .header import Provenance, provenance_token, speaker_token
from .kinds import Branch, Context, Origin, Tier, Trust

__all__ = [
    "Branch",
    "Context",
    "Frame",
    "Origin",
    "Provenance",
    "Tier",
    "Trust",
    "encode_frame",
    "frame_problems",
    "label",
    "record_of",
]

_LABEL_LIMIT = 64
_DELIMITERS = str.maketrans("[]:", "()：")


class Frame(NamedTuple):
    """A message to be archived; `content` verbatim, `at` ISO 8601 as given ("" unknown)."""

    id: SourceId
    role: str
    content: str
    at: str = ""
    speaker_id: str | None = None
    speaker_name: str = ""
    provenance: Provenance | None = None


def label(frame: Frame) -> str:
    """Who speaks, safe inside a record line: `display (id)`, or the one that exists, else the role."""
    name, speaker = _label_part(frame.speaker_name), _label_part(frame.speaker_id or "")
    if name and speaker:
        return f"{name} ({speaker})"
    return name or speaker or _label_part(frame.role) or "unknown"


def record_of(frame: Frame) -> str:
    """The record of a frame: `[at] label: content`, with `[]` for an unknown time."""
    return f"[{frame.at}] {label(frame)}: {frame.content}"


def encode_frame(frame: Frame) -> str:
    """The frame as text, up to the LF that ends its record; `frame_problems` must be empty."""
    record = record_of(frame)
    lines = [f'<a id="{anchor(frame.id)}"></a>', f"<!-- source-id:{frame.id} -->"]
    if _label_part(frame.speaker_name) or _label_part(frame.speaker_id or ""):
        lines.append(f"<!-- speaker-id:{speaker_token(frame.speaker_id or '')} -->")
    if frame.provenance is not None:
        lines.append(f"<!-- source-meta:{provenance_token(frame.provenance)} -->")
    lines.append(f"<!-- record-lines:{record.count(chr(10)) + 1} -->")
    return "\n".join([*lines, record, ""])


def frame_problems(frame: Frame) -> tuple[Problem, ...]:
    """Why a frame cannot be written, all reasons at once; empty if it can."""
    faults: list[Problem] = []
    if source_id(frame.id) is None:
        remedy = "use provider/thread/message, printable, without [ ] ( ) < >"
        faults.append(_refuse(f"{frame.id!r} is not a source id", remedy))
    if not frame.at.isprintable() or "[" in frame.at or "]" in frame.at:
        message = f"the time {frame.at!r} of {frame.id!r} cannot be written"
        faults.append(_refuse(message, "give ISO 8601 or an empty time"))
    torn = [name for name, text in _texts(frame) if not _is_text(text)]
    if torn:
        message = f"the {', '.join(torn)} of {frame.id!r} holds a lone surrogate"
        faults.append(_refuse(message, "replace it by U+FFFD"))
    return tuple(faults)


def _label_part(text: str) -> str:
    printable = "".join(char for char in " ".join(text.split()) if char.isprintable())
    return printable.strip().translate(_DELIMITERS)[:_LABEL_LIMIT].rstrip()


def _texts(frame: Frame) -> tuple[tuple[str, str], ...]:
    made_by = frame.provenance
    return (
        ("content", frame.content),
        ("speaker id", frame.speaker_id or ""),
        ("principal", made_by.principal_id if made_by else ""),
        ("speaker kind", made_by.speaker_kind if made_by else ""),
    )


def _is_text(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _refuse(message: str, remedy: str) -> Problem:
    return Problem(Code.INVALID_ARGUMENT, message, remedy=remedy)
