"""Text from memory on a terminal."""

import pytest

from scriptorium.cli.lines import counted, day_and_time, few, prose, table
from scriptorium.cli.safe import clip, columns, indented, one_line, safe, wrapped


@pytest.mark.parametrize(
    ("text", "seen"),
    [
        ("\x1b[31mred", "\\u001b[31mred"),
        ("over\rwritten", "over\\u000dwritten"),
        ("bell\x07", "bell\\u0007"),
        ("c1\x9b31m", "c1\\u009b31m"),
        ("abc\u202edef", "abc\\u202edef"),
        ("half\udcff", "half\\udcff"),
        ("\ufeffmark", "\\ufeffmark"),
    ],
)
def test_what_would_steer_a_terminal_is_shown(text: str, seen: str) -> None:
    assert safe(text) == seen


@pytest.mark.parametrize("text", ["plain", "两 行\n\ttab", "café", "e\u0301", "👩‍👩‍👧", "مرحبا"])
def test_ordinary_text_in_any_script_stays_as_it_is(text: str) -> None:
    assert safe(text) == text


def test_line_ends_of_windows_are_line_ends() -> None:
    assert safe("a\r\nb") == "a\nb"


def test_one_line_is_one_line() -> None:
    assert one_line("a\n  b\t\tc\r\n\r\nd") == "a b c d"


def test_a_clipped_line_says_that_it_was_clipped() -> None:
    assert clip("four words are here", 11) == "four words…"
    assert clip("short", 11) == "short"


def test_wrapped_lines_are_indented_and_keep_every_word() -> None:
    text = "word " * 60
    lines = wrapped(text, "    ").split("\n")
    assert all(line.startswith("    ") and len(line) <= 100 for line in lines)
    assert " ".join(line.strip() for line in lines) == text.strip()


@pytest.mark.parametrize("length", range(3, 120, 9))
def test_a_command_stays_on_one_line_wherever_it_begins_and_however_long_it_is(length: int) -> None:
    command = f"`scriptorium --home {'/a' * length} init`"
    for before in range(0, 100, 7):
        text = f"{'x ' * before}run {command} there, {'y ' * 60}"
        lines = wrapped(text, "  ").split("\n")
        assert any(command in line for line in lines)
        assert " ".join(" ".join(lines).split()) == text.strip()


def test_empty_lines_are_not_indented() -> None:
    assert indented("a\n\nb") == "  a\n\n  b"


def test_columns_line_up_in_scripts_of_double_width() -> None:
    assert (columns("青石"), columns("ab"), columns("e\u0301")) == (4, 2, 1)
    assert table([("青石", "1"), ("ab", "2")]) == "青石  1\nab    2"


def test_a_table_of_nothing_is_nothing() -> None:
    assert table([]) == ""


def test_numbers_go_with_their_words() -> None:
    assert [counted(n, "match", "matches") for n in (0, 1, 1200)] == ["0 matches", "1 match", "1,200 matches"]
    assert counted(2, "record") == "2 records"


def test_a_long_list_is_cut_and_says_by_how_much() -> None:
    assert few("abcdefghij", 3) == "a b c … and 7 more"
    assert few("abc", 3) == "a b c"


def test_prose_shows_the_label_of_a_link_and_leaves_code_alone() -> None:
    text = "See [Ines](../people/ines.md#^f785be39) and `[a](b)`."
    assert prose(text) == "See Ines and `[a](b)`."


def test_a_time_that_is_not_known_is_undated() -> None:
    assert day_and_time("2026-03-14T18:02:20+00:00") == "2026-03-14 18:02"
    assert day_and_time("") == "undated"
