"""Rewriting a history: every commit anew from its cleaned files, the same as it was in all else.

Each version of a file and each folder is looked at once, and written once. What holds nothing of what is
erased keeps its id, and so do the commits before the first that does. The same targets give the same new
history, and rewriting that one again changes nothing: a killed rewriting is simply done again.

A record that goes with its evidence goes from the states in which it rested on nothing else. Looking finds
out which records these are in each commit, so that writing takes the links to them out of the other files of
that commit, and leaves them in others, where the record rests on other evidence and stays.
"""

import re
from collections.abc import Callable, Iterable, Iterator

from attrs import define, evolve, field
from dulwich.object_store import DiskObjectStore
from dulwich.objects import ObjectID, parse_tree

from scriptorium_core.forgetting import Cleaned, Targets, Words, cleaned, finished, words_of
from scriptorium_core.names import BlockId

from ..layout import Layout
from .objects import BLOB, COMMIT, TAG, TREE, NewObject, Objects, object_id

__all__ = ["Progress", "Rewriting", "named_in"]

Progress = Callable[[int, int], None]

_FOLDER = 0o040000
_SUBMODULE = 0o160000
_PORTION = 32 * 1024 * 1024  # bytes that one pack holds, or that are kept between looking and writing
_PARENT = re.compile(rb"^parent ([0-9a-f]{40})$", re.MULTILINE)
_NONE: frozenset[BlockId] = frozenset()
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
    _along: dict[tuple[str, bytes], frozenset[BlockId]] = field(factory=dict, init=False)
    _looked: dict[tuple[str, bytes], Cleaned] = field(factory=dict, init=False)
    _room: int = field(default=_PORTION, init=False)
    _marks: dict[BlockId, bytes] = field(factory=dict, init=False)
    _named: dict[tuple[str, bytes], frozenset[BlockId]] = field(factory=dict, init=False)
    _made_of: dict[tuple[str, bytes, frozenset[BlockId]], bytes | None] = field(factory=dict, init=False)
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
        for number, commit in enumerate(commits):
            self.progress(number, 2 * len(commits))
            self._look("", _FOLDER, self._read(commit)[5:45], texts)
        self.words = words_of(texts)
        along = _NONE.union(*self._along.values())
        self._marks = {block: block.encode("utf-8", "surrogatepass") for block in along}
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

    def _look(self, path: str, mode: int, identifier: bytes, texts: set[str]) -> frozenset[BlockId]:
        """Gather the words that go from a file or a folder; the ids that go with their evidence there."""
        if mode == _SUBMODULE:
            return _NONE
        if (path, identifier) not in self._along:
            if mode == _FOLDER:
                inner = [
                    self._look(_inside(path, name), kind, each, texts)
                    for name, kind, each in self._entries(identifier)
                ]
                along = _NONE.union(*inner)
            else:
                data = self._found(identifier) or b""
                found = cleaned(path, data, self.targets)
                # What is left of a file is kept for writing it, as far as there is room.
                if found.data is not data and (size := len(found.data or b"")) <= self._room:
                    self._looked[path, identifier] = found
                    self._room -= size
                texts.update(found.texts)
                along = found.along
            self._along[path, identifier] = along or _NONE
        return self._along[path, identifier]

    def _naming(self, path: str, mode: int, identifier: bytes) -> frozenset[BlockId]:
        """Those of the ids that go with their evidence anywhere which a file or a folder names."""
        # Nothing in an archive links to a record.
        if mode == _SUBMODULE or path.startswith("sources/"):
            return _NONE
        if (path, identifier) not in self._named:
            if mode == _FOLDER:
                entries = self._entries(identifier)
                inner = [self._naming(_inside(path, name), kind, each) for name, kind, each in entries]
                named = _NONE.union(*inner)
            else:
                data = self._found(identifier) or b""
                named = frozenset(block for block, mark in self._marks.items() if mark in data)
            self._named[path, identifier] = named or _NONE
        return self._named[path, identifier]

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
        along = self._along.get(("", raw[5:45]), _NONE)
        tree = self._entry("", _FOLDER, raw[5:45], along) or self._made(TREE, b"")
        parents = [self.ids.get(parent, parent) for parent in self._parents(commit)]
        if (raw[5:45], self._parents(commit), message) == (tree, parents, new):
            return commit
        lines = [b"tree " + tree, *(b"parent " + parent for parent in parents), *_others(head)]
        return self._made(COMMIT, b"\n".join(lines) + gap + new)

    def _entry(self, path: str, mode: int, identifier: bytes, along: frozenset[BlockId]) -> bytes | None:
        """The id of a file or folder without what goes; None if nothing is left of it."""
        if mode == _SUBMODULE:
            return identifier
        # What names none of these ids is the same whichever go.
        named = along & self._naming(path, mode, identifier) if along else along
        key = (path, identifier, named)
        if key not in self._made_of:
            make = self._folder if mode == _FOLDER else self._blob
            self._made_of[key] = make(*key)
        return self._made_of[key]

    def _folder(self, path: str, tree: bytes, along: frozenset[BlockId]) -> bytes | None:
        entries = self._entries(tree)
        fresh = [
            (name, mode, self._entry(_inside(path, name), mode, each, along)) for name, mode, each in entries
        ]
        if [each for _, _, each in fresh] == [each for _, _, each in entries]:
            return tree
        raw = b"".join(b"%o %s\0" % (mode, name) + bytes.fromhex(i.decode()) for name, mode, i in fresh if i)
        return self._made(TREE, raw) if raw else None

    def _blob(self, path: str, identifier: bytes, along: frozenset[BlockId]) -> bytes | None:
        old = self._found(identifier)
        if old is None:
            return identifier
        found = None if along else self._looked.get((path, identifier))
        targets = evolve(self.targets, along=along) if along else self.targets
        data = finished(path, found or cleaned(path, old, targets), self.words)
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

    def _found(self, identifier: bytes) -> bytes | None:
        """The bytes of an object; None where it is missing."""
        try:
            return self._read(identifier)
        except KeyError:
            return None

    def _kind(self, identifier: bytes) -> int:
        try:
            return self._store.get_raw(ObjectID(identifier))[0]
        except KeyError:
            return 0

    def _entries(self, tree: bytes) -> list[tuple[bytes, int, bytes]]:
        raw = self._found(tree) or b""
        return [(name, mode, bytes(each)) for name, mode, each in parse_tree(raw, 20)]

    def _parents(self, commit: bytes) -> list[bytes]:
        return _PARENT.findall(self._read(commit).partition(b"\n\n")[0])

    def _peeled(self, name: bytes) -> bytes:
        """The commit behind an annotated tag."""
        while self._kind(name) == TAG:
            name = self._read(name)[7:47]
        return name


def _inside(folder: str, name: bytes) -> str:
    found = name.decode("utf-8", "surrogateescape")
    return f"{folder}/{found}" if folder else found


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
