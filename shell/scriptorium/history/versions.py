"""Every version of every file that any reference leads to, each once, and what every commit says."""

import re
from collections.abc import Iterator

from attrs import frozen
from dulwich.object_store import DiskObjectStore
from dulwich.objects import ObjectID

from ..layout import Layout
from . import references, refs
from .objects import COMMIT, TAG, Objects
from .trees import Trees

__all__ = ["Past", "Told", "Version", "past"]

_PARENT = re.compile(rb"^parent ([0-9a-f]{40})$", re.MULTILINE)


@frozen
class Version:
    """The bytes that a file has since a commit."""

    commit: str
    path: str
    data: bytes


@frozen
class Told:
    """The message of a commit."""

    commit: str
    message: str


Past = Version | Told


def past(layout: Layout) -> Iterator[tuple[int, int, tuple[Past, ...]]]:
    """Commit after commit, parents first: its number, how many there are, and what is new in it."""
    store, objects = DiskObjectStore(layout.git / "objects"), Objects(layout.git)
    try:
        trees, seen = Trees(objects), set[tuple[str, str]]()
        commits = tuple(_commits(store, _starts(layout)))
        for number, commit in enumerate(commits):
            yield number, len(commits), tuple(_new(objects, trees, commit, seen))
    finally:
        store.close()
        objects.close()


def _starts(layout: Layout) -> tuple[bytes, ...]:
    head = refs.head(layout)
    named = (*references.read_all(layout).values(), *((head,) if head else ()))
    return tuple(name.encode() for name in dict.fromkeys(named))


def _new(objects: Objects, trees: Trees, commit: bytes, seen: set[tuple[str, str]]) -> Iterator[Past]:
    raw = objects.read(commit)
    head, _, message = raw.partition(b"\n\n")
    name = commit.decode()
    yield Told(name, message.decode("utf-8", "replace"))
    parents = _PARENT.findall(head)
    before = objects.read(parents[0])[5:45] if parents else None
    for change in trees.differences(before, raw[5:45]):
        if change.new is not None and (change.path, change.new) not in seen:
            seen.add((change.path, change.new))
            yield Version(name, change.path, objects.read(change.new.encode()))


def _commits(store: DiskObjectStore, starts: tuple[bytes, ...]) -> Iterator[bytes]:
    """The commits that the starts lead to, each after its parents."""
    done: set[bytes] = set()
    stack = [(start, False) for start in starts]
    while stack:
        name, ready = stack.pop()
        if name in done:
            continue
        if ready:
            done.add(name)
            yield name
            continue
        kind, raw = store.get_raw(ObjectID(name))
        if kind == TAG:
            stack.append((raw[7:47], False))
        elif kind == COMMIT:
            parents = _PARENT.findall(raw.partition(b"\n\n")[0])
            stack += [(name, True), *((parent, False) for parent in parents)]
