"""The pieces of a topic: a span that is not blank, with the blank lines after it."""

from collections.abc import Sequence

from attrs import evolve, frozen

from ..markdown.spans import SpanKind, missing_fence
from .model import Topic

__all__ = ["Piece", "joined", "pieces_of"]


@frozen
class Piece:
    """The text of a piece, the line where it begins, and whether it ended its file.

    `name` is what it stays through a change of its text: `^id` for a record, `[^label]` for a definition,
    its text for anything else. `kind` is that of its span, `fence` what closes one that ran to the end.
    """

    text: str
    line: int
    last: bool
    name: str
    kind: SpanKind
    fence: str = ""

    @property
    def key(self) -> str:
        """What counts of it."""
        return self.text.strip()


def pieces_of(topic: Topic) -> tuple[Piece, ...]:
    """The pieces of a topic, in order; blank lines before the first one are one of their own."""
    names = {definition.span: f"[^{label}]" for label, definition in topic.definitions.items()}
    names |= {record.span: f"^{record.id}" for record in topic.records if record.ids}
    found: list[Piece] = []
    for index, (span, text) in enumerate(zip(topic.spans, topic.texts, strict=True)):
        if span.kind is SpanKind.BLANK and found:
            before = found[-1]
            found[-1] = evolve(before, text=before.text + text)
        else:
            found.append(Piece(text, span.line, False, names.get(index, text.strip()), span.kind))
    if found:
        found[-1] = evolve(found[-1], last=True, fence=missing_fence(topic.spans[-1]))
    return tuple(found)


def joined(pieces: Sequence[Piece], eol: str) -> list[str]:
    """The texts of the pieces; one that ended its file and does so no more gets a blank line after it.

    A fence that nobody closed is closed there: it would swallow what follows.
    """
    texts = [piece.text for piece in pieces]
    for index, piece in enumerate(pieces[:-1]):
        if piece.last:
            closing = piece.fence + eol if piece.fence else ""
            texts[index] = texts[index].rstrip("\r\n") + eol + closing + eol
    if pieces and not pieces[-1].last:
        texts[-1] = texts[-1].rstrip("\r\n") + eol
    return texts
