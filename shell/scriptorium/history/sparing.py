"""Replacing and removing files of a working tree in which a person may save at any moment.

Between the question whether a file is still the one that was read and the rename, a person may save. So
the old file keeps a second name until the question was asked once more: an editor that wrote into the
file gets its text back. Of one that puts a new file in its place, the moment between two calls is left.
"""

import os
from collections.abc import Callable
from pathlib import Path

from .. import files
from ..clock import chance

__all__ = ["Still", "removed", "replaced"]

Still = Callable[[Path, Path], bool]
"""Called with a path and a name: whether what stands under that name is what was seen at the path."""


def replaced(temporary: Path, path: Path, still: Still) -> bool:
    """Put a staged file in its place, unless somebody has touched, or made, what stands there."""
    try:
        if not still(path, path):
            return False
        if not os.path.lexists(path):
            files.link(temporary, path)
            return True
        kept = _kept(path)
        files.link(path, kept)
        files.install(temporary, path)
        return _settled(path, kept, still)
    except (FileExistsError, FileNotFoundError):  # it came, or went, this very moment
        return False
    finally:
        if temporary.exists():
            files.unlink(temporary)


def removed(path: Path, still: Still) -> bool:
    """Take a file away, unless somebody has touched it."""
    if not still(path, path):
        return False
    kept = _kept(path)
    try:
        files.link(path, kept)
        files.unlink(path)
    except FileNotFoundError:
        return True
    return _settled(path, kept, still)


def _settled(path: Path, kept: Path, still: Still) -> bool:
    if still(path, kept):
        files.unlink(kept)
        return True
    files.install(kept, path)
    return False


def _kept(path: Path) -> Path:
    return path.with_name(f"{files.TEMPORARY}{chance(8)}.tmp")
