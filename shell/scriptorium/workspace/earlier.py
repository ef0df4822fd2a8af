"""A memory as it was at an earlier commit: read like the present one, and never written.

Its facts and its full text are indexed anew in a folder of their own below the runtime folder, `at/<commit>`,
of which the newest few are kept. They are made from the commit alone, so that they are never wrong and
may be deleted at any time. What was forgotten since is left out of them; the name of the folder says
which retractions it knows, so that a later one makes another folder.
"""

import contextlib
import os
import shutil
from collections.abc import Callable, Iterable, Iterator, Set
from hashlib import blake2b
from pathlib import Path

from attrs import evolve, field, frozen

from scriptorium_core.facts import Facts
from scriptorium_core.knowledge.withholding import shown
from scriptorium_core.problem import Code, Problem
from scriptorium_core.transaction import Rejected, Rules, Snapshot
from scriptorium_core.tree import Base, Tree

from .. import files
from ..history import Entry, History
from ..index import Index
from ..layout import Layout
from ..refused import Refused
from .memory import Committed, Memory, Plan, Progress

__all__ = ["Earlier", "clear_earlier", "earlier", "folder_of", "size_of"]

FOLDER = "at"
_KEPT = 8
_BYTES = 512 * 1024 * 1024


@frozen
class _Named:
    """A path that differs; the id of its new blob with the path behind it, so that `blob` knows both."""

    path: str
    new: str | None


@frozen
class _Withheld:
    """A history whose files are without what was forgotten, as the index reads one."""

    history: History
    forgotten: Set[str]

    def changes(self, old: str | None, new: str | None) -> Iterator[_Named]:
        for change in self.history.changes(old, new):
            there = change.new is not None and self._read(change.path, change.new) is not None
            yield _Named(change.path, f"{change.new}:{change.path}" if there else None)

    def blob(self, identifier: str) -> bytes:
        blob, _, path = identifier.partition(":")
        return self._read(path, blob) or b""

    def log(self, start: str | None = None) -> Iterable[Entry]:
        return self.history.log(start)

    def _read(self, path: str, blob: str) -> bytes | None:
        # Without retractions there is nothing to look for: the file is read once, when it is wanted.
        return shown(path, self.history.blob(blob), self.forgotten)


@frozen
class _Files:
    """The files of a commit without what was forgotten."""

    base: Base
    forgotten: Set[str]

    def get(self, path: str) -> bytes | None:
        data = self.base.get(path)
        return None if data is None else shown(path, data, self.forgotten)

    def under(self, prefix: str) -> Iterator[str]:
        return self.base.under(prefix)


class Earlier(Memory):
    """The memory at one earlier commit; whatever would write raises Refused."""

    at: Entry
    forgotten_since: tuple[str, ...]

    @property
    def revision(self) -> str | None:
        """The commit that is read."""
        return self.at.commit
