"""Whether other words say no more than their source: every number and name of them occurs there.

A number is whatever holds a digit, as it is written, and the words for small numbers; a name is whatever is
written with a capital, but for a stop word that begins a sentence. Scripts without capitals have no such
mark: of their words every two characters must stand in the source beside each other. What negates must be
the same.
"""

import re
import unicodedata
from collections.abc import Iterator
from itertools import pairwise

from ..sameness import NEGATIONS
from ..terms import STOP_WORDS, query_terms

__all__ = ["foreign", "negated"]

_TOKEN = re.compile(r"\w+(?:['.,:/@_&+\-]\w+)*")
_PART = re.compile(r"[^\W_]+")
_OPENS = re.compile(r"(?:^|[.!?:;。！？]\W*|[\n\r]\W*)$")
_COUNTING = frozenset(
    """
    zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen
    seventeen eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety hundred thousand million
    billion dozen half twice once first second third null zwei drei vier fünf sechs sieben acht neun zehn elf
    zwölf zwanzig dreißig hundert tausend deux trois quatre cinq sept huit neuf dix onze douze vingt trente
    cent mille dos tres cuatro cinco seis siete ocho nueve diez once doce veinte treinta cien mil
    """.split()
)


def foreign(text: str, source: str) -> tuple[str, ...]:
    """The numbers and names of a text that do not occur in its source, in order, each once."""
    known, whole = _known(source), _plain(source).casefold()
    return tuple(dict.fromkeys(token for token in _marked(_plain(text)) if not _occurs(token, known, whole)))


def negated(text: str) -> frozenset[str]:
    """What negates in a text."""
    asked = query_terms(text)
    return frozenset((*asked.wanted, *asked.common)) & NEGATIONS


def _marked(text: str) -> Iterator[str]:
    """The numbers and names of a text, as they are written."""
    for match in _TOKEN.finditer(text):
        token = match[0]
        lower = token.casefold()
        if any(char.isdigit() for char in token) or lower in _COUNTING:
            yield token
        elif any(char.isupper() or char.istitle() for char in token):
            if not (lower in STOP_WORDS and (token == "I" or _OPENS.search(text, 0, match.start()))):
                yield token
        elif any(unicodedata.category(char) == "Lo" for char in token):
            yield token


def _occurs(token: str, known: frozenset[str], whole: str) -> bool:
    lower = token.casefold()
    if lower in known or (lower.endswith("'s") and lower[:-2] in known):
        return True
    if any(char.isdigit() for char in token):
        return False
    parts = _PART.findall(lower)
    return all(part in known or _is_spelled(part, whole) for part in parts)


def _is_spelled(part: str, whole: str) -> bool:
    """Whether a word of a script without capitals stands in the source, pair by pair."""
    if not all(unicodedata.category(char) in ("Lo", "Mn", "Mc") for char in part):
        return False
    return all("".join(pair) in whole for pair in pairwise(part)) if len(part) > 1 else part in whole


def _known(source: str) -> frozenset[str]:
    """The tokens of a source, and the words of those that hold no digit."""
    tokens = [token.casefold() for token in _TOKEN.findall(_plain(source))]
    worded = (token for token in tokens if not any(char.isdigit() for char in token))
    return frozenset([*tokens, *(part for token in worded for part in _PART.findall(token))])


def _plain(text: str) -> str:
    return unicodedata.normalize("NFKC", text).replace("’", "'")
