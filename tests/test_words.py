"""What changed between two texts, word by word and as a patch."""

import pytest

from scriptorium_core.knowledge.words import Piece, Side, after_of, before_of, patch, word_changes


def _marked(before: str, after: str) -> str:
    marks = {Side.SAME: "{}", Side.GONE: "[-{}-]", Side.NEW: "{{+{}+}}"}
    return "".join(marks[piece.side].format(piece.text) for piece in word_changes(before, after))


@pytest.mark.parametrize(
    ("before", "after", "marked"),
    [
        ("The door is blue.", "The door is green.", "The door is [-blue-]{+green+}."),
        ("One two.", "One two.", "One two."),
        ("", "New.", "{+New.+}"),
        ("Gone.", "", "[-Gone.-]"),
        ("", "", ""),
        ("red car", "blue van", "[-red car-]{+blue van+}"),
        ("钥匙挂在蓝色的门后面。", "钥匙挂在绿色的门后面。", "钥匙挂在[-蓝-]{+绿+}色的门后面。"),
        ("Line one\nline two", "Line one\nline 2", "Line one\nline [-two-]{+2+}"),
    ],
)
def test_the_words_that_differ_are_marked(before: str, after: str, marked: str) -> None:
    assert _marked(before, after) == marked


@pytest.mark.parametrize("differing", [1, 3000])
def test_a_very_long_text_is_compared_by_its_ends(differing: int) -> None:
    same = [f"w{number}" for number in range(3000)]
    before, after = " ".join([*same, "old", *same]), " ".join([*same, *["new"] * differing, *same])
    pieces = word_changes(before, after)
    assert [piece.side for piece in pieces] == [Side.SAME, Side.GONE, Side.NEW, Side.SAME]
    assert pieces[1] == Piece(Side.GONE, "old")
    assert (before_of(pieces), after_of(pieces)) == (before, after)


def test_a_very_long_text_that_only_grew_is_compared_too() -> None:
    text = "word " * 5000
    assert [piece.side for piece in word_changes(text, text + "more")] == [Side.SAME, Side.NEW]


def test_a_patch_names_both_files() -> None:
    assert patch("topics/a.md", "one\ntwo\n", "one\n2\n") == (
        "diff --git a/topics/a.md b/topics/a.md\n--- a/topics/a.md\n+++ b/topics/a.md\n"
        "@@ -1,2 +1,2 @@\n one\n-two\n+2\n"
    )


def test_a_patch_says_which_file_is_new_or_gone_and_where_a_line_end_is_missing() -> None:
    new, gone = patch("a", None, "x"), patch("a", "x\r\ny", None)
    assert "new file mode 100644\n--- /dev/null\n+++ b/a\n" in new
    assert new.endswith("+x\n\\ No newline at end of file\n")
    assert "deleted file mode 100644\n--- a/a\n+++ /dev/null\n" in gone
    assert gone.endswith("-x\r\n-y\n\\ No newline at end of file\n")
    assert patch("a", None, "") == "diff --git a/a b/a\nnew file mode 100644\n"
    assert patch("a", "x", "x") == ""
