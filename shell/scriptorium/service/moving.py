"""What takes a memory from one computer to another."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
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
        loopback: bool = False,
        progress: Progress | None = None,
    ) -> Synced:
        """Take in what another copy of the memory has, and give it what it has not; for the owner alone.

        `remote` is a folder, an address of file, ssh or https, or a name that git's configuration of the
        memory knows; if it is empty, the setting `remote`. With `make` a folder that is not there becomes a
        bare repository; with `loopback` this computer may be asked without encryption. Raises Refused where
        nothing can be taken in, and the memory stays as it is.
        """
        from .syncing import sync

        return sync(self, remote, dry_run, make, loopback, progress or (lambda done, total: None))
