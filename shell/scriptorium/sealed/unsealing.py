"""Unsealing: a library becomes a memory in a new home, the same byte for byte, with the same HEAD and ids.

Nothing is believed before it is proved. A killed unsealing goes on in the same place: packs that are in place
stay, and of the one that was being fetched, the whole objects. The references come after all packs.
"""

from __future__ import annotations

import contextlib
import os
import shutil
from collections.abc import Callable, Iterator, Sequence
from hashlib import sha1, sha256
from pathlib import Path

from attrs import define, frozen

from scriptorium_core.problem import Code, Problem
from scriptorium_core.sealing.manifest import Kept, Manifest, Piece, Run
from scriptorium_core.sealing.places import HOME

from .. import files
from ..history import references
from ..history.bundles import install, whole
from ..history.repository import History
from ..keys import FILE as KEYS
from ..keys import LOCK as KEYS_LOCK
from ..layout import Layout, adopt_workspace, create
from ..layout import home as memory_of
from ..refused import Refused
from .library import Library, at_once

__all__ = ["Unsealed", "unseal"]

Progress = Callable[[int, int], None]
_FOLDER, _MARK = ".unsealing", "manifest"


@frozen
class Unsealed:
    """What was unsealed, where, and the commit that is the memory there; `bytes` are of the contents."""

    location: str
    library: str
    generation: int
    home: Path
    revision: str | None
    workspace: str
    objects: int
    bytes: int


@define
class _Work:
    """An unsealing under way."""

    library: Library
    manifest: Manifest
    home: Path
    told: Progress
    total: int
    done: int = 0

    @property
    def folder(self) -> Path:
        """Where things wait that are not whole yet."""
        return self.home / _FOLDER

    def step(self, size: int) -> None:
        """So many bytes more are in place."""
        self.done += size
        self.told(self.done, self.total)

    def contents(self, pieces: Sequence[Piece]) -> Iterator[tuple[Piece, bytes]]:
        """The pieces with their content, in order. Raises Refused for the first that does not hold."""

        def fetched(piece: Piece) -> tuple[Piece, bytes | Problem]:
            return piece, self.library.content(self.manifest.library, piece)

        for piece, content in at_once(fetched, pieces):
            if isinstance(content, Problem):
                raise Refused(content)
            self.step(piece.size)
            yield piece, content


def unseal(library: Library, home: Path, told: Progress = lambda done, total: None) -> Unsealed:
    """Make the memory of a library anew in `home`, a folder that is empty or not there (keys may be).

    Raises Refused for the first thing that does not hold; what was proved before stays for the next try.
    """
    found = library.known()
    manifest = found.manifest
    pieces = {piece.hash: piece for piece in manifest.pieces()}
    work = _Work(library, manifest, home, told, sum(piece.size for piece in manifest.pieces()))
    with files.explained(home):
        _begin(work, found.hash)
        history = _history(work)
        try:
            for kept in manifest.files:
                _put(work, history.layout, kept)
        finally:
            history.close()
        shutil.rmtree(work.folder)
        files.sync_folder(home)
    return Unsealed(
        library.storage.shown,
        manifest.library,
        manifest.generation,
        home,
        manifest.head,
        manifest.workspace,
        len(pieces),
        sum(piece.size for piece in pieces.values()),
    )


def _begin(work: _Work, name: str) -> None:
    """Take the folder, or go on in it where the same manifest was being unsealed."""
    mark = work.folder / _MARK
    there = set(os.listdir(work.home)) - {KEYS, KEYS_LOCK} if work.home.is_dir() else set[str]()
    if there and (files.read(mark, work.home) or b"").decode("ascii", "replace").strip() != name:
        half = _FOLDER in there
        message = "something else was being unsealed there" if half else "the place is not empty"
        remedy = "remove it, or name a new folder" if half else "name a new folder: nothing is ever replaced"
        raise Refused(Problem(Code.INVALID_ARGUMENT, message, str(work.home), remedy=remedy))
    for folder, _, _ in os.walk(work.home):
        files.remove_temporaries(Path(folder))  # what a killed unsealing left half written
    files.ensure_folder(work.folder)
    files.write_durable(mark, f"{name}\n".encode(), root=work.home)


def _history(work: _Work) -> History:
    """The history with its files: packs, then references, then what follows from HEAD."""
    manifest = work.manifest
    layout = create(memory_of(work.home))
    adopt_workspace(layout, manifest.workspace)
    history = History.begin(layout)
    head = f"ref: {manifest.branch}\n".encode()
    files.write_durable(layout.git / "HEAD", head, root=layout.root)
    for run in manifest.runs:
        _fetched(work, layout, run)
    whole(layout, history.objects, tuple(sorted(set(manifest.refs.values()))))
    for name, commit in manifest.refs.items():
        references.settle(layout, name, commit)
    done = history.project()
    if done.problems:
        raise Refused(*done.problems)
    return history


def _fetched(work: _Work, layout: Layout, run: Run) -> None:
    """One pack, fetched to its end and put in place."""
    if (layout.git / "objects" / "pack" / f"pack-{run.pack}.idx").is_file():
        work.step(run.size)
        return
    part = work.folder / f"{run.pack}.pack"
    whole_ones = _standing(part, run.pieces)
    work.step(sum(piece.size for piece in whole_ones))
    with _appended(part, sum(piece.size for piece in whole_ones)) as write:
        for _, content in work.contents(run.pieces[len(whole_ones) :]):
            write(content)
    _see_it_is_whole(part, run, work.library.place("manifest.mcma"))
    install(layout, part, run.pack)


def _standing(part: Path, pieces: Sequence[Piece]) -> tuple[Piece, ...]:
    """The pieces at the beginning of a file that was being fetched, as far as they are whole."""
    found = list[Piece]()
    with contextlib.suppress(FileNotFoundError), part.open("rb") as file:
        for piece in pieces:
            if sha256(file.read(piece.size)).hexdigest() != piece.sha256:
                break
            found.append(piece)
    return tuple(found)


@contextlib.contextmanager
def _appended(path: Path, size: int) -> Iterator[Callable[[bytes], int]]:
    """What writes at the end of a file, which holds `size` bytes that count."""
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT, 0o600)
    with os.fdopen(descriptor, "wb") as file:
        file.truncate(size)
        file.seek(size)
        yield file.write


def _see_it_is_whole(part: Path, run: Run, place: str) -> None:
    digest, last = sha1(usedforsecurity=False), b""
    with part.open("rb") as file:
        while block := file.read(1024 * 1024):
            both = last + block
            digest.update(both[:-20])
            last = both[-20:]
    if digest.digest() != last or last.hex() != run.pack:
        message = "its objects are whole, and yet they are not the pack that the manifest names"
        raise Refused(Problem(Code.SEAL_BROKEN, message, place, remedy="unseal from another copy"))


def _put(work: _Work, layout: Layout, kept: Kept) -> None:
    """A file that no commit holds, in its place; or its place left empty."""
    root = work.home if kept.root == HOME else layout.root
    path = root / kept.path
    if kept.gone:
        files.remove(path, root)
        return
    content = b"".join(content for _, content in work.contents(kept.pieces))
    files.write_durable(path, content, root=root)
