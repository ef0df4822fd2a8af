"""Text as the terms that the full-text engine stores and that a query is made of.

The engine gets the terms as they are, so a search finds the same with any engine. Of one stretch of text
come:

- words, folded (NFKC, case) and stemmed as English: `Meetings` gives `meet`; a word with accents also
  without them;
- compounds (versions, paths, identifiers, dates, addresses) whole and in their parts: `v1.2.3`,
  `foo_bar`, `getBranch`; words with digits also without them: `iPhone15` gives `iphone`;
- single characters and overlapping pairs of the scripts that are written without spaces (and Hangul),
  also inside a mixed run.

A term never holds white space, is at most 100 characters long, and no text makes `terms` fail.
Nothing is query syntax: quotes, stars, percent signs and `NEAR(` only separate words.
The stemmer is PyStemmer: Snowball's own C code at 0.6 µs a word, where the pure Python of the same
algorithm takes 40 µs and would spend a whole record's time on one sentence. A stemmer takes half a
microsecond to make, so each call makes its own.
"""

import re
import unicodedata
from collections.abc import Iterable, Iterator
from itertools import pairwise
from typing import NamedTuple

from Stemmer import Stemmer

__all__ = ["STOP_WORDS", "QueryTerms", "fold", "query_terms", "same_text", "terms"]

_LONGEST = 100
_SCRAP = 3

# Written without spaces between words, and Hangul, whose particles stick to the words: kana, ideographs,
# bopomofo, Thai, Lao, Burmese, Khmer.
_UNSPACED = (
    "\u0e01-\u0e4e\u0e81-\u0ece\u1000-\u103f\u1100-\u11ff\u1780-\u17d3\u3005-\u3007\u3041-\u3096\u3099\u309a\u309d-\u309f"
    "\u30a1-\u30fa\u30fc-\u30ff\u3105-\u312f\u31a0-\u31bf\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\ua960-\ua97f\uac00-\ud7ff"
    "\uf900-\ufaff\U00016fe0-\U00018cff\U0001b000-\U0001b16f\U00020000-\U0003ffff"
)
# Combining marks are no letters for `re`, but words of Hindi, Hebrew or Arabic would fall apart without
# them.
_MARKS = (
    "\u0300-\u036f\u0483-\u0487\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06dc"
    "\u06df-\u06e4\u06e7\u06e8\u06ea-\u06ed\u0711\u0730-\u074a\u0900-\u0903\u093a-\u094f\u0951-\u0957\u0962\u0963\u0981-\u0983"
    "\u09bc-\u09d7\u0a01-\u0a51\u0a70\u0a71\u0a81-\u0acd\u0b01-\u0b57\u0b82-\u0bd7\u0c00-\u0c56\u0c81-\u0cd6\u0d00-\u0d57"
    "\u0d81-\u0ddf\u0f18-\u0fbc\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f"
)
_PART = rf"(?:[^\W_]|[{_MARKS}{_UNSPACED}])+(?:'(?:[^\W_]|[{_MARKS}{_UNSPACED}])+)*"
_ASCII_PART = r"[A-Za-z0-9]+(?:'[A-Za-z0-9]+)*"
# A compound: parts that one or two connecting characters hold together; a comma only between digits; C++
# and C# keep their sign.
_JOINT = r"(?:[-_.:/\\@&+~#=]{1,3}|(?<=\d),(?=\d))"
_ASCII_TOKEN = re.compile(rf"{_ASCII_PART}(?:{_JOINT}{_ASCII_PART})*(?:\+\+|\#)?")
_ASCII_PARTS = re.compile(_ASCII_PART)
# Compiled where a text needs them (`re` remembers them): wide classes take 20 ms, English needs none.
_TOKEN = rf"{_PART}(?:{_JOINT}{_PART})*(?:\+\+|\#)?"
_RUNS = rf"[{_UNSPACED}]+|[^{_UNSPACED}]+"
_ONE_UNSPACED = rf"[{_UNSPACED}]"
_HUMPS = r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+"
_LETTERS = r"[A-Za-z]+"
_DAY = r"\d{4}-\d\d-\d\d(?!\d)"
_VERSION = r"v\d+(?:\.\w+)+"
_INITIALS = r"\w(?:\.\w)+"
# Latin letters that carry their mark inside and have no decomposition.
_BARE = str.maketrans(
    {"ø": "o", "ł": "l", "đ": "d", "ð": "d", "ħ": "h", "ı": "i", "æ": "ae", "œ": "oe", "þ": "th"}
)
_STRIPPED = "[\u0300-\u036f\u0591-\u05c7\u064b-\u065f\u0670]"

_IDLE = r"\x00-\x20!\"&'()*,./:;?@\[\\\]^_`{}\x7f"
_ASCII_IDLE = re.compile(rf"[-{_IDLE}](?![0-9])|(?<![0-9])[{_IDLE}](?=[0-9])|(?<=[a-z])-(?=[0-9])")

STOP_WORDS = frozenset(
    """
    a about above after again all also am an and any are aren't as at be because been before being below
    between both but by can can't could couldn't did didn't do does doesn't doing don't down during each
    else ever few for from further had hadn't has hasn't have haven't having he he'd he'll he's her here
    here's hers herself him himself his how how's i i'd i'll i'm i've if in into is isn't it it's its
    itself just let's me more most much must my myself no nor not of off on once only or other our ours
    ourselves out over own same she she'd she'll she's should shouldn't so some such than that that's the
    their theirs them themselves then there there's these they they'd they'll they're they've this those
    through to too under until up us very was wasn't we we'd we'll we're we've were weren't what what's
    when when's where where's which while who who's whom whose why why's will with won't would wouldn't
    you you'd you'll you're you've your yours yourself yourselves
    """.split()
)
"""English words, folded and not stemmed, that alone are no reason for a hit."""


class QueryTerms(NamedTuple):
    """What a query asks for: `wanted` are distinct terms that make a hit, `common` are stop words."""

    wanted: tuple[str, ...]
    common: tuple[str, ...]


def terms(text: str) -> tuple[str, ...]:
    """All terms of a text, the plain words first; a term that occurs twice is there twice. Never raises."""
    stemmer = Stemmer("english", 0)
    plain: list[str] = []
    others: list[str] = []
    for token in _tokens(text):
        if _is_plain(token):
            plain.append(token[:_LONGEST].lower())
        else:
            others += _forms(token, stemmer)
    return (*stemmer.stemWords(plain), *others)


def query_terms(text: str) -> QueryTerms:
    """The distinct terms of a query: a hit must share one of `wanted`.

    What is only a part of something longer is left out where it would make a hit of nearly everything:
    single characters (the り of しりとり, the 1 of v1.2) and numbers of two or three digits (the 12 of
    3.12 or of ABC-12).
    """
    stemmer = Stemmer("english", 0)
    wanted: dict[str, None] = {}
    common: dict[str, None] = {}
    for token in _tokens(text):
        forms = tuple(_forms(token, stemmer))
        into = common if token.casefold() in STOP_WORDS else wanted
        into.update(dict.fromkeys([form for form in forms if not _is_scrap(form)] or forms[:1]))
    return QueryTerms(tuple(wanted), tuple(term for term in common if term not in wanted))


def fold(text: str) -> str:
    """A text without differences of form, case and white space, for comparing names and texts."""
    once = unicodedata.normalize("NFKC", text).casefold()
    return " ".join(unicodedata.normalize("NFKC", once).split())


def same_text(text: str) -> str:
    """What two texts share that are the same but for case, form, punctuation and white space.

    What changes a meaning stays: signs of numbers and money, and what stands between two digits. Of a text
    that is punctuation alone, the folded text.
    """
    folded = fold(text)
    if folded.isascii():  # the same, a dozen times as fast
        return _ASCII_IDLE.sub("", folded) or folded
    return "".join(char for place, char in enumerate(folded) if _tells(folded, place)) or folded


def _tokens(text: str) -> Iterator[str]:
    if text.isascii():
        return iter(_ASCII_TOKEN.findall(text))
    whole = unicodedata.normalize("NFKC", text).replace("’", "'")
    return (run for token in re.findall(_TOKEN, whole) for run in _runs(token))


def _runs(token: str) -> Iterable[str]:
    return (token,) if token.isascii() else re.findall(_RUNS, token)


def _forms(token: str, stemmer: Stemmer) -> Iterable[str]:
    """The distinct terms of one token: a plain word, an unspaced run, or a compound with its parts."""
    if _is_plain(token):
        return (_word(token.lower(), stemmer),)
    if token.isascii():
        parts = _ASCII_PARTS.findall(token)
    elif re.match(_ONE_UNSPACED, token):
        return _unspaced(token)
    else:
        parts = re.findall(_PART, token)
    found = [form for part in parts for form in _part_forms(part, stemmer)]
    if len(parts) != 1 or token != parts[0]:
        found = [*_wholes(token.strip("-_.:/\\@&~=").casefold()), *found]
    return dict.fromkeys(form[:_LONGEST] for form in found if form)


def _is_plain(token: str) -> bool:
    return token.isalpha() and token.isascii() and (token.islower() or token.istitle())


def _is_scrap(form: str) -> bool:
    """Whether a form says next to nothing where it is not the whole of what was asked for."""
    return len(form) == 1 or (len(form) <= _SCRAP and form.isdecimal())


def _unspaced(run: str) -> tuple[str, ...]:
    folded = unicodedata.normalize("NFKC", run.casefold())
    return (*folded, *map("".join, pairwise(folded)))


def _wholes(compound: str) -> Iterator[str]:
    yield compound
    if day := re.match(_DAY, compound):
        yield from (day[0], day[0][:7])
    elif re.fullmatch(_VERSION, compound):
        yield compound[1:]
    elif re.fullmatch(_INITIALS, compound):
        yield compound.replace(".", "")
    elif "," in compound:
        yield compound.replace(",", "")


def _part_forms(part: str, stemmer: Stemmer) -> Iterator[str]:
    pieces = part.split("'")
    if len(pieces) > 1:
        yield _word(part.casefold(), stemmer)
        pieces = [piece for piece in pieces if len(piece) > 2]
    for piece in pieces:
        yield from _piece_forms(piece, stemmer)


def _piece_forms(piece: str, stemmer: Stemmer) -> Iterator[str]:
    if not piece.isascii():
        folded = unicodedata.normalize("NFKC", piece.casefold())
        yield _word(folded, stemmer)
        yield from _unmarked(folded, stemmer)
        return
    yield _word(piece.lower(), stemmer)
    humps = re.findall(_HUMPS, piece)
    if len(humps) > 1:
        yield from (_word(hump.lower(), stemmer) for hump in (*humps, *re.findall(_LETTERS, piece)))


def _unmarked(folded: str, stemmer: Stemmer) -> Iterator[str]:
    bare = re.sub(_STRIPPED, "", unicodedata.normalize("NFD", folded)).translate(_BARE)
    bare = unicodedata.normalize("NFC", bare)
    if bare != folded:
        yield _word(bare, stemmer)


def _word(word: str, stemmer: Stemmer) -> str:
    """The stem of an English-looking word; anything else as it is."""
    if len(word) > _LONGEST or not word.isascii() or word.isdigit():
        return word[:_LONGEST]
    return stemmer.stemWord(word)


def _tells(folded: str, place: int) -> bool:
    char = folded[place]
    if char.isalnum() or char in "#%":
        return True
    kind = unicodedata.category(char)
    if kind[0] not in "PZC" and kind != "Sk":
        return True
    before, after = folded[place - 1 : place], folded[place + 1 : place + 2]
    return after.isdigit() and (before.isdigit() or (char in "-−" and not before.isalnum()))
