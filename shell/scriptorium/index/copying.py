"""A copy of an index as it is now, to be led to another commit: the difference is read, not all files."""

import sqlite3
from pathlib import Path

from .. import files
from .queries import Queries

__all__ = ["copy_index"]


def copy_index(queries: Queries, path: Path) -> None:
    """Put a copy at `path`, whole or not at all, unless something is there already."""
    if path.exists():
        return
    temporary = files.write_temporary(path.parent, b"")
    try:
        target = sqlite3.connect(temporary)
        try:
            queries.database.backup(target)
        finally:
            target.close()
        files.install(temporary, path)
    except BaseException:
        files.remove_temporaries(path.parent)
        raise
