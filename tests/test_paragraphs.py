"""Examples of a paragraph as a record writes it."""

import pytest

from scriptorium_core.markdown.paragraphs import (
    ends_with_id,
    parse_paragraph,
    rename_citations,
    swallowed_id,
)


def test_ids_stand_at_the_end_after_white_space_and_a_citation() -> None:
    paragraph = parse_paragraph("Keys are blue.[^e1][^e2] ^a1 ^b-2\n")
    assert (paragraph.content, paragraph.cites, paragraph.ids) == (
        "Keys are blue.",
        ("e1", "e2"),
        ("a1", "b-2"),
    )


@pytest.mark.parametrize(
    "text", ["no citation ^a1", "Keys.[^e1]^a1", "Keys.[^e1] ^a_1", "Keys.[^e1] more ^a1"]
)
def test_anything_else_is_no_id(text: str) -> None:
    assert parse_paragraph(text).ids == ()


def test_the_text_before_each_run_of_citations_is_its_quote() -> None:
    paragraph = parse_paragraph("one[^a] [^b]\ntwo[^c] ^id")
    assert [(claim.prose, claim.cites) for claim in paragraph.claims] == [
        ("one", ("a", "b")),
        ("\ntwo", ("c",)),
    ]


def test_text_after_the_last_citation_is_found() -> None:
    assert parse_paragraph("one[^a] two").rest == "two"
    assert parse_paragraph("one two").rest == "one two"


@pytest.mark.parametrize(
    "prose",
    ["the area is r^2.", "x = y ^2 in the middle", "ends a line ^word\nand goes on", "`[^e9] ^id` is code"],
)
def test_a_caret_anywhere_else_is_plain_text(prose: str) -> None:
    paragraph = parse_paragraph(f"{prose}[^e1] ^id")
    assert (paragraph.content, paragraph.cites, paragraph.ids) == (prose, ("e1",), ("id",))


def test_the_older_form_has_only_mem_citations_and_no_id() -> None:
    assert parse_paragraph("one[^mem_a] two[^mem_b]").legacy
    assert not parse_paragraph("one[^mem_a] two[^e1]").legacy
    assert not parse_paragraph("one[^mem_a] ^id").legacy
    assert not parse_paragraph("one").legacy


def test_citations_are_renamed_outside_code_only() -> None:
    assert rename_citations("a[^e1] `[^e1]` b[^e2] ^x", {"e1": "n"}) == "a[^n] `[^e1]` b[^e2] ^x"


@pytest.mark.parametrize(
    ("text", "ends"), [("a ^b", True), ("^b", True), ("a ^b\n", True), ("r^2", False), ("^b.", False)]
)
def test_a_trailing_id_is_seen(text: str, ends: bool) -> None:
    assert ends_with_id(text) is ends


@pytest.mark.parametrize(
    ("text", "block"),
    [
        ("a[^e1] ^x\nb[^e2] ^y", "x"),
        ("a[^e1] ^w ^x \r\nb[^e2] ^y", "x"),
        ("a[^e1]\n^x\n^y", ""),
        ("a [x] ^word\nb[^e2] ^y", ""),
        ("a `[^e1] ^x`\nb[^e2] ^y", ""),
        ("a[^e1] ^x", ""),
    ],
)
def test_a_record_that_a_paragraph_swallowed_is_named(text: str, block: str) -> None:
    assert swallowed_id(text) == block
