"""A text that is too long for its place: cut at the end of a sentence, with how to see the rest."""

import re
import unicodedata
from collections.abc import Callable, Sequence

__all__ = ["shortened"]

_SENTENCE = re.compile(r"""[.!?…]+["')\]”’»*_~]*(?=\s|$)|[。！？｡]+[”’」』）]*|\n""")
_WORD = re.compile(r"\s+|(?<=[，、；：､])")
_LEAST = 40  # letters of Latin, or half as many of CJK, which say as much: less of a sentence says nothing
_WIDE = "\u2e80"  # from here on, nearly all is CJK
_JOINER = "\u200d"


def shortened(text: str, rest: str, fits: Callable[[str], bool]) -> str | None:
    """The longest beginning of `text` that fits with `… (rest)` behind it; None if none does.

    It ends with a sentence; where the first sentence alone is too long with a word, or with a clause of what
    is written without blanks; and where there is no such end either, with a character.
    """

    def with_rest(end: int) -> str:
        return f"{text[:end].rstrip()} … ({rest})"

    sentence = _longest([match.end() for match in _SENTENCE.finditer(text)], lambda end: fits(with_rest(end)))
    if sentence is not None and text[:sentence].strip():
        return with_rest(sentence)
    word = _longest([match.start() for match in _WORD.finditer(text)], lambda end: fits(with_rest(end)))
    if word is not None and _says_something(text[:word]):
        return with_rest(word)
    found = _longest(range(1, len(text)), lambda end: fits(with_rest(_character(text, end))))
    character = _character(text, found) if found is not None else 0
    return with_rest(character) if _says_something(text[:character]) else None


def _says_something(beginning: str) -> bool:
    return sum(2 if char >= _WIDE else 1 for char in beginning.strip()) >= _LEAST


def _character(text: str, end: int) -> int:
    """`end`, or where the character begins that it would divide, with its accents and other parts."""
    while end > 0 and (text[end - 1] == _JOINER or text[end] == _JOINER or _is_mark(text[end])):
        end -= 1
    return end


def _is_mark(char: str) -> bool:
    """Whether it belongs to the character before it: an accent, a variant, a colour of skin."""
    return unicodedata.category(char).startswith("M") or "\U0001f3fb" <= char <= "\U0001f3ff"


def _longest(ends: Sequence[int], fits: Callable[[int], bool]) -> int | None:
    """The last end that fits; what fits is taken to fit when it is shorter too, and is tried itself."""
    low, high = 0, len(ends)
    while low < high:
        middle = (low + high) // 2
        if fits(ends[middle]):
            low = middle + 1
        else:
            high = middle
    return ends[low - 1] if low else None
