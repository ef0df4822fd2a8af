"""Git trees: looking a path up, listing, comparing two, and making the next one from a few changes.

Only the folders on the way to a changed path are read and written; a folder's bytes are spliced
where an entry merely changes, so that a folder of 10,000 files stays cheap.
"""

from collections.abc import Iterator, Mapping

from attrs import field, frozen
from dulwich.lru_cache import LRUSizeCache
from dulwich.objects import parse_tree

from .objects import TREE, NewObject, Objects, blob_of, object_id

__all__ = ["Change", "Folder", "GitBase", "Trees"]

_FILE, _FOLDER = 0o100644, 0o040000
_FILES = frozenset([0o100644, 0o100755, 0o100664])  # links and submodules are no files of a memory
_CACHE = 4 * 1024 * 1024
_SPLICES = 16  # with more changes in one folder it is cheaper to make its bytes anew

Entry = tuple[int, bytes]  # mode, id
Edits = dict[bytes, "bytes | Edits | None"]  # one folder: name to new bytes, removal, or edits below


@frozen
class Folder:
    """One tree object: its bytes, and what they say."""

    raw: bytes
    entries: Mapping[bytes, Entry]


@frozen
class Change:
    """One path that differs between two commits: the ids of both blobs (None: not there), the new mode."""

    path: str
    old: str | None
    new: str | None
    mode: int = _FILE


_EMPTY = Folder(b"", {})


class Trees:
    """The trees of one repository, the recently used ones kept in memory."""

    def __init__(self, objects: Objects) -> None:
        self._objects = objects
        self._cache: LRUSizeCache[bytes, Folder] = LRUSizeCache(_CACHE, compute_size=_size)

    def folder(self, tree: bytes | None) -> Folder:
        """The tree of an id; None is the empty one."""
        if tree is None:
            return _EMPTY
        known = self._cache.get(tree)
        return known if known is not None else self._keep(tree, self._objects.read(tree))

    def entry(self, tree: bytes | None, path: str) -> Entry | None:
        """Mode and id of the file or folder at `path` below a tree."""
        found: Entry | None = None if tree is None else (_FOLDER, tree)
        for name in _names(path):
            if found is None or found[0] != _FOLDER:
                return None
            found = self.folder(found[1]).entries.get(name)
        return found

    def file(self, tree: bytes | None, path: str) -> bytes | None:
        """The id of the file at `path`, None if there is no file."""
        found = self.entry(tree, path)
        return found[1] if found and found[0] in _FILES else None

    def under(self, tree: bytes | None, prefix: str) -> Iterator[str]:
        """The paths of all files that begin with `prefix`, sorted."""
        above, _, start = prefix.rpartition("/")
        found = self.entry(tree, above)
        if found and found[0] == _FOLDER:
            yield from self._walk(found[1], f"{above}/" if above else "", _bytes(start))

    def differences(self, old: bytes | None, new: bytes | None, above: str = "") -> Iterator[Change]:
        """The files that differ between two trees; equal folders are not opened."""
        before, after = self.folder(old).entries, self.folder(new).entries
        for name in sorted({name for name, _ in before.items() ^ after.items()}):
            yield from self._differing(before.get(name), after.get(name), above + _text(name))

    def edited(
        self, tree: bytes | None, differences: Mapping[str, bytes | None]
    ) -> tuple[bytes, list[NewObject]]:
        """The id of the tree with `differences` applied, and the objects that are new in it."""
        fresh: list[NewObject] = []
        changed = self._edit(tree, _nested(differences), fresh)
        if changed is None:
            changed = self._made(b"", {}, fresh)
        return changed, fresh

    def _walk(self, tree: bytes, above: str, start: bytes = b"") -> Iterator[str]:
        for name, (mode, identifier) in sorted(self.folder(tree).entries.items(), key=_order):
            if not name.startswith(start):
                continue
            if mode == _FOLDER:
                yield from self._walk(identifier, f"{above}{_text(name)}/")
            elif mode in _FILES:
                yield above + _text(name)

    def _differing(self, one: Entry | None, two: Entry | None, path: str) -> Iterator[Change]:
        if _is_file(one) or _is_file(two):
            old, new = (entry[1].decode() if entry and _is_file(entry) else None for entry in (one, two))
            yield Change(path, old, new, two[0] if two and new else _FILE)
        below = [entry[1] if entry and entry[0] == _FOLDER else None for entry in (one, two)]
        if below[0] != below[1]:
            yield from self.differences(below[0], below[1], f"{path}/")

    def _edit(self, tree: bytes | None, edits: Edits, fresh: list[NewObject]) -> bytes | None:
        """The id of one folder with `edits` applied, None if nothing is left in it."""
        folder = self.folder(tree)
        entries = dict(folder.entries)
        raw = folder.raw if len(edits) <= _SPLICES else b""
        for name, edit in edits.items():
            old = entries.pop(name, None)
            new = self._edited_entry(old, edit, fresh)
            raw = _spliced(raw, name, old, new, entries)
            if new is not None:
                entries[name] = new
        return self._made(raw, entries, fresh) if entries else None

    def _edited_entry(
        self, old: Entry | None, edit: "bytes | Edits | None", fresh: list[NewObject]
    ) -> Entry | None:
        if edit is None:
            return None
        if isinstance(edit, bytes):
            blob = blob_of(edit)
            fresh.append(blob)
            return (_FILE, blob.id)
        below = self._edit(old[1] if old and old[0] == _FOLDER else None, edit, fresh)
        return (_FOLDER, below) if below is not None else None

    def _made(self, raw: bytes, entries: Mapping[bytes, Entry], fresh: list[NewObject]) -> bytes:
        raw = raw or b"".join(_entry(name, entry) for name, entry in sorted(entries.items(), key=_order))
        identifier = object_id(TREE, raw)
        self._cache[identifier] = Folder(raw, entries)
        fresh.append(NewObject(TREE, identifier, raw))
        return identifier

    def _keep(self, tree: bytes, raw: bytes) -> Folder:
        folder = Folder(raw, {name: (mode, sha) for name, mode, sha in parse_tree(raw, 20)})
        self._cache[tree] = folder
        return folder


@frozen
class GitBase:
    """A commit as the base of a core `Tree`: read lazily, and the same forever."""

    _trees: Trees = field(alias="trees")
    _objects: Objects = field(alias="objects")
    tree: bytes | None

    def get(self, path: str) -> bytes | None:
        """The bytes of the file at `path` in this commit, None if there is none."""
        identifier = self._trees.file(self.tree, path)
        return None if identifier is None else self._objects.read(identifier)

    def under(self, prefix: str) -> Iterator[str]:
        """The paths of all files that begin with `prefix`, sorted."""
        return self._trees.under(self.tree, prefix)


def _is_file(entry: Entry | None) -> bool:
    return entry is not None and entry[0] in _FILES


def _order(item: tuple[bytes, Entry]) -> bytes:
    name, (mode, _) = item
    return name + b"/" if mode == _FOLDER else name  # git sorts a folder as if its name ended so


def _entry(name: bytes, entry: Entry) -> bytes:
    return b"%o %s\0" % (entry[0], name) + bytes.fromhex(entry[1].decode())


def _spliced(
    raw: bytes, name: bytes, old: Entry | None, new: Entry | None, others: Mapping[bytes, Entry]
) -> bytes:
    """The bytes of a folder with one entry changed among `others`; none where they must be made anew.

    The bytes of an entry may also stand inside a name or an id by chance: only where they stand once
    is it sure that they are the entry.
    """
    fresh = _entry(name, new) if new else b""
    if old and (new is None or old[0] == new[0]):
        return _exchanged(raw, _entry(name, old), fresh)
    if old or not raw or new is None:
        return b"" if old else raw
    own = _order((name, new))
    following = min((item for item in others.items() if _order(item) > own), key=_order, default=None)
    if following is None:
        return raw + fresh
    return _exchanged(raw, _entry(*following), fresh + _entry(*following))


def _exchanged(raw: bytes, old: bytes, new: bytes) -> bytes:
    before, found, after = raw.partition(old)
    return before + new + after if found and old not in after else b""


def _nested(differences: Mapping[str, bytes | None]) -> Edits:
    root: Edits = {}
    # Removals first: a file may come where a folder was emptied, and the other way round.
    for path, data in sorted(differences.items(), key=lambda item: item[1] is not None):
        *above, last = _names(path)
        folder = root
        for name in above:
            below = folder.setdefault(name, {})
            if not isinstance(below, dict):
                below = folder[name] = {}
            folder = below
        folder[last] = data
    return root


def _names(path: str) -> list[bytes]:
    return _bytes(path).split(b"/") if path else []


def _bytes(name: str) -> bytes:
    # Most lone surrogates stand for no byte, and no file can have them in its name: these bytes name none.
    try:
        return name.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        return name.encode("utf-8", "surrogatepass")


def _text(name: bytes) -> str:
    return name.decode("utf-8", "surrogateescape")


def _size(folder: Folder) -> int:
    return len(folder.raw) + 1
