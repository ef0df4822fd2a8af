"""What an importer says about a log, item by item, and what it is given to read.

An importer turns one file into a stream of items in the order of the file, and holds no more of it
than one record. It does not touch the store. `Passed` says that everything before a place is taken:
an import that is stopped goes on from the last place that was passed.
"""

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import BinaryIO, Literal, Protocol

from attrs import field, frozen

from scriptorium_core.names import NodeId
from scriptorium_core.sessions.graph import Node

__all__ = [
    "BLANK",
    "Head",
    "Importer",
    "Item",
    "Key",
    "LinkKind",
    "Linked",
    "Noted",
    "Passed",
    "Replaced",
    "Sample",
    "Skipped",
    "Source",
    "Torn",
    "Turn",
]


BLANK = "\ufeff \r\n\t"
"""What may stand before the first value of a file."""

LinkKind = Literal["continues", "forked_from", "spawned_by"]
"""How a session came from another: it goes on after it, copied its beginning, or was begun by its agent."""


@frozen
class Key:
    """A session as its log names it; an empty title leaves the one it has."""

    provider: str
    id: str
    title: str = field(default="", eq=False)


@frozen
class Turn:
    """A node of a session; the head follows it unless `head` is false."""

    session: Key
    node: Node
    line: int
    head: bool = True


@frozen
class Head:
    """The head moves, the list of live nodes changes (where it is not None), or the title does.

    `at` is when that was so, as `moments.sortable` writes it, where a log is a snapshot of a session:
    of two snapshots the newer one says where the head is, in whatever order they come.
    """

    session: Key
    head: NodeId | None
    live: tuple[NodeId, ...] | None
    line: int
    at: str = ""


@frozen
class Linked:
    """The session came from another session of the same provider, at `node` where that is known."""

    session: Key
    kind: LinkKind
    other: str
    line: int
    node: NodeId | None = None


@frozen
class Skipped:
    """A record that was left out, and why."""

    reason: str
    line: int


@frozen
class Replaced:
    """A record in which characters that are none (lone surrogates, invalid bytes) became U+FFFD."""

    line: int


@frozen
class Noted:
    """Something odd in a record that was taken all the same, and what is made of it."""

    what: str
    line: int


@frozen
class Torn:
    """The file ends in half a record, which begins on `line`; it is taken up by the next import."""

    line: int


@frozen
class Passed:
    """Everything before byte `position` is taken, `line` lines; `state` comes back with the next import."""

    position: int
    line: int
    state: str = ""


Item = Turn | Head | Linked | Skipped | Replaced | Noted | Torn | Passed


def _nobody(_provider: str, _node: NodeId) -> Iterable[str]:
    return ()


@frozen
class Source:
    """A log to be read from byte `position` on, which stands after `line` lines.

    `head_of` gives the stored head of a session (provider, id) where reading goes on, `nodes_of` its
    stored nodes in the order in which they came; `holders_of` the stored sessions that hold a node;
    `session` is the id that the caller gives to a log without one.
    """

    path: Path
    file: BinaryIO
    head_of: Callable[[str, str], NodeId | None]
    nodes_of: Callable[[str, str], Iterable[Node]]
    position: int = 0
    line: int = 0
    state: str = ""
    session: str = ""
    holders_of: Callable[[str, NodeId], Iterable[str]] = _nobody


@frozen
class Sample:
    """What a file holds: its first JSON value, or None if that is not whole, and its first characters.

    `path` is where it lies; for a member of an archive, the archive's path and the name inside.
    """

    value: object
    start: str
    path: Path


class Importer(Protocol):
    """One format. Installed packages add theirs under the entry point group `scriptorium.importers`."""

    name: str

    def recognises(self, sample: Sample) -> bool:
        """Whether a file that begins like this is of this format."""
        ...

    def read(self, source: Source) -> Iterator[Item]:
        """The items of a log in its order; never raises for what stands in it."""
        ...
