"""The strict reader of source archive version 2 (format, section 4).

The first malformed or truncated frame ends the file; what stands before it stays valid. Malformed is
also a frame whose id belongs to another file than the one that it stands in, whose anchor is not the
one of its id, or whose id has stood in the file before: nothing else could then tell which text a
citation means.
"""

import re
from collections.abc import Callable
from typing import TypeVar
from urllib.parse import unquote

from attrs import Factory, frozen

from ..names import SourceId, anchor, archive_path
from .archived import Archive, Archived, split_record, text_of
from .header import Provenance, Trust, parse_provenance, parse_speaker

__all__ = ["OPENING", "is_framed", "read_frames"]

_T = TypeVar("_T")

OPENING = "<!-- openprogram-source-archive:v2 -->\n\n"

_PATH = re.compile(r"sources/([^/]+)/_v2/([^/]+)\.md")
_HEADER_LINES = (
    r'<a id="([^"\n]*)"></a>\n',
    r"<!-- source-id:([^\n]*) -->\n",
    r"(?:<!-- speaker-id:([^\n]*) -->\n)?",
    r"(?:<!-- source-meta:([^\n]*) -->\n)?",
    r"<!-- record-lines:([1-9][0-9]{0,8}) -->\n",
)
_HEADER = re.compile("".join(_HEADER_LINES))
# Parentheses are refused in new ids only (format, section 4): archives that have them stay readable.
_NEVER_IN_IDS = frozenset("[]<>")

_Step = tuple[Archived, int, int]
"""A frame, and the offset and the line on which the next one begins."""


def is_framed(path: str) -> bool:
    """Whether an archive of version 2 belongs at `path` and some source id leads there."""
    return _thread(path) is not None


def read_frames(path: str, data: bytes) -> Archive:
    """The valid frames at the beginning of `data`; never raises."""
    text, thread = text_of(data), _thread(path)
    if thread is None or not text.startswith(OPENING):
        return Archive(path, (), False, 2 if text.startswith(OPENING[:-1]) else 1)
    reader = _Reader(text, thread)
    frames: list[Archived] = []
    offset, line = len(OPENING), 3
    while offset < len(text):
        step = reader.frame(offset, line)
        if isinstance(step, int):
            return Archive(path, tuple(frames), False, step)
        frame, offset, line = step
        frames.append(frame)
    return Archive(path, tuple(frames))


def _thread(path: str) -> str | None:
    """`provider/thread/`, with which the ids of an archive begin; None if no id leads to the path."""
    if not (match := _PATH.fullmatch(path)):
        return None
    thread = f"{unquote(match[1])}/{unquote(match[2])}/"
    fits = thread.isprintable() and _NEVER_IN_IDS.isdisjoint(thread) and match[1] not in (".", "..")
    return thread if fits and archive_path(thread + "x") == path else None


@frozen
class _Header:
    id: SourceId
    anchor: str
    line: int
    speaker_id: str | None
    provenance: Provenance | None


@frozen
class _Reader:
    """Reads one frame after the other; instead of a value comes the number of the line that is wrong."""

    text: str
    thread: str
    seen: set[str] = Factory(set[str])
    speakers: dict[str, str | None] = Factory(dict[str, str | None])
    provenances: dict[str, Provenance | None] = Factory(dict[str, Provenance | None])

    def frame(self, offset: int, line: int) -> _Step | int:
        """The frame that begins at an offset into the text, on a line (from 1)."""
        header = _HEADER.match(self.text, offset)
        if header is None:
            return line + _lines_that_fit(self.text, offset)
        mark, source, speaker, meta, count = header.groups()
        if not self._fits(source):
            return line + 1
        if anchor(source) != mark:
            return line
        spoken = _once(self.speakers, speaker, parse_speaker) if speaker is not None else None
        if spoken is None and speaker is not None:
            return line + 2
        provenance = _once(self.provenances, meta, parse_provenance) if meta is not None else None
        first = line + 3 + (speaker is not None) + (meta is not None)
        if provenance is None and meta is not None:
            return first - 2
        self.seen.add(source)
        return self._record(
            _Header(SourceId(source), mark, first, spoken, provenance), header.end(), int(count)
        )

    def _record(self, head: _Header, start: int, count: int) -> _Step | int:
        """The frame of a header whose record begins at `start` and has `count` lines."""
        end = _end_of_lines(self.text, start, count)
        if end is None:
            return self.text.count("\n") + 1
        if self.text[end + 1 : end + 2] not in ("", "\n"):
            return head.line + count
        record = self.text[start:end]
        if (parts := split_record(record)) is None:
            return head.line
        at, label, text = parts
        trusted = head.provenance is None or head.provenance.trust is Trust.TRUSTED
        frame = Archived(
            head.id,
            head.anchor,
            head.line,
            label,
            at,
            text,
            record,
            head.speaker_id,
            head.provenance,
            trusted,
        )
        return frame, end + 2, head.line + count + 1

    def _fits(self, source: str) -> bool:
        message = source[len(self.thread) :]
        named = bool(message) and message.isprintable() and _NEVER_IN_IDS.isdisjoint(message)
        return named and source.startswith(self.thread) and source not in self.seen


def _lines_that_fit(text: str, offset: int) -> int:
    """How many lines of a malformed header are in order before the one that is not."""
    openings = ("".join(_HEADER_LINES[:length]) for length in range(len(_HEADER_LINES)))
    found = (re.compile(opening).match(text, offset) for opening in openings)
    return max(match[0].count("\n") for match in found if match)


def _end_of_lines(text: str, start: int, count: int) -> int | None:
    """The offset of the LF that ends the last of `count` lines; None if there are fewer."""
    end = start - 1
    for _ in range(count):
        end = text.find("\n", end + 1)
        if end < 0:
            return None
    return end


def _once(known: dict[str, _T], token: str, parse: Callable[[str], _T]) -> _T:
    """`parse(token)`, worked out once a file: most frames of a thread repeat their header."""
    if token not in known:
        known[token] = parse(token)
    return known[token]
