"""The history of a standing: the commits that changed what a record's definitions say of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .versioned import StandingChange, StandingHistory
from .versions import blame

if TYPE_CHECKING:
    from ..workspace import Memory

__all__ = ["standing_history"]


def standing_history(memory: Memory, name: str) -> StandingHistory:
    """What became of the standing of a record. Raises Refused where no commit knows it."""
    found = blame(memory, name)
    changes = tuple(
        StandingChange(
            each.commit, each.at, each.author, each.kind, each.subject, each.session, each.writer, restated
        )
        for each in found.versions
        if (restated := each.step.standing) is not None
    )
    return StandingHistory(found.revision, found.id, changes, found.forgotten)
