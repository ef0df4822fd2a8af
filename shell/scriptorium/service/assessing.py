"""The day on which what is delivered is assessed: that of the memory's clock, asked at every delivery."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING

from .. import clock

if TYPE_CHECKING:
    from ..workspace import Memory
    from .place import Place

__all__ = ["day_in", "day_of"]


def day_of(service: Place) -> date:
    """The present day of a service, in the zone of its settings."""
    return clock.date_of(service.moment(), clock.zone_named(service.settings.timezone))


def day_in(memory: Memory) -> date:
    """The present day of a memory, in its zone; of an earlier state too it is the present one."""
    return clock.date_of(memory.moment(), memory.zone)
