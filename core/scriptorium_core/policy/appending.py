"""What an edit does to the text that stood there: an append puts new spans between and changes none.

Every span that is not blank must come again, in order, below the same headings, letter for letter.
Line ends around it do not count, nor does the mark that closes a fence which ran to the end of the file:
what is added after such a fence would else be swallowed by it.
"""

from collections.abc import Iterator

from ..markdown.spans import Span, SpanKind, missing_fence
from ..topics.model import Topic

__all__ = ["overwritten"]

_Piece = tuple[SpanKind, tuple[str, ...], str]


def overwritten(before: Topic, after: Topic | None) -> Span | None:
    """The first span of a topic that an edit changed, moved or took away; None if it only added."""
    new = iter(_pieces(after)) if after is not None else iter(())
    for index, (span, piece) in enumerate(zip(before.spans, _pieces(before), strict=True)):
        if span.kind is SpanKind.BLANK:
            continue
        allowed = (piece, _closed(before, index, piece))
        if not any(found in allowed for found in new):
            return span
    return None


def _pieces(topic: Topic) -> Iterator[_Piece]:
    for span, text in zip(topic.spans, topic.texts, strict=True):
        yield span.kind, span.headings, text.strip("\r\n")


def _closed(topic: Topic, index: int, piece: _Piece) -> _Piece:
    """The piece with its fence closed, where nobody had closed it."""
    mark = missing_fence(topic.spans[index])
    if not mark:
        return piece
    kind, headings, _ = piece
    text = topic.texts[index]
    ended = text if text.endswith(("\n", "\r")) else text + topic.eol
    return kind, headings, (ended + mark).strip("\r\n")
