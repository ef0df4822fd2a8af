"""The history as somebody sees it who may not read everything: only what happened to what they may read.

By the policy of today: a record that came out of a topic that is hidden was made, for them, where it came to.
A commit that touched nothing of theirs is not told of; of one that touched other things too, only its kind.
"""

from collections.abc import Callable, Iterable, Iterator
from itertools import islice

from attrs import evolve

from scriptorium_core.names import archive_path, source_id
from scriptorium_core.transaction.permitting import seen_tree
from scriptorium_core.tree import Base

from .log import Entry
from .repository import History
from .trees import Change

__all__ = ["PermittedHistory"]

_TRUTH = ("topics/", "sources/")
_NEUTRAL = "a change that you see in part"


class PermittedHistory(History):
    """A history behind `may`, over the open files of another; nothing is committed through it."""

    def __init__(self, of: History, may: Callable[[str], bool]) -> None:
        vars(self).update(vars(of))
        self._may = may

    def base(self, commit: str | None) -> Base:
        """A commit without the files that may not be read."""
        return seen_tree(super().base(commit), self._may)

    def tree_id(self, commit: str | None, path: str) -> str | None:
        """The id of a file or folder in a commit; of a file that may not be read, none."""
        return super().tree_id(commit, path) if self._is_shown(path) or not path.endswith(".md") else None

    def changes(self, old: str | None, new: str | None) -> Iterator[Change]:
        """The files that differ between two commits, as far as they may be read."""
        return (change for change in super().changes(old, new) if self._shows(change))

    def log(
        self, start: str | None = None, limit: int | None = None, until: str | None = None
    ) -> Iterator[Entry]:
        """The commits that touched something that may be read."""
        found = self.told(entry.commit for entry in super().log(start, None, until))
        return found if limit is None else islice(found, limit)

    def entry(self, commit: str) -> Entry:
        """One commit; what its message says where it touched nothing else."""
        found = super().entry(commit)
        changes = super().changes(found.parents[0] if found.parents else None, commit)
        told = [self._shows(change) for change in changes if change.path.startswith(_TRUTH)]
        if told and all(told):
            return found
        kind = tuple(trailer for trailer in found.trailers if trailer[0] == "Kind" and any(told))
        return evolve(found, subject=_NEUTRAL, trailers=kind)

    def told(self, commits: Iterable[str], *paths: str) -> Iterator[Entry]:
        """Those of the commits that touched something that may be read, at or below `paths`."""
        for commit in commits:
            if any(_is_below(change.path, paths) for change in self._own(commit)):
                yield self.entry(commit)

    def tells(self, commit: str, named: str) -> bool:
        """Whether a commit did something to an id where it may be read."""
        archive = archive_path(named) if source_id(named) is not None else None
        if archive is not None:
            return self._may(archive)
        mark = f"^{named}".encode("utf-8", "replace")
        blobs = (blob for change in self._own(commit) for blob in (change.old, change.new) if blob)
        return any(mark in self.blob(blob) for blob in blobs)

    def drafts(self, paths: tuple[str, ...] | None = None) -> tuple[str, ...]:
        """The files that differ from HEAD, as far as they may be read."""
        return tuple(filter(self._is_shown, super().drafts(paths)))

    def _own(self, commit: str) -> Iterator[Change]:
        parents = super().entry(commit).parents
        return self.changes(parents[0] if parents else None, commit)

    def _shows(self, change: Change) -> bool:
        return self._is_shown(change.path)

    def _is_shown(self, path: str) -> bool:
        archive = path.removesuffix(".jsonl") + ".md" if path.endswith(".jsonl") else path
        return path.startswith(_TRUTH) and self._may(archive)


def _is_below(path: str, paths: tuple[str, ...]) -> bool:
    return not paths or any(path == each or path.startswith(f"{each}/") for each in paths)
