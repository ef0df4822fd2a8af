"""Which backend: by name, or as the settings of a home say; other packages add theirs by an entry point.

[project.entry-points."scriptorium.backends"]
mine = "my_package:MyBackend"          called with the home, a path; never in the place of one of ours
"""

from collections.abc import Callable, Mapping
from importlib.metadata import entry_points
from pathlib import Path
from types import MappingProxyType

from scriptorium_core.problem import Code, Problem

from ..refused import Refused
from ..settings import FILE, default_home, load
from .interface import MemoryBackend
from .local import LocalBackend
from .none import NoneBackend

__all__ = ["GROUP", "Maker", "backend_named", "backends", "chosen"]

GROUP = "scriptorium.backends"
"""The entry point group under which an installed package adds a backend."""

Maker = Callable[[Path], MemoryBackend]
"""What makes a backend for a home."""

_OURS: Mapping[str, Maker] = MappingProxyType({"local": LocalBackend, "none": lambda home: NoneBackend()})


def backends() -> tuple[str, ...]:
    """The names of all backends that are here; nothing of another package is loaded."""
    return tuple(sorted({*_OURS, *(point.name for point in entry_points(group=GROUP))}))


def backend_named(name: str, home: Path | None = None) -> MemoryBackend:
    """The backend of a name, for a home. Raises Refused where there is none, or it cannot be loaded."""
    where = home or default_home()
    if name in _OURS:
        return _OURS[name](where)
    point = next(iter(entry_points(group=GROUP, name=name)), None)
    if point is None:
        remedy = f"one of {', '.join(backends())}, or install the package that has it"
        raise Refused(_problem(f"there is no backend {name!r}", where, remedy))
    try:
        made = point.load()(where)
    except Exception as error:  # code of another package, which may fail in any way
        message = f"the backend {name!r} ({point.value}) cannot be loaded: {type(error).__name__}: {error}"
        raise Refused(_problem(message, where, "mend or remove the package that has it")) from error
    if not isinstance(made, MemoryBackend):
        message = f"the backend {name!r} ({point.value}) is no MemoryBackend"
        raise Refused(_problem(message, where, "mend or remove the package that has it"))
    return made


def chosen(home: Path | None = None) -> MemoryBackend:
    """The backend that the settings of a home name, if it is available. Raises Refused where it is not."""
    where = home or default_home()
    backend = backend_named(load(where).backend, where)
    if not backend.is_available():
        remedy = 'see `scriptorium doctor`, or choose another one: backend = "local", "none", …'
        raise Refused(_problem(f"the backend {backend.name!r} is not available", where, remedy))
    return backend


def _problem(message: str, home: Path, remedy: str) -> Problem:
    return Problem(Code.INVALID_ARGUMENT, message, str(home / FILE), remedy=remedy)
