"""Asking again where the index of facts turns out to be damaged in the middle of an answer.

SQLite notices damage when it comes to it, which may be long after a question began. The index is a
projection: it is made anew from the files of HEAD, and the question is asked once more.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

if TYPE_CHECKING:
    from pathlib import Path

    from ..workspace import Memory

__all__ = ["Healed", "asked_again", "renewed", "sure"]

C = TypeVar("C", bound=type)
T = TypeVar("T")


class Healed(Protocol):
    """Something that asks an index."""

    def heal(self, error: Exception) -> bool:
        """Make the index anew if `error` says that it is damaged; whether it was."""
        ...


def sure(healed: Healed, ask: Callable[[], T]) -> T:
    """The answer, asked for a second time where the index was damaged."""
    try:
        return ask()
    except Exception as error:
        if not healed.heal(error):
            raise
    return ask()


def asked_again(names: str) -> Callable[[C], C]:
    """Let the methods of these names (blanks between) ask again.

    What writes has written nothing when it meets damage: a commit needs no index from its commit point on.
    """

    def marked(owner: C) -> C:
        for name in names.split():
            setattr(owner, name, _again(getattr(owner, name)))
        return owner

    return marked


def renewed(memory: Memory | None, root: Path, error: Exception) -> bool:
    """Begin the index of a memory anew if `error` says that it is damaged; whether it does."""
    import sqlite3

    from ..index import is_damage
    from ..index.schema import discard
    from ..layout import locate

    if not isinstance(error, sqlite3.DatabaseError) or not is_damage(error):
        return False
    if memory is not None:
        memory.index.renew()
    else:
        discard(locate(root).facts)
    return True


def _again(method: Callable[..., T]) -> Callable[..., T]:
    @wraps(method)
    def asked(self: Healed, *arguments: Any, **named: Any) -> T:
        return sure(self, lambda: method(self, *arguments, **named))

    return asked
