"""Opening a home: its memory with the settings of the home, made only where that is asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..workspace import Memory
from .model import Initialised

if TYPE_CHECKING:
    from .place import Place

__all__ = ["initialised", "opened"]


def opened(service: Place, make: bool) -> Memory:
    """The memory of a home. Raises Refused where there is none."""
    settings = service.settings
    return Memory.open(
        service.root,
        make=make,
        core_tokens=settings.core_tokens,
        recent=settings.recent,
        moment=service.moment,
    )


def initialised(service: Place) -> Initialised:
    """The memory, made if it is missing."""
    created = not service.root.is_dir() or not any(service.root.iterdir())
    memory = service.memory(make=True)
    return Initialised(
        service.home, memory.layout.root, memory.workspace, memory.revision, created, memory.notices
    )
