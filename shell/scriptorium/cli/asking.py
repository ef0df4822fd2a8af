"""Questions to a person: only a spoken yes is one, and where nobody answers nothing happens."""

import sys
from typing import TYPE_CHECKING

import click

from .door import Stop
from .streams import err

if TYPE_CHECKING:
    from scriptorium_core.problem import Problem

__all__ = ["attended", "confirmed", "unanswered"]


def attended() -> bool:
    """Whether the standard input is a terminal, at which somebody may sit."""
    return sys.stdin is not None and not sys.stdin.closed and sys.stdin.isatty()


def confirmed(question: str, instead: str) -> bool:
    """Whether a question is answered with yes, at a terminal or by a line on the standard input.

    Raises Stop where the input ends without an answer; `instead` says what to do then.
    """
    if attended():
        try:
            return click.confirm(question, err=True)
        except click.Abort as ended:
            if isinstance(ended.__context__, EOFError):
                raise Stop((unanswered(question, instead),)) from None
            raise
    err(f"{question} [y/N]")
    answer = sys.stdin.readline() if sys.stdin is not None else ""
    if not answer:
        raise Stop((unanswered(question, instead),))
    return answer.strip().lower() in ("y", "yes")


def unanswered(question: str, instead: str) -> "Problem":
    """That nobody is there who could answer a question."""
    from scriptorium_core.problem import Code, Problem

    return Problem(Code.INVALID_ARGUMENT, f"nobody answered: {question}", remedy=instead)
