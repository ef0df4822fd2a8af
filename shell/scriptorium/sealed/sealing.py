"""Sealing: what is new of a memory becomes objects on a storage, and the manifest comes last.

Objects are only ever added, and those that the library has lost are written again. Until the manifest names
them they mean nothing, so whenever a sealing is killed the library is the one that it was; the journal knows
what is written already, and the next sealing goes on.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from types import MappingProxyType

from attrs import define, evolve, frozen

from scriptorium_core.problem import Code, Problem
from scriptorium_core.sealing.manifest import Kept, Manifest, Run
from scriptorium_core.sealing.names import Key, LibraryId, path_of
from scriptorium_core.sealing.places import HOME, is_reference
from scriptorium_core.sealing.runs import kept, tips

from .. import files
from ..clock import now
from ..history import references, refs
from ..history.bundles import commits_of, packed_stream
from ..history.differing import differing
from ..history.repository import History
from ..layout import workspace_id
from ..lock import held
from ..refused import Refused
from .beginning import see_it_is_free
from .journal import FOLDER, Journal
from .library import Found, Library
from .state import SESSIONS, Beside, beside, copied, portions, signature
from .work import Progress, Work

__all__ = ["PIECE", "Sealed", "seal"]

PIECE = 4 * 1024 * 1024  # bytes of a pack in one object


@frozen
class Sealed:
    """What a sealing did: objects and bytes (as they were) that are new, and in all.

    `passed_over` are files that cannot go along: links, or names that some disk does not take. `missing` are
    objects that the library named and had lost: what the memory still has of it is written again. `removed`
    are objects that no manifest named any more. `one_writer`: the storage has no conditional write. `new_key`
    is where a key was made, without which nobody opens the library; `unnoted` why it is not noted where that
    is, so that only this home opens the library.
    """

    location: str
    library: LibraryId
    generation: int
    revision: str | None
    key_version: str
    objects: int
    bytes: int
    new_objects: int
    new_bytes: int
    missing: int = 0
    removed: int = 0
    one_writer: bool = False
    new_key: str = ""
    passed_over: tuple[str, ...] = ()
    unnoted: str = ""


def seal(
    home: Path, history: History, library: Library, key: Key, again: bool, prune: bool, told: Progress
) -> Sealed:
    """Seal a memory; `again` seals everything anew that an older key has sealed."""
    with files.explained(home):
        files.ensure_folder(home / FOLDER)
        with held(home / FOLDER / ".lock"):
            journal = Journal.of(home, library.storage.shown)
            found = library.manifest()
            if found is None:
                see_it_is_free(library.storage)
            else:
                _see_it_is_ours(library, journal, found, workspace_id(history.layout))
            work = Work(library, key, journal, found, again, told)
            return _done(work, _made(work, home, history), prune)


def _made(work: Work, home: Path, history: History) -> Manifest:
    """The manifest of the memory as it is now; every object that it names is written."""
    layout, before = history.layout, work.found.manifest if work.found else None
    found = {n: c for n, c in references.read_all(layout).items() if is_reference(n)}
    heads = tuple(sorted(set(found.values())))
    work.estimate = _size(history.objects.packs)
    runs = _runs(work, history, heads)
    state = tuple(_state(work, home, history))
    return Manifest(
        work.id,
        before.generation + 1 if before else 1,
        workspace_id(layout),
        now().isoformat(timespec="seconds"),
        refs.branch(layout),
        MappingProxyType(found),
        runs,
        state,
    )


def _size(packs: Path) -> int:
    """About how much a whole history is; packs come and go meanwhile."""
    found = 0
    for path in packs.glob("*.pack"):
        with suppress(FileNotFoundError):
            found += path.stat().st_size
    return found


def _runs(work: Work, history: History, heads: tuple[str, ...]) -> tuple[Run, ...]:
    """The packs of the history: those that stay, what a killed sealing set out for, and the rest."""
    before = work.runs
    if not heads:
        return ()
    if before and before[-1].new == heads and work.journal.begun == "":
        return before
    reached = commits_of(history.layout, history.objects, heads)
    runs = list(kept(before, reached.__contains__))
    aim = work.journal.aim if work.journal.begun == work.id else ()
    if not (aim and reached.issuperset(aim)):
        aim = ()
        work.journal.set_out(work.id, heads)
    for goal in (aim, heads):
        base = tips(tuple(runs))
        if set(goal) - set(base):
            runs.append(_run(work, history, goal, base))
    return tuple(runs)


def _run(work: Work, history: History, new: tuple[str, ...], old: tuple[str, ...]) -> Run:
    end = _End()
    stream = packed_stream(history.layout, history.objects, new, old)
    pieces = work.pieces(_cut(end.watched(stream)))
    return Run(old, new, end.last.hex(), pieces)


@define
class _End:
    """The last twenty bytes of a stream: of a pack, its SHA-1."""

    last: bytes = b""

    def watched(self, stream: Iterator[bytes]) -> Iterator[bytes]:
        """The stream, its end remembered."""
        for part in stream:
            self.last = (self.last + part[-20:])[-20:]
            yield part


def _cut(stream: Iterable[bytes]) -> Iterator[bytes]:
    """The bytes of a stream in portions of one object each."""
    waiting = bytearray()
    for part in stream:
        waiting += part
        while len(waiting) >= PIECE:
            yield bytes(waiting[:PIECE])
            del waiting[:PIECE]
    if waiting:
        yield bytes(waiting)


def _state(work: Work, home: Path, history: History) -> Iterator[Kept]:
    looked = differing(history, work.journal.looked)
    work.journal.looked = looked
    for each in beside(home, history.layout, looked.paths):
        if each.passed_over:
            work.passed_over.append(each.path)
        else:
            yield _kept(work, each)
    sessions = history.layout.sessions
    if sessions.is_file():
        yield _conversations(work, home)


def _kept(work: Work, each: Beside) -> Kept:
    pieces = () if each.gone else work.pieces(portions(each.data))
    return Kept(each.root, each.path, pieces, each.gone)


def _conversations(work: Work, home: Path) -> Kept:
    """The session store; the one of the last manifest where nothing touched it since."""
    stamp = signature(home / SESSIONS)
    last = work.found.manifest.files if work.found else ()
    known = [each for each in last if (each.root, each.path) == (HOME, SESSIONS)]
    if known and stamp == work.journal.sessions and all(map(work.stays, known[0].pieces)):
        return known[0]
    with copied(home / SESSIONS, home / FOLDER) as contents:
        pieces = work.pieces(contents)
    work.journal.sessions = signature(home / SESSIONS) if signature(home / SESSIONS) == stamp else ""
    return Kept(HOME, SESSIONS, pieces)


def _done(work: Work, new: Manifest, prune: bool) -> Sealed:
    """The manifest written where something is new, and what was done told."""
    found = work.found
    if found is None or not _same(found.manifest, new):
        found = work.library.replace(found.data if found else None, new, work.key)
        if found is None:
            raise Refused(_raced(work.library))
    manifest = found.manifest
    work.journal.done(manifest.library, manifest.generation, found.hash)
    removed = _pruned(work.library, manifest) if prune else 0
    unique = {piece.hash: piece for piece in manifest.pieces()}
    return Sealed(
        work.library.storage.shown,
        manifest.library,
        manifest.generation,
        manifest.head,
        work.key.version,
        len(unique),
        sum(piece.size for piece in unique.values()),
        len(work.fresh),
        sum(piece.size for piece in work.fresh),
        work.missing,
        removed,
        work.library.storage.one_writer,
        passed_over=tuple(work.passed_over),
    )


def _same(old: Manifest, new: Manifest) -> bool:
    return evolve(new, generation=old.generation, made=old.made) == old


def _pruned(library: Library, manifest: Manifest) -> int:
    """Remove the objects that the manifest does not name; how many there were."""
    named = {path_of(piece.hash) for piece in manifest.pieces()}
    others = [path for path in library.storage.paths() if path not in named]
    for path in others:
        library.storage.remove(path)
    return len(others)


def _see_it_is_ours(library: Library, journal: Journal, found: Found, workspace: str) -> None:
    """Refuse another memory's library, and an older state of ours that somebody put back."""
    manifest, place = found.manifest, library.storage.shown
    if manifest.workspace != workspace:
        message = f"the library there is of another memory: {manifest.workspace}, and this one is {workspace}"
        remedy = "name an empty place, or unseal that library to see what it is"
        raise Refused(Problem(Code.INVALID_ARGUMENT, message, place, remedy=remedy))
    if manifest.library == journal.library and manifest.generation < journal.generation:
        message = (
            f"an older manifest lies there than was written: {manifest.generation}, not {journal.generation}"
        )
        remedy = "put the newer one back, or seal to an empty place"
        raise Refused(Problem(Code.SEAL_BROKEN, message, place, remedy=remedy))


def _raced(library: Library) -> Problem:
    message = "another sealing has written the manifest meanwhile; this one changed nothing"
    return Problem(Code.CONCURRENT_UPDATE, message, library.storage.shown, remedy="seal again")
