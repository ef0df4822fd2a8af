"""Markdown as HTML: footnotes and anchors by the core, the rest by a Markdown library, then a sanitiser.

No HTML of the source is let through, no image is loaded, and no class, id or address but ours stays.
"""

from collections.abc import Collection, Iterator, Mapping
from html import escape
from types import MappingProxyType
from urllib.parse import unquote

import nh3
from attrs import frozen
from markdown_it import MarkdownIt
from markdown_it.token import Token
from markupsafe import Markup

from scriptorium_core.knowledge.assess import Assessment
from scriptorium_core.markdown.footnotes import Footnote, parse_footnote
from scriptorium_core.markdown.reading import Note, Piece, PieceKind, Reading, read
from scriptorium_core.when import render_when

from . import addresses
from .words import day_of

__all__ = ["prose", "rendered", "standing"]

_TAGS = frozenset(
    "a blockquote br code em h2 h3 h4 h5 h6 hr li ol p pre s section small span strong sub sup table tbody td"
    " th thead time tr ul".split()
)
_ATTRIBUTES = MappingProxyType(
    {
        "a": frozenset({"aria-label", "class", "href", "id", "target"}),
        "li": frozenset({"id"}),
        "ol": frozenset({"start"}),
        "p": frozenset({"class", "data-record", "id"}),
        "section": frozenset({"aria-label", "class"}),
        "span": frozenset({"class", "id"}),
        "time": frozenset({"datetime"}),
    }
)
_SCHEMES = frozenset({"http", "https", "mailto"})
_NONE: Mapping[str, Assessment] = MappingProxyType({})
_MARKS = (PieceKind.REFERENCE, PieceKind.INLINE)


def rendered(
    path: str,
    text: str,
    records: Collection[str] = (),
    assessments: Mapping[str, Assessment] = _NONE,
) -> Markup:
    """The reading view of the topic `path`, its notes at the end.

    `records` are the names of its records; an older one has no block id, and its name is that of its note.
    Of one that may not be relied on as it is, the page says why.
    """
    doubts = {name: standing(found) for name, found in assessments.items() if found.is_doubted}
    return _clean("".join(_Page(path, read(text), frozenset(records), doubts).parts()))


def prose(path: str, text: str) -> Markup:
    """A few words of a record in the file `path`, as Markdown without notes."""
    return _clean(_parsed(Reading((Piece(PieceKind.TEXT, text),), ()), path, {}))


def _clean(text: str) -> Markup:
    """What is left of HTML by the closed lists of this module."""
    cleaned = nh3.clean(
        text,
        tags=set(_TAGS),
        clean_content_tags={"script", "style", "template"},
        attributes={tag: set(names) for tag, names in _ATTRIBUTES.items()},
        url_schemes=set(_SCHEMES),
        link_rel="noopener noreferrer nofollow",
    )
    return Markup(cleaned)


@frozen
class _Page:
    """A text that is rendered, with the file that its links stand in."""

    path: str
    reading: Reading
    records: frozenset[str]
    doubts: Mapping[str, str]

    def parts(self) -> Iterator[str]:
        """The prose, then the list of notes."""
        marks = {place: self._mark(place, piece) for place, piece in enumerate(self.reading.pieces)}
        yield _parsed(self.reading, self.path, marks)
        if self.reading.notes:
            yield '<section class="notes" aria-label="Sources"><ol>'
            yield from map(self._note, self.reading.notes)
            yield "</ol></section>"

    def _mark(self, place: int, piece: Piece) -> str:
        if piece.kind in _MARKS:
            number, turn = self.reading.numbers[place], self.reading.turns[place]
            label = f"Source {number}"
            mark = (
                f'<sup><a class="note" id="{_back(number, turn)}" href="#fn-{number}"'
                f' aria-label="{label}">[{number}]</a></sup>'
            )
            name = self.reading.notes[number - 1].name
            is_older = turn == 1 and name in self.records
            return (
                f'<span class="anchor" id="{addresses.anchor(name)}"></span>{mark} {self._proof(name)}'
                if is_older
                else mark
            )
        if piece.kind is PieceKind.BLOCK_IDS:
            *aliases, block = piece.names
            anchors = (f'<span class="anchor" id="{addresses.anchor(each)}"></span>' for each in aliases)
            return "".join((*anchors, " ", self._proof(block)))
        return ""

    def _proof(self, block: str) -> str:
        """The link that shows what a record rests on, behind what stands against the record."""
        name, doubt = escape(block), self.doubts.get(block, "")
        link = (
            f'<a class="proof" href="{addresses.record(block)}" aria-label="Evidence of {name}">Evidence</a>'
        )
        return f"{doubt} {link}" if doubt else link

    def _note(self, note: Note) -> str:
        found = parse_footnote(f"[^{note.name}]: {note.body}") if note.name else ""
        body = self._evidence(found) if isinstance(found, Footnote) else self._words(note.body)
        backs = " ".join(
            f'<a class="back" href="#{_back(note.number, turn)}"'
            f' aria-label="Back to reference {turn} of source {note.number}">↩</a>'
            for turn in range(1, note.references + 1)
        )
        return f'<li id="fn-{note.number}">{body} {backs}</li>'

    def _words(self, body: str) -> str:
        return _parsed(Reading((Piece(PieceKind.TEXT, body),), ()), self.path, {}, inline=True)

    def _evidence(self, note: Footnote) -> str:
        """A definition of ours: date, sources, further fields."""
        day = render_when(note.when)
        words = escape(day_of(day))
        dated = f'<time datetime="{escape(day)}">{words}</time>' if note.when is not None else "undated"
        links = ", ".join(
            f'<a class="source" href="{escape(self._source(each.target))}">'
            f"{escape(each.label or each.target)}</a>"
            for each in note.sources
        )
        fields = "".join(f"<small> {escape(name)}: {escape(value)}</small>" for name, value in note.fields)
        return f"{dated} · {links}{fields}"

    def _source(self, target: str) -> str:
        return addresses.linked(self.path, target) if "#" in target else addresses.message(target)


def standing(found: Assessment) -> Markup:
    """How far a record may be relied on, and what stands against it."""
    words = f"{found.state} {found.confidence:g}{', stale' if found.stale else ''}"
    reasons = f" ({', '.join(found.reasons)})" if found.reasons else ""
    return Markup('<span class="standing {}">{}</span>').format(found.decision, words + reasons)


def _back(number: int, turn: int) -> str:
    return f"ref-{number}-{turn}"


def _parsed(reading: Reading, path: str, marks: Mapping[int, str], inline: bool = False) -> str:
    """The HTML of the prose, each mark in it replaced."""
    # An image would be fetched from wherever the text says: it stays a link with the words for it.
    parser = MarkdownIt("commonmark", {"html": False}).enable(["table", "strikethrough"]).disable(["image"])
    env: dict[str, object] = {}
    tokens = parser.parseInline(reading.marked, env) if inline else parser.parse(reading.marked, env)
    fill = _Fill(reading, path, marks)
    for before, token in zip([None, *tokens], tokens, strict=False):
        fill.block(before, token)
    return str(parser.renderer.render(tokens, parser.options, env))


@frozen
class _Fill:
    """What stands in the tokens of the library in place of marks and of links."""

    reading: Reading
    path: str
    marks: Mapping[int, str]

    def block(self, before: Token | None, token: Token) -> None:
        """Change a token as the page needs it."""
        if token.type in ("heading_open", "heading_close"):
            token.tag = f"h{min(int(token.tag[1]) + 1, 6)}"  # h1 is the name of the topic
        if token.type in ("fence", "code_block"):
            token.content = self.reading.literal(token.content)
            token.info = ""
        if token.children is not None:
            block = self._block_id(token.children)
            if block and before is not None and before.type == "paragraph_open":
                before.attrs = {"class": "record", "id": addresses.anchor(block), "data-record": block}
            token.children = list(self._inline(token.children))

    def _block_id(self, children: list[Token]) -> str:
        """The identity of the record that a paragraph is, empty if it is none."""
        for child in children:
            for part in self.reading.parts(child.content) if child.type == "text" else ():
                piece = self.reading.pieces[part] if isinstance(part, int) else None
                if piece is not None and piece.kind is PieceKind.BLOCK_IDS:
                    return piece.names[-1]
        return ""

    def _inline(self, children: list[Token]) -> Iterator[Token]:
        inside = 0
        for child in children:
            if child.type == "link_open":
                inside += 1
                self._aim(child)
            elif child.type == "link_close":
                inside -= 1
            if child.type == "text":
                yield from self._text(child.content, inside > 0)
            else:
                child.content = self.reading.literal(child.content)
                yield child

    def _text(self, content: str, in_link: bool) -> Iterator[Token]:
        for part in self.reading.parts(content):
            if isinstance(part, str):
                yield Token("text", "", 0, content=part)
            elif in_link:  # no link stands in a link
                yield Token("html_inline", "", 0, content=self._number(part))
            else:
                yield Token("html_inline", "", 0, content=self.marks.get(part, ""))

    def _number(self, place: int) -> str:
        number = self.reading.numbers.get(place)
        return f"<sup>[{number}]</sup>" if number is not None else ""

    def _aim(self, token: Token) -> None:
        """Where a link leads: to a page of ours, to the outside in a new one, or nowhere."""
        target = self.reading.literal(unquote(str(token.attrs.get("href", ""))))
        address = addresses.linked(self.path, target)
        token.attrs = {"href": address} if address else {"class": "nowhere"}
        if address and not address.startswith(addresses.ROOT):
            token.attrs = {"href": str(token.attrs["href"]), "class": "outside", "target": "_blank"}
