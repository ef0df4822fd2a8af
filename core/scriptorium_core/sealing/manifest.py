"""The manifest of a sealed library: which objects hold which files and which part of the history.

{"branch": "refs/heads/main", "files": […], "format": "mcma-memory-1", "generation": 3, "library_id": "lib_…",
 "made": "2026-11-30T12:00:00+00:00", "refs": {"refs/heads/main": "…"}, "runs": […], "workspace_id": "w-…"}
file   {"gone": false, "path": "topics/tea.md", "pieces": […], "root": "memory"}
run    {"new": ["…"], "old": ["…"], "pack": "…", "pieces": […]}
piece  {"key_version": "key-1", "object_id": "obj_…", "sha256": "…", "size": 4194304, "storage_hash": "…"}
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from types import MappingProxyType
from typing import TypeVar

from attrs import field, frozen

from ..names import WorkspaceId
from ..problem import Code, Problem
from .canonical import Json, canonical, decoded, has_exactly
from .names import (
    KeyVersion,
    LibraryId,
    ObjectId,
    StorageHash,
    is_hash,
    is_library,
    is_object,
    is_version,
)
from .places import is_kept, is_reference

__all__ = ["FORMAT", "Kept", "Manifest", "Piece", "Run", "read", "written"]

FORMAT = "mcma-memory-1"
T = TypeVar("T")

_COMMIT = re.compile(r"[0-9a-f]{40}")
_WORKSPACE = re.compile(r"w-[0-9a-f]{8}")
_MEMBERS = tuple("branch files format generation library_id made refs runs workspace_id".split())
_LARGEST = 2**53 - 1


@frozen
class Piece:
    """An object of the library, and of what it holds: SHA-256 and size in bytes."""

    object: ObjectId
    hash: StorageHash
    version: KeyVersion
    sha256: str
    size: int


@frozen
class Run:
    """A git pack of all that the commits `new` lead to and the commits `old` do not; `pack` is its SHA-1."""

    old: tuple[str, ...]
    new: tuple[str, ...]
    pack: str
    pieces: tuple[Piece, ...]

    @property
    def size(self) -> int:
        """The bytes of the pack."""
        return sum(piece.size for piece in self.pieces)


@frozen
class Kept:
    """A file that no commit holds as it stands: of the `memory` or of the `home` beside it.

    `gone`: the commit has it, and the directory has not.
    """

    root: str
    path: str
    pieces: tuple[Piece, ...] = ()
    gone: bool = False


@frozen
class Manifest:
    """A whole memory: its history in `runs`, each after those that it builds on, and the files beside it."""

    library: LibraryId
    generation: int
    workspace: WorkspaceId
    made: str
    branch: str
    refs: Mapping[str, str] = field(factory=lambda: MappingProxyType({}))
    runs: tuple[Run, ...] = ()
    files: tuple[Kept, ...] = ()

    @property
    def head(self) -> str | None:
        """The commit at the head of the branch, None before the first."""
        return self.refs.get(self.branch)

    def pieces(self) -> Iterator[Piece]:
        """Every object that the manifest names; one that holds the same for two files comes twice."""
        for run in self.runs:
            yield from run.pieces
        for kept in self.files:
            yield from kept.pieces


def written(manifest: Manifest) -> bytes:
    """The bytes of a manifest."""
    return canonical(
        {
            "branch": manifest.branch,
            "files": [_kept(each) for each in manifest.files],
            "format": FORMAT,
            "generation": manifest.generation,
            "library_id": manifest.library,
            "made": manifest.made,
            "refs": {**manifest.refs},
            "runs": [_run(each) for each in manifest.runs],
            "workspace_id": manifest.workspace,
        }
    )


def read(data: bytes, library: LibraryId, place: str) -> Manifest | Problem:
    """The manifest that `data` is, of that library; refused whole if any part of it has another form."""
    value = decoded(data)
    try:
        found = _manifest(value)
    except (KeyError, TypeError, ValueError) as error:
        return _broken(place, f"the manifest has another form: {error}")
    if found.library != library:
        return _broken(place, "the manifest is of another library than its envelope")
    return found


def _kept(kept: Kept) -> Mapping[str, Json]:
    pieces = [_piece(each) for each in kept.pieces]
    return {"gone": kept.gone, "path": kept.path, "pieces": pieces, "root": kept.root}


def _run(run: Run) -> Mapping[str, Json]:
    pieces = [_piece(each) for each in run.pieces]
    return {"new": [*run.new], "old": [*run.old], "pack": run.pack, "pieces": pieces}


def _piece(piece: Piece) -> Mapping[str, Json]:
    return {
        "key_version": piece.version,
        "object_id": piece.object,
        "sha256": piece.sha256,
        "size": piece.size,
        "storage_hash": piece.hash,
    }


def _manifest(value: Json) -> Manifest:
    _see(has_exactly(value, _MEMBERS), "its members")
    _see(value["format"] == FORMAT, "its format")
    _see(is_library(value["library_id"]), "its library")
    _see(_matches(_WORKSPACE, value["workspace_id"]), "its workspace")
    _see(isinstance(value["made"], str) and isinstance(value["refs"], dict), "its time or its references")
    _see(is_reference(value["branch"]), "its branch")
    for name, commit in value["refs"].items():
        _see(is_reference(name) and _matches(_COMMIT, commit), "a reference")
    return Manifest(
        value["library_id"],
        _number(value["generation"]),
        value["workspace_id"],
        value["made"],
        value["branch"],
        MappingProxyType({**value["refs"]}),
        _all(value["runs"], _read_run),
        _all(value["files"], _read_kept),
    )


def _read_run(value: Json) -> Run:
    _see(has_exactly(value, ("new", "old", "pack", "pieces")), "the members of a run")
    _see(_matches(_COMMIT, value["pack"]), "the name of a pack")
    return Run(
        _all(value["old"], _read_commit),
        _all(value["new"], _read_commit),
        value["pack"],
        _all(value["pieces"], _read_piece),
    )


def _read_kept(value: Json) -> Kept:
    _see(has_exactly(value, ("gone", "path", "pieces", "root")), "the members of a file")
    _see(isinstance(value["gone"], bool), "whether a file is gone")
    _see(is_kept(value["root"], value["path"]), "the place of a file")
    pieces = _all(value["pieces"], _read_piece)
    _see(not (value["gone"] and pieces), "a file that is gone")
    return Kept(value["root"], value["path"], pieces, value["gone"])


def _read_piece(value: Json) -> Piece:
    _see(has_exactly(value, ("key_version", "object_id", "sha256", "size", "storage_hash")), "an object")
    _see(is_object(value["object_id"]) and is_version(value["key_version"]), "the name of an object")
    _see(is_hash(value["sha256"]) and is_hash(value["storage_hash"]), "the hash of an object")
    return Piece(
        value["object_id"],
        value["storage_hash"],
        value["key_version"],
        value["sha256"],
        _number(value["size"]),
    )


def _read_commit(value: Json) -> str:
    _see(_matches(_COMMIT, value), "a commit")
    return str(value)


def _number(value: Json) -> int:
    _see(isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= _LARGEST, "a number")
    return int(value)


def _all(value: Json, take: Callable[[Json], T]) -> tuple[T, ...]:
    _see(isinstance(value, list), "a list")
    each: Iterable[Json] = value
    return tuple(map(take, each))


def _matches(pattern: re.Pattern[str], value: Json) -> bool:
    return isinstance(value, str) and pattern.fullmatch(value) is not None


def _see(holds: bool, what: str) -> None:
    if not holds:
        raise ValueError(what)


def _broken(place: str, why: str) -> Problem:
    remedy = "take the manifest from another copy of the library, or seal to an empty place"
    return Problem(Code.SEAL_BROKEN, why, place, remedy=remedy)
