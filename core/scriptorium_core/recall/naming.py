"""Topics by a part of their name, for whoever begins to type one."""

from collections.abc import Iterable

from ..terms import fold

__all__ = ["named"]

_ROOT = "topics/"
_ENDING = ".md"


def named(paths: Iterable[str], text: str) -> tuple[str, ...]:
    """The paths that hold `text`, form and case aside; all of them if it is empty.

    Names that begin with it stand first, then those that hold it, then those below a folder that does; of
    these the shorter path.
    """
    wanted = fold(text)
    places = ((place, len(path), path) for path in paths if (place := _place(path, wanted)) is not None)
    return tuple(path for _, _, path in sorted(places))


def _place(path: str, wanted: str) -> int | None:
    """How near a text is to the name: 0 begins it, 1 is in it, 2 is in the path; None is nowhere."""
    whole = fold(path.removeprefix(_ROOT).removesuffix(_ENDING))
    name = whole.rpartition("/")[2]
    if name.startswith(wanted):
        return 0
    if wanted in name:
        return 1
    return 2 if wanted in whole else None
