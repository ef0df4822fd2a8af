"""What a person wrote into a derived file: kept in the runtime folder when the file is derived anew."""

import os
from collections.abc import Iterable
from itertools import count
from pathlib import Path

from scriptorium_core.problem import Code, Problem

from .. import files
from ..layout import Layout

__all__ = ["edited_views", "kept_aside", "put_aside", "would_be_aside"]

_FOLDER = "aside"
_MASTER = "write it into the topic (`scriptorium edit core` for core.md)"


def edited_views(layout: Layout, paths: Iterable[str]) -> tuple[str, ...]:
    """Those of the derived files at `paths`, which differ from the commit, that hold something."""
    return tuple(path for path in paths if (layout.root / path).is_file())


def put_aside(layout: Layout, path: str) -> Problem:
    """Keep the text of the file at `path`, beside all that was kept of it before, and say where."""
    data = files.read(layout.root / path, layout.root) or b""
    place = layout.runtime / _FOLDER / path
    stems = (f"{place.stem}-{number}" if number else place.stem for number in count())
    names = (place.with_name(f"{stem}{place.suffix}") for stem in stems)
    free = next(name for name in names if files.read(name, layout.root) in (None, data))
    files.write_durable(free, data, root=layout.root)
    return _kept(path, free.relative_to(layout.root).as_posix())


def kept_aside(layout: Layout) -> tuple[Problem, ...]:
    """All that is kept still: until the person removes it."""
    found = sorted(
        Path(here) / name for here, _, names in os.walk(layout.runtime / _FOLDER) for name in names
    )
    places = (path.relative_to(layout.root).as_posix() for path in found)
    return tuple(_kept("a derived file", place) for place in places)


def would_be_aside(path: str) -> Problem:
    """That a derived file was edited, and will not keep what was written into it."""
    message = "it is derived from the topics and was edited by hand; the next change puts the text aside"
    return Problem(Code.VIEW_STALE, message, path, remedy=f"{_MASTER}, and put this file back")


def _kept(path: str, place: str) -> Problem:
    message = f"{path} is derived from the topics; what was written into it by hand is kept in {place}"
    return Problem(Code.VIEW_STALE, message, place, remedy=f"{_MASTER}, then remove the copy")
