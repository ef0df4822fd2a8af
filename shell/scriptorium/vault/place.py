"""Where the vault of a home stands: beside its memory directory, never inside of one."""

from pathlib import Path

from scriptorium_core.problem import Code, Problem

from ..layout import OLDER_RUNTIME, RUNTIME
from ..layout import home as memory_of
from ..refused import Refused

__all__ = ["FILE", "place"]

FILE = "vault.json"


def place(home: Path) -> Path:
    """The file of the vault. Raises Refused where it would stand inside a memory directory."""
    path = home.absolute() / FILE
    real = path.parent.resolve() / FILE
    inside = any((folder / name).is_dir() for folder in real.parents for name in (RUNTIME, OLDER_RUNTIME))
    if inside or real.is_relative_to(memory_of(home).resolve()):
        message = "a vault in a memory directory would go wherever the memory goes"
        raise Refused(Problem(Code.NOT_PERMITTED, message, str(path), remedy="name another home"))
    return path
