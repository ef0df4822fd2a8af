"""The history of one memory: what the rest of the shell knows of git."""

import contextlib
from collections.abc import Callable, Iterator, Mapping

from attrs import evolve

from scriptorium_core.problem import Code, Problem
from scriptorium_core.trailers import values_of
from scriptorium_core.transaction.adopting import is_foreign
from scriptorium_core.tree import Base

from .. import files
from ..clock import Moment
from ..layout import Layout
from ..refused import Refused
from . import basis, drafts, gitindex, packs, refs, worktree
from .beginning import begin, no_repository
from .gitindex import Following
from .log import Entry, commit_of, entry, log, tree_of
from .objects import Objects
from .trees import Change, GitBase, Trees
from .worktree import Derived, Projection

__all__ = ["ADOPTED", "History"]

ADOPTED = "Adopted"  # the trailer that names the blob id of a draft as a person saved it

_ROOTS = 64  # commits whose tree is remembered


class History:
    """The git repository of a memory. Reading needs no lock; what writes says that it needs it."""

    def __init__(self, layout: Layout) -> None:
        self.layout = layout
        self._objects = Objects(layout.git)
        self._trees = Trees(self._objects)
        self._roots: dict[str, bytes] = {}
        self._ahead: Following | None = None  # git's index, while it is ahead of the files

    @classmethod
    def open(cls, layout: Layout) -> "History":
        """The history of a memory that has one; changes nothing.

        Raises Refused with GIT_UNAVAILABLE where there is no repository that can be read.
        """
        if not (layout.git / "objects").is_dir():
            raise Refused(no_repository("there is no git repository in the memory directory"))
        if (layout.git / "reftable").exists():
            raise Refused(no_repository("the git repository keeps its references as `reftable`"))
        refs.head(layout)
        return cls(layout)

    @classmethod
    def create(cls, layout: Layout) -> "History":
        """The history of a memory, begun where it has none: branch `main`, no commit yet.

        Where there is one that this program has not projected yet, whatever differs from HEAD in the
        working tree, a missing file too, is a draft.
        """
        history = cls.begin(layout)
        try:
            history._take_over()
        except OSError as error:
            raise Refused(files.disk_problem(error, layout.root)) from error
        return history

    @classmethod
    def begin(cls, layout: Layout) -> "History":
        """The repository alone, what is missing of it made: HEAD is last, so half of one is begun again."""
        try:
            for folder in (layout.git, layout.git / "info"):
                files.remove_temporaries(folder)
            begin(layout)
        except OSError as error:
            raise Refused(files.disk_problem(error, layout.root)) from error
        return cls.open(layout)

    @property
    def objects(self) -> Objects:
        """The objects of the repository, for what adds many at once."""
        return self._objects

    def close(self) -> None:
        """Let go of open files."""
        self._objects.close()

    # --- Reading ---------------------------------------------------------------------------------

    def head(self) -> str | None:
        """The commit that is the memory now, None before the first.

        Raises Refused where the branch is gone and the files stand for a commit: what began anew would take
        all of them away.
        """
        found = refs.head(self.layout)
        if found is None and (known := self._projected()) is not None:
            raise Refused(refs.branch_lost(self.layout, known))
        return found

    def barred(self) -> tuple[Problem, ...]:
        """Why no commit can be made: HEAD names no branch; empty if nothing is known to be in the way."""
        try:
            refs.branch(self.layout)
        except Refused as refused:
            return refused.problems
        return ()

    def base(self, commit: str | None) -> Base:
        """A commit as the base of a core `Tree`; None gives an empty one."""
        return GitBase(self._trees, self._objects, self._tree(commit))

    def tree_id(self, commit: str | None, path: str) -> str | None:
        """The id of a file or folder in a commit: equal ids mean equal bytes all the way down."""
        found = self._trees.entry(self._tree(commit), path)
        return found[1].decode() if found else None

    def blob(self, identifier: str) -> bytes:
        """The bytes of a blob; KeyError if there is none of that id."""
        return self._objects.read(identifier.encode())

    def changes(self, old: str | None, new: str | None) -> Iterator[Change]:
        """The files that differ between two commits; folders that are equal are not opened."""
        return self._trees.differences(self._tree(old), self._tree(new))

    def log(
        self, start: str | None = None, limit: int | None = None, until: str | None = None
    ) -> Iterator[Entry]:
        """The commits from `start` (HEAD if None) back along first parents, without `until` and before."""
        return log(self._objects, start or self.head(), limit, until)

    def entry(self, commit: str) -> Entry:
        """One commit; KeyError if there is none of that id."""
        return entry(self._objects, commit)

    # --- Committing: with the write lock held ------------------------------------------------------

    def write(
        self,
        parent: str | None,
        differences: Mapping[str, bytes | None],
        message: str,
        when: Moment,
        others: tuple[str, ...] = (),
    ) -> str:
        """Write a commit that applies `differences` (None: remove) to `parent`, as one durable pack.

        `others` are its further parents. Nothing refers to it yet. The same arguments give the same commit
        id. Raises Refused with GIT_COMMIT_FAILED or READ_ONLY_PATH where the disk does not take it.
        """
        tree, fresh = self._trees.edited(self._tree(parent), differences)
        commit = commit_of(tree, (*([parent] if parent else []), *others), message, when)
        try:
            self._objects.add([*fresh, commit])
        except OSError as error:
            raise Refused(self._uncommitted(error)) from error
        return commit.id.decode()

    @contextlib.contextmanager
    def committing(
        self, parent: str | None, differences: Mapping[str, bytes | None], message: str, when: Moment
    ) -> Iterator[str | None]:
        """Write a commit and install it. Raises Refused as `write` and `move` do."""
        with self.installing(parent, self.write(parent, differences, message, when)) as commit:
            yield commit

    @contextlib.contextmanager
    def installing(self, old: str | None, commit: str) -> Iterator[str | None]:
        """Move the branch from `old` to `commit`, and keep git's index locked inside the block.

        Gives the commit, which is the memory then, or None where the branch stands elsewhere by now. The
        files are to be projected inside the block.
        """
        try:
            index = self._index_to(commit)
        except OSError as error:
            raise Refused(self._uncommitted(error)) from error
        try:
            moved = self.move(old, commit, index.install)
            self._ahead = index if moved else None
            if not moved:
                index.put_back()
            yield commit if moved else None
        except BaseException:
            if self._ahead is None:
                index.put_back()
            raise
        finally:
            self._ahead = None
            # Where the files could not follow, it is let go all the same; the next opening does what fails.
            with contextlib.suppress(OSError):
                index.release()

    def move(self, old: str | None, new: str, ready: Callable[[], None] = lambda: None) -> bool:
        """Move the branch from `old` to `new`: the commit point. False if it stands elsewhere by now.

        Git's index does not follow before it is projected: `committing` keeps the commits of others apart.
        """
        try:
            return refs.move(self.layout, old, new, ready)
        except OSError as error:
            raise Refused(self._uncommitted(error)) from error

    def _uncommitted(self, error: OSError) -> Problem:
        """What a disk that failed before the commit point means: there is no commit."""
        found = files.disk_problem(error, self.layout.root)
        return found._replace(code=Code.GIT_COMMIT_FAILED) if found.code is Code.DISK_FAILED else found

    def _index_to(self, commit: str) -> Following:
        """Begin to bring git's index from what it stands for to `commit`; whole, if it is gone or damaged."""
        old = self._projected() if gitindex.is_sound(self.layout) else None
        return Following(self.layout, tuple(self.changes(old, commit)), anew=old is None)

    # --- Projecting: with the write lock held ------------------------------------------------------

    def project(self, derived: Derived = lambda path: False, keep: bool = True) -> Projection:
        """Bring working tree and index from the commit that they stand for to HEAD.

        `derived(path)` says that a path is a view: it is replaced whatever stands there, and what a person
        wrote into it is put aside, with `keep`. Every other file that holds neither an old nor the new state
        is a draft, left alone and named. Raises nothing for a full or broken disk: the commit stands, and
        the next opening tries again.
        """
        commit, old = self.head(), self._projected()
        try:
            if self._ahead is not None and commit is not None:
                return self._projected_to(commit, old, self._ahead, derived, keep)
            if commit is None or commit == old:
                gitindex.put_back(self.layout)
                return Projection()
            index = self._index_to(commit)
            try:
                index.install()
                return self._projected_to(commit, old, index, derived, keep)
            finally:
                with contextlib.suppress(OSError):
                    index.release()
        except OSError as error:
            return Projection((), (files.disk_problem(error, self.layout.root),))

    def _projected_to(
        self, commit: str, old: str | None, index: Following, derived: Derived, keep: bool
    ) -> Projection:
        changes = tuple(self.changes(old, commit))
        done = worktree.project(self.layout, self._objects, changes, self._earlier, derived, keep)
        ours = old is not None and not any(is_foreign(e.trailers) for e in self.log(commit, until=old))
        # What another hand committed, git may have put into the file before it was edited again.
        basis.note(self.layout, old, done.drafts if ours else (), self._still_drafts(commit))
        if index.failure:
            return evolve(done, problems=(worktree.index_problem(index.failure),))
        index.release()
        worktree.note(self.layout, commit)
        return done

    def _still_drafts(self, commit: str) -> tuple[str, ...]:
        return drafts.drafts_among(self.layout, self._trees, self._tree(commit), basis.known(self.layout))

    def made_from(self, path: str) -> bytes | None:
        """What `path` held in the commit from which its draft was made; None where that is not known."""
        commit = basis.known(self.layout).get(path)
        try:
            return None if commit is None else self.base(commit).get(path)
        except KeyError:
            return None  # a history that was rewritten since

    def recover(self, derived: Derived = lambda path: False) -> Projection:
        """Clean up after killed processes and finish the projection that they did not."""
        try:
            self._take_over()
            refs.clear_leftovers(self.layout)
            packs.clear_leftovers(self.layout)
            files.remove_temporaries(self.layout.runtime)
            self._clear_folders()
        except OSError as error:
            return Projection((), (files.disk_problem(error, self.layout.root),))
        return self.project(derived)

    def _earlier(self, path: str) -> Iterator[str | None]:
        """What `path` held in the commits that are not projected yet, and the drafts that they adopted."""
        for found in self.log(self.head(), until=self._projected()):
            yield self.tree_id(found.commit, path)
            yield from values_of(found.trailers, ADOPTED)

    def _is_behind(self, old: str | None, path: str) -> bool:
        """Whether a file is no draft: it holds an earlier state, because it could not follow yet."""
        found = worktree.fingerprint(self.layout, path)
        return found == self.tree_id(old, path) or found in self._earlier(path)

    def _take_over(self) -> None:
        """Begin to follow HEAD in a directory that has no marker: another program's, or a fresh clone."""
        if files.read(self.layout.projected) is None:
            worktree.note(self.layout, self.head() or worktree.NOWHERE)

    def _clear_folders(self) -> None:
        """Remove half-written files where the projection that is not finished would have put them."""
        changes = self.changes(self._projected(), self.head())
        for folder in sorted({(self.layout.root / change.path).parent for change in changes}):
            files.remove_temporaries(folder)

    def has_leftovers(self) -> bool:
        """Whether a process was killed before its commit stood, unless one is at work right now."""
        folders = (self.layout.staging, self._objects.packs, self.layout.runtime)
        return gitindex.is_left(self.layout) or any(files.has_temporaries(folder) for folder in folders)

    def drafts(self, paths: tuple[str, ...] | None = None) -> tuple[str, ...]:
        """The files that differ from HEAD: among `paths`, or anywhere below `topics/`."""
        commit = self.head()
        tree = self._tree(commit)
        if paths is not None:
            differing = drafts.drafts_among(self.layout, self._trees, tree, paths)
        else:
            differing = drafts.scan(self.layout, self._trees, tree, "topics/")
        old = self._projected()
        if not differing or commit == old:
            return differing
        return tuple(path for path in differing if not self._is_behind(old, path))

    def consolidate(self, force: bool = False, wait: bool = False) -> bool:
        """Merge packs where there are many, in the background; whether that was begun. Needs no lock."""
        return packs.consolidate(self.layout, self._objects, force, wait)

    def _tree(self, commit: str | None) -> bytes | None:
        if commit is None:
            return None
        if commit not in self._roots:
            if len(self._roots) >= _ROOTS:
                self._roots.clear()
            self._roots[commit] = tree_of(self._objects, commit)
        return self._roots[commit]

    def _projected(self) -> str | None:
        """The commit of the marker, None if it is unknown here (a history that was rewritten)."""
        commit = worktree.marker(self.layout)
        try:
            self._tree(commit)
        except KeyError:
            return None
        return commit
