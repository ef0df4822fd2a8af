"""What else may hold words that were erased: files of the runtime folder, of the home, and other places."""

import os
from collections.abc import Iterator
from pathlib import Path

from scriptorium_core.forgetting import Words

from .. import files
from ..history.references import remotes
from ..layout import Layout

__all__ = ["clear_runtime", "elsewhere", "remaining"]

_INCOMING = "incoming"  # what a sync that was killed had fetched
_AT = "at"  # indexes of earlier commits, which are made anew when they are wanted
_SQLITE = b"SQLite format 3\0"


def clear_runtime(layout: Layout, words: Words) -> None:
    """Take the words out of whatever the runtime folder keeps: statuses, tapes, drafts.

    Indexes of earlier commits go altogether; the indexes of the present one are made anew by others.
    """
    for name in (_AT, _INCOMING):
        _remove(layout.runtime / name)
    files.remove_temporaries(layout.runtime)
    files.remove_temporaries(layout.staging)
    for path in _files(layout.runtime, (layout.fulltext,)):
        if path in (layout.erasing, layout.identity) or path.name.startswith(layout.facts.name):
            continue
        data = files.read(path) or b""
        if words.found_in(data) and not data.startswith(_SQLITE):
            files.write_durable(path, words.scrubbed(data))


def remaining(home: Path, layout: Layout, words: Words) -> tuple[str, ...]:
    """The files beside and in the memory that hold some of the words, git's objects left out."""
    if not words.passages:
        return ()
    beside = (path for path in sorted(home.absolute().iterdir()) if path.is_file())
    inside = _files(layout.root, (layout.git / "objects",))
    found = (path for path in (*beside, *inside) if path != layout.erasing and _holds(path, words))
    return tuple(os.path.relpath(path, home.absolute()) for path in found)


def elsewhere(layout: Layout) -> tuple[str, ...]:
    """Who else may have a copy, in words: nothing here can reach them."""
    from ..sealed.journal import places

    told = [f"the repository {address} may hold the old history" for address in remotes(layout)]
    sealed = "holds it until `scriptorium seal LOCATION --prune`"
    told += [f"the sealed library {place} {sealed}" for place in places(layout.root.parent)]
    if (layout.git / "objects" / "info" / "alternates").exists():
        told.append("objects are borrowed from another repository (.git/objects/info/alternates)")
    for name in ("worktrees", "modules"):
        if (layout.git / name).is_dir():
            told.append(f".git/{name} belongs to other working trees, which were not looked into")
    return (*told, "backups and copies of the home, and what was sent to a model, are out of reach")


def _holds(path: Path, words: Words) -> bool:
    try:
        return words.found_in(path.read_bytes())
    except OSError:
        return False


def _files(root: Path, skipped: tuple[Path, ...]) -> Iterator[Path]:
    for here, folders, names in os.walk(root):
        folders[:] = sorted(name for name in folders if Path(here) / name not in skipped)
        for name in sorted(names):
            path = Path(here) / name
            if path.is_file() and not path.is_symlink():
                yield path


def _remove(path: Path) -> None:
    if path.is_symlink() or path.is_file():
        files.unlink(path)
    elif path.is_dir():
        for name in os.listdir(path):
            _remove(path / name)
        files.remove_folder(path)
