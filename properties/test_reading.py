"""Laws of a text as it is read: nothing is lost, notes are in sequence, and no text scripts or restyles."""

from html.parser import HTMLParser
from urllib.parse import unquote

from hypothesis import given
from hypothesis import strategies as st

from scriptorium.web.pages.rendering import prose, rendered
from scriptorium_core.markdown.reading import PieceKind, Reading, read, source_of
from strategies import INJECTIONS, awkward_texts

PATH = "topics/a/b.md"
_LINES = (
    "# A", "## B [^a]", "Tea.[^a] ^id1", "More[^b][^a].^[An *inline* [one].] ^id2 ^id3",
    "x[^nobody] \\[^a] ^x", "[^a]: Time: `2026-03`; Sources: [l](../../sources/chat/_v2/s1.md#source-da39)",
    "[^b]: words [^a]", "  continued", "    indented[^a]", "```", "~~~ [^a]", "- item[^a]", "  ```",
    "> q[^b]", "`code[^a]`", "``a ` [^a]``", "[a [^a] b](c.md#^id1)", "![i](http://host/x.png)",
    "<!-- [^a] -->", "^[open", '<a id="x"></a>', "| a | b |", "|---|---|", "", "  ", "\ufeff# C",
    "\u2e28\ufdd00\ufdd0\u2e29", "&#xfdd0;0&#xfdd0;", "<script>alert(1)</script>", "[u][u]", "\x00",
    "[x](javascript:alert(1))", '<img src=x onerror="a()">', "<style>*{}</style>", "[//](//host/p)",
    "[e](data:text/html,x)", "<http://host/[^a]>", "[u]: http://host",
)  # fmt: skip
HOSTILE = st.sampled_from(_LINES) | st.sampled_from(INJECTIONS) | awkward_texts()
_PIECES = [*map(chr, range(0xFDD0, 0xFDF0)), "\u2e28", "\u2e29", "0", "1", "[^a]"]
NONCHARACTERS = st.lists(st.sampled_from(_PIECES), max_size=80).map("".join)


def documents() -> st.SearchStrategy[str]:
    """Lines that mean something or mean harm, with any line end between them."""
    parts = st.lists(HOSTILE | NONCHARACTERS, max_size=10)
    return st.builds(lambda lines, eol: eol.join(lines), parts, st.sampled_from(("\n", "\r\n", "\r", "\n\n")))


def marks_of(reading: Reading) -> list[int]:
    """The places that the marks of a text stand for, in order."""
    return [part for part in reading.parts(reading.marked) if isinstance(part, int)]


class Elements(HTMLParser):
    """All elements of a page and their attributes, and how deep links stand in links."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.found: list[tuple[str, dict[str, str]]] = []
        self.links, self.nested = 0, False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, {name: value or "" for name, value in attrs}))
        if tag == "a":
            self.nested |= self.links > 0
            self.links += 1

    def handle_endtag(self, tag: str) -> None:
        self.links -= tag == "a"


def elements(html: str) -> Elements:
    """The elements of HTML."""
    parser = Elements()
    parser.feed(html)
    parser.close()
    return parser


class TestReading:
    """Named footnotes become sequential superscripts; undefined references stay as text; code is literal."""

    @given(documents() | st.text())
    def test_nothing_is_lost(self, text: str) -> None:
        assert source_of(read(text)) == text

    @given(documents())
    def test_notes_are_numbered_by_their_first_reference_and_share_a_number(self, text: str) -> None:
        reading = read(text)
        named: dict[object, int] = {}
        for place, piece in enumerate(reading.pieces):
            if piece.kind in (PieceKind.REFERENCE, PieceKind.INLINE):
                name: object = piece.names[0] if piece.names else place
                assert reading.numbers[place] == named.setdefault(name, len(named) + 1)
        assert [note.number for note in reading.notes] == list(range(1, len(named) + 1))
        assert sum(note.references for note in reading.notes) == len(reading.numbers)

    @given(documents())
    def test_only_what_is_defined_is_referred_to(self, text: str) -> None:
        reading = read(text)
        defined = {piece.names[0] for piece in reading.pieces if piece.kind is PieceKind.DEFINITION}
        for piece in reading.pieces:
            if piece.kind is PieceKind.REFERENCE:
                assert piece.names[0] in defined

    @given(documents() | NONCHARACTERS)
    def test_no_input_is_taken_for_a_mark(self, text: str) -> None:
        reading = read(text)
        kinds = (PieceKind.TEXT, PieceKind.DEFINITION, PieceKind.HIDDEN)
        wanted = [place for place, piece in enumerate(reading.pieces) if piece.kind not in kinds]
        assert marks_of(reading) == wanted

    @given(documents())
    def test_code_is_literal(self, text: str) -> None:
        fenced = f"```\n{text.replace('`', '')}\n```\n\n[^a]: x\n"
        inside = [piece for piece in read(fenced).pieces if piece.kind is not PieceKind.TEXT]
        assert [piece.kind for piece in inside] == [PieceKind.DEFINITION]


class TestRendered:
    """Hostile Markdown cannot script, restyle the page or leave it."""

    @given(documents() | st.text())
    def test_no_element_but_ours_and_no_address_but_of_the_page_or_the_outside(self, text: str) -> None:
        for html in (rendered(PATH, text), prose(PATH, text)):
            for tag, attributes in elements(str(html)).found:
                assert tag not in (
                    "script",
                    "style",
                    "img",
                    "iframe",
                    "form",
                    "input",
                    "base",
                    "meta",
                    "link",
                )
                assert not {"style", "src", "srcset", "action"} & set(attributes)
                assert not [name for name in attributes if name.startswith("on")]
                address = attributes.get("href", "#")
                assert address.startswith(("#", "/memory/", "http://", "https://", "mailto:"))
                outside = not address.startswith(("#", "/"))
                assert outside == (attributes.get("target") == "_blank")

    @given(documents())
    def test_no_id_or_class_but_ours(self, text: str) -> None:
        seen: set[str] = set()
        for _, attributes in elements(str(rendered(PATH, text))).found:
            if "id" in attributes:
                assert attributes["id"].startswith(("r-", "fn-", "ref-"))
            known = {"", "record", "anchor", "note", "notes", "proof", "source", "back", "outside", "nowhere"}
            assert attributes.get("class", "") in known
            seen.add(attributes.get("id", ""))

    @given(documents())
    def test_no_link_stands_in_a_link_and_no_mark_is_left(self, text: str) -> None:
        html = str(rendered(PATH, text))
        assert not elements(html).nested
        key = read(text).key
        if key not in text:
            assert key not in unquote(html)
