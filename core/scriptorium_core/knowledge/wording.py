"""Which words of a question stand in the place of others: `railway` of `train`, and all else is the same.

Models of meaning find `Where does Mira live?` as near to `Where does Mira work?` as to the same question in
other words (0.88 by the default one), because nearly all of it is the same. So what differs is looked at by
itself: two words that mean the same are near to each other (from 0.8 on), `live` and `work` are not (0.43).
"""

import re
import unicodedata
from difflib import SequenceMatcher

from ..terms import terms

__all__ = ["replaced"]

_WORD = re.compile(r"\w+(?:['’]\w+)*")
_LIGHT = frozenset("a an the am is are be do does please".split())

Replaced = tuple[tuple[str, str], ...]


def replaced(one: str, other: str) -> Replaced | None:
    """The words that stand in the place of others, pair by pair; None where the texts differ otherwise.

    They do where one has a word more, or the same words in another order.
    """
    mine, yours = _words(one), _words(other)
    pairs: list[tuple[str, str]] = []
    for name, i, j, k, m in SequenceMatcher(None, _stems(mine), _stems(yours), autojunk=False).get_opcodes():
        if name == "equal":
            continue
        if name != "replace" or j - i != m - k:
            return None
        pairs += zip(mine[i:j], yours[k:m], strict=True)
    return tuple(pairs)


def _words(text: str) -> tuple[str, ...]:
    folded = unicodedata.normalize("NFKC", text).casefold()
    return tuple(word for word in _WORD.findall(folded) if word not in _LIGHT)


def _stems(words: tuple[str, ...]) -> list[tuple[str, ...]]:
    return [terms(word) for word in words]
