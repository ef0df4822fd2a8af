"""A copy of a full text index as it is now, to be led to another commit."""

from pathlib import Path

from .. import files
from ..lock import held
from ..refused import Refused
from .folder import existing

__all__ = ["copy_fulltext"]


def copy_fulltext(source: Path, target: Path) -> bool:
    """Copy the index in `source` to the folder `target`; false if there is none or somebody writes to it."""
    if target.exists() or existing(source) is None:
        return False
    try:
        with held(source.with_name(f"{source.name}.lock"), timeout=0):
            found = {path.name: path.read_bytes() for path in source.iterdir() if path.suffix != ".lock"}
    except Refused:
        return False
    files.write_many({target / name: data for name, data in found.items()})
    return True
