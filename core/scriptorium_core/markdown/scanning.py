"""One block of Markdown as pieces: text, references to notes, inline notes, and the block ids at its end.

Inline code, backslash escapes, targets of links and autolinks are text, whatever stands in them.
"""

import re
from collections.abc import Container, Iterator, Mapping
from enum import StrEnum

from attrs import field, frozen

__all__ = ["Piece", "PieceKind", "scan"]

_SPECIAL = re.compile(r"\\|`+|\^?\[|\]|<")
_REFERENCE = re.compile(r"\[\^([^\]\s]+)\]")
_TARGET = re.compile(r"\]\((?:<[^<>\r\n]*>|[^\s()<>]*(?:\([^\s()<>]*\)[^\s()<>]*)*)(?=[\s)])")
_AUTOLINK = re.compile(r"<[A-Za-z][A-Za-z0-9+.-]{1,31}:[^\s<>]*>")
_IDS = re.compile(r"((?:\s+\^[A-Za-z0-9-]+)+)(\s*)")
_PUNCTUATION = frozenset("!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~")


class PieceKind(StrEnum):
    """What a piece is."""

    TEXT = "text"
    REFERENCE = "reference"
    INLINE = "inline"
    DEFINITION = "definition"
    BLOCK_IDS = "block-ids"
    HIDDEN = "hidden"


@frozen
class Piece:
    """A stretch of the source. `names` are the note's name or the block ids, `body` the text of a note."""

    kind: PieceKind
    text: str
    names: tuple[str, ...] = ()
    body: str = field(default="", repr=False)


def scan(text: str, names: Container[str]) -> tuple[Piece, ...]:
    """The pieces of one block; they join to it. Only notes of these `names` are referred to."""
    return tuple(_with_ids(list(_merged(_pieces(text, names)))))


def _pieces(text: str, names: Container[str]) -> Iterator[Piece]:
    opened, closing = list(_brackets(text)), _closings(text)
    done = 0
    for start in opened:
        piece = _note(text, start, names, closing) if start >= done else None
        if piece is not None:
            yield Piece(PieceKind.TEXT, text[done:start])
            yield piece
            done = start + len(piece.text)
    yield Piece(PieceKind.TEXT, text[done:])


def _note(text: str, start: int, names: Container[str], closing: Mapping[int, int]) -> Piece | None:
    """The reference or the inline note that begins here, None if none does."""
    if text[start] == "[":
        match = _REFERENCE.match(text, start)
        if match is None or match[1] not in names:
            return None
        return Piece(PieceKind.REFERENCE, match[0], (match[1],))
    end = closing.get(start)
    body = text[start + 2 : end] if end is not None else ""
    return Piece(PieceKind.INLINE, f"^[{body}]", (), body) if body.strip() else None


def _brackets(text: str) -> Iterator[int]:
    """Where a bracket opens that is no text, a caret before it included."""
    return (found.start() for found in _marks(text) if found[0][-1] == "[")


def _closings(text: str) -> Mapping[int, int]:
    """Where each bracket that is closed is closed; one pass, whatever stands open."""
    opened: list[int] = []
    closings: dict[int, int] = {}
    for found in _marks(text):
        if found[0][-1] == "[":
            opened.append(found.start())
        elif opened:
            closings[opened.pop()] = found.start()
    return closings


def _marks(text: str) -> Iterator[re.Match[str]]:
    """The brackets that are no text."""
    position = 0
    while found := _SPECIAL.search(text, position):
        if found[0][-1] in "[]":
            yield found
        position = _after(text, found)


def _after(text: str, found: re.Match[str]) -> int:
    """Where reading goes on behind a mark and what it makes literal."""
    mark, start = found[0], found.start()
    if mark == "\\":
        return start + (2 if text[start + 1 : start + 2] in _PUNCTUATION else 1)
    if mark[0] == "`":
        return _code_end(text, start, len(mark))
    skipped = {"]": _TARGET, "<": _AUTOLINK}.get(mark)
    match = skipped.match(text, start) if skipped is not None else None
    return match.end() if match is not None else found.end()


def _code_end(text: str, start: int, ticks: int) -> int:
    """Behind the inline code that a run of backticks opens; behind the run if nothing closes it."""
    closing = re.compile(rf"(?<!`)`{{{ticks}}}(?!`)").search(text, start + ticks)
    return closing.end() if closing is not None else start + ticks


def _merged(pieces: Iterator[Piece]) -> Iterator[Piece]:
    """The same, none of them empty."""
    return (piece for piece in pieces if piece.text)


def _with_ids(pieces: list[Piece]) -> Iterator[Piece]:
    """The ids at the end, each after white space, after at least one reference, as pieces of their own."""
    tail = pieces[-1] if len(pieces) > 1 and pieces[-2].kind is PieceKind.REFERENCE else None
    match = _IDS.fullmatch(tail.text) if tail is not None else None
    if match is None:
        yield from pieces
        return
    yield from pieces[:-1]
    ids = tuple(word[1:] for word in match[1].split())
    yield Piece(PieceKind.BLOCK_IDS, match[1], ids)
    if match[2]:
        yield Piece(PieceKind.TEXT, match[2])
