"""What a commit did, told once more: from its two states and its trailers, as it was told the first time.

So the answer to a request with a key needs no store of answers, which could be lost or disagree with the
history. What the runtime named on the way (local labels) is in neither state: such an answer is without it.
"""

from collections.abc import Iterable, Sequence

from attrs import evolve

from ..names import BlockId, SourceId
from ..topics.normalize import Naming
from ..trailers import Trailer, ids_of
from .archiving import Archive
from .model import Report, Topics
from .reporting import report_of

__all__ = ["told_again"]


def told_again(
    before: Topics, after: Topics, archived: Iterable[SourceId], trailers: Sequence[Trailer]
) -> Report:
    """The report of a commit: the topics that it changed, what it archived, and its trailers."""
    report = report_of(before, after, Naming(), Archive())
    return evolve(
        report,
        archived=tuple(archived),
        promoted=tuple(map(SourceId, ids_of(trailers, "Promoted"))),
        overruled=tuple(map(BlockId, ids_of(trailers, "Overruled"))),
    )
