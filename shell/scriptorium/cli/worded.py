"""Words that a person gives to a command: as an argument, or on the standard input."""

import sys
from typing import TYPE_CHECKING

from .door import Stop

if TYPE_CHECKING:
    from scriptorium_core.problem import Problem

__all__ = ["unicode_of", "words_of"]


def words_of(text: str) -> str:
    """The words of an argument; `-` is the standard input.

    Raises Stop where they are no Unicode: what is kept is what was said, or nothing.
    """
    if text != "-":
        return unicode_of(text)
    try:
        return unicode_of(sys.stdin.read().removesuffix("\n"))
    except UnicodeDecodeError as error:  # a stream that does not hand over what it cannot read
        raise Stop((_broken(error),)) from error


def unicode_of(text: str, name: str = "text") -> str:
    """The text as it is; Stop where half a character stands in it, as for a byte that is no UTF-8."""
    try:
        text.encode()
    except UnicodeEncodeError as error:
        from ..naming import see_that_names_are_utf_8

        see_that_names_are_utf_8()  # where they are not, it is no fault of the text
        raise Stop((_broken(error, name),)) from error
    return text


def _broken(error: UnicodeError, name: str = "text") -> "Problem":
    from scriptorium_core.problem import Code, Problem

    start = error.start if isinstance(error, UnicodeEncodeError | UnicodeDecodeError) else 0
    message = f"what stands at place {start + 1:,} is no UTF-8; nothing was changed"
    remedy = "give the text as UTF-8; `iconv -f latin1 -t utf-8` makes it, of Latin-1 for example"
    return Problem(Code.INVALID_ARGUMENT, message, name, remedy=remedy)
