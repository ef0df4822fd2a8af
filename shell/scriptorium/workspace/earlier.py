"""A memory as it was at an earlier commit: read like the present one, and never written.

Its facts and its full text have indexes of their own, in a folder `at/<commit>` below the runtime folder; the
newest few are kept. They begin as copies of the present ones and follow the difference, as those do: so
they say what the commit says, and may be deleted at any time. What was forgotten since is left out of
them; the name of the folder says which retractions it knows, so that a later one makes another folder.
"""

import contextlib
import os
from collections.abc import Iterable, Iterator, Mapping
from hashlib import blake2b
from pathlib import Path
from typing import Any

from attrs import define, field, fields, frozen

from scriptorium_core.facts import Facts
from scriptorium_core.forgetting.model import Targets, targets_of
from scriptorium_core.knowledge.withholding import shown
from scriptorium_core.problem import Code, Problem
from scriptorium_core.transaction import Rejected, Rules, Snapshot
from scriptorium_core.tree import Base, Tree

from .. import files
from ..history import Entry, History
from ..index import Index
from ..index.copying import copy_index
from ..layout import Layout
from ..refused import Refused
from ..unwritable import is_writable
from .memory import Committed, Memory, Plan, Progress

__all__ = ["Earlier", "earlier"]

FOLDER = "at"
_KEPT = 8  # folders
_BYTES = 512 * 1024 * 1024


def _silent(done: int, total: int) -> None:
    pass


@frozen
class _Named:
    """A path that differs; the id of its new blob with the path behind it, so that `blob` knows both."""

    path: str
    new: str | None


@frozen
class _Withheld:
    """A history whose files are without what was forgotten, as the index reads one.

    `also` are files that hold something of it and may not differ: they are read again.
    """

    history: History
    targets: Targets
    also: tuple[str, ...] = ()

    def changes(self, old: str | None, new: str | None) -> Iterator[_Named]:
        for change in self.history.changes(old, new):
            # Without retractions nothing is withheld, and each file is read once, when it is wanted.
            there = change.new is not None and (
                not self.targets.marks or self._read(change.path, change.new) is not None
            )
            yield _Named(change.path, f"{change.new}:{change.path}" if there else None)
        for path in self.also:
            blob = self.history.tree_id(new, path)
            there = blob is not None and self._read(path, blob) is not None
            yield _Named(path, f"{blob}:{path}" if there else None)

    def blob(self, identifier: str) -> bytes:
        blob, _, path = identifier.partition(":")
        return self._read(path, blob) or b""

    def log(self, start: str | None = None) -> Iterable[Entry]:
        return self.history.log(start)

    def _read(self, path: str, blob: str) -> bytes | None:
        return shown(path, self.history.blob(blob), self.targets)


@frozen
class _Files:
    """The files of a commit without what was forgotten."""

    base: Base
    targets: Targets

    def get(self, path: str) -> bytes | None:
        data = self.base.get(path)
        return None if data is None else shown(path, data, self.targets)

    def under(self, prefix: str) -> Iterator[str]:
        return self.base.under(prefix)


@define
class Earlier(Memory):
    """The memory at one earlier commit; what would write raises Refused.

    `forgotten_since` are the records and messages of that commit that were forgotten later.
    """

    at: Entry = field(kw_only=True)
    folder: Path = field(kw_only=True)
    forgotten: Mapping[str, str] = field(kw_only=True)
    also: tuple[str, ...] = field(kw_only=True, default=())

    @property
    def revision(self) -> str | None:
        """The commit that is read."""
        return self.at.commit

    @property
    def fulltext(self) -> Path:
        """The folder of the full text index of this commit."""
        return self.folder / "fulltext"

    @contextlib.contextmanager
    def reading(self, progress: Progress = _silent) -> Iterator[tuple[str | None, Snapshot]]:
        """The commit and all that was known of it, without what was forgotten since."""
        targets = targets_of(self.forgotten)
        self.index.follow(_Withheld(self.history, targets, self.also), self.at.commit, progress)
        with self.index.snapshot() as facts:
            tree = Tree(_Files(self.history.base(self.at.commit), targets))
            yield self.at.commit, Snapshot(tree, facts._replace(forgotten=self.forgotten))

    def forgotten_since(self) -> tuple[str, ...]:
        """What of this commit was forgotten later, by id."""
        with self.index.snapshot() as facts:
            later = (name for name in self.forgotten if name not in facts.forgotten)
            return tuple(name for name in later if self.index.queries.mentions(name))

    def commit(self, plan: Plan, rules: Rules) -> Committed | Rejected:
        """Never."""
        raise Refused(_past(self.at))

    def close(self) -> None:
        """Let go of the index; the history is that of the present memory."""
        self.index.close()


def earlier(present: Memory, at: Entry) -> Earlier:
    """The memory as it was at a commit of its history."""
    with present.reading() as (head, base):
        forgotten = dict(base.facts.forgotten.items())
        also = tuple(sorted(_touched(base.facts, targets_of(forgotten))))
        folder = _folder(present.layout, at.commit, forgotten)
        copied = at.commit != head or not also
        index = _kept(present, folder, copied) if is_writable(folder) else _apart(present, folder, copied)
    given: dict[str, Any] = {each.alias or each.name: getattr(present, each.name) for each in fields(Memory)}
    given |= {"index": index, "notices": ()}
    return Earlier(**given, at=at, folder=folder, forgotten=forgotten, also=also)


def _kept(present: Memory, folder: Path, copied: bool) -> Index:
    """The index of then in its folder, which begins as a copy if it is `copied`."""
    _make_room(present.layout, folder)
    with files.explained(present.layout.root):
        files.ensure_folder(folder, root=present.layout.root)
        os.utime(folder)  # it was used now: the oldest go first
        if copied:
            copy_index(present.index.queries, folder / "facts.sqlite3")
    return Index.open(folder / "facts.sqlite3")


def _apart(present: Memory, folder: Path, copied: bool) -> Index:
    """The same where nothing can be written: what is not kept already is in memory."""
    path = folder / "facts.sqlite3"
    return present.index.apart(path) if copied and not path.exists() else Index.open(path)


def _touched(facts: Facts, targets: Targets) -> Iterator[str]:
    """The files of the present that hold something forgotten: archives until it is erased."""
    yield from targets.archives
    citing = (block for place in targets.places for block in facts.citing.get(place, ()))
    for block in {*targets.ids, *citing}:
        if (known := facts.records.get(block)) is not None:
            yield known.record.path


def _folder(layout: Layout, commit: str, forgotten: Mapping[str, str]) -> Path:
    """The place for a commit; retractions that were made by now are part of its name."""
    said = "".join(f"{name}\n" for name in sorted(forgotten)).encode("utf-8", "surrogatepass")
    mark = f"-{blake2b(said, digest_size=4).hexdigest()}" if forgotten else ""
    return layout.runtime / FOLDER / f"{commit}{mark}"


def _make_room(layout: Layout, wanted: Path) -> None:
    """Keep the newest few folders, as far as there is room, none that shows what was forgotten by now."""
    mark = wanted.name[40:]
    others = [path for path in _folders(layout) if path != wanted]
    sizes, kept = _size(wanted), 1
    for path in sorted(others, key=lambda path: path.stat().st_mtime, reverse=True):
        sizes, kept = sizes + _size(path), kept + 1
        if path.name[40:] != mark or kept > _KEPT or sizes > _BYTES:
            _remove(path)


def _folders(layout: Layout) -> list[Path]:
    folder = layout.runtime / FOLDER
    if folder.is_symlink() or not folder.is_dir():
        return []
    return [path for path in folder.iterdir() if path.is_dir() and not path.is_symlink()]


def _size(folder: Path) -> int:
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file() and not path.is_symlink())


def _remove(path: Path) -> None:
    """Remove a file, or a folder with all that is in it; links are not followed."""
    if path.is_dir() and not path.is_symlink():
        for inner in sorted(path.iterdir()):
            _remove(inner)
        files.remove_folder(path)
    else:
        with contextlib.suppress(FileNotFoundError):
            files.unlink(path)


def _past(at: Entry) -> Problem:
    message = f"this is the memory as it was at {at.commit[:10]}, which can only be read"
    return Problem(
        Code.NOT_PERMITTED, message, remedy="change the present memory; `restore` brings things back"
    )
