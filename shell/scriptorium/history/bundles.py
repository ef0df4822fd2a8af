"""A part of the history as one git pack: made as a stream, and put in place where another copy begins.

By `git pack-objects` and `git index-pack` where git is installed, else object by object here. One thread
makes the pack, so that the same part gives the same bytes again: what was sealed of it before a kill is known
by them.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from dulwich.objects import parse_tree

from scriptorium_core.problem import Code, Problem

from .. import files
from ..layout import Layout
from ..refused import Refused
from .objects import BLOB, COMMIT, TAG, TREE, NewObject, Objects, packed
from .program import start
from .rewrite import named_in

__all__ = ["commits_of", "install", "packed_stream", "whole"]

_READ = 1024 * 1024
_FOLDER, _SUBMODULE = 0o040000, 0o160000
_PACK = ("pack-objects", "--revs", "--stdout", "--threads=1", "--delta-base-offset", "-q")


def packed_stream(
    layout: Layout, objects: Objects, new: Sequence[str], old: Sequence[str]
) -> Iterator[bytes]:
    """A pack of all that the commits `new` lead to and the commits `old` do not, bit by bit.

    Raises Refused with HISTORY_DAMAGED where an object is missing.
    """
    child = start(layout, _PACK, output=True)
    if child is None or child.stdin is None or child.stdout is None:
        yield packed(tuple(_between(objects, new, old)))[0]
        return
    try:
        child.stdin.write("".join(f"{each}\n" for each in (*new, *(f"^{each}" for each in old))).encode())
        child.stdin.close()
        while part := child.stdout.read(_READ):
            yield part
    finally:
        child.stdout.close()
        errors = child.stderr.read() if child.stderr is not None else b""
        status = child.wait()
    if status != 0:
        raise Refused(_damaged(errors.decode("utf-8", "replace").strip()[:300]))


def commits_of(layout: Layout, objects: Objects, tips: Sequence[str]) -> frozenset[str]:
    """Every commit that some commits lead to, themselves included."""
    child = start(layout, ("rev-list", "--stdin"), output=True)
    if child is None:
        return frozenset(found.id.decode() for found in _commits(objects, tips, set()))
    said, errors = child.communicate("".join(f"{each}\n" for each in tips).encode())
    if child.returncode != 0:
        raise Refused(_damaged(errors.decode("utf-8", "replace").strip()[:300]))
    return frozenset(said.decode().split()) | frozenset(tips)


def install(layout: Layout, pack: Path, name: str) -> None:
    """Let a pack be part of the repository, under its own name; its objects are looked through first."""
    folder = layout.git / "objects" / "pack"
    files.ensure_folder(folder, root=layout.root)
    place, index = folder / f"pack-{name}.pack", pack.with_suffix(".idx")
    _indexed(layout, pack, index)
    for each in (pack, index):
        os.chmod(each, 0o400)
        files.sync(each)
    files.install(pack, place)
    files.install(index, place.with_suffix(".idx"))
    files.sync_folder(folder)


def whole(layout: Layout, objects: Objects, tips: Sequence[str]) -> None:
    """See that everything is there that some commits lead to. Raises Refused with HISTORY_DAMAGED."""
    child = start(layout, ("rev-list", "--objects", "--quiet", "--stdin"))
    if child is None:
        for _ in _between(objects, tips, ()):
            pass
        return
    _, errors = child.communicate("".join(f"{each}\n" for each in tips).encode())
    if child.returncode != 0:
        raise Refused(_damaged(errors.decode("utf-8", "replace").strip()[:300]))


def _indexed(layout: Layout, pack: Path, index: Path) -> None:
    with contextlib.suppress(FileNotFoundError):
        index.unlink()
    child = start(layout, ("index-pack", "--strict", "-o", str(index), str(pack)))
    if child is not None:
        _, errors = child.communicate()
        if child.returncode != 0:
            raise Refused(_damaged(errors.decode("utf-8", "replace").strip()[:300]))
        return
    from dulwich.object_format import DEFAULT_OBJECT_FORMAT
    from dulwich.pack import PackData

    with PackData(str(pack), object_format=DEFAULT_OBJECT_FORMAT) as data:
        data.check()
        data.create_index_v2(str(index))


def _between(objects: Objects, new: Sequence[str], old: Sequence[str]) -> Iterator[NewObject]:
    """The objects of the commits that `new` lead to and `old` do not; a few of the old ones may be there."""
    known, seen = set[bytes](), set[bytes]()
    for found in _commits(objects, old, known):
        if found.id.decode() in old:
            for _ in _below(objects, found.data[5:45], TREE, seen):
                pass
    for found in _commits(objects, new, known):
        yield found
        if found.kind == COMMIT:
            yield from _below(objects, found.data[5:45], TREE, seen)


def _commits(objects: Objects, tips: Iterable[str], known: set[bytes]) -> Iterator[NewObject]:
    """The commits and tags that `tips` lead to, without those that are `known`, which grow with them."""
    waiting = [tip.encode() for tip in tips]
    while waiting:
        name = waiting.pop()
        if name in known:
            continue
        known.add(name)
        data = _read(objects, name)
        kind = TAG if data.startswith(b"object ") else COMMIT
        yield NewObject(kind, name, data)
        waiting += [*named_in(kind, data)][0 if kind == TAG else 1 :]


def _below(objects: Objects, name: bytes, kind: int, seen: set[bytes]) -> Iterator[NewObject]:
    """An object and what stands below it, each once."""
    if name in seen:
        return
    seen.add(name)
    data = _read(objects, name)
    yield NewObject(kind, name, data)
    if kind == TREE:
        for _, mode, sha in parse_tree(data, 20):
            if mode != _SUBMODULE:
                yield from _below(objects, sha, TREE if mode == _FOLDER else BLOB, seen)


def _read(objects: Objects, name: bytes) -> bytes:
    try:
        return objects.read(name)
    except KeyError:
        raise Refused(_damaged(f"the object {name.decode()} is missing")) from None


def _damaged(message: str) -> Problem:
    remedy = "`scriptorium verify` names the damage; take the history from another copy"
    return Problem(Code.HISTORY_DAMAGED, message or "git could not read the history", ".git", remedy=remedy)
