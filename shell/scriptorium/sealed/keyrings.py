"""Which file of keys opens which library: noted where it was sealed, asked for where it is opened.

D/libraries.json    {"version": 1, "keys": {"lib_…": "/home/ada/notes/keys.json"}}; D is the default home

So that a library is opened from any home on the computer on which it was sealed. It holds paths and no keys:
without the file that it names, nothing is opened.
"""

import json
from pathlib import Path

from scriptorium_core.problem import Problem
from scriptorium_core.sealing.names import LibraryId

from .. import files
from ..lock import held
from ..refused import Refused
from ..settings import default_home

__all__ = ["FILE", "note", "noted"]

FILE = "libraries.json"
_LOCK = ".libraries.lock"


def note(library: LibraryId, keys: Path) -> Problem | None:
    """Note where the keys of a library stand; what was in the way, if anything."""
    folder = default_home().absolute()
    try:
        with files.explained(folder):
            files.ensure_folder(folder)
            with held(folder / _LOCK):
                known = _known(folder)
                if known.get(library) != str(keys):
                    rows = {"version": 1, "keys": {**known, library: str(keys)}}
                    data = json.dumps(rows, indent=1) + "\n"
                    files.write_durable(folder / FILE, data.encode(), mode=0o600)
    except Refused as refused:
        return refused.problems[0]
    return None


def noted(library: LibraryId) -> Path | None:
    """Where the keys of a library stood when it was sealed on this computer."""
    folder = default_home().absolute()
    with files.explained(folder):
        found = _known(folder).get(library)
    return Path(found) if found else None


def _known(folder: Path) -> dict[str, str]:
    """What is noted; a file that is none of ours notes nothing, and is written anew."""
    try:
        found = json.loads(files.read(folder / FILE) or b"{}")
    except ValueError:
        return {}
    rows = found.get("keys") if isinstance(found, dict) else None
    pairs = rows.items() if isinstance(rows, dict) else ()
    return {name: path for name, path in pairs if isinstance(path, str)}
