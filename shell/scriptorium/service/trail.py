"""Following a record back through the commits: only those that touched its topics are read."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from attrs import frozen

from scriptorium_core.knowledge.versions import step
from scriptorium_core.names import BlockId, TopicPath
from scriptorium_core.topics import parse_topic

from .revisions import parent_of

if TYPE_CHECKING:
    from scriptorium_core.knowledge.versions import Step
    from scriptorium_core.topics.records import Record

    from ..history import Change, Entry, History
    from ..history.touching import Touching
    from ..index import Mention

__all__ = ["records_in", "topic_changes", "trail"]


def trail(
    history: History,
    touching: Touching,
    block: str,
    start: str,
    path: str | None,
    mentions: Sequence[Mention],
) -> Iterator[tuple[Entry, Step]]:
    """What each commit made of a record, newest first, from `start`, after which it stands in `path`.

    `path` is None if it is not there any more. `mentions` are what the commits say of it, oldest first: the
    trail ends where the record was made and none before it names it. While it is not there, each commit is
    looked at, unless the next one that names it says that it deleted it.
    """
    commit: str | None = start
    ahead = [each.commit for each in mentions]
    while commit is not None:
        stood, here = path, (_deletion(mentions, ahead) if path is None else None) or commit
        looked, commit = touching(here, path) if path is not None else iter((here,)), None
        for each in looked:
            entry = history.entry(each)
            ahead = ahead[: ahead.index(each)] if each in ahead else ahead
            if (side := _side(history, block, entry, path)) is not None:
                commit = side
                break
            before, after = _Found(history, block, parent_of(entry), each).states(path)
            made = step(BlockId(block), before, after)
            if made is not None:
                yield entry, made
            path, commit = before.path if before is not None else None, parent_of(entry)
            if path is None and not ahead:
                return
            if path != stood:
                break


def records_in(history: History, path: str, blob: str | None) -> tuple[Record, ...]:
    """The records of a topic in one state; none if it is not there."""
    return () if blob is None else parse_topic(TopicPath(path), history.blob(blob))[0].records


def topic_changes(history: History, old: str | None, new: str | None) -> tuple[Change, ...]:
    """The topics that differ between two commits."""
    return tuple(
        change
        for change in history.changes(old, new)
        if change.path.startswith("topics/") and change.path.endswith(".md")
    )


def _deletion(mentions: Sequence[Mention], ahead: Iterable[str]) -> str | None:
    """The newest commit ahead that names the record, if it says that it deleted it."""
    left = frozenset(ahead)
    newest = next((each.commit for each in reversed(mentions) if each.commit in left), None)
    gone = {each.commit for each in mentions if each.name in ("Deleted", "Forgotten")}
    return newest if newest in gone else None


def _side(history: History, block: str, entry: Entry, path: str | None) -> str | None:
    """The other parent of a commit that united two histories, where the record came from there as it is."""
    for parent in entry.parents[1:]:
        brought = _Found(history, block, parent, entry.commit).states(path)
        made = _Found(history, block, entry.parents[0], entry.commit).states(path)
        if step(BlockId(block), *made) is not None and step(BlockId(block), *brought) is None:
            return parent
    return None


@frozen
class _Found:
    """A record before and after one commit."""

    history: History
    block: str
    parent: str | None
    commit: str

    def states(self, path: str | None) -> tuple[Record | None, Record | None]:
        """The record before and after; after it stood in `path`."""
        changes = sorted(
            topic_changes(self.history, self.parent, self.commit), key=lambda change: change.path != path
        )
        before = ((change.path, change.old) for change in changes)
        after = ((change.path, change.new) for change in changes if change.path == path)
        return self._first(before), self._first(after)

    def _first(self, places: Iterable[tuple[str, str | None]]) -> Record | None:
        for path, blob in places:
            if blob is not None and f"^{self.block}".encode() in self.history.blob(blob):
                for record in records_in(self.history, path, blob):
                    if self.block in record.ids:
                        return record
        return None
