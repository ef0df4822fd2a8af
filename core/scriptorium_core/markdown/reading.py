"""A text as it is read: notes by sequence, block ids as anchors, and marks that a renderer fills.

    Tea, not coffee.[^e-1] ^6c1f02aa        a reference, and a block id at the end of its paragraph
    More of it.^[An inline note.]
    [^e-1]: Time: `2026-03-01`; …           a definition, at the beginning of a line
      and its next line                     continued by two spaces or more

Notes are numbered by their first reference; further references have the same number. A reference to nothing
stays text. Code (fenced, indented, nested in lists, inline) and escapes are literal: which lines are code,
the Markdown parser says. Comments and anchors on a line of their own are not shown.

`marked` is Markdown with a mark in place of each piece that is no text. A mark holds a noncharacter that
the text does not hold; no entity and no escape makes one, so no input can be taken for a mark.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from functools import cached_property
from itertools import count

from attrs import evolve, field, frozen
from markdown_it import MarkdownIt

from .scanning import Piece, PieceKind, scan
from .spans import BOM, lines_of

__all__ = ["Note", "Piece", "PieceKind", "Reading", "read", "source_of"]

_DEFINITION = re.compile(r"\[\^([^\]\s]+)\]:[ \t]*")
_CONTINUED = re.compile(r"(?: {2}|\t)[ \t]*\S")
_ALONE = re.compile(r'<!--.*-->\s*|<a\s+(?:id|name)="[^"<>]*"\s*>\s*(?:</a>)?\s*')
_NONCHARACTERS = tuple(map(chr, range(0xFDD0, 0xFDF0)))
_REPLACED = "\ufffd"


@frozen
class Note:
    """A note of the list at the end: its number from 1, its name (empty: it stood inline) and its text.

    `references` counts how often it is referred to.
    """

    number: int
    name: str
    body: str
    references: int = 1


@frozen
class Reading:
    """Pieces that join to the source, and the notes by number.

    `numbers` says of each piece by its place which note it refers to, `turns` the how-manieth time.
    """

    pieces: tuple[Piece, ...]
    notes: tuple[Note, ...]
    numbers: Mapping[int, int] = field(factory=dict[int, int], hash=False)
    turns: Mapping[int, int] = field(factory=dict[int, int], hash=False)

    @cached_property
    def key(self) -> str:
        """The noncharacter of the marks, in none of the pieces while there is one left."""
        return next((each for each in _NONCHARACTERS if not self._holds(each)), _NONCHARACTERS[0])

    @property
    def marked(self) -> str:
        """The Markdown with a mark for each piece that is no text."""
        key = self.key
        return "".join(self._marked(place, piece, key) for place, piece in enumerate(self.pieces))

    def filled(self, text: str, of: Callable[[int, Piece], str]) -> str:
        """A text of the renderer, each mark in it replaced by what `of` gives for the piece at its place."""
        return self._mark.sub(lambda found: of(int(found[1]), self.pieces[int(found[1])]), text)

    def literal(self, text: str) -> str:
        """The text with the source in place of each mark, for what turned out to be code."""
        return self.filled(text, lambda _, piece: piece.text)

    def parts(self, text: str) -> Iterator[str | int]:
        """The text in order: stretches of it, and the places of the pieces that its marks stand for."""
        for index, part in enumerate(self._mark.split(text)):
            if index % 2:
                yield int(part)
            elif part:
                yield part

    @cached_property
    def _mark(self) -> re.Pattern[str]:
        return re.compile(f"\u2e28{self.key}([0-9]+){self.key}\u2e29")

    def _holds(self, char: str) -> bool:
        return any(char in piece.text for piece in self.pieces)

    def _marked(self, place: int, piece: Piece, key: str) -> str:
        match piece.kind:
            case PieceKind.TEXT:
                # Only where all noncharacters are in the text: then the key is shown as what is unknown.
                return piece.text.replace(key, _REPLACED)
            case PieceKind.DEFINITION:
                return "\n" * len(lines_of(piece.text))
            case PieceKind.HIDDEN:
                return ""
            case _:
                # Punctuation around it, as the brackets were: what is emphasised before it stays so.
                return f"\u2e28{key}{place}{key}\u2e29"


def read(text: str) -> Reading:
    """Read a text; any text gives a value, and its pieces join to the text."""
    lines = lines_of(text)
    code, starts = _blocks(text)
    definitions = dict(_definitions(lines, code))
    bodies: dict[str, str] = {}
    for label, body, _ in definitions.values():
        bodies.setdefault(label, body)
    pieces = tuple(_pieces(lines, code, starts, definitions, bodies))
    return _numbered(pieces, bodies)


def source_of(reading: Reading) -> str:
    """The text that was read."""
    return "".join(piece.text for piece in reading.pieces)


def _blocks(text: str) -> tuple[frozenset[int], frozenset[int]]:
    """The lines (from 0) that are code, and those in which a block of prose begins."""
    parser = MarkdownIt("commonmark", {"html": False}).enable(["table"]).disable(["inline"])
    code, starts = set[int](), set[int]()
    for token in parser.parse(text):
        if token.map is not None and token.type in ("fence", "code_block"):
            code.update(range(*token.map))
        elif token.map is not None and token.type == "inline":
            starts.add(token.map[0])
    return frozenset(code), frozenset(starts)


def _definitions(lines: list[str], code: frozenset[int]) -> Iterator[tuple[int, tuple[str, str, int]]]:
    """Each definition by its first line: name, text, and the line behind it."""
    end = 0
    for index, line in enumerate(lines):
        match = _DEFINITION.match(line) if index >= end and index not in code else None
        if match is None:
            continue
        end = index + 1
        while end < len(lines) and end not in code and _CONTINUED.match(lines[end]):
            end += 1
        body = [line[match.end() :], *(each.lstrip(" \t") for each in lines[index + 1 : end])]
        yield index, (match[1], "".join(body).strip(), end)


def _pieces(
    lines: list[str],
    code: frozenset[int],
    starts: frozenset[int],
    definitions: Mapping[int, tuple[str, str, int]],
    bodies: Mapping[str, str],
) -> Iterator[Piece]:
    block: list[str] = []
    position = 0
    while position < len(lines):
        line = lines[position]
        if position in definitions or position in code or position in starts or not line.strip():
            yield from scan("".join(block), bodies)
            block = []
        if position in definitions:
            name, body, end = definitions[position]
            yield Piece(PieceKind.DEFINITION, "".join(lines[position:end]), (name,), body)
            position = end
            continue
        if position in code:
            yield Piece(PieceKind.TEXT, line)
        elif _ALONE.fullmatch(line.removeprefix(BOM)):
            yield from scan("".join(block), bodies)
            block = []
            yield from _hidden(line)
        else:
            block.append(line)
        position += 1
    yield from scan("".join(block), bodies)


def _hidden(line: str) -> Iterator[Piece]:
    """A line that is not shown; its end stays, so that what stands around it stays apart."""
    shown = line.rstrip("\r\n")
    yield Piece(PieceKind.HIDDEN, shown)
    if len(shown) < len(line):
        yield Piece(PieceKind.TEXT, line[len(shown) :])


def _numbered(pieces: tuple[Piece, ...], bodies: Mapping[str, str]) -> Reading:
    """Each note by its first reference; one that is defined twice is what was defined first."""
    notes: dict[str, Note] = {}
    numbers, turns = dict[int, int](), dict[int, int]()
    fresh = count()
    for place, piece in enumerate(pieces):
        if piece.kind not in (PieceKind.REFERENCE, PieceKind.INLINE):
            continue
        inline = piece.kind is PieceKind.INLINE
        # A name holds no blank, so that none is that of an inline note.
        slot = f" {next(fresh)}" if inline else piece.names[0]
        known = notes.get(slot)
        body = piece.body if inline else bodies[slot]
        name = "" if inline else slot
        note = evolve(known, references=known.references + 1) if known else Note(len(notes) + 1, name, body)
        notes[slot] = note
        numbers[place], turns[place] = note.number, note.references
    return Reading(pieces, tuple(notes.values()), numbers, turns)
