"""Reading as of then: the service on the memory as it was at an earlier revision."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

from attrs import frozen

from scriptorium_core import recall
from scriptorium_core.names import archive_path, source_id
from scriptorium_core.policy.actor import OWNER
from scriptorium_core.policy.rules import Right
from scriptorium_core.problem import Code, Problem
from scriptorium_core.recall import Nothing, Query
from scriptorium_core.topics.standing import LEAST

from ..fulltext import FullText
from ..fulltext.copying import copy_fulltext
from ..given import checked
from ..refused import Refused
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
    from scriptorium_core.knowledge.digest import Digest

    from ..workspace import Memory
    from .asked import Answered
    from .contexts import Given
    from .explaining import Explained
    from .lines import Grepped
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


@checked()
@asked_again(
    "search explain grep context ask show topics core timeline recent relations digest why log blame diff"
    " patch"
)
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

    @property
    def by_meaning(self) -> bool | None:
        """Whether meanings are taken in, as in the present service; of then only questions that are alike."""
        return self.present.by_meaning

    @by_meaning.setter
    def by_meaning(self, wish: bool | None) -> None:
        self.present.by_meaning = wish

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
        self._by_words()
        with self._looked("search", progress) as found:
            asked, commit, index = recall.wanted(query), found.revision, found.fulltext
            if isinstance(asked, Nothing) or commit is None or index is None:
                return Found(commit, None, nothing=asked if isinstance(asked, Nothing) else None)
            return answer(commit, found.facts, index, query, (), day_of(self.present))

    def explain(self, query: Query, progress: Progress | None = None) -> Explained:
        """How a search of then came to its answer."""
        from .explaining import explained_in

        self._by_words()
        with self._looked("search", progress) as found:
            return explained_in(found, query, day_of(self.present))

    def grep(
        self,
        text: str,
        *,
        topic: str = "",
        ignore_case: bool = False,
        limit: int = 50,
        progress: Progress | None = None,
    ) -> Grepped:
        """The first `limit` lines of topics in which a text stood, letter by letter."""
        from .lines import grep

        memory = _seen(self.present, self.earlier, "search")
        return grep(memory, text, topic, ignore_case, limit, day_of(self.present), progress)

    def context(
        self,
        question: str,
        budget: int | None = None,
        *,
        session: str = "",
        scope: str = "",
        current_required: bool = False,
        least: float = LEAST,
    ) -> Given:
        """What went along with a question, traced; of a conversation no commit says where it was then."""
        from scriptorium_core.knowledge.question import question_fault

        from .contexts import Wish, delivered

        if session:
            message, remedy = "the newest turns of a conversation are those of now", "leave the session out"
            raise Refused(Problem(Code.INVALID_ARGUMENT, message, "session", remedy=remedy))
        if fault := question_fault(question):
            raise Refused(fault)
        with self._looked("inject") as found:
            return delivered(self.present, found, question, budget, Wish(scope, current_required, least))

    def ask(
        self,
        question: str,
        budget: int | None = None,
        *,
        scope: str = "",
        current_required: bool = False,
        least: float = LEAST,
        keep: bool = False,
        model: bool = True,
    ) -> Answered:
        """The decision for a question by what memory held then; nothing is kept of it."""
        from .asking import View, ask
        from .contexts import Wish

        if keep:
            message = f"this is the memory as it was at {self.point.revision[:10]}, which can only be read"
            raise Refused(Problem(Code.NOT_PERMITTED, message, remedy="ask the present memory to keep it"))
        view = View(lambda: self._looked("inject"), self._forgotten)
        wish = Wish(scope, current_required, least)
        return ask(self.present, question, budget, wish, False, model, view)

    def digest(self, prefix: str = "") -> tuple[Digest, ...]:
        """What each topic was about."""
        from .reviewing import digests

        return digests(self.memory, prefix)

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

    @contextmanager
    def _looked(self, action: str, progress: Progress | None = None) -> Iterator[Ready]:
        """The memory of then with its full text index, as the actor may do this `action` with it."""
        memory, told = self.earlier, progress or (lambda done, total: None)
        with memory.reading(told) as (commit, base):
            assert commit is not None  # what is earlier is a commit
            copy_fulltext(memory.layout.fulltext, memory.fulltext)
            index = FullText.open(memory.fulltext, memory.zone)
            bring_up(memory, commit, base.facts, index, told)
            ready = Ready(memory.layout, commit, base.facts, index)
            yield as_seen(self.present, ready, memory.index.queries, action)

    def _by_words(self) -> None:
        """Refuse to find by meaning where that is asked for: what is embedded is the present memory."""
        if self.by_meaning:
            message, remedy = "an earlier memory is searched by its words alone", "leave meaning out"
            raise Refused(Problem(Code.INVALID_ARGUMENT, message, "semantic", remedy=remedy))

    def _forgotten(self, ids: Sequence[str]) -> bool:
        """Whether one of these records was forgotten by now."""
        with self.present.whole().reading() as (_, base):
            return any(name in base.facts.forgotten for name in ids)


def _seen(present: Place, memory: Earlier, right: str = "read") -> Memory:
    """The memory of then as the actor sees it, by the policy of now."""
    if present.actor == OWNER:
        return memory
    return permitted(memory, present.whole(), present.actor, Right(right))


def at(present: Place, asked: str) -> Past:
    """The memory as of a revision or a date. Raises Refused where there was none then."""
    return Past(present, earlier(present.whole(), revision(present.memory(), asked)), asked)
