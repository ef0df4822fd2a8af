"""Examples of a text as it is read, and of the HTML that comes of it."""

import re

import pytest

from scriptorium.web.pages.rendering import prose, rendered
from scriptorium_core.markdown.reading import PieceKind, read

NOTES = "\n\n[^a]: one\n  more of it\n[^b]: two\n"
PATH = "topics/a/b.md"


def html(text: str) -> str:
    return str(rendered(PATH, text))


def numbers(text: str) -> list[str]:
    """The superscripts, in order."""
    return re.findall(r"<sup><a[^>]*>\[(\d+)\]</a></sup>", html(text))


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("Tea.[^b] Milk.[^a] Tea again.[^b]", ["1", "2", "1"]),
        ("Tea.^[An *inline* note.] Milk.[^a]", ["1", "2"]),
        ("Tea.^[with [brackets] and `]` in it] Milk.", ["1"]),
        ("Tea.[^nobody] \\[^a] ^[open", []),
        ("`[^a]` ``x ` [^a]`` <http://host/[^a]> [x](y[^a].md)", []),
        ("```\n[^a]\n```\n\n    [^a]\n\n- item\n\n      [^a]\n\n  ~~~\n  [^a]\n  ~~~", []),
        ("_em_[^a] **bold**[^b]", ["1", "2"]),
        ("| a[^a] |\n|---|\n| `b` |", ["1"]),
        ("[words[^a]](c.md)", []),
    ],
)
def test_references_are_numbered_and_code_is_literal(text: str, shown: list[str]) -> None:
    assert numbers(text + NOTES) == shown


def test_a_definition_goes_on_in_lines_that_begin_with_two_spaces() -> None:
    assert read(f"Tea.[^a]{NOTES}").notes[0].body == "one\nmore of it"


def test_undefined_references_and_literal_ones_stay_text() -> None:
    found = html("Tea.[^nobody] `[^a]` \\[^a]" + NOTES)
    for words in ("Tea.[^nobody]", "<code>[^a]</code>", " [^a]</p>"):
        assert words in found


def test_emphasis_before_a_reference_stays() -> None:
    found = html("_em_[^a] **bold**[^b]" + NOTES)
    assert "<em>em</em><sup>" in found
    assert "<strong>bold</strong><sup>" in found


def test_block_ids_are_anchors_that_nobody_sees() -> None:
    found = html("Tea.[^a] ^alias ^id1" + NOTES)
    assert 'id="r-id1"' in found
    assert '<span class="anchor" id="r-alias"></span>' in found
    assert "^id1" not in found
    assert "x^2 ^id1" in html("x^2 ^id1")


def test_comments_and_anchors_on_a_line_of_their_own_are_not_shown() -> None:
    reading = read('<!-- a -->\n<a id="x"></a>\nTea <!-- b -->\n')
    assert [piece.kind for piece in reading.pieces if piece.kind is PieceKind.HIDDEN] == [
        PieceKind.HIDDEN
    ] * 2
    assert "&lt;!-- b --&gt;" in html("Tea <!-- b -->\n")


def test_evidence_is_a_date_sources_and_fields() -> None:
    note = (
        "[^e]: Time: `2026-03`; Sources: [a [b] c](../../sources/chat/_v2/s1.md#source-0f); Status: verified"
    )
    found = html(f"Tea.[^e] ^id1\n\n{note.replace('[b]', '(b)')}\n")
    assert '<time datetime="2026-03">March 2026</time>' in found
    assert "/memory/message?name=sources%2Fchat%2F_v2%2Fs1.md%23source-0f" in found
    assert "Status: verified" in found
    assert "chat/s1/m2</a>" in html("Tea.[^e]\n\n[^e]: Time: `undated`; Sources: chat/s1/m2\n")


def test_an_older_record_whose_name_is_that_of_its_note_is_reached_and_shows_its_evidence() -> None:
    text = "Old.[^mem_a] More.[^mem_b] Again.[^mem_a]\n\n[^mem_a]: Time: `2025`; Sources: x\n[^mem_b]: y\n"
    found = str(rendered(PATH, text, ["mem_a"]))
    assert re.findall(r'href="/memory/records/(\w+)"', found) == ["mem_a"]
    assert found.count('id="r-mem_a"') == 1
    assert "Evidence of" not in html(text)


def test_links_lead_to_pages_to_the_outside_in_a_new_one_or_nowhere() -> None:
    found = html(
        "[a](../c.md) [b](x.md#^id1) [o](https://host/) [n](other.txt) [s](/etc) ![i](http://host/x.png)"
    )
    for address in ("/memory/topics/c.md", "/memory/records/id1/place"):
        assert f'href="{address}"' in found
    assert found.count('target="_blank"') == 2
    assert found.count('class="nowhere"') == 2
    assert "<img" not in found


def test_all_noncharacters_at_once_are_shown_as_unknown_and_taken_for_no_mark() -> None:
    every = "".join(map(chr, range(0xFDD0, 0xFDF0)))
    text = f"{every}\u2e28\ufdd01\ufdd0\u2e29 Tea.[^a]{NOTES}"
    assert numbers(text) == ["1"]
    assert str(prose(PATH, "Tea.[^a]")).strip() == "<p>Tea.[^a]</p>"
