"""The strict reader of source archive version 2 (format, section 4).

The first malformed or truncated frame ends the file; what stands before it stays valid. Malformed is
also a frame whose id belongs to another file than the one that it stands in, whose anchor is not the
one of its id, or whose id has stood in the file before: nothing else could then tell which text a
citation means.
"""

import re
from collections.abc import Callable, Sequence
from typing import TypeVar
from urllib.parse import unquote

from attrs import Factory, frozen

from ..names import SourceId, anchor, archive_path
from .archived import Archive, Archived, lines_of, split_record
from .header import Provenance, Trust, parse_provenance, parse_speaker

__all__ = ["HEADER", "is_framed", "read_frames"]

_T = TypeVar("_T")
HEADER = "<!-- openprogram-source-archive:v2 -->"

_PATH = re.compile(r"sources/([^/]+)/_v2/([^/]+)\.md")
_COUNT = re.compile(r"[1-9][0-9]{0,8}")
# Parentheses are refused in new ids only (format, section 4): archives that have them stay readable.
_NEVER_IN_IDS = frozenset("[]<>")


def is_framed(path: str) -> bool:
    """Whether an archive of version 2 belongs at `path` and some source id leads there."""
    return _thread(path) is not None


def read_frames(path: str, data: bytes) -> Archive:
    """The valid frames at the beginning of `data`; never raises."""
    lines, thread = lines_of(data), _thread(path)
    if lines[0] != HEADER or thread is None:
        return Archive(path, (), False, 1)
    if lines[1:2] != [""] or len(lines) < 3:
        return Archive(path, (), False, min(2, len(lines)))
    reader = _Reader(lines, thread)
    frames: list[Archived] = []
    index = 2
    while not _at_end(lines, index):
        found = reader.frame(index)
        if isinstance(found, int):
            return Archive(path, tuple(frames), False, min(found, len(lines)))
        frames.append(found)
        index = found.line + found.record.count("\n") + 1
    return Archive(path, tuple(frames))


def _thread(path: str) -> str | None:
    """`provider/thread/`, with which the ids of an archive begin; None if no id leads to the path."""
    if not (match := _PATH.fullmatch(path)):
        return None
    thread = f"{unquote(match[1])}/{unquote(match[2])}/"
    fits = thread.isprintable() and _NEVER_IN_IDS.isdisjoint(thread) and unquote(match[1]) not in (".", "..")
    return thread if fits and archive_path(thread + "x") == path else None


def _at_end(lines: Sequence[str], index: int) -> bool:
    """The empty line after the last frame may be ended by an LF of its own, or by the end of the file."""
    return index >= len(lines) or (index == len(lines) - 1 and not lines[index])


@frozen
class _Reader:
    """Reads one frame after the other; a method gives its value, or the number of the line that is wrong."""

    lines: Sequence[str]
    thread: str
    seen: set[str] = Factory(set[str])
    speakers: dict[str, str | None] = Factory(dict[str, str | None])
    provenances: dict[str, Provenance | None] = Factory(dict[str, Provenance | None])

    def frame(self, index: int) -> Archived | int:
        mark, source = self._inner(index, '<a id="', '"></a>'), self._inner(index + 1, "<!-- source-id:")
        if mark is None or source is None or not self._fits(source):
            return index + (1 if mark is None else 2)
        if anchor(source) != mark:
            return index + 1
        self.seen.add(source)
        return self._spoken(SourceId(source), mark, index + 2)

    def _spoken(self, source: SourceId, mark: str, index: int) -> Archived | int:
        speaker = provenance = None
        if (token := self._inner(index, "<!-- speaker-id:")) is not None:
            speaker = _once(self.speakers, token, parse_speaker)
            if speaker is None:
                return index + 1
            index += 1
        if (token := self._inner(index, "<!-- source-meta:")) is not None:
            provenance = _once(self.provenances, token, parse_provenance)
            if provenance is None:
                return index + 1
            index += 1
        record = self._record(index)
        if isinstance(record, int):
            return record
        if (parts := split_record(record)) is None:
            return index + 2
        trusted = provenance is None or provenance.trust is Trust.TRUSTED
        at, label, text = parts
        return Archived(source, mark, index + 2, label, at, text, record, speaker, provenance, trusted)

    def _record(self, index: int) -> str | int:
        count = self._inner(index, "<!-- record-lines:")
        if count is None or not _COUNT.fullmatch(count):
            return index + 1
        start, end = index + 1, index + 1 + int(count)
        if end >= len(self.lines) or self.lines[end]:
            return end + 1
        return "\n".join(self.lines[start:end])

    def _inner(self, index: int, opening: str, closing: str = " -->") -> str | None:
        """What stands on a line between `opening` and `closing`; None if the line is of another form."""
        line = self.lines[index] if index < len(self.lines) else ""
        if line.startswith(opening) and line.endswith(closing) and len(line) >= len(opening) + len(closing):
            return line[len(opening) : -len(closing)]
        return None

    def _fits(self, source: str) -> bool:
        message = source[len(self.thread) :]
        named = bool(message) and message.isprintable() and _NEVER_IN_IDS.isdisjoint(message)
        return named and source.startswith(self.thread) and source not in self.seen


def _once(known: dict[str, _T], token: str, parse: Callable[[str], _T]) -> _T:
    """`parse(token)`, worked out once a file: most frames of a thread repeat their header."""
    if token not in known:
        known[token] = parse(token)
    return known[token]
