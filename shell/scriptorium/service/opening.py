"""Opening a home: its memory with the settings of the home, made only where that is asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scriptorium_core.problem import Code, Problem
from scriptorium_core.sources.redact import untouched

from ..redaction import redact
from ..refused import Refused
from .model import Initialised

if TYPE_CHECKING:
    from scriptorium_core.transaction import Prepared

    from ..workspace import Memory
    from .place import Place

__all__ = ["initialised", "opened", "see_it_is_on"]


def see_it_is_on(service: Place) -> None:
    """Raise Refused where memory is switched off by the settings, before a directory is made."""
    if service.settings.backend == "none":
        raise Refused(_switched_off(service))


def opened(service: Place, make: bool) -> Memory:
    """The memory of a home. Raises Refused where there is none."""
    from ..workspace import Memory

    see_it_is_on(service)
    settings = service.settings
    memory = Memory.open(
        service.root,
        make=make,
        core_tokens=settings.core_tokens,
        recent=settings.recent,
        moment=service.moment,
        redact=redact if settings.redact else untouched,
    )

    def ask(prepared: Prepared) -> None:
        # Asked for at every commit: it may be set, or another one, while the memory is open.
        if service.before_commit is not None:
            service.before_commit(prepared)

    memory.before_commit = ask
    return memory


def initialised(service: Place) -> Initialised:
    """The memory, made if it is missing."""
    created = not service.root.is_dir() or not any(service.root.iterdir())
    memory = service.memory(make=True)
    return Initialised(
        service.home, memory.layout.root, memory.workspace, memory.revision, created, memory.notices
    )


def _switched_off(service: Place) -> Problem:
    return Problem(
        Code.NOT_PERMITTED,
        "memory is switched off by the setting backend = none",
        str(service.settings.source or service.home),
        remedy='set backend = "local" in settings.toml',
    )
