"""What an unknown speaker brings, before it is prepared: measured by the quota, and stamped as received.

The time that a request gives is its own affair. The context of a frame says when it came in, so that
the quota follows from what is archived.
"""

from collections.abc import Iterable
from datetime import datetime

from attrs import evolve

from ..changes.model import Caller
from ..policy import QUOTA, Held, Quota, overdrawn, usage
from .model import Edit, Rejected, Snapshot

__all__ = ["admitted"]


def admitted(
    base: Snapshot, edit: Edit, caller: Caller, held: Iterable[Held], now: datetime, quota: Quota = QUOTA
) -> Edit | Rejected:
    """The edit of a caller as it may go on; `held`, the messages that wait, is read only if they count.

    `now` has a zone.
    """
    if caller.tier is not None:
        return edit
    fresh = [frame for frame in edit.frames if frame.id not in base.facts.sources]
    sizes = [len(frame.content.encode("utf-8", "surrogatepass")) for frame in fresh]
    problems = overdrawn(usage(held, now, quota), sizes, _growth(base, edit), now, quota)
    if problems:
        return Rejected(problems)
    received, names = now.isoformat(timespec="seconds"), {frame.id for frame in fresh}
    contexts = (context._replace(at=received) for context in edit.contexts if context.id in names)
    return evolve(edit, contexts=tuple(contexts))


def _growth(base: Snapshot, edit: Edit) -> int:
    """By how many bytes the topics grow."""
    sizes = (
        len(data or b"") - len(base.tree.get(path) or b"")
        for path, data in edit.tree.differences().items()
        if path.startswith("topics/")
    )
    return sum(sizes)
