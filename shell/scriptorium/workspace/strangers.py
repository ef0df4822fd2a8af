"""What speakers whom nobody knows bring: measured by what of them is held already."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scriptorium_core.transaction import Edit, Rejected
from scriptorium_core.transaction.admitting import admitted

from .. import clock

if TYPE_CHECKING:
    from scriptorium_core.changes import Caller
    from scriptorium_core.transaction import Snapshot

    from .memory import Memory

__all__ = ["admit"]


def admit(memory: Memory, base: Snapshot, edit: Edit | Rejected, caller: Caller) -> Edit | Rejected:
    """The edit as it may go on, in the snapshot that is open."""
    if isinstance(edit, Rejected):
        return edit
    held = memory.index.queries.held_sizes()
    return admitted(base, edit, caller, held, clock.time_of(memory.moment()))
