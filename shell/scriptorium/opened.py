"""What all parts of the library's front door stand on: a service that is theirs until they are closed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scriptorium_core.problem import Code, Problem

from .refused import Refused

if TYPE_CHECKING:
    from .service import Service

__all__ = ["Opened"]


class Opened:
    """A part of the front door: a service, until it is closed."""

    def __init__(self, service: Service) -> None:
        self._kept: Service | None = service

    @property
    def _service(self) -> Service:
        """The service. Raises Refused once it is let go of."""
        if self._kept is None:
            message, remedy = "this memory is closed", "open it again: `Memory.open`"
            raise Refused(Problem(Code.INVALID_ARGUMENT, message, "memory", remedy=remedy))
        return self._kept

    def _let_go(self) -> None:
        """Close the service; twice is as once."""
        if self._kept is not None:
            self._kept.close()
            self._kept = None
