"""What takes a memory from one computer, storage or program to another."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ..sealed.copying import Copied
    from ..sealed.proving import Proof
    from ..sealed.sealing import Sealed
    from ..sealed.unsealing import Unsealed
    from .exporting import Exported
    from .place import Place
    from .syncing import Synced

__all__ = ["Moving"]

Progress = Callable[[int, int], None]


class Moving:
    """The part of a service that meets other copies of its memory."""

    def sync(
        self: Place,
        remote: str = "",
        *,
        dry_run: bool = False,
        make: bool = False,
        replace: bool = False,
        loopback: bool = False,
        progress: Progress | None = None,
    ) -> Synced:
        """Take in what another copy of the memory has, and give it what it has not; for the owner alone.

        `remote` is a folder, an address of file, ssh or https, or a name that git's configuration of the
        memory knows; if it is empty, the setting `remote`. With `make` a folder that is not there becomes a
        bare repository; with `replace` a copy that holds what was erased here gets this history in the place
        of its own, if that loses no commit of it; with `loopback` this computer may be asked without
        encryption. Raises Refused where nothing can be taken in, and the memory stays as it is.
        """
        from .syncing import sync

        shown = progress or (lambda done, total: None)
        return sync(self, remote, dry_run, make, replace, loopback, shown)

    def seal(
        self: Place,
        location: str,
        *,
        again: bool = False,
        prune: bool = False,
        progress: Progress | None = None,
    ) -> Sealed:
        """Write what is new of the memory into the encrypted library at `location`; for the owner alone.

        `location` is a folder, or an address that fsspec knows. `again` seals anew what an older key has
        sealed, `prune` removes the objects that nothing names any more. Raises Refused where the library is
        another memory's, or does not hold; until the last step it is as it was.
        """
        from .sealing import seal

        return seal(self, location, again, prune, progress or (lambda done, total: None))

    def unseal(self: Place, location: str, target: Path, *, progress: Progress | None = None) -> Unsealed:
        """Make the memory of a sealed library anew in a new home; for the owner alone."""
        from .sealing import unseal

        return unseal(self, location, target, progress or (lambda done, total: None))

    def prove(self: Place, location: str, *, progress: Progress | None = None) -> Proof:
        """Prove every object of a sealed library; for the owner alone."""
        from .sealing import prove

        return prove(self, location, progress or (lambda done, total: None))

    def copy_sealed(self: Place, source: str, target: str, *, progress: Progress | None = None) -> Copied:
        """Copy a sealed library to another storage, byte for byte; for the owner alone."""
        from .sealing import copy_sealed

        return copy_sealed(source, target, progress or (lambda done, total: None))

    def export(
        self: Place, path: Path, *, at: str = "", topic: str = "", progress: Progress | None = None
    ) -> Exported:
        """Write memory as plain files to a new place: a folder, `.zip`, or `.jsonl` with a line a record.

        Of the present commit, or of a revision or a date `at`; with a `topic`, the beginning of a path, those
        topics and the archives that they cite. What the actor may not read stays here.
        """
        from .exporting import export

        return export(self, path, at, topic, progress or (lambda done, total: None))
