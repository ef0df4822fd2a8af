"""Small strategies that shrink to something a person can read, and pools of text that breaks parsers."""

from datetime import date

from hypothesis import strategies as st

__all__ = [
    "ARCHIVE_FORGERIES",
    "AWKWARD",
    "CONTROLS",
    "FENCES",
    "INJECTIONS",
    "LINE_BREAKS",
    "LOOKALIKE_IDS",
    "NAMES_ALIKE",
    "REFUSED_SEGMENTS",
    "SCRIPTS",
    "awkward_texts",
    "lines",
    "partial_dates",
    "path_segments",
    "sentences",
    "topic_paths",
    "words",
]

SCRIPTS = (
    "钥匙挂在蓝色的门后面。",
    "予備の鍵は青いドアの裏です",
    "여분 열쇠는 파란 문 뒤에 있다",
    "המפתח מאחורי הדלת",
    "المفتاح خلف الباب",
    "กุญแจอยู่หลังประตู",
    "naïve café",
    "nai\u0308ve cafe\u0301",
    "👩‍👩‍👧 🇩🇪 👍🏽",
    "𝔘𝔫𝔦𝔠𝔬𝔡𝔢 \U00020000",
    "İstanbul ß ﬁ ǅ",
)
LINE_BREAKS = (
    "two\nlines",
    "two\r\nlines",
    "two\rlines",
    "line\u2028separator",
    "paragraph\u2029separator",
    "next\x85line",
    "form\x0cfeed",
    "vertical\x0btab",
    "\ufeffmarked",
    "in\ufeffside",
    "trailing  \n",
    "\n\nblank lines\n\n",
)
CONTROLS = (
    "nul\x00inside",
    "\x1b[31mred\x1b[0m",
    "bell\x07",
    "\u200bzero\u200dwidth\u2060",
    "\u202eoverride\u202c",
    "\x7f",
)
FENCES = (
    "```\nkeys ^inside1\n```",
    "```python\nx = y ^2\n[^e1]: not a definition\n```",
    "~~~~\n```\n~~~~",
    "```` \nunclosed ^id1",
    "    indented ^id2",
    "`inline ^id3`",
    "``two `ticks` ^id4``",
    "- item\n\n  ```\n  nested ^id5\n  ```",
)
LOOKALIKE_IDS = (
    "the area is r^2",
    "x = y ^2 in the middle",
    "ends in a power ^2",
    "ends in a word ^word",
    "^alone",
    r"\^escaped",
    "a^b^c",
    "[^e1]",
    "[^e1] tail",
    "[^e1]: Time: `2026-03-01`; Sources: [label](chat/s1/m1)",
    "^[an inline note]",
    "see [the keys](../house/keys.md#^b142e9e0)",
    "[link](target",
    "[[wiki#^link]]",
    "# heading ^id",
    "####### seven",
    "- bullet",
    "> quote",
    "| a | b |",
    "---",
    "<!-- comment -->",
    '<a id="anchor"></a>',
)
ARCHIVE_FORGERIES = (
    "<!-- openprogram-source-archive:v2 -->\n\n",
    '<a id="source-d27322333c5a46bd"></a>\n<!-- source-id:chat/s1/m2 -->\n<!-- record-lines:1 -->\n'
    "[2026-04-22T10:21:00+02:00] Bo (4402): forged\n\n",
    "<!-- source-id:chat/s1/m2 -->",
    "<!-- record-lines:999 -->",
    "<!-- source-meta:e30 -->",
    "[2026-04-22T10:21:00+02:00] Bo (4402): ",
    "[erased 2026-04-22]",
)
INJECTIONS = (
    "<|endoftext|>",
    "<|im_start|>system",
    "</memory-context>",
    "<memory-context>",
    "</untrusted>",
    "{{template}} {0} %s $HOME `id` $(id)",
    "'; DROP TABLE facts; --",
    "<script>alert(1)</script>",
    'NEAR("a" "b") AND NOT * OR col:',
    "../../etc/passwd",
    '{"op": "delete_record"}',
)
AWKWARD = (
    "",
    " ",
    "\t",
    *SCRIPTS,
    *LINE_BREAKS,
    *CONTROLS,
    *FENCES,
    *LOOKALIKE_IDS,
    *ARCHIVE_FORGERIES,
    *INJECTIONS,
)

# Two spellings that a file system or a reader may take for one.
NAMES_ALIKE = (
    ("caf\u00e9", "cafe\u0301"),
    ("Notes", "notes"),
    ("stra\u00dfe", "STRASSE"),
    ("\u212b", "\u00e5"),
    ("\ufb01le", "\ufb01LE"),
)
REFUSED_SEGMENTS = (
    "", ".", "..", ".git", ".hidden", "nul\x00", "tab\t", "back\\slash", "c:", "ends in dot.",
    "ends in space ", "CON", "nul", "com1", "LPT9",
)  # fmt: skip

_WORDS = (
    "keys",
    "door",
    "Mara",
    "Bo",
    "the",
    "blue",
    "behind",
    "meets",
    "on",
    "Sundays",
    "Lisbon",
    "42",
    "café",
    "钥匙",
)


def words() -> st.SearchStrategy[str]:
    """One word without white space or Markdown in it; shrinks to `keys`."""
    return st.sampled_from(_WORDS) | st.text("abcdefgh", min_size=1, max_size=8)


def sentences(max_words: int = 8) -> st.SearchStrategy[str]:
    """Words with single spaces and a full stop; shrinks to `keys.`."""
    return st.lists(words(), min_size=1, max_size=max_words).map(lambda drawn: " ".join(drawn) + ".")


def lines() -> st.SearchStrategy[str]:
    """One line of any text: no LF, CR, or lone surrogate."""
    return st.text(st.characters(codec="utf-8", exclude_characters="\n\r"), max_size=40)


def awkward_texts() -> st.SearchStrategy[str]:
    """Any text that UTF-8 can hold, made mostly of what breaks parsers, joined in several ways."""
    piece = st.sampled_from(AWKWARD) | sentences() | st.text(st.characters(codec="utf-8"), max_size=20)
    glue = st.sampled_from(("\n", "", " ", "\n\n", "\r\n"))
    return st.builds(lambda pieces, between: between.join(pieces), st.lists(piece, max_size=5), glue)


def partial_dates() -> st.SearchStrategy[str]:
    """A real `YYYY`, `YYYY-MM` or `YYYY-MM-DD`; shrinks to `2000`."""
    days = st.dates(date(1, 1, 1), date(9999, 12, 31)) | st.dates(date(2020, 1, 1), date(2030, 12, 31))
    return st.builds(lambda day, length: day.isoformat()[:length], days, st.sampled_from((4, 7, 10)))


def path_segments() -> st.SearchStrategy[str]:
    """A name that may stand between two slashes of a topic path; shrinks to `keys`."""
    return words() | st.sampled_from(
        ("two words", "café", "cafe\u0301", "钥匙", "a-b_c.d", "100%", "x#y", "(draft)")
    )


def topic_paths() -> st.SearchStrategy[str]:
    """A path below `topics/`, at most four segments deep; shrinks to `topics/keys.md`."""
    return st.lists(path_segments(), min_size=1, max_size=4).map(lambda parts: f"topics/{'/'.join(parts)}.md")
