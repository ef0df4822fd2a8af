"""Removing everything of a repository that its references do not lead to, and every trace of it.

What stays is copied into new packs first; only then the old ones go, so that a killed purge leaves a whole
repository. After it no object, log or note of git holds anything else than what the references lead to.
"""

import contextlib
import os
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from dulwich.object_store import DiskObjectStore
from dulwich.objects import ObjectID

from .. import files
from ..layout import Layout
from .gitindex import follow
from .objects import NewObject, Objects
from .references import STASH_LOG
from .rewrite import Progress, named_in
from .trees import Change

__all__ = ["purge", "renew_index"]

_PORTION = 32 * 1024 * 1024
_NOTES = (
    "ORIG_HEAD", "FETCH_HEAD", "MERGE_HEAD", "CHERRY_PICK_HEAD", "REVERT_HEAD", "REBASE_HEAD", "AUTO_MERGE",
    "BISECT_LOG", "COMMIT_EDITMSG", "MERGE_MSG", "SQUASH_MSG", "TAG_EDITMSG", "NOTES_EDITMSG", "gitk.cache",
)  # fmt: skip
_FOLDERS = ("rebase-merge", "rebase-apply", "sequencer", "lost-found")


def purge(layout: Layout, starts: Iterable[str], progress: Progress) -> int:
    """Keep what `starts` lead to and nothing else; how many objects stay."""
    store, objects = DiskObjectStore(layout.git / "objects"), Objects(layout.git)
    try:
        kept = set[str]()
        count = 0
        for portion in _portions(_reachable(store, starts)):
            kept.add(objects.add(portion))
            count += len(portion)
            progress(count, 0)
    finally:
        store.close()
        objects.close()
    _remove_packs(layout, kept)
    _remove_loose(layout)
    _remove_notes(layout)
    return count


def renew_index(layout: Layout, changes: Sequence[Change]) -> None:
    """Make git's index anew, from all files of HEAD: what was staged by hand is no part of it."""
    with contextlib.suppress(FileNotFoundError):
        files.unlink(layout.git / "index")
    if failure := follow(layout, changes, anew=True):
        raise OSError(failure)


def _reachable(store: DiskObjectStore, starts: Iterable[str]) -> Iterator[NewObject]:
    """Every object that the starts lead to, once; one that is missing leads nowhere."""
    seen: set[bytes] = set()
    stack = [start.encode() for start in starts]
    while stack:
        name = stack.pop()
        if name in seen:
            continue
        seen.add(name)
        try:
            kind, raw = store.get_raw(ObjectID(name))
        except KeyError:
            continue
        stack += [each for each in named_in(kind, raw) if each not in seen]
        yield NewObject(kind, name, raw)


def _portions(found: Iterable[NewObject]) -> Iterator[list[NewObject]]:
    portion: list[NewObject] = []
    size = 0
    for each in found:
        portion.append(each)
        size += len(each.data)
        if size > _PORTION:
            yield portion
            portion, size = [], 0
    if portion:
        yield portion


def _remove_packs(layout: Layout, kept: set[str]) -> None:
    """The old packs and all that belongs to them; indexes first, because a pack without one is nothing."""
    folder = layout.git / "objects" / "pack"
    gone = [path for path in folder.iterdir() if path.name.partition(".")[0] not in kept]
    for path in sorted(gone, key=lambda path: (path.suffix != ".idx", path.name)):
        files.unlink(path)
    files.sync_folder(folder)


def _remove_loose(layout: Layout) -> None:
    objects = layout.git / "objects"
    for folder in objects.iterdir():
        if folder.is_dir() and len(folder.name) == 2:
            _remove(folder)
    for path in (objects / "info").glob("commit-graph*"):
        _remove(path)
    for path in (objects / "info" / "packs", *objects.glob("tmp_*")):
        _remove(path)
    files.sync_folder(objects)


def _remove_notes(layout: Layout) -> None:
    for folder in (layout.git, *layout.git.glob("worktrees/*")):
        for name in (*_NOTES, *_FOLDERS):
            _remove(folder / name)
        for here, _, names in os.walk(folder / "logs"):
            for name in names:
                if (path := Path(here, name)) != layout.git / STASH_LOG:
                    files.unlink(path)
    for index in layout.git.glob("worktrees/*/index"):
        files.unlink(index)  # of files that may be gone; `git reset` there makes it anew
    files.sync_folder(layout.git)


def _remove(path: Path) -> None:
    """A file or a folder with all that is in it; links are taken away, not followed."""
    if path.is_dir() and not path.is_symlink():
        for name in os.listdir(path):
            _remove(path / name)
        files.remove_folder(path)
    elif os.path.lexists(path):
        files.unlink(path)
