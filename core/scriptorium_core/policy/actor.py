"""Who asks: a name that a credential is bound to; never what a request says of itself."""

import re
from typing import NamedTuple

from ..problem import Code, Problem

__all__ = ["AGENT", "ANONYMOUS", "LIBRARIAN", "OWNER", "PAIRED", "READER", "Actor", "actor_named"]

_NAME = r"[a-z][a-z0-9_-]{0,63}\Z"


class Actor(NamedTuple):
    """Somebody whom a policy may name."""

    name: str

    def __str__(self) -> str:
        return self.name


OWNER = Actor("owner")
PAIRED = Actor("paired")
AGENT = Actor("agent")
LIBRARIAN = Actor("librarian")
READER = Actor("reader")
ANONYMOUS = Actor("anonymous")


def actor_named(name: str) -> Actor | Problem:
    """The actor of a name, or what is wrong with the name."""
    if re.match(_NAME, name):
        return Actor(name)
    remedy = "take small letters, digits, `-` and `_`, at most 64, and begin with a letter"
    return Problem(Code.INVALID_ARGUMENT, f"{name!r} is no name for an actor", "actor", remedy=remedy)
