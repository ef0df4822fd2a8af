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
    position = 0
    while position < len(lines):
        line = lines[position].removeprefix(BOM) if position == 0 else lines[position]
        kind, level = _classify(line)
        end = _end(kind, lines, position)
        if kind is SpanKind.HEADING:
            path = heading_path(path, level, line[level:].strip())
        yield Span(kind, "".join(lines[position:end]), position + 1, path, level)
        position = end


def _classify(line: str) -> tuple[SpanKind, int]:
    stripped = line.strip()
    if not stripped:
        return SpanKind.BLANK, 0
    if stripped.startswith(("```", "~~~")):
        return SpanKind.FENCE, 0
    if line.startswith("#") and (match := _HEADING.match(line)):
        return SpanKind.HEADING, len(match[1])
    if line.startswith(("<!--", "<a ")):
        return SpanKind.HTML, 0
    if line.startswith("[^") and _DEFINITION.match(line):
        return SpanKind.DEFINITION, 0
    return SpanKind.PARAGRAPH, 0


def _end(kind: SpanKind, lines: list[str], start: int) -> int:
    """The index after the last line of the span that begins at `start`."""
    if kind is SpanKind.FENCE:
        return _fence_end(lines, start)
    if kind not in (SpanKind.PARAGRAPH, SpanKind.BLANK):
        return start + 1
    end = start + 1
    while end < len(lines) and _classify(lines[end])[0] is kind:
        end += 1
    return end


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
