"""The front door of the library: a memory directory, and what one can do with it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from scriptorium_core.recall import Kind, Query
from scriptorium_core.sources import Trust
from scriptorium_core.topics.standing import LEAST, State
from scriptorium_core.when import When, Window

from . import clock
from .changing import Changing
from .clock import Moment
from .copies import Copies
from .given import checked
from .service import Service
from .settings import Settings, expanded

if TYPE_CHECKING:
    from scriptorium_core.knowledge.trace import Trace
    from scriptorium_core.transaction import Prepared

    from .conversations.importing import Report
    from .conversations.unwritten import Summary
    from .service.asked import Answered
    from .service.contexts import Given
    from .service.doctor import Diagnosis
    from .service.explaining import Explained
    from .service.hooking import Answer
    from .service.keeping import Round
    from .service.leased import HandedIn, Offered, Unoffered
    from .service.lines import Grepped
    from .service.model import (
        CoreShown,
        Found,
        LogEntry,
        Pass,
        Recent,
        Shown,
        Status,
        Timeline,
        TopicLine,
        Verified,
        Why,
    )
    from .service.past import Past
    from .service.relations import Relations
    from .service.secrets import Secrets
    from .service.syncing import Synced
    from .service.versioned import Blame, Differed, StandingHistory

__all__ = ["Memory"]


@checked("hook")  # an agent goes on whatever its hook is given
class Memory(Changing, Copies):
    """A memory directory; the conversations stand beside it, in `sessions.sqlite3`. `with` closes it.

    What cannot be done raises `Refused` with all problems, as what is of another kind than asked for, and
    whatever is asked after `close`; a change that is not accepted is a `Rejected` with all of them. The
    values that come back are described in `scriptorium.service.model`. One thread at a time.
    """

    def __init__(self, service: Service) -> None:
        super().__init__(service)
        self._root = service.root

    @classmethod
    def open(
        cls,
        path: str | Path,
        *,
        make: bool = True,
        settings: Settings | None = None,
        moment: Callable[[], Moment] = clock.moment,
    ) -> Memory:
        """The memory directory at `path`, made on first use unless `make` is false.

        Without `settings`, those of the folder in which it stands (`settings.toml`). `moment` is the clock.
        """
        service = Service(memory=expanded(path).absolute(), settings=settings, moment=moment)
        service.by_meaning = None
        service.memory(make)
        return cls(service)

    def __enter__(self) -> Memory:
        _ = self._service
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"Memory({str(self.path)!r})"

    def close(self) -> None:
        """Let go of all files; nothing is asked after it, and twice is as once."""
        self._let_go()

    @property
    def path(self) -> Path:
        """The directory."""
        return self._root

    @property
    def vault(self) -> Secrets:
        """The named secrets of the home: put, listed, delete, and `use(name, callback)`, which shows none."""
        from .service.secrets import Secrets

        return Secrets(self._service)

    @property
    def revision(self) -> str | None:
        """The commit that is the memory now, None before the first."""
        return self._service.memory().revision

    @property
    def before_commit(self) -> Callable[[Prepared], None] | None:
        """A function to be called with every change that passed the checks, before its commit point.

        It is given the tree, the trailers and the report. If it raises, nothing is changed.
        """
        return self._service.before_commit

    @before_commit.setter
    def before_commit(self, called: Callable[[Prepared], None] | None) -> None:
        self._service.before_commit = called

    # --- Reading ---------------------------------------------------------------------------------

    def search(
        self,
        text: str,
        limit: int = 10,
        *,
        kinds: Sequence[Kind] = (Kind.RECORD,),
        topic: str = "",
        source: str = "",
        speaker: str = "",
        scope: str | None = None,
        window: Window | None = None,
        trust: Sequence[Trust] = (Trust.TRUSTED,),
        current_required: bool = False,
        least: float = LEAST,
        valid_at: When | None = None,
        standing: Sequence[State] = (),
    ) -> Found:
        """What `text`, taken literally, finds: `hits`, best first, or `nothing` with the reason.

        `topic` and `source` are whole steps of paths and of source ids, `scope` is a project directory; a
        `window` is from one date to another. What waits for consent is found with `trust` alone. Each record
        is assessed at the time of the answer: with `current_required` what can change needs a check, and
        with more or less than `least`, a confidence, what is less sure. With `valid_at`, only what held at
        that date, in the words of then; with `standing`, only records that stand so.
        """
        span = Window(None, None) if window is None else window
        filters = (topic, source, speaker, scope, span, tuple(trust))
        asked = (current_required, least, valid_at, tuple(standing))
        query = Query(text, tuple(kinds), limit, *filters, *asked)
        return self._service.search(query)

    def grep(self, text: str, limit: int = 50, *, topic: str = "", ignore_case: bool = False) -> Grepped:
        """The lines of topics in which a text stands, letter by letter, without what is held."""
        return self._service.grep(text, topic=topic, ignore_case=ignore_case, limit=limit)

    def explain(self, query: Query) -> Explained:
        """How a search came to its answer, and why it did not find what it did not find."""
        return self._service.explain(query)

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
        """What goes along with a question: records with the turns that they cite, in at most `budget` tokens.

        With a `session`, also its newest turns; with a `scope`, only what holds in that project directory.
        What is rejected, or stale under the policy `revalidate`, is left out, with the reason; what needs a
        check is marked. `current_required` and `least` are as in `search`. Its text is traced.
        """
        wish = {"session": session, "scope": scope}
        return self._service.context(question, budget, **wish, current_required=current_required, least=least)

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
        key: str = "",
    ) -> Answered:
        """What memory has for a question: its `decision` with reasons, the `answer` if any, and its records.

        A model of the settings answers out of the context where memory itself does not, unless `model` is
        false; with `keep` its answer becomes an unverified record, once for a `key` as in `update`. The rest
        is as in `context`.
        """
        wish = {"scope": scope, "current": current_required, "least": least, "model": model}
        with self._service.once(key if keep else "", ["ask", question, budget, wish]):
            return self._service.ask(
                question,
                budget,
                scope=scope,
                current_required=current_required,
                least=least,
                keep=keep,
                model=model,
            )

    def traces(self, limit: int = 50) -> tuple[Trace, ...]:
        """The newest deliveries, newest first: what was given to whom, and why."""
        return self._service.traces(limit)

    def show(self, name: str) -> Shown:
        """A record by id or alias (with or without `^`), a topic by path, or a message by source id."""
        return self._service.show(name)

    def why(self, name: str, around: int = 2) -> Why:
        """Where a record or a message comes from, with `around` messages before and after each."""
        return self._service.why(name, around)

    def standing_history(self, name: str) -> StandingHistory:
        """What became of the standing of a record, newest first: which commit made what of it."""
        return self._service.standing_history(name)

    def topics(self, prefix: str = "") -> tuple[TopicLine, ...]:
        """The topics whose path begins with a prefix, by path."""
        return self._service.topics(prefix)

    def core(self, scope: str = "") -> CoreShown:
        """The resident block; with a `scope`, a project directory, only what holds there."""
        return self._service.core(scope)

    def timeline(self, day: str = "") -> Timeline:
        """The dates at and below `day` (`2026`, `2026-04`) with their rows; if it is empty, all dates."""
        return self._service.timeline(day)

    def recent(self, limit: int | None = None) -> Recent:
        """The newest records, newest first; as many as the settings say if `limit` is None."""
        return self._service.recent(limit)

    def relations(self, name: str = "", limit: int = 50) -> Relations:
        """What links to what: by topic, or of a topic or a record (id) alone, at most `limit` rows a list."""
        return self._service.relations(name, limit)

    def log(self, limit: int | None = 20, *, topic: str = "", record: str = "") -> tuple[LogEntry, ...]:
        """The newest commits, newest first; with a filter, what touched a topic, a folder or a record."""
        return self._service.log(limit, topic=topic, record=record)

    def blame(self, name: str) -> Blame:
        """All versions of a record, newest first: which commit made each, and from which conversation."""
        return self._service.blame(name)

    def diff(self, old: str = "", new: str = "", *, topic: str = "") -> Differed:
        """What became of each record between two revisions; by default through the newest commit."""
        return self._service.diff(old, new, topic=topic)

    def at(self, revision: str) -> Past:
        """Everything that can be read, as of a revision (`HEAD~3`, a commit, a date); `with` closes it."""
        return self._service.at(revision)

    def status(self) -> Status:
        """How memory and conversations stand."""
        return self._service.status()

    def verify(self) -> Verified:
        """Prove every invariant of the directory."""
        return self._service.verify()

    def sync(
        self, remote: str = "", *, dry_run: bool = False, make: bool = False, replace: bool = False
    ) -> Synced:
        """Take in what another copy of the memory has, and give it what it has not, by git.

        `remote` is a bare repository: a folder, an address of file, ssh or https, or a name that git knows;
        if it is empty, the setting `remote`. With `make` a folder that is not there becomes one; with
        `replace` one that holds what was erased here gets this history, if that loses nothing.
        """
        return self._service.sync(remote, dry_run=dry_run, make=make, replace=replace)

    def doctor(self, repair: bool = False) -> Diagnosis:
        """Verify, and say what else could be better; `repair` mends projections and indexes, never truth."""
        return self._service.doctor(repair)

    # --- Conversations ---------------------------------------------------------------------------

    def import_paths(
        self, paths: Sequence[str | Path], *, format: str | None = None, session: str = ""
    ) -> tuple[Report, ...]:
        """Take files, folders and archives into the session store, a report of each log.

        `format` None means: by their content.
        """
        return self._service.import_paths([*map(Path, paths)], format=format, session=session)

    def exclude_session(self, provider: str, session: str, reason: str) -> None:
        """Keep a session out by its id, and what its agents begin; an empty provider stands for any."""
        self._service.exclude_session(provider, session, reason)

    def sessions(self) -> tuple[Summary, ...]:
        """The conversations, oldest first, with the number of messages that memory has not written."""
        return self._service.sessions()

    def write(
        self, names: Sequence[str] | None = None, *, force: bool = False, writer: str | None = None
    ) -> tuple[Pass, ...]:
        """Write what is unwritten of the named sessions (None: of all); `force` leaves nothing waiting."""
        return self._service.write(names, force=force, writer=writer)

    def pending(self, session: str = "", *, tokens: int | None = None) -> Offered | Unoffered:
        """The next batch for an agent that writes, for ten minutes its own; asked again, the same one.

        Of one session if it is named, of at most about `tokens`.
        """
        return self._service.pending(session, tokens=tokens)

    def hand_in(
        self, batch: str, memory_changes: Sequence[Mapping[str, Any]] | None = None, **given: Any
    ) -> HandedIn:
        """Hand in what an agent made of a batch: `memory_changes`, `changes`, `patch`, or `nothing_to_keep`.

        A first rejection names all problems and leaves one more attempt; twice the same call writes once.
        Also `given`: `deleted`, `summary`, `base_revision` and `record`, as `Service.hand_in` has them.
        """
        return self._service.hand_in(batch, memory_changes, **given)

    def replay(self, tape: str | Path, names: Sequence[str] | None = None) -> tuple[Pass, ...]:
        """Write as a tape says: the same sessions, tape and clock give the same commits."""
        return self._service.replay(Path(tape), names)

    def keep_once(self, *, scan: bool = True) -> Round:
        """Take in what has grown of the watched logs (`scan`) or what hooks ask for; write what is due."""
        return self._service.keep_once(scan=scan)

    def hook(self, event: str, data: bytes = b"") -> Answer:
        """Answer an agent's host at once; `data` is the JSON object that it gives. Never raises."""
        return self._service.hook(event, data)
