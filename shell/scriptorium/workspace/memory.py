"""An open memory directory: snapshots that need no lock, and commits that are whole or not there at all."""

import contextlib
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from attrs import define, field, frozen

from scriptorium_core.budget import Count
from scriptorium_core.changes import Applied, Caller, apply_changes, bring, decode_request
from scriptorium_core.names import SourceId, WorkspaceId
from scriptorium_core.problem import Code, Problem
from scriptorium_core.trailers import format_message
from scriptorium_core.transaction import Edit, Prepared, Rejected, Report, Rules, Snapshot, prepare
from scriptorium_core.tree import Tree
from scriptorium_core.views.derive import Limits, is_view
from scriptorium_core.when import When, render_when

from .. import clock, tokens
from ..clock import Moment
from ..history import History, Projection
from ..index import Index
from ..layout import Layout, create, locate, workspace_id
from ..lock import held
from ..refused import Refused
from . import drafts, takeover

__all__ = ["Committed", "Memory", "Plan", "Progress"]

Progress = Callable[[int, int], None]
"""Called with what is done and how much there is in all."""

Plan = Callable[[Snapshot], Edit | Rejected]
"""How an edit is made on a base; asked again when the base has moved."""

_ATTEMPTS = 5


def _silent(done: int, total: int) -> None:
    pass


@frozen
class Committed:
    """What a commit did.

    `revision` is HEAD afterwards; `unchanged` says that there was nothing to commit. `projected` is false
    where the files could not follow (a full disk, say): the next opening ends it. `drafts` are files of a
    person that were left alone.
    """

    revision: str
    report: Report
    unchanged: bool = False
    projected: bool = True
    drafts: tuple[str, ...] = ()
    problems: tuple[Problem, ...] = ()

    @property
    def memory_committed(self) -> bool:
        """Whether the memory holds what was asked for."""
        return True

    @property
    def git_committed(self) -> bool:
        """The same: the commit is the memory."""
        return True


@define
class Memory:
    """A memory directory; `with` closes it. One thread at a time."""

    layout: Layout
    history: History = field(repr=False)
    index: Index = field(repr=False)
    limits: Limits = field(repr=False)
    moment: Callable[[], Moment] = field(default=clock.moment, repr=False)
    notices: tuple[Problem, ...] = ()

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
    ) -> "Memory":
        """The memory directory at `root`, made on first use unless `make` is false.

        What a killed process left unfinished is finished. A directory that holds files but no commit of
        them is taken over as one commit. Raises Refused where there is no memory, or no place for one.
        """
        path = Path(root).expanduser()
        layout = create(path) if make else locate(path)
        if not layout.staging.is_dir():  # another program's directory, or a fresh clone
            layout = create(path)
        has_history = (layout.git / "objects").is_dir()
        history = History.open(layout) if has_history else History.create(layout)
        memory = cls(layout, history, Index.open(layout.index), Limits(count, core_tokens, recent), moment)
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
        self.index.follow(self.history, self.history.head(), progress)
        with self._indexed() as found:
            yield found

    @contextlib.contextmanager
    def _indexed(self) -> Iterator[tuple[str | None, Snapshot]]:
        with self.index.snapshot() as facts:
            commit = self.index.commit
            yield commit, Snapshot(Tree(self.history.base(commit)), facts)

    # --- Writing ---------------------------------------------------------------------------------

    def update(self, request: object, caller: Caller | None = None) -> Committed | Rejected:
        """Carry out a request of structured changes (`memory_changes`, `sources`, `base_revision`)."""
        decoded, problems = decode_request(request)
        if problems:
            return Rejected(problems)
        who = caller or Caller()
        brought = bring(decoded.sources, who)

        def plan(base: Snapshot) -> Edit | Rejected:
            applied = apply_changes(base.tree, base.facts, decoded.changes, brought.places, self.today())
            if not isinstance(applied, Applied):
                return Rejected(applied)
            moved = self._moved_meanwhile(decoded.base_revision, applied.tree)
            if moved:
                return Rejected(moved)
            return Edit(
                applied.tree, applied.deleted, brought.frames, brought.contexts, "edit", decoded.message
            )

        return self.commit(plan, self.rules(who))

    def commit(self, plan: Plan, rules: Rules) -> Committed | Rejected:
        """Make an edit on HEAD, prepare it and commit it; the lock is held only meanwhile.

        A person's draft in the way is adopted first, in a commit of its own; if it does not pass, the
        edit is refused and the draft stays.
        """
        with held(self.layout.lock):
            self._settle()
            for _ in range(_ATTEMPTS):
                result = self._attempt(plan, rules)
                if result is not None:
                    break
            else:
                raise Refused(_overtaken())
        self.history.consolidate()
        return result

    def rules(self, caller: Caller | None = None, citable: frozenset[SourceId] | None = None) -> Rules:
        """The rules of a transaction under the settings of this memory."""
        limits = self.limits
        return Rules(caller or Caller(), limits.count, citable, limits.core_tokens, limits.recent)

    def adopt(self, paths: tuple[str, ...] | None = None) -> Committed | Rejected:
        """Take in what a person edited in the working tree, through the same checks, as one commit."""

        def plan(base: Snapshot) -> Edit | Rejected:
            return drafts.edit_of(self.layout, base, self.history.drafts(paths))

        return self.commit(plan, self.rules())

    def today(self) -> str:
        """The day of the memory's clock, `YYYY-MM-DD`."""
        present = clock.date_of(self.moment())
        return render_when(When(present.year, present.month, present.day))

    def _attempt(self, plan: Plan, rules: Rules) -> Committed | Rejected | None:
        """One try on the present HEAD; None if HEAD was moved by somebody who takes no lock."""
        with self.reading() as (head, base):
            edit = plan(base)
            if isinstance(edit, Rejected):
                return edit
            prepared = prepare(base, edit, rules)
            if isinstance(prepared, Rejected):
                return prepared
            touched = tuple(path for path in prepared.tree.differences() if path.startswith("topics/"))
            in_the_way = self.history.drafts(touched)
            if not in_the_way:
                return self._install(head, prepared)
            mine = drafts.edit_of(self.layout, base, in_the_way)
            adopted = prepare(base, mine, self.rules()) if isinstance(mine, Edit) else mine
            if isinstance(adopted, Rejected):
                return Rejected(tuple(drafts.in_the_way(in_the_way)) + adopted.problems)
            self._install(head, adopted)
        return None

    def _install(self, head: str | None, prepared: Prepared) -> Committed | None:
        """Write the commit, move the branch, and let files and index follow."""
        differences = prepared.tree.differences()
        if not differences and head is not None:
            return Committed(head, prepared.report, unchanged=True)
        message = format_message(prepared.subject, prepared.trailers)
        return self._publish(head, differences, message, prepared.report)

    def _publish(
        self, head: str | None, differences: Mapping[str, bytes | None], message: str, report: Report
    ) -> Committed | None:
        commit = self.history.write(head, differences, message, self.moment())
        if not self.history.move(head, commit):
            return None
        projection = self.history.project(is_view)
        return Committed(commit, report, False, projection.done, projection.drafts, projection.problems)

    def _moved_meanwhile(self, seen: str | None, tree: Tree) -> tuple[Problem, ...]:
        """Whether a topic that the edit touches has changed since the revision that the caller saw."""
        head = self.history.head()
        if seen is None or seen == head:
            return ()
        try:
            changed = {change.path for change in self.history.changes(seen, head)}
        except KeyError:
            message = f"the revision {seen} is not in the history of this memory"
            remedy = f"read again; the memory is at {head}"
            return (Problem(Code.INVALID_ARGUMENT, message, "base_revision", remedy=remedy),)
        both = sorted(changed & tree.differences().keys())
        message = f"{', '.join(both)} changed between {seen} and {head}"
        remedy = "read them again and make the change anew"
        return (Problem(Code.CONCURRENT_UPDATE, message, "base_revision", remedy=remedy),) if both else ()

    # --- Opening ---------------------------------------------------------------------------------

    def _finish(self) -> tuple[Problem, ...]:
        """End what a killed process began, and take over files that no commit holds yet."""
        if takeover.unknown(self.layout) and takeover.has_files(self.layout):
            with held(self.layout.lock):
                return self._take_over(takeover.scan(self.layout))
        if takeover.is_behind(self.layout, self.history):
            with held(self.layout.lock):
                return self._recovered(self.history.recover(is_view))
        return ()

    def _recovered(self, projection: Projection) -> tuple[Problem, ...]:
        return (*projection.problems, *drafts.noticed(projection.drafts))

    def _settle(self) -> None:
        """Before a write: projections are finished, and what another hand committed is adopted."""
        if takeover.is_behind(self.layout, self.history):
            self.history.recover(is_view)
        head = self.history.head()
        if head is not None and takeover.is_foreign_tip(self.history, head):
            self._adopt_foreign(head, {})

    def _take_over(self, found: "takeover.Found") -> tuple[Problem, ...]:
        """One adopting commit for all files that differ from HEAD; the first opening of a directory."""
        head = self.history.head()
        files = takeover.differences(Tree(self.history.base(head)), found)
        if files or head is None:
            self._adopt_foreign(head, files)
            takeover.clear_older_view(self.layout, self.history)
        else:
            self.history.recover(is_view)
        with self.reading() as (_, base):
            return (*found.problems, *(fault for faults in base.facts.broken.values() for fault in faults))

    def _adopt_foreign(self, head: str | None, files: Mapping[str, bytes | None]) -> None:
        """Commit files as they are with all views derived anew, and name the records that no commit names."""
        taken = head
        if files or head is None:
            taken = self.history.write(head, files, "Take the files in\n", self.moment())
        self.index.follow(self.history, taken)
        with self._indexed() as (_, base):
            message, tree = takeover.adoption(self.layout, base, self.limits)
            merged = {**files, **tree.differences()}
        self._publish(head, merged, message, Report())


def _overtaken() -> Problem:
    return Problem(
        Code.CONCURRENT_UPDATE,
        "the history was moved by another program at every attempt",
        ".git",
        remedy="stop the program that commits to this repository, then try again",
    )
