"""Rewriting a history: every commit anew from its cleaned files, the same as it was in all else.

Each version of a file and each folder is looked at once. What holds nothing of what is erased keeps its
id, and so do the commits before the first that does. The same targets give the same new history, and
rewriting that one again changes nothing: a killed rewriting is simply done again.
"""

import re
from collections.abc import Callable, Iterable, Iterator

from attrs import define, field
from dulwich.object_store import DiskObjectStore
from dulwich.objects import ObjectID, parse_tree

from scriptorium_core.forgetting import Cleaned, Targets, Words, cleaned, finished, words_of

from ..layout import Layout
from .objects import BLOB, COMMIT, TAG, TREE, NewObject, Objects, object_id

__all__ = ["Progress", "Rewriting", "named_in"]

Progress = Callable[[int, int], None]

_FOLDER = 0o040000
_LINK = 0o120000
_SUBMODULE = 0o160000
_PORTION = 32 * 1024 * 1024  # bytes that one pack holds
_PARENT = re.compile(rb"^parent ([0-9a-f]{40})$", re.MULTILINE)
_DROPPED = (b"gpgsig", b"gpgsig-sha256", b"mergetag")  # they sign what the commit was


@define
class Rewriting:
    """One history on its way: what it was, and the new ids of what is done."""

    layout: Layout
    targets: Targets
    progress: Progress
    words: Words = field(factory=Words)
    ids: dict[bytes, bytes] = field(factory=dict)
    _store: DiskObjectStore = field(init=False)
    _objects: Objects = field(init=False)
    _trees: dict[tuple[str, bytes], bytes | None] = field(factory=dict, init=False)
    _blobs: dict[tuple[str, bytes], bytes | None] = field(factory=dict, init=False)
    _fresh: list[NewObject] = field(factory=list, init=False)
    _size: int = field(default=0, init=False)

    def __attrs_post_init__(self) -> None:
        self._store = DiskObjectStore(self.layout.git / "objects")
        self._objects = Objects(self.layout.git)

    def close(self) -> None:
        """Let go of the open packs."""
        self._store.close()
        self._objects.close()

    def survey(self, starts: Iterable[str]) -> tuple[bytes, ...]:
        """Find the words that go, in all that the starts lead to; the commits, parents first."""
        commits = tuple(self._commits([self._peeled(start.encode()) for start in starts]))
        texts: set[str] = set()
        seen: set[tuple[str, bytes]] = set()
        for number, commit in enumerate(commits):
            self.progress(number, 2 * len(commits))
            texts |= set(self._texts(self._read(commit)[5:45], "", seen))
        self.words = words_of(texts)
        return commits

    def write(self, commits: tuple[bytes, ...]) -> int:
        """Write the commits anew, durably and referred to by nothing yet; how many are others now."""
        for number, commit in enumerate(commits, len(commits)):
            self.progress(number, 2 * len(commits))
            self.ids[commit] = self._commit(commit)
        self._flush()
        self.progress(2 * len(commits), 2 * len(commits))
        return sum(old != new for old, new in self.ids.items())

    def successor(self, name: str) -> str:
        """What a reference to `name` has to name now; an annotated tag is written anew."""
        found = self._successor(name.encode())
        self._flush()
        return found.decode()

    # --- Looking ---------------------------------------------------------------------------------

    def _texts(self, tree: bytes, above: str, seen: set[tuple[str, bytes]]) -> Iterator[str]:
        if (above, tree) in seen:
            return
        seen.add((above, tree))
        for name, mode, identifier in self._entries(tree):
            path = above + name.decode("utf-8", "surrogateescape")
            if mode == _FOLDER:
                yield from self._texts(identifier, f"{path}/", seen)
            elif mode != _SUBMODULE and (path, identifier) not in seen:
                seen.add((path, identifier))
                yield from self._cleaned(path, identifier).texts

    def _cleaned(self, path: str, identifier: bytes) -> Cleaned:
        data = self._read(identifier)
        return cleaned(path, data, self.targets)

    def _commits(self, starts: Iterable[bytes]) -> Iterator[bytes]:
        """All commits that the starts lead to, each after its parents; one that is missing ends its line."""
        done: set[bytes] = set()
        stack = [(start, False) for start in starts]
        while stack:
            commit, ready = stack.pop()
            if commit in done or self._kind(commit) != COMMIT:
                continue
            if ready:
                done.add(commit)
                yield commit
                continue
            stack.append((commit, True))
            stack += [(parent, False) for parent in self._parents(commit) if parent not in done]

    # --- Writing ---------------------------------------------------------------------------------

    def _commit(self, commit: bytes) -> bytes:
        raw = self._read(commit)
        head, gap, message = raw.partition(b"\n\n")
        said = message.decode("utf-8", "surrogateescape")
        new = self.words.message(said).encode("utf-8", "surrogateescape")
        tree = self._tree(raw[5:45], "") or self._made(TREE, b"")
        parents = [self.ids.get(parent, parent) for parent in self._parents(commit)]
        if (raw[5:45], self._parents(commit), message) == (tree, parents, new):
            return commit
        lines = [b"tree " + tree, *(b"parent " + parent for parent in parents), *_others(head)]
        return self._made(COMMIT, b"\n".join(lines) + gap + new)

    def _tree(self, tree: bytes, above: str) -> bytes | None:
        """The id of a folder with its files cleaned; None if nothing is left in it."""
        if (above, tree) not in self._trees:
            self._trees[above, tree] = self._folder(tree, above)
        return self._trees[above, tree]

    def _folder(self, tree: bytes, above: str) -> bytes | None:
        entries = self._entries(tree)
        fresh = [(name, mode, self._entry(above, name, mode, each)) for name, mode, each in entries]
        if [each for _, _, each in fresh] == [each for _, _, each in entries]:
            return tree
        raw = b"".join(b"%o %s\0" % (mode, name) + bytes.fromhex(i.decode()) for name, mode, i in fresh if i)
        return self._made(TREE, raw) if raw else None

    def _entry(self, above: str, name: bytes, mode: int, identifier: bytes) -> bytes | None:
        path = above + name.decode("utf-8", "surrogateescape")
        if mode == _FOLDER:
            return self._tree(identifier, f"{path}/")
        if mode == _SUBMODULE:
            return identifier
        if (path, identifier) not in self._blobs:
            self._blobs[path, identifier] = self._blob(path, identifier)
        return self._blobs[path, identifier]

    def _blob(self, path: str, identifier: bytes) -> bytes | None:
        try:
            old = self._read(identifier)
        except KeyError:
            return identifier
        data = finished(path, cleaned(path, old, self.targets), self.words)
        return identifier if data == old else None if data is None else self._made(BLOB, data)

    def _successor(self, name: bytes) -> bytes:
        if name in self.ids or self._kind(name) != TAG:
            return self.ids.get(name, name)
        raw = self._read(name)
        target = self._successor(raw[7:47])
        head, gap, message = raw.partition(b"\n\n")
        said = self.words.message(message.decode("utf-8", "surrogateescape"))
        new = b"object " + target + head[47:] + gap + said.encode("utf-8", "surrogateescape")
        return name if new == raw else self._made(TAG, new)

    def _made(self, kind: int, data: bytes) -> bytes:
        new = NewObject(kind, object_id(kind, data), data)
        self._fresh.append(new)
        self._size += len(data)
        if self._size > _PORTION:
            self._flush()
        return new.id

    def _flush(self) -> None:
        if self._fresh:
            self._objects.add(self._fresh)
        self._fresh, self._size = [], 0

    # --- Reading ---------------------------------------------------------------------------------

    def _read(self, identifier: bytes) -> bytes:
        return self._store.get_raw(ObjectID(identifier))[1]

    def _kind(self, identifier: bytes) -> int:
        try:
            return self._store.get_raw(ObjectID(identifier))[0]
        except KeyError:
            return 0

    def _entries(self, tree: bytes) -> list[tuple[bytes, int, bytes]]:
        try:
            raw = self._read(tree)
        except KeyError:
            return []
        return [(name, mode, bytes(each)) for name, mode, each in parse_tree(raw, 20)]

    def _parents(self, commit: bytes) -> list[bytes]:
        return _PARENT.findall(self._read(commit).partition(b"\n\n")[0])

    def _peeled(self, name: bytes) -> bytes:
        """The commit behind an annotated tag."""
        while self._kind(name) == TAG:
            name = self._read(name)[7:47]
        return name


def named_in(kind: int, raw: bytes) -> Iterable[bytes]:
    """The ids of the objects that an object names."""
    if kind == COMMIT:
        return (raw[5:45], *_PARENT.findall(raw.partition(b"\n\n")[0]))
    if kind == TREE:
        return [bytes(each) for _, mode, each in parse_tree(raw, 20) if mode != _SUBMODULE]
    return (raw[7:47],) if kind == TAG else ()


def _others(head: bytes) -> Iterator[bytes]:
    """The lines of a commit's head that stay: author, committer, encoding."""
    dropped = False
    for line in head.split(b"\n"):
        if line.startswith(b" "):
            if not dropped:
                yield line
            continue
        key = line.partition(b" ")[0]
        dropped = key in _DROPPED
        if not dropped and key not in (b"tree", b"parent"):
            yield line
