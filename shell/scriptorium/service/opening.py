"""Opening a home: its memory with the settings of the home, made only where that is asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scriptorium_core.problem import Code, Problem

from .. import files
from ..clock import system_zone, zone_named
from ..refused import Refused
from ..settings import FILE

if TYPE_CHECKING:
    from scriptorium_core.transaction import Prepared

    from ..workspace import Memory
    from .model import Initialised
    from .place import Place

__all__ = ["initialised", "opened", "see_it_is_on"]


def see_it_is_on(service: Place) -> None:
    """Raise Refused where memory is switched off by the settings, before a directory is made."""
    if service.settings.backend == "none":
        raise Refused(_switched_off(service))


def opened(service: Place, make: bool) -> Memory:
    """The memory of a home. Raises Refused where there is none."""
    from ..workspace import Memory
    from .redacting import redaction_of

    see_it_is_on(service)
    settings, fresh = service.settings, not service.root.exists()
    memory = Memory.open(
        service.root,
        make=make,
        core_tokens=settings.core_tokens,
        recent=settings.recent,
        moment=service.moment,
        redact=redaction_of(service),
    )

    def ask(prepared: Prepared) -> None:
        # Asked for at every commit: it may be set, or another one, while the memory is open.
        if service.before_commit is not None:
            service.before_commit(prepared)

    memory.before_commit, memory.zone = ask, zone_named(settings.timezone)
    if fresh:
        _settle_zone(service, memory)
    return memory


def _settle_zone(service: Place, memory: Memory) -> None:
    """Write the computer's zone into the settings of the home, once: days do not change when it travels.

    Nothing is written where a zone is set, or the settings were given by the caller.
    """
    if service.settings.timezone or service.given_settings:
        return
    name, path = system_zone(), service.home / FILE
    line = f'timezone = "{name}"  # in which days count; decided when the memory was made\n'
    with files.explained(path):
        files.write_durable(path, line.encode() + (path.read_bytes() if path.is_file() else b""))
    service.settings = service.settings._replace(timezone=name)
    memory.zone = zone_named(name)


def initialised(service: Place) -> Initialised:
    """The memory, made if it is missing."""
    from .model import Initialised

    created = not service.root.is_dir() or not any(service.root.iterdir())
    memory = service.whole(make=True)
    _settle_zone(service, memory)
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
