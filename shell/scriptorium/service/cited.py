"""A message as it goes along with what cites it."""

from typing import NamedTuple

from scriptorium_core.sources.kinds import Branch

__all__ = ["Alternative", "Citation", "Turn"]


class Turn(NamedTuple):
    """An archived message. `text` may be cut: `length` is the number of characters of the whole.

    `place` is archive and anchor from the root of the memory. `origin`, `session` (`provider/id`) and
    `node` are empty, and `branch` is unknown, where the archive does not know them. A `pending` message
    is by somebody who is not trusted yet. A time that names no zone is `assumed` to be of the workspace's.
    """

    source: str
    place: str
    speaker: str
    at: str
    text: str
    length: int
    trusted: bool
    branch: Branch = "unknown"
    origin: str = ""
    session: str = ""
    node: str = ""
    scope: str | None = None
    assumed: bool = False

    @property
    def is_cut(self) -> bool:
        """Whether `text` is only the beginning."""
        return len(self.text) < self.length


class Alternative(NamedTuple):
    """A record that is of the same, on other live branches (`session@node`) of a conversation."""

    id: str
    content: str
    dates: tuple[str, ...]
    branches: tuple[str, ...]


class Citation(NamedTuple):
    """A source as a record cites it: the message, or None where none is archived under `target`."""

    label: str
    target: str
    turn: Turn | None
