"""Examples of evidence definitions."""

import pytest

from scriptorium_core.markdown.footnotes import (
    Footnote,
    Source,
    footnote_label,
    label_fault,
    parse_footnote,
    render_footnote,
)
from scriptorium_core.when import When

LINK = "../sources/chat/_v2/s1.md#source-da39bbac67e800a0"
CANONICAL = f"[^e-1]: Time: `2026-03-01`; Sources: [rule]({LINK})"


def read(line: str) -> Footnote:
    found = parse_footnote(line)
    assert isinstance(found, Footnote), found
    return found


def test_the_canonical_line_is_read_and_written_back() -> None:
    assert read(CANONICAL) == Footnote("e-1", When(2026, 3, 1), (Source("rule", LINK),))
    assert render_footnote(read(CANONICAL)) == CANONICAL


@pytest.mark.parametrize(
    "line",
    [
        f"[^e-1]: Time: 2026-03-01; Sources: [rule]({LINK})",
        f"[^e-1]:Time : `2026-03-01` ;Sources :[rule]({LINK})  ",
        f"[^e-1]: 2026-03-01 · Sources: [rule]({LINK})",
        f"[^e-1]: `2026-03-01` · Sources: [rule]({LINK})\r\n",
    ],
)
def test_other_spellings_mean_the_same(line: str) -> None:
    assert render_footnote(read(line)) == CANONICAL


@pytest.mark.parametrize(
    ("date", "when"), [("2026", When(2026)), ("2026-04", When(2026, 4)), ("undated", None), ("Undated", None)]
)
def test_a_date_has_the_precision_of_its_spelling(date: str, when: When | None) -> None:
    assert read(f"[^e]: Time: `{date}`; Sources: a/b/c").when == when


def test_sources_are_links_and_plain_handles() -> None:
    note = read(
        f"[^e]: Time: `2026`; Sources: [a [b]({LINK}), chat/s1/m 2,x, [lab](chat/s 1/m1), D1:2; Status: x"
    )
    assert note.sources == (
        Source("a [b", LINK),
        Source("", "chat/s1/m 2,x"),
        Source("lab", "chat/s 1/m1"),
        Source("", "D1:2"),
    )
    assert [source.is_handle for source in note.sources] == [False, True, True, True]
    assert read(render_footnote(note)) == note


def test_further_fields_are_kept_in_order_known_or_not() -> None:
    line = f"{CANONICAL}; Status: verified 0.95; Checked: 2026-08-01; X-Y: a; b: c; Until: 2026-06"
    assert read(line).fields == (
        ("Status", "verified 0.95"),
        ("Checked", "2026-08-01"),
        ("X-Y", "a; b: c"),
        ("Until", "2026-06"),
    )
    assert render_footnote(read(line)) == line


@pytest.mark.parametrize(
    ("line", "fault"),
    [
        ("text", "does not begin"),
        ("[^e]: nothing", "not of the form"),
        ("[^e]: Time: `2026-02-30`; Sources: a/b/c", "is not a date"),
        ("[^e]: Time: `2026`; Sources: ", "names no source"),
        ("[^e]: Time: `2026`; Sources: [a](b c#d)", "names no source"),
        ("[^e]: Time: `2026`; Sources: [a](b#c) more", "cannot be read"),
        ("[^e]: Time: `2026`; Sources: [a](b#c),", "cannot be read"),
        ("[^e]: Time: `2026`; Sources: [a]b](b#c)", "names no source"),
    ],
)
def test_what_is_wrong_is_said_in_words(line: str, fault: str) -> None:
    found = parse_footnote(line)
    assert isinstance(found, str)
    assert fault in found


def test_labels_that_cannot_be_written_are_named() -> None:
    assert label_fault(" ") == "is blank"
    assert label_fault("a]b") == "holds ]"
    for label in ("a\nb", "a\rb", "a\x00b", "a\x85b", "\ud800"):
        assert label_fault(label) == "holds a line break or a control character"
    for label in ("a [b", "钥匙\u3000孔", "👩‍👩‍👧", "می‌خواهم"):
        assert label_fault(label) == ""


def test_the_label_of_a_definition_is_known_even_if_the_rest_is_wrong() -> None:
    assert footnote_label("[^e-1]: nonsense") == "e-1"
    assert footnote_label("nonsense") == ""
