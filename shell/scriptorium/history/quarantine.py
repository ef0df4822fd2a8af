"""What comes from another history waits in a folder of its own until it was looked through.

The folder is a bare repository that borrows the objects of the memory. Nothing of it is part of the memory
before `admit`, so what is refused was never in it, and what a killed process left is thrown away.
"""

import os
from collections.abc import Iterator
from pathlib import Path
from types import TracebackType

from dulwich.objects import ObjectID, parse_tree
from dulwich.repo import Repo

from scriptorium_core.problem import Code, Problem
from scriptorium_core.syncing import Node
from scriptorium_core.syncing.incoming import Version, entry_faults

from .. import files
from ..layout import Layout
from .log import Entry, entry
from .objects import BLOB, COMMIT, TREE, NewObject, Objects
from .rewrite import named_in
from .trees import Trees

__all__ = ["Quarantine", "clear"]

_FOLDER = "incoming"
_PORTION = 16 * 1024 * 1024


def clear(layout: Layout) -> None:
    """Throw away what a sync that did not come to its end has left."""
    _remove(layout.runtime / _FOLDER)


class Quarantine:
    """New objects beside those of the memory; `with` throws them away in the end."""

    def __init__(self, layout: Layout, head: str | None) -> None:
        clear(layout)
        self.layout = layout
        self.path = layout.runtime / _FOLDER
        files.ensure_folder(self.path, root=layout.root)
        self.repo = Repo.init_bare(str(self.path))
        alternates = self.path / "objects" / "info" / "alternates"
        files.ensure_folder(alternates.parent)
        alternates.write_bytes(os.fsencode(layout.git / "objects") + b"\n")
        self.repo.close()
        self.repo = Repo(str(self.path))
        if head is not None:
            self.repo.refs[b"refs/heads/here"] = ObjectID(head.encode())  # type: ignore[index]
        self._objects = _Borrowed(self.repo)

    def __enter__(self) -> "Quarantine":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.repo.close()
        clear(self.layout)

    def look(self, commit: str) -> Node:
        """A commit among all, for how two of them stand to one another."""
        try:
            found = self.entry(commit)
        except KeyError:
            return Node(0)
        return Node(found.when.seconds, found.parents)

    def entry(self, commit: str) -> Entry:
        """One commit; KeyError if there is none of that id."""
        return entry(self._objects, commit)

    def faults(self) -> tuple[Problem, ...]:
        """What is wrong with the new objects: names, modes, and what they name and is not there."""
        problems: dict[Problem, None] = {}
        store = self.repo.object_store
        for new in self._new():
            if new.kind == TREE:
                entries = [(_text(name), mode) for name, mode, _ in parse_tree(new.data, 20)]
                problems |= dict.fromkeys(entry_faults(entries))
            missing = [name for name in named_in(new.kind, new.data) if ObjectID(name) not in store]
            problems |= dict.fromkeys(_missing(new, name) for name in missing)
        return tuple(problems)[:20]

    def versions(self, commits: tuple[str, ...]) -> Iterator[Version]:
        """What the files hold that each of some commits changed, each version once."""
        trees, seen = Trees(self._objects), set[tuple[str, str]]()
        for name in commits:
            parents = self.entry(name).parents
            before = self._tree(parents[0]) if parents else None
            for change in trees.differences(before, self._tree(name)):
                if change.new is not None and (change.path, change.new) not in seen:
                    seen.add((change.path, change.new))
                    yield Version(name, change.path, self._objects.read(change.new.encode()))

    def changed(self, old: str | None, new: str) -> tuple[str, ...]:
        """The paths of the files that differ between two commits, or of all in one."""
        before = self._tree(old) if old is not None else None
        return tuple(each.path for each in Trees(self._objects).differences(before, self._tree(new)))

    def admit(self, objects: Objects) -> int:
        """Make the new objects part of the memory's repository, durably; how many they were."""
        portion: list[NewObject] = []
        size = count = 0
        for new in self._new():
            portion.append(new)
            size, count = size + len(new.data), count + 1
            if size > _PORTION:
                objects.add(portion)
                portion, size = [], 0
        if portion:
            objects.add(portion)
        return count

    def _new(self) -> Iterator[NewObject]:
        store = self.repo.object_store
        seen: set[bytes] = set()
        for pack in store.packs:
            for found in pack.iterobjects():
                if found.id not in seen:
                    seen.add(found.id)
                    yield NewObject(found.type_num, found.id, found.as_raw_string())
        for name in store._iter_loose_objects():
            kind, raw = store.get_raw(name)
            if name not in seen:
                yield NewObject(kind, name, raw)

    def _tree(self, commit: str) -> bytes:
        return self._objects.read(commit.encode())[5:45]


class _Borrowed(Objects):
    """The objects of a quarantine and of the memory, read alike."""

    def __init__(self, repo: Repo) -> None:
        super().__init__(Path(repo.path))
        self._repo = repo

    def read(self, identifier: bytes) -> bytes:
        """The bytes of an object, without its header; KeyError if there is none of that id."""
        return self._repo.object_store.get_raw(ObjectID(identifier))[1]


def _missing(new: NewObject, name: bytes) -> Problem:
    kinds = {BLOB: "file", TREE: "folder", COMMIT: "commit"}
    message = f"what came is not whole: the {kinds.get(new.kind, 'object')} {new.id[:10].decode()} names"
    remedy = "`git fsck` there names the damage; sync with another copy"
    return Problem(Code.HISTORY_DAMAGED, f"{message} {name[:10].decode()}, which is missing", remedy=remedy)


def _text(name: bytes) -> str:
    return name.decode("utf-8", "surrogateescape")


def _remove(path: Path) -> None:
    if path.is_symlink() or path.is_file():
        files.unlink(path)
    elif path.is_dir():
        for name in os.listdir(path):
            _remove(path / name)
        files.remove_folder(path)
