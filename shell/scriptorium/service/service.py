"""The service: one object for one home, with everything that a person, a program or an agent can ask."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from scriptorium_core.policy.actor import OWNER, Actor

from .. import clock
from ..clock import Moment
from ..settings import Settings, default_home, load
from .answering import Answering
from .governing import Governing
from .guarding import guarded, seen_by
from .healing import asked_again, renewed
from .judging import Judging
from .looking import Looking
from .moving import Moving
from .once import Once
from .relying import Relying
from .talking import Talking

if TYPE_CHECKING:
    from scriptorium_core.changes import Caller
    from scriptorium_core.knowledge.trace import Trace
    from scriptorium_core.problem import Problem
    from scriptorium_core.recall import Query
    from scriptorium_core.transaction import Prepared, Rejected

    from ..workspace import Committed, Memory
    from .doctor import Diagnosis
    from .editing import Editing
    from .explaining import Explained
    from .forgetting import Forgotten
    from .meaning import Meaning
    from .model import (
        CoreShown,
        Found,
        Initialised,
        LogEntry,
        Recent,
        Shown,
        Status,
        Timeline,
        TopicLine,
        Verified,
        Why,
    )
    from .past import Past
    from .rebuilding import Indexed
    from .trust import Held
    from .versioned import Blame, Differed

__all__ = ["Progress", "Service"]

Progress = Callable[[int, int], None]
"""Called with what is done and how much there is in all."""


@asked_again(
    "init status sessions search explain context traces show topics core timeline recent why log blame diff"
    " patch at standing_history change remember promote held forget edit restore undo adopt grep excerpt"
    " pending hand_in ask correct append retract validate dispute approve discard review decide digest"
    " relations export"
)
@guarded
class Service(Talking, Looking, Relying, Answering, Judging, Moving, Governing, Once):
    """The memory of a home, and the conversations beside it; `with` closes both.

    Nothing is opened before it is asked for, and no directory is made by reading. One thread at a time, for
    another there is `apart`. Every method raises `Refused` for what cannot be done, with all problems.
    """

    def __init__(
        self,
        home: Path | None = None,
        *,
        memory: Path | None = None,
        settings: Settings | None = None,
        moment: Callable[[], Moment] = clock.moment,
        actor: Actor = OWNER,
    ) -> None:
        """`memory` is `home/memory` unless it is given; one that is given alone has its folder as home.

        `actor` asks. `by_meaning` may be set: true takes meanings in, false words alone, None the settings.
        """
        self.home = home or (memory.absolute().parent if memory is not None else default_home())
        self.root = memory or self.home / "memory"
        self.sessions_path = self.home / "sessions.sqlite3"
        self.settings = load(self.home) if settings is None else settings
        self.given_settings = settings is not None
        self.moment = moment
        self.actor = actor
        self.before_commit: Callable[[Prepared], None] | None = None
        self.by_meaning: bool | None = False
        self._memory: Memory | None = None
        self._meaning: tuple[object, Meaning | Problem | None] | None = None

    def __enter__(self) -> Service:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def apart(self) -> Service:
        """A service of the same home for another thread: it shares nothing that is open."""
        now, who = self.moment, self.actor
        return Service(self.home, memory=self.root, settings=self.settings, moment=now, actor=who)

    def close(self) -> None:
        """Let go of all files; the next question opens them again."""
        if self.glanced is not None:
            self.glanced.close()
            self.glanced = None
        if self._memory is not None:
            self._memory.close()
            self._memory = None

    def memory(self, make: bool = False) -> Memory:
        """The open memory as the actor sees it; made where it is missing if `make` says so."""
        return seen_by(self.actor, self.whole(make))

    def whole(self, make: bool = False) -> Memory:
        """The open memory with all that is in it, for what is done to it as a whole."""
        if self._memory is None:
            from .opening import opened

            self._memory = opened(self, make)
        return self._memory

    def meaning(self) -> Meaning | Problem | None:
        """What finds by meaning, loaded once; what it lacks; None where words decide alone."""
        if self.by_meaning is False:
            return None
        from .meaning import meaning_of

        wish = self.by_meaning, self.settings.embeddings
        if self._meaning is None or self._meaning[0] != wish:
            self._meaning = wish, meaning_of(self.settings, self.by_meaning)
        return self._meaning[1]

    def heal(self, error: Exception) -> bool:
        """Make the index of facts anew if `error` says that it is damaged; whether it was."""
        return renewed(self._memory, self.root, error)

    # --- First run and status --------------------------------------------------------------------

    def init(self) -> Initialised:
        """Make the home and the memory ready; what is there already stays."""
        from .opening import initialised

        return initialised(self)

    def status(self) -> Status:
        """How memory and conversations stand; costs no reading of the whole memory."""
        from .status import status

        return status(self)

    def verify(self, progress: Progress | None = None) -> Verified:
        """Prove every invariant of the directory."""
        from .verify import verify

        return verify(self.whole(), self.sessions_path, progress)

    def doctor(
        self,
        repair: bool = False,
        progress: Progress | None = None,
        *,
        history: bool = False,
        secrets: bool = False,
        also: Sequence[Path] = (),
    ) -> Diagnosis:
        """Verify, and say what else could be better; `repair` mends projections and indexes, never truth.

        `history` looks for secrets in all that the commits keep; `secrets` everywhere about the home, and in
        the files and folders `also`, and `repair` then replaces those in the session store and the traces.
        """
        from .doctor import doctor
        from .exposed import exposed_of

        exposed = exposed_of(self, also) if secrets else None
        return doctor(self.whole(), self.sessions_path, repair, progress, history, exposed)

    def index(self, rebuild: bool = False, progress: Progress | None = None) -> Indexed:
        """Bring all indexes up to the commit; `rebuild` makes them anew from nothing else."""
        from .opening import see_it_is_on
        from .rebuilding import index

        see_it_is_on(self)
        return index(self, rebuild, progress or (lambda done, total: None))

    # --- Reading ---------------------------------------------------------------------------------

    def search(self, query: Query, progress: Progress | None = None) -> Found:
        """Records, turns or both that a query finds; `progress` is of a first indexing."""
        from .opening import see_it_is_on
        from .searching import search

        see_it_is_on(self)
        return search(self, query, progress)

    def traces(self, limit: int = 50) -> tuple[Trace, ...]:
        """The newest deliveries, newest first: what was given to whom, and why."""
        from .tracing import traces

        return traces(self, limit)

    def explain(self, query: Query, progress: Progress | None = None) -> Explained:
        """How a search came to its answer, and why it did not find what it did not find."""
        from .explaining import explain
        from .opening import see_it_is_on

        see_it_is_on(self)
        return explain(self, query, progress)

    def show(self, name: str) -> Shown:
        """A record by id or alias (with or without `^`), a topic by path, or a message by source id."""
        from .unwritten import show

        return show(self, name)

    def topics(self, prefix: str = "") -> tuple[TopicLine, ...]:
        """The topics whose path begins with a prefix, by path."""
        from .reading import topics

        return topics(self.memory(), prefix)

    def core(self, scope: str = "") -> CoreShown:
        """The resident block; with a `scope`, a project directory, only what holds there."""
        from .reading import core

        return core(self.memory(), scope)

    def timeline(self, day: str = "") -> Timeline:
        """The dates at and below `day` (`2026`, `2026-04`) with their rows; if it is empty, all dates."""
        from .reading import timeline

        return timeline(self.memory(), day)

    def recent(self, limit: int | None = None) -> Recent:
        """The newest records, newest first; as many as the settings say if `limit` is None."""
        from .reading import recent

        return recent(self.memory(), self.settings.recent if limit is None else limit)

    def why(self, name: str, around: int = 2) -> Why:
        """Where a record or a message comes from, with `around` messages before and after each."""
        from .unwritten import why

        return why(self, name, around)

    # --- History ---------------------------------------------------------------------------------

    def log(self, limit: int | None = 20, *, topic: str = "", record: str = "") -> tuple[LogEntry, ...]:
        """The newest commits, newest first; with a filter, what touched a topic, a folder or a record."""
        from .versions import log

        return log(self.memory(), limit, topic, record)

    def blame(self, name: str) -> Blame:
        """All versions of a record, newest first: which commit made each, and from which conversation."""
        from .versions import blame

        return blame(self.memory(), name)

    def diff(self, old: str = "", new: str = "", *, topic: str = "") -> Differed:
        """What became of each record between two revisions; by default through the newest commit."""
        from .versions import diff

        return diff(self.memory(), old, new, topic)

    def patch(self, old: str = "", new: str = "", *, topic: str = "") -> str:
        """The same as a unified diff of the topics."""
        from .versions import patch

        return patch(self.memory(), old, new, topic)

    def at(self, revision: str) -> Past:
        """Everything that can be read, as of a revision (`HEAD~3`, a commit, a date); `with` closes it."""
        from .past import at

        return at(self, revision)

    # --- Changing --------------------------------------------------------------------------------

    def change(self, request: object, caller: Caller | None = None) -> Committed | Rejected:
        """Carry out a request of changes; `caller` follows from a credential, None is the actor."""
        from .permitted import speaker

        return self.memory(make=True).update(request, speaker(self, caller))

    def promote(self, names: Sequence[str], *, caller: Caller | None = None) -> Committed | Rejected:
        """Let held messages in, by source id or by a record that cites them; for the owner alone."""
        from .permitted import speaker
        from .trust import promote

        return promote(self.memory(), names, speaker(self, caller))

    def held(self, limit: int | None = None, *, caller: Caller | None = None) -> Held:
        """The messages that wait for the owner's consent, oldest first; for the owner alone."""
        from .permitted import speaker
        from .trust import held

        return held(seen_by(self.actor, self.whole(), "promote"), speaker(self, caller), limit)

    def forget(
        self,
        names: Sequence[str],
        *,
        erase: bool = False,
        unlink: bool = False,
        reason: str = "",
        dry_run: bool = False,
        progress: Progress | None = None,
    ) -> Forgotten | Rejected:
        """Forget records (by id) and messages (by source id); with `erase` in the whole history too."""
        from .forgetting import forget

        return forget(self, names, erase, unlink, reason, dry_run, progress)

    def edit(self, topic: str, *, fresh: bool = False) -> Editing:
        """A draft of a topic, to be changed and finished; one that was kept, unless `fresh`."""
        from .editing import begin
        from .permitted import speaker

        return begin(self.memory(make=True), topic, fresh, speaker(self))

    def restore(self, names: Sequence[str], since: str, *, delete: bool = False) -> Committed | Rejected:
        """Bring back records, or one topic, as of a revision; `delete` drops what the topic got later."""
        from .permitted import speaker
        from .restoring import restore

        return restore(self.memory(), names, since, delete, speaker(self))

    def undo(self, commit: str) -> Committed | Rejected:
        """Take back what a commit did to topics, as a new commit."""
        from .permitted import speaker
        from .restoring import undo

        return undo(self.memory(), commit, speaker(self))

    def adopt(self, paths: Sequence[str] | None = None, *, delete: bool = False) -> Committed | Rejected:
        """Take in topics edited by hand, all if `paths` is None; `delete` confirms what vanished."""
        from .adopting import adopt

        return adopt(self.whole(), paths, delete)
