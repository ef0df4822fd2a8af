"""Whether a search of a service uses meanings, and why not where it cannot."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..refused import Refused

if TYPE_CHECKING:
    from scriptorium_core.problem import Problem

    from .meaning import Meaning, Progress
    from .place import Place

__all__ = ["by_meaning", "troubles"]


def by_meaning(service: Place, progress: Progress | None) -> tuple[Meaning | None, tuple[Problem, ...]]:
    """What finds by meaning, with vectors of the present commit, and why it does not, if it does not.

    Raises Refused instead where it was asked for.
    """
    found = service.meaning()
    if found is None:
        return None, ()
    from .meaning import Meaning

    try:
        if not isinstance(found, Meaning):
            raise Refused(found)
        return found, found.brought_up(service.whole(), progress)
    except Refused as refused:
        if service.by_meaning:
            raise
        return None, refused.problems


def troubles(service: Place) -> tuple[Problem, ...]:
    """Why the last query was looked for by words alone, though a model is there."""
    found = service.meaning()
    if found is None:
        return ()
    from .meaning import Meaning

    return (found.trouble,) if isinstance(found, Meaning) and found.trouble is not None else ()
