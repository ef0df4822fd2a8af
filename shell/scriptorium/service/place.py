"""What a service is to its own parts: a memory, the conversations beside it, settings and a clock."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from ..clock import Moment
from ..settings import Settings

if TYPE_CHECKING:
    from contextlib import AbstractContextManager

    from scriptorium_core.policy import Actor
    from scriptorium_core.problem import Problem
    from scriptorium_core.transaction import Prepared

    from ..fulltext import FullText
    from ..index import Index
    from ..workspace import Memory
    from .meaning import Meaning

__all__ = ["Place"]


class Place(Protocol):
    """A home; `root` is its memory directory, `sessions_path` the session store beside it.

    `by_meaning` says whether a search looks for meanings too (None: if the settings say so).
    `actor` is who asks: it follows from a credential, never from a request.
    `searched` is the full text index as the last search found it, `glanced` the index of facts.
    `given_settings` says that the settings are not those of the home's file.
    """

    home: Path
    root: Path
    sessions_path: Path
    settings: Settings
    given_settings: bool
    moment: Callable[[], Moment]
    actor: Actor
    before_commit: Callable[[Prepared], None] | None
    by_meaning: bool | None
    searched: FullText | None
    glanced: Index | None

    def apart(self) -> AbstractContextManager[Place]:
        """The same home for another thread: it shares nothing that is open."""
        ...

    def heal(self, error: Exception) -> bool:
        """Make the index of facts anew if `error` says that it is damaged; whether it was."""
        ...

    def meaning(self) -> Meaning | Problem | None:
        """What finds by meaning; what it lacks; None where words decide alone."""
        ...

    def memory(self, make: bool = False) -> Memory:
        """The open memory as the actor sees it; made where it is missing if `make` says so."""
        ...

    def whole(self, make: bool = False) -> Memory:
        """The open memory with all that is in it, for what is done to it as a whole."""
        ...
