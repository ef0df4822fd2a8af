"""Consolidation: many packs of one commit each are merged, the small ones into ever larger ones.

`git repack --geometric` does it beside everything else: it puts the new pack in place before it
removes the old ones, and readers that miss a pack look again. Where git is not installed, the same is
done here, without deltas.
"""

import os
from itertools import accumulate
from pathlib import Path
from threading import Thread

from dulwich.object_format import DEFAULT_OBJECT_FORMAT
from dulwich.pack import Pack

from .. import files
from ..clock import now
from ..layout import Layout
from ..lock import try_lock
from .objects import NewObject, Objects
from .program import start

__all__ = ["clear_leftovers", "consolidate", "count"]

_MANY = 32
_STALE = 3600.0  # seconds after which a file that belongs to nothing was left by a dead process


def count(layout: Layout) -> int:
    """The number of packs."""
    return len(_names(layout, ".idx"))


def consolidate(layout: Layout, objects: Objects, force: bool = False, wait: bool = False) -> bool:
    """Merge packs if there are many; whether that was begun. Git goes on after this process ends.

    Needs no write lock. It has one of its own, which a running git holds as an open file.
    """
    if not force and count(layout) < _MANY:
        return False
    descriptor = os.open(layout.repack_lock, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        if not try_lock(descriptor):
            return False
        child = start(layout, ("repack", "-d", "-q", "--geometric=2"), background=descriptor)
        if child is None:
            _merge(layout, objects)
        elif wait:
            child.wait()
        else:
            Thread(target=child.wait, daemon=True).start()
        return True
    finally:
        os.close(descriptor)


def clear_leftovers(layout: Layout) -> None:
    """Remove what killed processes left among the packs; what may belong to a living git stays an hour."""
    folder = layout.git / "objects" / "pack"
    files.remove_temporaries(folder)
    limit = now().timestamp() - _STALE
    whole = {name.removesuffix(".idx") for name in _names(layout, ".idx")}
    halves = [name for name in _names(layout, ".pack") if name.removesuffix(".pack") not in whole]
    for name in [*halves, *(name for name in _names(layout, "") if name.startswith("tmp_"))]:
        if (folder / name).stat().st_mtime < limit:
            files.unlink(folder / name)


def _names(layout: Layout, ending: str) -> list[str]:
    folder = layout.git / "objects" / "pack"
    return [name for name in os.listdir(folder) if name.endswith(ending)] if folder.is_dir() else []


def _merge(layout: Layout, objects: Objects) -> None:
    """Merge the smallest packs, so many that the next one is at least twice as large as all of them."""
    folder = layout.git / "objects" / "pack"
    names = [folder / name.removesuffix(".idx") for name in _names(layout, ".idx")]
    names = [name for name in names if not name.with_suffix(".keep").exists()]
    sized = sorted((name.with_suffix(".pack").stat().st_size, name) for name in names)
    sums = accumulate(size for size, _ in sized)
    following = [size for size, _ in sized[1:]] + [float("inf")]
    taken = next(
        place for place, (sum_, after) in enumerate(zip(sums, following, strict=True), 1) if after >= 2 * sum_
    )
    if taken < 2:
        taken = len(sized)
    merged = [name for _, name in sized[:taken]]
    if len(merged) > 1:
        made = objects.add([found for name in merged for found in _contents(name)])
        for name in merged:
            if name.name != made:
                files.unlink(name.with_suffix(".idx"))
                files.unlink(name.with_suffix(".pack"))


def _contents(name: Path) -> list[NewObject]:
    pack = Pack(str(name), object_format=DEFAULT_OBJECT_FORMAT)
    try:
        return [NewObject(found.type_num, found.id, found.as_raw_string()) for found in pack.iterobjects()]
    finally:
        pack.close()
