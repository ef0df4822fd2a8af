"""Questions to a person: only a spoken yes is one, and where nobody answers nothing happens."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import click

from .door import Stop
from .streams import err

if TYPE_CHECKING:
    from scriptorium_core.problem import Problem

__all__ = ["attended", "confirmed", "hidden", "unanswered"]


def attended() -> bool:
    """Whether the standard input is a terminal, at which somebody may sit."""
    return sys.stdin is not None and not sys.stdin.closed and sys.stdin.isatty()


def confirmed(question: str, instead: str) -> bool:
    """Whether a question is answered with yes, at a terminal or by a line on the standard input.

    Raises Stop where the input ends without an answer; `instead` says what to do then.
    """
    if attended():
        with _answered(question, instead):
            return click.confirm(question, err=True)
    err(f"{question} [y/N]")
    answer = sys.stdin.readline() if sys.stdin is not None else ""
    if not answer:
        raise Stop((unanswered(question, instead),))
    return answer.strip().lower() in ("y", "yes")


def hidden(label: str, twice: bool, instead: str) -> str:
    """What somebody types unseen, `twice` for certainty. Raises Stop where the input ends without it."""
    with _answered(label, instead):
        return str(click.prompt(label, hide_input=True, confirmation_prompt=twice, err=True))


@contextmanager
def _answered(question: str, instead: str) -> Iterator[None]:
    """An input that ends is nobody who answers; only whoever presses Ctrl-C interrupts."""
    try:
        yield
    except click.Abort as ended:
        if isinstance(ended.__context__, EOFError):
            raise Stop((unanswered(question, instead),)) from None
        raise


def unanswered(question: str, instead: str) -> "Problem":
    """That nobody is there who could answer a question."""
    from scriptorium_core.problem import Code, Problem

    return Problem(Code.INVALID_ARGUMENT, f"nobody answered: {question}", remedy=instead)
