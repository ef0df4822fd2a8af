"""Reading as of then: the service on the memory as it was at an earlier revision."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from attrs import frozen

from scriptorium_core import recall
from scriptorium_core.names import archive_path, source_id
from scriptorium_core.policy.actor import OWNER
from scriptorium_core.problem import Code, Problem
from scriptorium_core.recall import Nothing, Query

from ..fulltext import FullText
from ..fulltext.copying import copy_fulltext
from ..workspace.earlier import Earlier, earlier
from ..workspace.permitted import Permitted, permitted
from . import reading, versions
from . import why as whence
from .assessing import day_of
from .found import Found
from .healing import asked_again, renewed
from .indexing import bring_up
from .revisions import revision
from .searching import Ready, answer, as_seen
from .shaping import moment_text

if TYPE_CHECKING:
    from ..workspace import Memory
    from .model import CoreShown, LogEntry, Recent, Shown, Timeline, TopicLine, Why
    from .place import Place
    from .relations import Relations
    from .versioned import Blame, Differed

__all__ = ["AsOf", "Past", "at"]

Progress = Callable[[int, int], None]


@frozen
class AsOf:
    """The revision that is read: what was asked for, the commit, when it was made, and its subject."""

    asked: str
    revision: str
    at: str
    subject: str


@asked_again("search show topics core timeline recent relations why log blame diff patch")
class Past:
    """Every question to the memory as it was then, by the names that they have in the service.

    Messages that were pending then are pending. What was forgotten since is not shown: `notices` say so.
    """

    def __init__(self, present: Place, memory: Earlier, asked: str) -> None:
        self.present, self.earlier = present, memory
        self.memory = _seen(present, memory)
        point = memory.at
        self.point = AsOf(asked, point.commit, moment_text(point.when), point.subject)

    def __enter__(self) -> Past:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the indexes of then; the present memory stays open."""
        self.earlier.close()

    def heal(self, error: Exception) -> bool:
        """Make the index of then anew if `error` says that it is damaged; whether it was."""
        return renewed(self.earlier, self.present.root, error)

    @property
    def notices(self) -> tuple[Problem, ...]:
        """What is left out, as far as it is known; complete after the first question."""
        gone = tuple(name for name in self.earlier.forgotten_since() if self._may_know(name))
        one = "1 record or message of that time was forgotten since and is not shown"
        more = f"{len(gone):,} records and messages of that time were forgotten since and are not shown"
        return (Problem(Code.FORGOTTEN, one if len(gone) == 1 else more),) if gone else ()

    def _may_know(self, name: str) -> bool:
        """Whether it may be said that something was forgotten: of records nobody knows where they stood."""
        if not isinstance(self.memory, Permitted):
            return True
        return source_id(name) is not None and self.memory.may(archive_path(name))

    def search(self, query: Query, progress: Progress | None = None) -> Found:
        """What a query finds, by the words and the ranking of then."""
        asked, memory = recall.wanted(query), self.earlier
        with memory.reading(progress or (lambda done, total: None)) as (commit, base):
            if isinstance(asked, Nothing) or commit is None:
                return Found(commit, None, nothing=asked if isinstance(asked, Nothing) else None)
            copy_fulltext(memory.layout.fulltext, memory.fulltext)
            index = FullText.open(memory.fulltext, memory.zone)
            bring_up(memory, commit, base.facts, index, progress or (lambda done, total: None))
            ready = Ready(memory.layout, commit, base.facts, index)
            ready = as_seen(self.present, ready, memory.index.queries, "search")
            return answer(commit, ready.facts, index, query, (), day_of(self.present))

    def show(self, name: str) -> Shown:
        """A record, a topic or a message."""
        return reading.show(self.memory, name)

    def topics(self, prefix: str = "") -> tuple[TopicLine, ...]:
        """The topics whose path begins with a prefix."""
        return reading.topics(self.memory, prefix)

    def core(self, scope: str = "") -> CoreShown:
        """The resident block, by the budget of today; with a `scope`, only what holds there."""
        return reading.core(self.memory, scope)

    def timeline(self, day: str = "") -> Timeline:
        """The dates at and below `day`."""
        return reading.timeline(self.memory, day)

    def recent(self, limit: int | None = None) -> Recent:
        """The records that were the newest."""
        return reading.recent(self.memory, self.present.settings.recent if limit is None else limit)

    def relations(self, name: str = "", limit: int = 50) -> Relations:
        """What linked to what."""
        from .relations import relations

        return relations(self.memory, name, limit)

    def why(self, name: str, around: int = 2) -> Why:
        """Where a record or a message comes from."""
        return whence.why(self.memory, self.present.sessions_path, name, around)

    def log(self, limit: int | None = 20, *, topic: str = "", record: str = "") -> tuple[LogEntry, ...]:
        """The commits up to then."""
        return versions.log(self.memory, limit, topic, record)

    def blame(self, name: str) -> Blame:
        """The versions of a record up to then."""
        return versions.blame(self.memory, name)

    def diff(self, old: str = "", new: str = "", *, topic: str = "") -> Differed:
        """What became of each record; HEAD is the revision that is read."""
        return versions.diff(self.memory, old, new, topic)

    def patch(self, old: str = "", new: str = "", *, topic: str = "") -> str:
        """The same as a unified diff of the topics."""
        return versions.patch(self.memory, old, new, topic)


def _seen(present: Place, memory: Earlier) -> Memory:
    """The memory of then as the actor sees it, by the policy of now."""
    if present.actor == OWNER:
        return memory
    return permitted(memory, present.whole(), present.actor)


def at(present: Place, asked: str) -> Past:
    """The memory as of a revision or a date. Raises Refused where there was none then."""
    return Past(present, earlier(present.whole(), revision(present.memory(), asked)), asked)
