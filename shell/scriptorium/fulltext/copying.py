"""A copy of a full text index as it is now, to be led to another commit."""

from pathlib import Path

from .. import files
from ..lock import held
from ..refused import Refused
from .folder import META, existing

__all__ = ["copy_fulltext"]


def copy_fulltext(source: Path, target: Path) -> bool:
    """Copy the index in `source` to the folder `target`; false if there is none or somebody writes to it."""
    if target.exists() or existing(source) is None:
        return False
    try:
        with held(source.with_name(f"{source.name}.lock"), timeout=0):
            found = sorted(path for path in source.iterdir() if path.suffix != ".lock")
            # One after the other, for all together may be large; without what names them they are no index.
            for path in sorted(found, key=lambda path: path.name == META):
                files.write_many({target / path.name: path.read_bytes()})
    except Refused:
        return False
    return True
