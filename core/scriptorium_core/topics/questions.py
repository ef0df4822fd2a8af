"""The questions that a record answers, as its evidence carries them (format, section 5).

    ; Ask: Where is the spare key?

A question has one key however it is typed: the SHA-256 of its text, in NFC, case-folded, with runs of white
space as one blank. So that every question stands in one field, `%` and `;` are written `%25` and `%3B`. The
questions of a record are those of all its definitions, also of such as hold no more: they ask for what holds
now.
"""

import re
import unicodedata
from collections.abc import Iterable
from hashlib import sha256
from types import MappingProxyType

from .records import Record

__all__ = ["ASK", "NORMALISER", "ask_fields", "normalised", "question_key", "questions_of"]

ASK = "Ask"
NORMALISER = 1
"""The version of `normalised`: keys of two are never compared, so a new one makes the index anew."""

LONGEST = 1_000
"""Characters of a question that a field takes."""

_ESCAPED = re.compile(r"%25|%3B")
_ESCAPES = MappingProxyType({"%25": "%", "%3B": ";"})


def normalised(text: str) -> str:
    """What all spellings of a question share; the same of what it gives."""
    found = _once(text)
    while (again := _once(found)) != found:  # a fold may compose anew, and that fold once more
        found = again
    return found


def question_key(text: str) -> str:
    """The key of a question: 64 hex digits."""
    return sha256(normalised(text).encode("utf-8", "surrogatepass")).hexdigest()


def ask_fields(questions: Iterable[str]) -> tuple[tuple[str, str], ...]:
    """The fields that spell questions, each question once; what holds no words is none."""
    lines = (" ".join(_printable(question).split())[:LONGEST].strip() for question in questions)
    return tuple((ASK, line.replace("%", "%25").replace(";", "%3B")) for line in _once_each(lines))


def questions_of(record: Record) -> tuple[str, ...]:
    """The questions that a record carries, in order, each once."""
    said = (value for group in record.evidence for name, value in group.fields if name == ASK)
    asked = (_ESCAPED.sub(lambda found: _ESCAPES[found[0]], value).strip() for value in said)
    return _once_each(asked)


def _once_each(questions: Iterable[str]) -> tuple[str, ...]:
    """Of several spellings of a question the first; what holds no words is none."""
    once: dict[str, str] = {}
    for question in filter(None, questions):
        once.setdefault(question_key(question), question)
    return tuple(once.values())


def _once(text: str) -> str:
    return " ".join(unicodedata.normalize("NFC", unicodedata.normalize("NFC", text).casefold()).split())


def _printable(text: str) -> str:
    """A question without what a line of a definition cannot hold."""
    return "".join(" " if unicodedata.category(char) in ("Cc", "Cs", "Zl", "Zp") else char for char in text)
