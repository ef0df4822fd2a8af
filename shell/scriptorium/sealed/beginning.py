"""Where a sealed library may begin: where nothing lies, or only what a killed sealing or copy has left."""

from __future__ import annotations

from itertools import islice

from scriptorium_core.problem import Code, Problem
from scriptorium_core.sealing.names import hash_of

from ..refused import Refused
from .storage import Storage

__all__ = ["see_it_is_free"]

_NAMED = 3


def see_it_is_free(storage: Storage) -> None:
    """Raise Refused, with some names, where anything else lies than objects that no manifest names yet."""
    foreign = (path for path in storage.paths() if hash_of(path) is None)
    found = [*islice(storage.others(), _NAMED + 1)] or [*islice(foreign, _NAMED + 1)]
    if not found:
        return
    named = ", ".join(map(repr, found[:_NAMED])) + (", …" if len(found) > _NAMED else "")
    message = f"the place is not empty, and what lies there is no sealed library: {named}"
    remedy = "name an empty place, or a new folder in this one"
    raise Refused(Problem(Code.INVALID_ARGUMENT, message, storage.shown, remedy=remedy))
