"""The leases of a memory: `leases.json` in its runtime folder, and the lock under which they change.

Two locks of the kernel, and neither is held while an agent thinks. A pass, and an agent that takes a batch,
hold `pass.lock`; so no batch is taken out of a session on which a pass is at work. Whoever reads or changes
leases holds `leases.lock`, for moments, and a hand-in holds it until its batch is committed and marked. It is
taken after `pass.lock` and before `write.lock`, never the other way round.
"""

from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager

from scriptorium_core.writing.leasing import (
    Lease,
    Leases,
    decode_leases,
    encode_leases,
    ended,
    holding,
    open_leases,
    put,
)

from .. import files
from ..layout import Layout
from ..lock import held

__all__ = ["PASS_LOCK", "in_the_way", "keep_leases", "leasing", "read_leases"]

PASS_LOCK = "pass.lock"
"""The name of the file whose lock a pass holds, in the runtime folder."""

_FILE = "leases.json"
_LOCK = "leases.lock"
_PATIENCE = 30.0  # a hand-in may be committing


@contextmanager
def leasing(layout: Layout) -> Iterator[None]:
    """Be the only one who changes leases inside the block. Raises Refused where somebody goes on for long."""
    with held(layout.runtime / _LOCK, _PATIENCE):
        yield


def read_leases(layout: Layout) -> Leases:
    """The leases; none where the file is missing or cannot be read: then every batch is free."""
    return decode_leases(files.read(layout.runtime / _FILE, layout.root))


def keep_leases(layout: Layout, leases: Leases) -> None:
    """Write them, durably. Raises OSError where the disk says no."""
    files.write_durable(layout.runtime / _FILE, encode_leases(leases), root=layout.root)


def in_the_way(
    layout: Layout, session: str, waiting: Callable[[], Collection[str]], now: int, take_over: bool
) -> Lease | None:
    """The open lease for which a pass over a session has to wait, of what is `waiting` in it (source ids).

    With `take_over` such leases end, and there is none.
    """
    if not (layout.runtime / _FILE).exists():
        return None
    with leasing(layout):
        leases = read_leases(layout)
        if not open_leases(leases, now):
            return None
        refs = waiting()
        while (found := holding(leases, session, now, refs)) is not None and take_over:
            leases = put(leases, ended(found, "taken over"), now)
            keep_leases(layout, leases)
        return found
