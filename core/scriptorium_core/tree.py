"""The memory directory as a value: a read-only base and a persistent map of edits over it."""

from collections.abc import Iterator, Mapping
from typing import Protocol

from attrs import evolve, field, frozen
from pyrsistent import PMap, pmap

__all__ = ["Base", "MappingBase", "Tree", "tree_of"]


class Base(Protocol):
    """What a tree stands on: a commit in the shell, a dictionary in tests.

    Paths are relative to the memory directory, with `/`; contents are bytes.
    """

    def get(self, path: str) -> bytes | None:
        """The bytes of the file at `path`, None if there is none."""
        ...

    def under(self, prefix: str) -> Iterator[str]:
        """The paths of all files whose path begins with `prefix`, sorted; `""` gives all."""
        ...


@frozen
class MappingBase:
    """A base over a mapping of path to bytes."""

    files: Mapping[str, bytes]

    def get(self, path: str) -> bytes | None:
        """The bytes at `path`, or None."""
        return self.files.get(path)

    def under(self, prefix: str) -> Iterator[str]:
        """The paths that begin with `prefix`, sorted."""
        return iter(sorted(path for path in self.files if path.startswith(prefix)))


def _no_edits() -> PMap[str, bytes | None]:
    return pmap()


@frozen
class Tree:
    """A base and the edits over it; an edit of None is a removal."""

    base: Base
    edits: PMap[str, bytes | None] = field(factory=_no_edits)

    def get(self, path: str) -> bytes | None:
        """The bytes at `path` as edited, None if there is no such file."""
        return self.edits[path] if path in self.edits else self.base.get(path)

    def put(self, path: str, data: bytes) -> "Tree":
        """The tree with `data` at `path`."""
        return evolve(self, edits=self.edits.set(path, data))

    def remove(self, path: str) -> "Tree":
        """The tree without a file at `path`."""
        return evolve(self, edits=self.edits.set(path, None))

    def under(self, prefix: str) -> Iterator[str]:
        """The paths that begin with `prefix` as edited, sorted."""
        edited = {path for path in self.edits if path.startswith(prefix)}
        kept = {path for path in self.base.under(prefix) if path not in edited}
        added = {path for path in edited if self.edits[path] is not None}
        return iter(sorted(kept | added))

    def differences(self) -> Mapping[str, bytes | None]:
        """The edits that change something: path to new bytes, None for a removal, sorted by path."""
        changed = {path: data for path, data in self.edits.items() if self.base.get(path) != data}
        return dict(sorted(changed.items()))


def tree_of(files: Mapping[str, bytes]) -> Tree:
    """A tree over a mapping of path to bytes."""
    return Tree(MappingBase(files))
