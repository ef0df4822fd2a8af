"""The part of the front door that takes a memory along: encrypted copies, and plain files."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from .opened import Opened
from .service import Service
from .settings import expanded

if TYPE_CHECKING:
    from .sealed.copying import Copied
    from .sealed.proving import Proof
    from .sealed.sealing import Sealed
    from .sealed.unsealing import Unsealed
    from .service.exporting import Exported

__all__ = ["Copies"]


class Copies(Opened):
    """Copies of a memory; the location of a sealed one is a folder, or an address that fsspec knows."""

    def seal(self, location: str | Path, *, again: bool = False, prune: bool = False) -> Sealed:
        """Write what is new of the whole memory into the sealed library at `location`, made on first use.

        `again` seals anew what an older key has sealed, `prune` removes what nothing names any more.
        """
        return self._service.seal(str(location), again=again, prune=prune)

    def export(self, path: str | Path, *, at: str = "", topic: str = "") -> Exported:
        """Write memory as plain files to a new place: a folder, `….zip`, or `….jsonl` with a line a record.

        Of the present commit, or of a revision or a date `at`; with a `topic`, the beginning of a path, those
        topics and the archives that they cite. Nothing is overwritten, and nothing is ever there in half.
        """
        return self._service.export(expanded(path), at=at, topic=topic)

    def verify_sealed(self, location: str | Path) -> Proof:
        """Prove every object of a sealed library: what holds, and each fault with its place."""
        return self._service.prove(str(location))

    def copy_sealed(self, source: str | Path, target: str | Path) -> Copied:
        """Copy a sealed library to a place that has none, byte for byte."""
        return self._service.copy_sealed(str(source), str(target))

    @staticmethod
    def unseal(location: str | Path, home: str | Path) -> Unsealed:
        """Make the memory of a sealed library anew: `home/memory`, in a folder that holds only keys."""
        target = expanded(home).absolute()
        with Service(target) as service:
            return service.unseal(str(location), target)
