"""An open memory directory: snapshots that need no lock, and commits that are whole or not there at all."""

import contextlib
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from attrs import define, evolve, field

from scriptorium_core.budget import Count
from scriptorium_core.changes import (
    Applied,
    Caller,
    bring,
    carry_out,
    clean_request,
    decode_request,
    paths_meant,
)
from scriptorium_core.facts.once import Claim
from scriptorium_core.names import SourceId, WorkspaceId
from scriptorium_core.problem import Code, Problem
from scriptorium_core.sources.redact import Redact
from scriptorium_core.trailers import format_message
from scriptorium_core.transaction import Edit, Prepared, Rejected, Report, Rules, Snapshot, prepare
from scriptorium_core.transaction.overtaking import meetings
from scriptorium_core.transaction.touching import vanished
from scriptorium_core.tree import Tree
from scriptorium_core.views.derive import Limits, is_view
from scriptorium_core.when import When, render_when

from .. import clock, files, redaction, tokens
from ..clock import Moment
from ..history import History
from ..index import Index
from ..layout import Layout, create, locate, workspace_id
from ..lock import held
from ..refused import Refused
from . import drafts, once, permitting, takeover
from .breaches import new_breaches
from .committed import Committed
from .projecting import projected
from .rebasing import moved_meanwhile

__all__ = ["Committed", "Memory", "Plan", "Progress"]

Progress = Callable[[int, int], None]
"""Called with what is done and how much there is in all."""

Plan = Callable[[Snapshot], Edit | Rejected]
"""How an edit is made on a base; asked again when the base has moved."""

_ATTEMPTS = 5


def _silent(done: int, total: int) -> None:
    pass


@define
class Memory:
    """A memory directory; `with` closes it. One thread at a time."""

    layout: Layout
    history: History = field(repr=False)
    index: Index = field(repr=False)
    limits: Limits = field(repr=False)
    moment: Callable[[], Moment] = field(default=clock.moment, repr=False)
    redact: Redact = field(default=redaction.redact, repr=False)
    notices: tuple[Problem, ...] = ()
    before_commit: Callable[[Prepared], None] | None = field(default=None, repr=False)
    """Called with what passed the checks, before it is committed; nothing is, if it raises."""
    claim: Claim | None = None  # the key of the request that is being carried out
    zone: clock.Zone | None = None  # in which days count; None: each time in that in which it was given

    @classmethod
    def open(
        cls,
        root: str | Path,
        *,
        make: bool = True,
        count: Count = tokens.count,
        core_tokens: int = 2000,
        recent: int = 50,
        moment: Callable[[], Moment] = clock.moment,
        redact: Redact = redaction.redact,
    ) -> "Memory":
        """The memory directory at `root`, made on first use unless `make` is false.

        What a killed process left unfinished is finished. A directory that holds files but no commit of
        them is taken over as one commit. `redact` takes secrets out of whatever is archived. Raises Refused
        where there is no memory, or no place for one.
        """
        path = Path(root)
        with files.explained(path):
            layout = create(path) if make else locate(path)
            if not layout.staging.is_dir():  # another program's directory, or a fresh clone
                layout = create(path)
            if not takeover.was_opened(layout) or not (layout.git / "HEAD").is_file():
                with held(layout.lock):
                    History.begin(layout).close()
            history = History.open(layout)
            index = Index.open(layout.facts)
            memory = cls(layout, history, index, Limits(count, core_tokens, recent), moment, redact)
            memory.notices = memory._finish()
        return memory

    def __enter__(self) -> "Memory":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Let go of all files."""
        self.index.close()
        self.history.close()

    @property
    def revision(self) -> str | None:
        """The commit that is the memory now, None before the first."""
        return self.history.head()

    @property
    def workspace(self) -> WorkspaceId:
        """The id of the memory, the same wherever the directory is moved."""
        return workspace_id(self.layout)

    # --- Reading ---------------------------------------------------------------------------------

    @contextlib.contextmanager
    def reading(self, progress: Progress = _silent) -> Iterator[tuple[str | None, Snapshot]]:
        """A commit and all that is known of it, the same until the block ends, whoever writes meanwhile."""
        with files.explained(self.layout.root):
            self.index.follow(self.history, self.history.head(), progress)
        with self.indexed() as found:
            yield found

    @contextlib.contextmanager
    def indexed(self) -> Iterator[tuple[str | None, Snapshot]]:
        """The commit that the index stands for, which need not be HEAD, and all that is known of it."""
        with self.index.snapshot() as facts:
            commit = self.index.commit
            yield commit, Snapshot(Tree(self.history.base(commit)), facts)

    # --- Writing ---------------------------------------------------------------------------------

    def update(self, request: object, caller: Caller | None = None) -> Committed | Rejected:
        """Carry out a request: `memory_changes`, `changes` or `patch`, with `sources` and `base_revision`."""
        decoded, problems = decode_request(request)
        if problems:
            return Rejected(problems)
        decoded, found = clean_request(decoded, self.redact)
        who = caller or Caller()
        brought = bring(decoded.sources, who)

        def plan(base: Snapshot) -> Edit | Rejected:
            applied = carry_out(base.tree, base.facts, decoded, brought.places, self.today())
            edited = applied.tree.differences() if isinstance(applied, Applied) else ()
            touched = {*paths_meant(decoded), *edited}
            seen, head = decoded.base_revision, self.index.commit
            moved = moved_meanwhile(self.history, seen, head, base, decoded.changes, touched)
            if moved:
                return Rejected(moved)
            if not isinstance(applied, Applied):
                return Rejected(applied)
            return Edit(
                applied.tree, applied.deleted, brought.frames, brought.contexts, "edit", decoded.message
            )

        result = self.commit(plan, self.rules(who))
        return result if isinstance(result, Rejected) else evolve(result, redacted=found)

    def commit(self, plan: Plan, rules: Rules) -> Committed | Rejected:
        """Make an edit on HEAD, prepare it and commit it; the lock is held only meanwhile.

        A person's draft in the way is adopted first, in a commit of its own; if it does not pass, the
        edit is refused and the draft stays.
        """
        with files.explained(self.layout.root), held(self.layout.lock):
            for _ in range(_ATTEMPTS):
                self.settle()
                result = self._attempt(plan, rules)
                if result is not None:
                    break
            else:
                raise Refused(_overtaken())
        with contextlib.suppress(OSError, Refused):  # the commit stands; the next one tries again
            self.history.consolidate()
        return result

    def rules(self, caller: Caller | None = None, citable: frozenset[SourceId] | None = None) -> Rules:
        """The rules of a transaction under the settings of this memory."""
        limits = self.limits
        return Rules(caller or Caller(), limits.count, citable, limits.core_tokens, limits.recent)

    def adopt(self, paths: tuple[str, ...] | None = None, delete: bool = False) -> Committed | Rejected:
        """Take in what a person edited in the working tree, through the same checks, as one commit.

        With `delete` they confirm that the records that vanished are deleted.
        """
        if problems := drafts.misnamed(paths or ()):
            return Rejected(problems)

        def plan(base: Snapshot) -> Edit | Rejected:
            found = self.history.drafts(paths)
            named = [path for path in found if not drafts.misnamed([path])]
            edit = drafts.edit_of(self.history, base, named)
            if isinstance(edit, Rejected) or not delete:
                return edit
            return evolve(edit, deleted=vanished(base, edit.tree))

        return self.commit(plan, self.rules())

    def today(self) -> str:
        """The day of the memory's clock in its zone, `YYYY-MM-DD`."""
        present = clock.date_of(self.moment(), self.zone)
        return render_when(When(present.year, present.month, present.day))

    def _attempt(self, plan: Plan, rules: Rules) -> Committed | Rejected | None:
        """One try on the present HEAD; None if somebody who takes no lock moved HEAD."""
        with self.reading() as (head, base):
            if head is not None and takeover.is_foreign_tip(self.history, head):
                return None  # made since all was settled
            gate = permitting.gate_of(self.history, head, rules.caller.actor)
            if again := once.repeated(self.history, self.index, head, self.claim, gate):
                return again
            claimed = once.claiming(plan, self.claim)
            made = permitting.planned(self.index, base, claimed, rules, gate, self.moment())
            if isinstance(made, Rejected):
                return made
            edit, prepared = made
            if in_the_way := self._in_the_way(edit, prepared):
                done = self._behind_drafts(head, base, prepared, in_the_way)
            else:
                done = self._install(head, prepared)
            return once.plainly(permitting.told(done, base, edit, prepared, gate), self.claim, prepared)

    def _in_the_way(self, edit: Edit, prepared: Prepared) -> tuple[str, ...]:
        """The drafts in files that the transaction changes, other than those that it adopts itself."""
        own = edit.tree.differences().keys() if edit.kind == drafts.ADOPTING else frozenset[str]()
        topics = (path for path in prepared.tree.differences() if path.startswith("topics/"))
        return self.history.drafts(tuple(path for path in topics if path not in own))

    def _behind_drafts(
        self, head: str | None, base: Snapshot, prepared: Prepared, paths: tuple[str, ...]
    ) -> Committed | Rejected | None:
        """Adopt the drafts, which makes a new HEAD to try on; reject the edit where they do not pass."""
        mine = drafts.edit_of(self.history, base, paths)
        if isinstance(mine, Rejected):
            return Rejected((*drafts.in_the_way(paths), *mine.problems))
        adopted = prepare(base, mine, self.rules())
        if isinstance(adopted, Rejected):
            return Rejected((*drafts.in_the_way(paths), *adopted.problems))
        if adopted.tree.differences():
            meeting = meetings(prepared.report, adopted.report)
            self._install(head, adopted)
            return Rejected(meeting) if meeting else None
        # They hold nothing that a commit would keep, an empty heading, say: the edit takes their place.
        return self._install(head, evolve(prepared, trailers=prepared.trailers + mine.trailers))

    def _install(self, head: str | None, prepared: Prepared) -> Committed | None:
        """Write the commit, move the branch, and let files and index follow."""
        differences = prepared.tree.differences()
        if not differences and head is not None and not once.says_something(prepared):
            return Committed(head, prepared.report, unchanged=True)
        if self.before_commit is not None:
            self.before_commit(prepared)
        message = format_message(prepared.subject, prepared.trailers)
        return self._publish(head, differences, message, prepared.report)

    def _publish(
        self, head: str | None, differences: Mapping[str, bytes | None], message: str, report: Report
    ) -> Committed | None:
        with self.history.committing(head, differences, message, self.moment()) as commit:
            if commit is None:
                return None
            # From here on the memory holds it: no failure may say that it does not.
            done = projected(self.layout, self.history)
        return Committed(commit, report, False, done.done, done.drafts, done.problems + done.aside)

    # --- Opening ---------------------------------------------------------------------------------

    def _finish(self) -> tuple[Problem, ...]:
        """End what a killed process began, and take over files that no commit holds yet."""
        if takeover.is_due(self.layout, self.history):
            with held(self.layout.lock):
                if takeover.is_due(self.layout, self.history):  # nobody was faster
                    return self._take_over(takeover.scan(self.layout))
        if self.layout.erasing.is_file():
            from .erasing import finish_waiting

            return finish_waiting(self.layout, self.history, self.index)
        if takeover.is_behind(self.layout, self.history) or self.history.has_leftovers():
            return self._recover()
        return ()

    def _recover(self) -> tuple[Problem, ...]:
        """Finish the projection, unless somebody is at work: readers need no more than the commit."""
        try:
            with held(self.layout.lock, timeout=0):
                takeover.clear_views(self.layout, self.history)
                projection = self.history.recover(is_view)
        except Refused as refused:
            return tuple(each for each in refused.problems if each.code is not Code.CONCURRENT_UPDATE)
        return (*projection.problems, *projection.aside, *drafts.noticed(projection.drafts))

    def settle(self) -> None:
        """Before a write, with the lock held: finish projections, adopt what another hand committed."""
        for _ in range(_ATTEMPTS):
            if takeover.is_behind(self.layout, self.history):
                self.history.recover(is_view)
            head = self.history.head()
            if head is None or not takeover.is_foreign_tip(self.history, head):
                return
            self._adopt_foreign(head, takeover.fields_lost(self.history, head))

    def _take_over(self, found: "takeover.Found") -> tuple[Problem, ...]:
        """One adopting commit for all files that differ from HEAD; the first opening of a directory."""
        head = self.history.head()
        taken = takeover.differences(Tree(self.history.base(head)), found)
        takeover.project_all(self.layout)
        if taken:
            self._adopt_foreign(head, taken)
        else:
            takeover.clear_views(self.layout, self.history)
            self.history.recover(is_view)
        with self.reading() as (_, base):
            return (*found.problems, *(fault for faults in base.facts.broken.values() for fault in faults))

    def _adopt_foreign(self, head: str | None, taken: Mapping[str, bytes | None]) -> None:
        """Commit files as they are with all views derived anew, and name the records that no commit names."""
        raw = head
        if taken or head is None:
            raw = self.history.write(head, taken, "Take the files in\n", self.moment())
        self.index.follow(self.history, raw)
        with self.indexed() as (_, base):
            broken = new_breaches(self.history, base.facts, raw, head)
            message, tree = takeover.adoption(self.layout, base, self.limits, broken)
            merged = {**taken, **tree.differences()}
        self._publish(head, merged, message, Report())


def _overtaken() -> Problem:
    return Problem(
        Code.CONCURRENT_UPDATE,
        "the history was moved by another program at every attempt",
        ".git",
        remedy="stop the program that commits to this repository, then try again",
    )
