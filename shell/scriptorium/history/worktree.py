"""The working tree as a projection of HEAD: changed files are replaced, a person's drafts are not.

A file may be replaced when its bytes are those of the old commit, or of one between the old and the
new (an earlier projection that could not be finished). Any other bytes are a draft, and so is a file
that HEAD has and the disk has not: a deletion that nobody has adopted yet.
"""

import os
from collections.abc import Callable, Iterable, Sequence
from itertools import islice
from pathlib import Path

from attrs import field, frozen

from scriptorium_core.problem import Code, Problem

from .. import files
from ..layout import Layout
from ..refused import Refused
from .aside import put_aside
from .objects import BLOB, Objects, object_id
from .sparing import removed, replaced
from .trees import Change

__all__ = ["NOWHERE", "Derived", "Projection", "fingerprint", "index_problem", "marker", "note", "project"]

_BATCH = 256  # so many files are staged beside the old ones at a time
NOWHERE = "0" * 40  # the id of nothing: of a commit before the first, of a file that is none
Earlier = Callable[[str], Iterable[str | None]]
Derived = Callable[[str], bool]


@frozen
class Projection:
    """What became of a projection: files left alone as drafts, and why it is not `done`, if it is not.

    `aside` says of which derived files the text of a person was put aside, and where.
    """

    drafts: tuple[str, ...] = ()
    problems: tuple[Problem, ...] = ()
    aside: tuple[Problem, ...] = ()

    @property
    def done(self) -> bool:
        """Whether the working tree and git's index stand for the commit now."""
        return not self.problems


def marker(layout: Layout) -> str | None:
    """The commit that the working tree was last made equal to, None if that is not known."""
    text = (files.read(layout.projected, layout.root) or b"").decode("ascii", "replace").strip()
    return text if len(text) == 40 else None


def fingerprint(layout: Layout, path: str) -> str | None:
    """The blob id that the file at `path` would have now; None if there is none.

    A link, a folder in the place of a file, or what may not be read has an id that no blob has.
    """
    try:
        data = files.read(layout.root / path, layout.root)
    except Refused:
        return NOWHERE
    return None if data is None else object_id(BLOB, data).decode()


def project(
    layout: Layout,
    objects: Objects,
    changes: Sequence[Change],
    earlier: Earlier,
    derived: Derived,
    keep: bool = True,
) -> Projection:
    """Bring `changes` to the working tree; which files were left alone as drafts, and what was put aside.

    `earlier(path)` gives the ids that a path had between the two commits; `derived(path)` says that a
    path is a view, which is replaced whatever stands there; what it held is put aside, with `keep`.
    """
    drafts: list[str] = []
    aside: list[Problem] = []
    rest = iter(changes)
    while batch := list(islice(rest, _BATCH)):
        plan = _planned(layout, objects, batch, earlier, derived, keep)
        aside += [put_aside(layout, path) for path in plan.aside]
        spared = list(files.write_many(plan.ready, root=layout.root, put=plan.put))
        for path in plan.gone:
            if removed(path, plan.still):
                files.remove_emptied(path.parent, layout.root)
            else:
                spared.append(path)
        drafts += plan.drafts
        drafts += [path.relative_to(layout.root).as_posix() for path in spared]
    return Projection(tuple(drafts), aside=tuple(aside))


@frozen
class _Plan:
    """What is to be done with a batch of changes, and how each file looked when that was decided."""

    ready: dict[Path, bytes] = field(factory=dict)
    gone: list[Path] = field(factory=list)
    drafts: list[str] = field(factory=list)
    aside: list[str] = field(factory=list)
    seen: dict[Path, tuple[int, ...]] = field(factory=dict[Path, tuple[int, ...]])

    def put(self, temporary: Path, path: Path) -> bool:
        """Put a staged file in its place, unless a person saves there."""
        return replaced(temporary, path, self.still)

    def still(self, path: Path, name: Path) -> bool:
        """Whether what stands under `name` is what was seen at `path`: a person may save while this runs."""
        found, seen = _signature(name), self.seen[path]
        # A second name for a file changes the time of its last change of status.
        return found == seen if name == path else found[:-1] == seen[:-1]


def _planned(
    layout: Layout,
    objects: Objects,
    changes: Sequence[Change],
    earlier: Earlier,
    derived: Derived,
    keep: bool,
) -> _Plan:
    plan = _Plan()
    for change in changes:
        path = layout.root / change.path
        plan.seen[path] = _signature(path)
        found = fingerprint(layout, change.path)
        if found == change.new:
            continue
        if found != change.old and not _replaceable(change, found, earlier, derived):
            plan.drafts.append(change.path)
            continue
        if change.new is None:
            plan.gone.append(path)
        else:
            plan.ready[path] = objects.read(change.new.encode())
        # A view that we wrote, and somebody wrote over: where we never did, it is another program's.
        known = found is None or change.old in (None, found) or found in earlier(change.path)
        if keep and not known:
            plan.aside.append(change.path)
    return plan


def _replaceable(change: Change, found: str | None, earlier: Earlier, derived: Derived) -> bool:
    if found == NOWHERE:
        return False
    return derived(change.path) or (found is not None and found in earlier(change.path))


def _signature(path: Path) -> tuple[int, ...]:
    """What changes with every save of a file; empty where there is none."""
    try:
        status = os.lstat(path)
    except OSError:
        return ()
    return (status.st_ino, status.st_size, status.st_mtime_ns, status.st_ctime_ns)


def note(layout: Layout, commit: str) -> None:
    """Write the marker: the working tree stands for `commit`.

    It needs no fsync: without it the comparison is made again, and finds nothing.
    """
    temporary = files.write_temporary(layout.runtime, f"{commit}\n".encode())
    files.install(temporary, layout.projected)


def index_problem(failure: str) -> Problem:
    """That git's index could not follow, and the working tree is not said to stand for the commit."""
    return Problem(
        Code.CONCURRENT_UPDATE,
        f"git's index could not follow the commit: {failure}",
        ".git/index",
        remedy="if no git program runs, remove .git/index.lock and open the memory before you commit by hand;"
        " the next opening tries again",
    )
