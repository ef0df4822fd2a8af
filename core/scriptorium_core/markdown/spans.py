"""A text as spans of lines that join to the very same text.

Heading: 1 to 6 `#`, a space, text. Fence: a line whose stripped text begins with three or more
backticks or tildes, up to a line of at least as many of the same; unclosed, it runs to the end.
A line that begins with `<!--` or `<a ` is HTML, `[^id]:` begins a definition; both are no prose. A
paragraph is a maximal run of the other lines that are not blank. Lines end at LF, CRLF or CR only.
"""

import re
from collections.abc import Iterator
from enum import StrEnum

from attrs import field, frozen

__all__ = [
    "BOM",
    "Span",
    "SpanKind",
    "heading_path",
    "join",
    "line_ending",
    "lines_of",
    "missing_fence",
    "spans",
]

BOM = "\ufeff"
_LINE = re.compile(r"[^\r\n]*(?:\r\n|\n|\r)|[^\r\n]+")
_ENDING = re.compile(r"\r\n|\n|\r")
_HEADING = re.compile(r"(#{1,6}) +(\S.*)", re.DOTALL)
_DEFINITION = re.compile(r"\[\^[^\]\s]+\]:")


class SpanKind(StrEnum):
    """What the lines of a span are."""

    HEADING = "heading"
    FENCE = "fence"
    HTML = "html"
    DEFINITION = "definition"
    PARAGRAPH = "paragraph"
    BLANK = "blank"


# What a line of prose, a blank line, … is: its kind and its level.
_PARAGRAPH = (SpanKind.PARAGRAPH, 0)
_BLANK = (SpanKind.BLANK, 0)
_NOTE = (SpanKind.DEFINITION, 0)
_HTML = (SpanKind.HTML, 0)
_FENCE_LINE = (SpanKind.FENCE, 0)
_RUNS = (SpanKind.PARAGRAPH, SpanKind.BLANK)


@frozen
class Span:
    """Some whole lines: `text` with its line ends, `line` of the first (from 1), `headings` above.

    A heading's own text is the last of its `headings`; `level` is 0 for all other kinds.
    """

    kind: SpanKind
    text: str
    line: int = field(eq=False)
    headings: tuple[str, ...] = field(eq=False)
    level: int = field(default=0, eq=False)


def lines_of(text: str) -> list[str]:
    """The lines of a text with their ends; U+2028, NEL and the like end none."""
    return _LINE.findall(text)


def line_ending(text: str, default: str = "\n") -> str:
    """The line end that a text uses: that of its first line, `default` if it has none."""
    match = _ENDING.search(text)
    return match[0] if match else default


def join(parts: tuple[Span, ...]) -> str:
    """The text that the spans were made from."""
    return "".join(span.text for span in parts)


def heading_path(path: tuple[str, ...], level: int, title: str) -> tuple[str, ...]:
    """The heading path below a heading: cut to `level` - 1 entries, then the title."""
    return (*path[: level - 1], title)


def spans(text: str) -> tuple[Span, ...]:
    """The spans of a text, in order; every character is in exactly one of them."""
    return tuple(_read(lines_of(text)))


def missing_fence(span: Span) -> str:
    """The line that would close a fence which runs to the end of its file; empty if nothing is open."""
    if span.kind is not SpanKind.FENCE:
        return ""
    lines = lines_of(span.text)
    mark = _fence_mark(lines[0])
    return "" if len(lines) > 1 and _closes(lines[-1], mark) else mark


def _read(lines: list[str]) -> Iterator[Span]:
    path: tuple[str, ...] = ()
    position, count = 0, len(lines)
    ahead = _classify(lines[0].removeprefix(BOM)) if lines else _BLANK
    while position < count:
        kind, level = ahead
        end = _fence_end(lines, position) if kind is SpanKind.FENCE else position + 1
        ahead = _classify(lines[end]) if end < count else _BLANK
        while end < count and ahead[0] is kind and kind in _RUNS:
            end += 1
            ahead = _classify(lines[end]) if end < count else _BLANK
        if kind is SpanKind.HEADING:
            path = heading_path(path, level, lines[position].removeprefix(BOM)[level:].strip())
        text = lines[position] if end == position + 1 else "".join(lines[position:end])
        yield Span(kind, text, position + 1, path, level)
        position = end


def _classify(line: str) -> tuple[SpanKind, int]:
    first = line[:1]
    if first == "#":
        match = _HEADING.match(line)
        return (SpanKind.HEADING, len(match[1])) if match else _PARAGRAPH
    if first == "[":
        return _NOTE if _DEFINITION.match(line) else _PARAGRAPH
    if first == "<":
        return _HTML if line.startswith(("<!--", "<a ")) else _PARAGRAPH
    if first in "`~" or first.isspace():
        stripped = line.strip()
        return (_FENCE_LINE if stripped.startswith(("```", "~~~")) else _PARAGRAPH) if stripped else _BLANK
    return _PARAGRAPH


def _fence_end(lines: list[str], start: int) -> int:
    mark = _fence_mark(lines[start])
    for index in range(start + 1, len(lines)):
        if _closes(lines[index], mark):
            return index + 1
    return len(lines)


def _fence_mark(line: str) -> str:
    opening = line.removeprefix(BOM).strip()
    return opening[: len(opening) - len(opening.lstrip(opening[0]))]


def _closes(line: str, mark: str) -> bool:
    closing = line.strip()
    return len(closing) >= len(mark) and closing == mark[0] * len(closing)
