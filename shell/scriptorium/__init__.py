"""Conversations become cited, committed, searchable memory in a directory of Markdown.

    from scriptorium import Memory

    memory = Memory.open("~/notes/memory")
    for hit in memory.search("spare keys").hits:
        print(hit.id, hit.content)

What is named here is loaded when it is first used, so that the command line starts at once.
"""

from __future__ import annotations

from importlib import import_module
from types import MappingProxyType

from scriptorium_core import __version__

TYPE_CHECKING = False  # that of `typing`, which takes long to load: see `scriptorium.cli`
if TYPE_CHECKING:
    from typing import Any

    from scriptorium_core.problem import Code, Problem
    from scriptorium_core.transaction import Rejected

    from .backend import Companion, LocalBackend, MemoryBackend, NoneBackend, Tier
    from .memory import Memory
    from .refused import Refused
    from .workspace import Committed

__all__ = [
    "Code",
    "Committed",
    "Companion",
    "LocalBackend",
    "Memory",
    "MemoryBackend",
    "NoneBackend",
    "Problem",
    "Refused",
    "Rejected",
    "Tier",
    "__version__",
]

_WHERE = MappingProxyType(
    {
        "Code": "scriptorium_core.problem",
        "Committed": "scriptorium.workspace",
        "Companion": "scriptorium.backend",
        "LocalBackend": "scriptorium.backend",
        "Memory": "scriptorium.memory",
        "MemoryBackend": "scriptorium.backend",
        "NoneBackend": "scriptorium.backend",
        "Problem": "scriptorium_core.problem",
        "Refused": "scriptorium.refused",
        "Rejected": "scriptorium_core.transaction",
        "Tier": "scriptorium.backend",
    }
)


def __getattr__(name: str) -> Any:
    if name not in _WHERE:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_WHERE[name]), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
