"""A text that is too long for its place: cut at the end of a sentence, with how to see the rest."""

import re
from collections.abc import Callable, Sequence

__all__ = ["shortened"]

_SENTENCE = re.compile(r"""[.!?…]+["')\]”’»*_~]*(?=\s|$)|[。！？]+[”’」』）]*|\n""")
_WORD = re.compile(r"\s+")
_LEAST = 40  # characters: less of a sentence says nothing


def shortened(text: str, rest: str, fits: Callable[[str], bool]) -> str | None:
    """The longest beginning of `text` that fits with `… (rest)` behind it; None if none does.

    It ends with a sentence, and within one only where the first sentence alone is too long.
    """

    def with_rest(end: int) -> str:
        return f"{text[:end].rstrip()} … ({rest})"

    sentence = _longest([match.end() for match in _SENTENCE.finditer(text)], lambda end: fits(with_rest(end)))
    if sentence is not None and text[:sentence].strip():
        return with_rest(sentence)
    word = _longest([match.start() for match in _WORD.finditer(text)], lambda end: fits(with_rest(end)))
    return with_rest(word) if word is not None and len(text[:word].strip()) >= _LEAST else None


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
