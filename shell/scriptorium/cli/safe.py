"""Text from memory on a terminal: what would steer the terminal or hide in the line is shown, not obeyed."""

import os
import sys
import unicodedata

__all__ = ["clip", "columns", "indented", "one_line", "safe", "wrapped"]

_BLANK = "\0"  # one that no line is broken at; no safe text has such a character
_HIDING = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\u200e\u200f\ufeff")


def safe(text: str) -> str:
    """The text with control characters and those that turn the direction of writing made visible."""
    if text.isascii() and text.isprintable():  # most lines are, and no character of them hides
        return text
    return "".join(_shown(char) for char in text.replace("\r\n", "\n"))


def one_line(text: str) -> str:
    """The text on one line."""
    return " ".join(safe(text).split())


def clip(text: str, length: int) -> str:
    """The text on one line, at most `length` characters long, with an ellipsis where it was cut."""
    line = one_line(text)
    return line if len(line) <= length else line[: length - 1].rstrip() + "…"


def columns(text: str) -> int:
    """How many columns of a terminal a line takes."""
    wide = sum(unicodedata.east_asian_width(char) in "WF" for char in text)
    return len(text) + wide - sum(unicodedata.combining(char) > 0 for char in text)


def wrapped(text: str, indent: str = "") -> str:
    """The text on lines that fit the terminal (100 characters at most), each indented.

    What stands in backticks stays on one line, however long: a command that is broken does something else.
    """
    line, width = one_line(text), max(min(_terminal(), 100), len(indent) + 20)
    if line and len(indent) + len(line) <= width:
        return indent + line
    import re
    import textwrap

    whole = re.sub("`[^`]+`", lambda found: found[0].replace(" ", _BLANK), line)
    fits = all(len(indent) + len(word) <= width for word in whole.split(" ") if _BLANK in word)
    filled = textwrap.fill(
        whole,
        width,
        initial_indent=indent,
        subsequent_indent=indent,
        break_on_hyphens=False,
        break_long_words=fits,
    )
    return filled.replace(_BLANK, " ")


def _terminal() -> int:
    """Columns of the terminal, 100 where there is none: as `shutil` has it, which takes longer to load."""
    given = os.environ.get("COLUMNS", "")
    if given.isdecimal() and int(given) > 0:
        return int(given)
    try:
        return os.get_terminal_size(sys.__stdout__.fileno() if sys.__stdout__ else 1).columns or 100
    except (OSError, ValueError):
        return 100


def indented(text: str, indent: str = "  ") -> str:
    """Each line of a safe text behind an indent."""
    import textwrap

    return textwrap.indent(safe(text), indent)


def _shown(char: str) -> str:
    if char in "\n\t":
        return char
    if char in _HIDING or unicodedata.category(char) in ("Cc", "Cs"):
        return f"\\u{ord(char):04x}"
    return char
