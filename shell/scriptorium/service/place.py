"""What a service is to its own parts: a memory, the conversations beside it, settings and a clock."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from ..clock import Moment
from ..settings import Settings

if TYPE_CHECKING:
    from scriptorium_core.transaction import Prepared

    from ..workspace import Memory

__all__ = ["Place"]


class Place(Protocol):
    """A home; `root` is its memory directory, `sessions_path` the session store beside it.

    `given_settings` says that the settings are not those of the home's file.
    """

    home: Path
    root: Path
    sessions_path: Path
    settings: Settings
    given_settings: bool
    moment: Callable[[], Moment]
    before_commit: Callable[[Prepared], None] | None

    def heal(self, error: Exception) -> bool:
        """Make the index of facts anew if `error` says that it is damaged; whether it was."""
        ...

    def memory(self, make: bool = False) -> Memory:
        """The open memory; made where it is missing if `make` says so."""
        ...
