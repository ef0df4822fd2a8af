"""Proving the repository: by `git fsck` where git is installed, else object by object here."""

import contextlib
import zlib
from collections.abc import Iterator

from dulwich.errors import ObjectFormatException
from dulwich.object_store import DiskObjectStore
from dulwich.objects import Commit, ObjectID, Tree

from ..layout import Layout
from .program import start

__all__ = ["faults", "index_follows"]

_MOST = 20
_SUBMODULE = 0o160000


def faults(layout: Layout) -> tuple[str, ...]:
    """What is wrong with the objects of the repository, at most 20 lines; empty if nothing is."""
    # Without git's own index, which is made anew from HEAD: its damage is none of the history.
    none = layout.staging / "no-index"
    child = start(layout, ("fsck", "--full", "--no-dangling", "--no-progress"), index=none)
    if child is None:
        return tuple(line for line, _ in zip(_by_hand(layout), range(_MOST), strict=False))
    _, errors = child.communicate()
    if child.returncode == 0:
        return ()
    lines = [line for line in errors.decode("utf-8", "replace").splitlines() if line.strip()]
    return tuple(lines[:_MOST]) or (f"git fsck ended with {child.returncode}",)


def index_follows(layout: Layout) -> bool:
    """Whether git's own index stands for HEAD; true where git is not installed to say so."""
    child = start(layout, ("diff-index", "--cached", "--quiet", "HEAD", "--"))
    if child is None:
        return True
    child.communicate()
    return child.returncode == 0


def _by_hand(layout: Layout) -> Iterator[str]:
    """Every object has the hash that it is named by, and what it names is there."""
    store = DiskObjectStore(layout.git / "objects")
    try:
        for name in store:
            yield from _object(store, name)
    finally:
        with contextlib.suppress(BufferError):  # a pack that cannot be unpacked cannot be closed at once
            store.close()


def _object(store: DiskObjectStore, name: ObjectID) -> Iterator[str]:
    said = name.decode("ascii", "replace")
    try:
        found = store[name]
        found.check()
        if type(found).from_string(found.as_raw_string()).id != name:
            yield f"{said} does not hold what it is named by"
            return
    except (ObjectFormatException, OSError, ValueError, KeyError, AssertionError, zlib.error) as error:
        yield f"{said} cannot be read: {error}"
        return
    named = [found.tree, *found.parents] if isinstance(found, Commit) else []
    if isinstance(found, Tree):
        named = [entry.sha for entry in found.items() if entry.mode != _SUBMODULE]
    for each in named:
        if each not in store:
            yield f"{said} names {each.decode('ascii', 'replace')}, which is missing"
