"""Reading as of then: the service on the memory as it was at an earlier revision."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Never

from attrs import frozen

from scriptorium_core import recall
from scriptorium_core.problem import Code, Problem
from scriptorium_core.recall import Nothing, Query

from ..fulltext import FullText
from ..refused import Refused
from ..workspace.earlier import Earlier, earlier
from .found import Found
from .indexing import documents
from .revisions import revision
from .searching import answer
from .service import Service
from .shaping import moment_text

if TYPE_CHECKING:
    from ..workspace import Memory

__all__ = ["AsOf", "Past", "at"]

Progress = Callable[[int, int], None]


@frozen
class AsOf:
    """The revision that is read: what was asked for, the commit, when it was made, and its subject."""

    asked: str
    revision: str
    at: str
    subject: str


class Past(Service):
    """Every question to the memory as it was then; what would change anything is refused.

    Messages that were pending then are pending. What was forgotten since is not shown: `notices` say so.
    """

    def __init__(self, present: Service, memory: Earlier, asked: str) -> None:
        super().__init__(present.home, memory=present.root, settings=present.settings, moment=present.moment)
        self._memory: Memory | None = memory
        self.earlier = memory
        point = memory.at
        self.point = AsOf(asked, point.commit, moment_text(point.when), point.subject)

    def __enter__(self) -> Past:
        return self

    @property
    def notices(self) -> tuple[Problem, ...]:
        """What is left out, as far as it is known; complete after the first question."""
        gone = self.earlier.forgotten_since()
        if not gone:
            return ()
        message = f"{len(gone):,} records and messages of that time were forgotten since and are not shown"
        return (Problem(Code.FORGOTTEN, message),)

    def close(self) -> None:
        """Let go of the indexes of then; the present memory stays open."""
        self.earlier.close()

    def memory(self, make: bool = False) -> Memory:
        """The memory as it was; it cannot be made."""
        return self.never() if make else self.earlier

    def search(self, query: Query, progress: Progress | None = None) -> Found:
        """What a query finds, by the words and the ranking of then."""
        asked, memory = recall.wanted(query), self.earlier
        with memory.reading(progress or (lambda done, total: None)) as (commit, base):
            if isinstance(asked, Nothing) or commit is None:
                return Found(commit, None, nothing=asked if isinstance(asked, Nothing) else None)
            index = FullText.open(memory.fulltext)
            if index.stands_for() != commit:
                index.rebuild(commit, documents(memory, base.facts))
            return answer(commit, base.facts, index, query, ())

    def never(self, *_: Any, **__: Any) -> Never:
        """Refused: it would change something, or is a question to the present alone."""
        message = f"this is the memory as it was at {self.point.at}; it can only be read"
        raise Refused(Problem(Code.NOT_PERMITTED, message, remedy="ask the present memory"))

    init = status = verify = doctor = import_paths = forget = never


def at(present: Service, asked: str) -> Past:
    """The service as of a revision or a date. Raises Refused where there was no memory then."""
    memory = present.memory()
    return Past(present, earlier(memory, revision(memory, asked)), asked)
