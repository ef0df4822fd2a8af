"""What a commit did, as a value."""

from collections.abc import Mapping

from attrs import field, frozen

from scriptorium_core.problem import Problem
from scriptorium_core.sources.redact import Secret
from scriptorium_core.transaction import Report

__all__ = ["Committed"]


@frozen
class Committed:
    """What a commit did.

    `revision` is HEAD afterwards; `unchanged` says that there was nothing to commit. `projected` is false
    where the files could not follow (a full disk, say): the next opening ends it. `drafts` are files of a
    person that were left alone. `redacted` counts the secrets that were taken out of what was brought.
    """

    revision: str
    report: Report
    unchanged: bool = False
    projected: bool = True
    drafts: tuple[str, ...] = ()
    problems: tuple[Problem, ...] = ()
    redacted: Mapping[Secret, int] = field(factory=dict[Secret, int], hash=False)

    @property
    def memory_committed(self) -> bool:
        """Whether the memory holds what was asked for."""
        return True

    @property
    def git_committed(self) -> bool:
        """The same: the commit is the memory."""
        return True
