"""What every writer is asked, and what it may answer."""

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from typing import Protocol

from attrs import frozen

from scriptorium_core.changes import Change, NewSource
from scriptorium_core.transaction import Snapshot
from scriptorium_core.writing.batch import Said
from scriptorium_core.writing.outcome import Failed

__all__ = ["NothingProposed", "Proposed", "Reading", "Unable", "Writer"]

Reading = Callable[[], AbstractContextManager[tuple[str | None, Snapshot]]]
"""A fresh snapshot of the memory; let go of before anything slow is done."""


@frozen
class Proposed:
    """Changes to the memory, the new sources that they bring, and what they are about in a few words."""

    changes: tuple[Change, ...]
    sources: tuple[NewSource, ...] = ()
    summary: str = ""


@frozen
class NothingProposed:
    """Nothing in the batch is worth keeping, and why."""

    reason: str


@frozen
class Unable:
    """The writer could not do its work."""

    outcome: Failed


class Writer(Protocol):
    """One way of writing; `name` is that of the setting and goes into the commit."""

    @property
    def name(self) -> str:
        """The name of the writer."""
        ...

    def propose(self, batch: Sequence[Said], reading: Reading) -> Proposed | NothingProposed | Unable:
        """What should be kept of a batch. The memory is not changed by it."""
        ...
