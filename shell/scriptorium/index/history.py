"""What the index reads of a history, whoever keeps it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from scriptorium_core.topics import Topic
    from scriptorium_core.trailers import Trailer

__all__ = ["Change", "Entry", "History", "Moment", "Parsed", "Report"]

Report = Callable[[int, int], None]
"""Called with the files done and the files in all."""
Parsed = Mapping[str, "Topic"]
"""Topics without problems, by path, that need not be parsed again."""


class Change(Protocol):
    """One path that differs between two commits, and the ids of its blobs (None: no file)."""

    @property
    def path(self) -> str: ...
    @property
    def new(self) -> str | None: ...


class Moment(Protocol):
    """When a commit was made: seconds since 1970, minutes east of UTC."""

    @property
    def seconds(self) -> int: ...
    @property
    def offset(self) -> int: ...


class Entry(Protocol):
    """One commit of the history."""

    @property
    def commit(self) -> str: ...
    @property
    def when(self) -> Moment: ...
    @property
    def trailers(self) -> Sequence[Trailer]: ...


class History(Protocol):
    """What the index reads of a history; `scriptorium.history.History` is one.

    An object that is not there any more is a KeyError. `log` goes back along first parents.
    """

    def changes(self, old: str | None, new: str | None) -> Iterable[Change]: ...
    def blob(self, identifier: str) -> bytes: ...
    def log(self, start: str | None = None) -> Iterable[Entry]: ...
