"""What speakers whom nobody knows bring: measured by what of them is held already."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scriptorium_core.transaction import Edit, Rejected
from scriptorium_core.transaction.admitting import admitted

from .. import clock

if TYPE_CHECKING:
    from scriptorium_core.changes import Caller
    from scriptorium_core.transaction import Snapshot

    from ..clock import Moment
    from ..index import Index

__all__ = ["admit"]


def admit(
    index: Index, base: Snapshot, edit: Edit | Rejected, caller: Caller, moment: Moment
) -> Edit | Rejected:
    """The edit as it may go on, in the snapshot that is open."""
    if isinstance(edit, Rejected):
        return edit
    return admitted(base, edit, caller, index.queries.held_sizes(), clock.time_of(moment))
