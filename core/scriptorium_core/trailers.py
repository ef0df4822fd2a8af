"""What a commit says about itself: a subject and trailers that plain `git log` reads too.

    Write 2 records about tea

    Kind: write
    Created: 6c1f02aa 91be44d0

A trailer is a line `Key: value` in the last paragraph, which is never the first. A list of ids is one
value with spaces between, broken into several lines of the same key where it is long; white space
and `%` inside an id are percent-encoded, because a source id may hold them.
"""

import re
from collections.abc import Iterable, Sequence
from urllib.parse import quote, unquote

__all__ = ["Trailer", "format_message", "id_trailers", "ids_of", "one_line", "parse_message", "values_of"]

Trailer = tuple[str, str]  # key and value, both without line breaks

_WIDTH = 100
_BLANK = re.compile(r"[\x00-\x20\x7f]+")
_UNSAFE = re.compile(r"[%\s\x00-\x1f\x7f]")
_KEY = re.compile(r"[A-Za-z0-9][A-Za-z0-9-]*")
_LINE = re.compile(r"([A-Za-z0-9][A-Za-z0-9-]*)[ \t]*:[ \t]*(.*)", re.DOTALL)


def one_line(text: str) -> str:
    """`text` on one line: each run of control characters and blanks becomes one blank.

    A lone surrogate, which no commit can hold, becomes `?`.
    """
    return _BLANK.sub(" ", text.encode("utf-8", "replace").decode()).strip(" ")


def format_message(subject: str, trailers: Iterable[Trailer]) -> str:
    """The message of a commit; trailers with an empty value say nothing and are left out."""
    lines = [f"{_checked(key)}: {text}\n" for key, value in trailers if (text := one_line(value))]
    head = f"{one_line(subject) or 'Change memory'}\n"
    return head + "\n" + "".join(lines) if lines else head


def parse_message(message: str) -> tuple[str, tuple[Trailer, ...]]:
    """Subject and trailers of any message; text that is no trailer paragraph gives none."""
    paragraphs = [part for part in re.split(r"\n[ \t]*(?:\n[ \t]*)+", message.strip("\n")) if part]
    subject = one_line(paragraphs[0]) if paragraphs else ""
    return subject, _trailers(paragraphs[-1]) if len(paragraphs) > 1 else ()


def id_trailers(key: str, ids: Iterable[str]) -> tuple[Trailer, ...]:
    """The trailers that name `ids` in order, each line about 100 characters long at most."""
    lines: list[str] = []
    for word in map(_escape, ids):
        if lines and len(key) + len(lines[-1]) + len(word) + 3 <= _WIDTH:
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    return tuple((key, line) for line in lines)


def ids_of(trailers: Sequence[Trailer], key: str) -> tuple[str, ...]:
    """The ids that the trailers of one key name, in order."""
    return tuple(unquote(word) for value in values_of(trailers, key) for word in value.split(" ") if word)


def values_of(trailers: Sequence[Trailer], key: str) -> tuple[str, ...]:
    """The values of one key, in order; keys are compared without regard to case, as git does."""
    return tuple(value for name, value in trailers if name.lower() == key.lower())


def _trailers(paragraph: str) -> tuple[Trailer, ...]:
    found: list[Trailer] = []
    for line in paragraph.split("\n"):
        if line[:1] in (" ", "\t") and found:
            key, value = found[-1]
            found[-1] = (key, one_line(f"{value} {line}"))
        elif match := _LINE.fullmatch(line):
            found.append((match[1], one_line(match[2])))
        else:
            return ()
    return tuple(found)


def _escape(identifier: str) -> str:
    return _UNSAFE.sub(lambda match: quote(match[0], safe=""), identifier)


def _checked(key: str) -> str:
    if not _KEY.fullmatch(key):
        raise ValueError(f"{key!r} cannot be the key of a trailer")
    return key
