"""Where something goes in a topic: the start and the end of a section, and the making of its headings."""

from ..markdown.spans import Span, SpanKind
from .edit import insert_at
from .model import Topic

__all__ = ["remarked", "section_end", "section_start", "with_headings"]


def section_start(topic: Topic, headings: tuple[str, ...]) -> int:
    """The index of the first span below the last heading of the chain, which stands there; blanks passed."""
    if not headings:
        return 0
    parts = topic.spans
    made = (n for n, span in enumerate(parts) if span.kind is SpanKind.HEADING and span.headings == headings)
    return _past_blanks(parts, next(made) + 1)


def section_end(topic: Topic, headings: tuple[str, ...]) -> int:
    """The index after the last span that stands directly in the section; -1 without such a section."""
    last = 0 if not headings else -1
    for index, span in enumerate(topic.spans):
        if span.headings == headings and span.kind is not SpanKind.BLANK:
            last = index + 1
    return last


def remarked(topic: Topic) -> frozenset[tuple[str, ...]]:
    """The sections in which a fence, a comment or an anchor stands: it needs a record beside it."""
    kept = (SpanKind.FENCE, SpanKind.HTML)
    return frozenset(span.headings for span in topic.spans if span.kind in kept)


def with_headings(topic: Topic, headings: tuple[str, ...]) -> Topic:
    """The topic with the chain of headings made where it was missing, below what there is of it."""
    if section_end(topic, headings) >= 0:
        return topic
    eol = topic.eol
    depth = next(d for d in range(len(headings) - 1, -1, -1) if _subtree_end(topic, headings[:d]) >= 0)
    index = _subtree_end(topic, headings[:depth])
    lines = [f"{'#' * (level + 1)} {headings[level]}" for level in range(depth, len(headings))]
    return insert_at(topic, index, (eol + eol).join(lines) + eol)


def _past_blanks(parts: tuple[Span, ...], index: int) -> int:
    while index < len(parts) and parts[index].kind is SpanKind.BLANK:
        index += 1
    return index


def _subtree_end(topic: Topic, headings: tuple[str, ...]) -> int:
    """The index after the last span in the section or below it; the end of the file for no headings."""
    if not headings:
        return len(topic.spans)
    depth = len(headings)
    found = -1
    for index, span in enumerate(topic.spans):
        if span.headings[:depth] == headings and span.kind is not SpanKind.BLANK:
            found = index + 1
    return found
