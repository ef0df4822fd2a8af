"""A sealed library in a folder: each file appears whole and is on the disk, the manifest under a lock."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from scriptorium_core.sealing.names import MANIFEST, OBJECTS

from .. import files
from ..lock import held

__all__ = ["Folder"]

_LOCK = ".mcma.lock"
_OURS = frozenset([MANIFEST, OBJECTS, _LOCK])


class Folder:
    """A folder of this computer as a storage; made when something is written."""

    one_writer = False

    def __init__(self, root: Path) -> None:
        self.shown = str(root)
        self._root = root

    def read(self, path: str) -> bytes | None:
        """The bytes of a file, None if there is none."""
        with files.explained(self._root):
            return files.read(self._root / path, self._root)

    def create(self, path: str, data: bytes) -> bool:
        """Write a new file, whole; False, and nothing changed, where one stands already."""
        place = self._root / path
        with files.explained(self._root):
            files.ensure_folder(self._root)
            files.ensure_folder(place.parent, root=self._root)
            temporary = files.write_temporary(place.parent, data)
            try:
                files.sync(temporary)
                files.link(temporary, place)
            except FileExistsError:
                return False
            finally:
                files.unlink(temporary)
            files.sync_folder(place.parent)
        return True

    def swap(self, path: str, old: bytes | None, new: bytes) -> bool:
        """Write a file where it still holds `old` (None: where there is none); whether it was written."""
        with files.explained(self._root):
            files.ensure_folder(self._root)
            with held(self._root / _LOCK):
                if self.read(path) != old:
                    return False
                files.write_durable(self._root / path, new, root=self._root)
        return True

    def size(self, path: str) -> int | None:
        """The bytes that a file has, None if there is none."""
        try:
            return (self._root / path).lstat().st_size
        except (FileNotFoundError, NotADirectoryError):
            return None

    def paths(self) -> Iterator[str]:
        """The path of every file below `objects/`; halves that a killed process left are none."""
        with files.explained(self._root):
            for folder, _, names in os.walk(self._root / OBJECTS, onerror=_unlisted):
                for name in names:
                    if not name.startswith(files.TEMPORARY):
                        yield (Path(folder) / name).relative_to(self._root).as_posix()

    def others(self) -> Iterator[str]:
        """What lies directly in the folder and belongs to no library; a file in its place is such a thing."""
        with files.explained(self._root):
            try:
                names = sorted(os.listdir(self._root))
            except FileNotFoundError:
                return
            except NotADirectoryError:
                names = [self._root.name]
        yield from (name for name in names if name not in _OURS and not name.startswith(files.TEMPORARY))

    def remove(self, path: str) -> None:
        """Take a file away, and folders that this leaves empty."""
        with files.explained(self._root):
            files.remove(self._root / path, self._root)
            files.remove_temporaries((self._root / path).parent)


def _unlisted(error: OSError) -> None:
    """A folder that cannot be listed is not one without objects; one that is gone has none."""
    if not isinstance(error, FileNotFoundError):
        raise error
