"""What this computer knows of a library that it seals to, so that a killed sealing goes on where it was.

H/sealing/<name>.jsonl     a line each: the last manifest that was written, the commits that a sealing set out
                           for, and every object that it has written since

The file may be lost: what it names is then written once more.
"""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any

from attrs import asdict, define, field

from scriptorium_core.sealing.manifest import Piece
from scriptorium_core.sealing.names import is_hash, is_object, is_version

from .. import files
from ..history.differing import Looked

__all__ = ["FOLDER", "Journal", "places"]

FOLDER = "sealing"


@define
class Journal:
    """The journal of one place; `library`, `generation`, `manifest` (a hash) are of the last success.

    So are `sessions`, the state of the session store, and `looked`, which files differed from the commit.
    """

    path: Path
    place: str
    library: str = ""
    generation: int = 0
    manifest: str = ""
    sessions: str = ""
    looked: Looked = field(factory=Looked)
    aim: tuple[str, ...] = ()
    begun: str = ""
    pieces: dict[str, Piece] = field(factory=dict[str, Piece])

    @classmethod
    def of(cls, home: Path, shown: str) -> Journal:
        """The journal of a place, as it was left."""
        name = sha256(shown.encode("utf-8", "surrogatepass")).hexdigest()[:16]
        journal = cls(home / FOLDER / f"{name}.jsonl", shown)
        for line in (files.read(journal.path) or b"").splitlines():
            journal._take(line)
        return journal

    def set_out(self, library: str, tips: Sequence[str]) -> None:
        """Note for which commits a sealing sets out, and which library it makes."""
        if (library, tuple(tips)) != (self.begun, self.aim):
            self.begun, self.aim = library, tuple(tips)
            self._add({"aim": [*tips], "begun": library})

    def written(self, piece: Piece) -> None:
        """Note an object that is on the storage."""
        self.pieces[piece.sha256] = piece
        row = {"object": piece.object, "hash": piece.hash, "version": piece.version}
        self._add({"piece": {**row, "sha256": piece.sha256, "size": piece.size}})

    def done(self, library: str, generation: int, manifest: str) -> None:
        """Note that a manifest was written: all that was noted before is in it."""
        self.library, self.generation, self.manifest = library, generation, manifest
        row = {"library": library, "generation": generation, "manifest": manifest}
        row |= {"place": self.place, "sessions": self.sessions, "looked": asdict(self.looked)}
        files.write_durable(self.path, _line({"sealed": row}))

    def _take(self, line: bytes) -> None:
        try:
            row = json.loads(line)
            if "sealed" in row:
                done = row["sealed"]
                self.library, self.generation = str(done["library"]), int(done["generation"])
                self.manifest, self.sessions = str(done["manifest"]), str(done["sessions"])
                looked = done["looked"]
                paths = tuple(map(str, looked["paths"]))
                self.looked = Looked(int(looked["since"]), str(looked["commit"]), paths)
            elif "aim" in row:
                self.aim, self.begun = tuple(map(str, row["aim"])), str(row["begun"])
            elif (piece := _piece(row["piece"])) is not None:
                self.pieces[piece.sha256] = piece
        except (ValueError, KeyError, TypeError):
            return  # the last line of a process that was killed

    def _add(self, row: dict[str, Any]) -> None:
        files.ensure_folder(self.path.parent)
        # A torn last line of a killed process ends here, and is passed over.
        descriptor = os.open(self.path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        with os.fdopen(descriptor, "ab") as file:
            file.write(b"\n" + _line(row))


def places(home: Path) -> tuple[str, ...]:
    """Where a home was sealed to, as far as it is known here."""
    found = list[str]()
    for path in sorted((home / FOLDER).glob("*.jsonl")):
        first = (files.read(path) or b"").partition(b"\n")[0]
        with contextlib.suppress(ValueError, KeyError, TypeError):
            found.append(str(json.loads(first)["sealed"]["place"]))
    return tuple(found)


def _line(row: dict[str, Any]) -> bytes:
    return json.dumps(row).encode() + b"\n"


def _piece(row: dict[str, Any]) -> Piece | None:
    if not is_object(row["object"]) or not is_hash(row["hash"]) or not is_version(row["version"]):
        return None
    return Piece(row["object"], row["hash"], row["version"], str(row["sha256"]), int(row["size"]))
