"""Making anew what follows from the commits: views, files, git's index, the indexes, packs, leftovers, modes.

Topics, archives that somebody added to, and drafts are never touched. Each step says what it did.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from datetime import tzinfo
from pathlib import Path
from typing import TYPE_CHECKING

from attrs import frozen

from scriptorium_core.knowledge.advice import Advice
from scriptorium_core.names import CORE_TOPIC
from scriptorium_core.problem import Code, Problem
from scriptorium_core.topics import parse_topic
from scriptorium_core.trailers import format_message
from scriptorium_core.transaction.adopting import is_foreign
from scriptorium_core.views.derive import derive_all, is_view

from .. import files
from ..fulltext import FullText
from ..fulltext.folder import clear
from ..history.gitindex import follow
from ..layout import PROJECTED
from ..lock import held
from ..refused import Refused
from ..unwritable import see_it_is_writable

if TYPE_CHECKING:
    from scriptorium_core.transaction import Snapshot

    from ..workspace import Memory
    from .model import Verified

__all__ = ["Mended", "mend"]


@frozen
class Mended:
    """What was made anew or put right, how much of it, and where."""

    what: str
    message: str
    paths: tuple[str, ...] = ()


@frozen
class _Case:
    """A memory with what was found in it."""

    memory: Memory
    proof: Verified
    advice: tuple[Advice, ...]

    def found(self, code: Code, path: str = "") -> bool:
        """Whether the proof has a problem of this kind, at this place if one is given."""
        problems = (each.problem for each in self.proof.findings)
        return any(each.code is code and path in each.path for each in problems)

    def broken(self, name: str) -> bool:
        """Whether the index of this name is a problem, and not only behind."""
        return any(
            each.level == "problem"
            and each.problem.code is Code.INDEX_STALE
            and each.problem.path.endswith(name)
            for each in self.proof.findings
        )

    def advised(self, about: str) -> bool:
        return any(each.about == about for each in self.advice)


def mend(
    memory: Memory, proof: Verified, advice: tuple[Advice, ...]
) -> tuple[tuple[Mended, ...], tuple[Problem, ...]]:
    """Take every step that is due; what was done, and what stood in the way."""
    try:
        see_it_is_writable(memory.layout.runtime)
    except Refused as refused:
        return (), refused.problems
    case = _Case(memory, proof, advice)
    mended: list[Mended] = []
    failed: list[Problem] = []
    for step in _STEPS:
        try:
            with files.explained(memory.layout.root):
                mended += step(case)
        except Refused as refused:
            failed += refused.problems
    return tuple(mended), tuple(failed)


def _facts(case: _Case) -> Iterator[Mended]:
    """The index of facts, from the files of the commit."""
    memory, place = case.memory, case.memory.layout.facts
    if case.broken(place.name):
        memory.index.renew()
        with memory.reading():
            yield Mended("index of facts", "built anew from the files", (_name(memory, place),))


def _views(case: _Case) -> Iterator[Mended]:
    """The views of the commit, as a commit of their own; those of another program wait for our next one."""
    memory = case.memory
    if not case.found(Code.VIEW_STALE) or memory.revision is None:
        return
    with held(memory.layout.lock):
        with memory.reading() as (revision, base):
            foreign = revision is None or is_foreign(memory.history.entry(revision).trailers)
            stale = {} if foreign else dict(_stale(memory, base))
        if not stale:
            return
        message = format_message("Derive the views anew", (("Kind", "repair"),))
        with memory.history.committing(revision, stale, message, memory.moment()) as commit:
            if commit is None:
                return
            memory.history.project(is_view)
        yield Mended("views", f"{len(stale)} derived anew in commit {commit[:10]}", tuple(sorted(stale)))


def _stale(memory: Memory, base: Snapshot) -> Iterator[tuple[str, bytes | None]]:
    data = base.tree.get(CORE_TOPIC)
    core = parse_topic(CORE_TOPIC, data)[0] if data is not None else None
    derived = derive_all(base.facts, core, memory.limits)
    present = {path for path in base.tree.under("") if is_view(path)}
    for path in present | derived.keys():
        if base.tree.get(path) != derived.get(path):
            yield path, derived.get(path)


def _leftovers(case: _Case) -> Iterator[Mended]:
    """What killed processes left; with the lock held, nobody of us is at work on it."""
    if not case.advised("leftovers"):
        return
    memory, layout = case.memory, case.memory.layout
    with held(layout.lock):
        memory.history.recover(is_view)
        folders = [Path(here) for top in _tops(memory) for here, _, _ in os.walk(top)]
        for folder in (layout.root, layout.git, *folders):
            files.remove_temporaries(folder)
    yield Mended("leftovers", "half-written files were removed")


def _worktree(case: _Case) -> Iterator[Mended]:
    """The views, and archives that miss something, as the commit has them; whatever else differs stays."""
    memory, root = case.memory, case.memory.layout.root
    if not (case.found(Code.VIEW_STALE) or case.found(Code.SOURCES_CHANGED)):
        return
    with held(memory.layout.lock):
        tree = memory.history.base(memory.revision)
        paths = tuple(path for path in tree.under("") if is_view(path) or path.startswith("sources/"))
        wanted = {path: tree.get(path) or b"" for path in memory.history.drafts(paths)}
        ready = {
            root / path: data for path, data in wanted.items() if is_view(path) or _is_less(root, path, data)
        }
        files.write_many(ready, root=root)
    if ready:
        names = tuple(_name(memory, path) for path in ready)
        yield Mended("files", f"{len(ready)} put back as they are committed", names)


def _is_less(root: Path, path: str, committed: bytes) -> bool:
    """Whether nothing stands in a file that the commit does not hold at the same place."""
    return committed.startswith(files.read(root / path, root) or b"")


def _git_index(case: _Case) -> Iterator[Mended]:
    """Git's own index, so that a commit by hand does not take memory back."""
    memory, head = case.memory, case.memory.revision
    codes = (Code.DRAFT_IN_THE_WAY, Code.INDEX_STALE)
    if head is None or not any(case.found(code, ".git/index") for code in codes):
        return
    with held(memory.layout.lock):
        failure = follow(memory.layout, tuple(memory.history.changes(None, head)), anew=True)
    if failure:
        remedy = "if no git program runs, remove .git/index.lock, then try again"
        raise Refused(Problem(Code.CONCURRENT_UPDATE, failure, ".git/index", remedy=remedy))
    yield Mended("git's index", "made that of HEAD; no file was touched", (".git/index",))


def _fulltext(case: _Case) -> Iterator[Mended]:
    """The full text index, from the records and messages."""
    from .indexing import documents

    memory, folder = case.memory, case.memory.layout.fulltext
    if not (_is_damaged(folder, memory.zone) or case.broken(folder.name)):
        return
    clear(folder)
    with memory.reading() as (revision, base):
        if revision is not None and FullText.open(folder, memory.zone).rebuild(
            revision, documents(memory, base.facts)
        ):
            yield Mended("full text index", "built anew", (_name(memory, folder),))


def _vectors(case: _Case) -> Iterator[Mended]:
    """The vectors: the next search by meaning, or the keeper, embeds what there is."""
    from ..embeddings.clearing import discard_vectors

    place = case.memory.layout.vectors
    if case.broken(place.name):
        discard_vectors(place)
        yield Mended("vectors", "thrown away; the texts are embedded again", (_name(case.memory, place),))


def _is_damaged(folder: Path, zone: tzinfo | None) -> bool:
    """Whether an index was written that cannot even be opened, which a search takes for none."""
    return folder.is_dir() and len(list(folder.iterdir())) > 1 and FullText.open(folder, zone).commit is None


def _packs(case: _Case) -> Iterator[Mended]:
    if case.advised("many packs") and case.memory.history.consolidate(force=True, wait=True):
        yield Mended("packs", "merged", (".git/objects/pack",))


def _modes(case: _Case) -> Iterator[Mended]:
    """Folders 0700 and files 0600, as far as others may enter; drafts are a person's and stay as they are."""
    if not case.advised("modes"):
        return
    memory, root = case.memory, case.memory.layout.root
    drafts = frozenset(memory.history.drafts()) if memory.revision is not None else frozenset[str]()
    changed: list[str] = []
    for path, wanted in _closed(memory):
        name = _name(memory, path)
        if name not in drafts and path.lstat().st_mode & 0o077:
            path.chmod(wanted)
            changed.append(name)
    if changed:
        yield Mended("modes", f"{len(changed)} of {root.name} closed to others", tuple(changed))


def _closed(memory: Memory) -> Iterator[tuple[Path, int]]:
    yield memory.layout.root, 0o700
    for top in _tops(memory):
        for here, _, names in os.walk(top):
            yield Path(here), 0o700
            yield from ((Path(here) / name, 0o600) for name in names if not (Path(here) / name).is_symlink())
    for name in PROJECTED:
        if (memory.layout.root / name).is_file() and not (memory.layout.root / name).is_symlink():
            yield memory.layout.root / name, 0o600


def _tops(memory: Memory) -> list[Path]:
    layout = memory.layout
    found = (layout.runtime, *(layout.root / name for name in PROJECTED if name.endswith("/")))
    return [path for path in found if path.is_dir() and not path.is_symlink()]


def _name(memory: Memory, path: Path) -> str:
    return path.relative_to(memory.layout.root).as_posix()


_STEPS: tuple[Callable[[_Case], Iterator[Mended]], ...] = (
    _facts,
    _views,
    _leftovers,
    _worktree,
    _git_index,
    _fulltext,
    _vectors,
    _packs,
    _modes,
)
