"""Words that a person gives to a command: as an argument, or on the standard input."""

import sys
from typing import TYPE_CHECKING

from .door import Door

if TYPE_CHECKING:
    from scriptorium_core.problem import Problem

__all__ = ["words_of"]


def words_of(door: Door, text: str) -> str:
    """The words of an argument; `-` is the standard input. What was no Unicode in them is said."""
    words, problems = _words(sys.stdin.read().removesuffix("\n") if text == "-" else text)
    door.notices(problems)
    return words


def _words(text: str) -> "tuple[str, tuple[Problem, ...]]":
    """The text as Unicode; what of it is none becomes U+FFFD, and that is said."""
    from scriptorium_core.problem import Code, Problem

    words = text.encode("utf-8", "surrogateescape" if _is_escaped(text) else "replace").decode(
        "utf-8", "replace"
    )
    if words == text:
        return text, ()
    return words, (Problem(Code.INVALID_ARGUMENT, "bytes that are no UTF-8 became U+FFFD", "text"),)


def _is_escaped(text: str) -> bool:
    """Whether every half of a pair in a text stands for a byte of the command line."""
    return all(not "\ud800" <= char <= "\udfff" or "\udc80" <= char <= "\udcff" for char in text)
