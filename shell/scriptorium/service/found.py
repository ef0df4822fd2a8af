"""What a search answers."""

from typing import NamedTuple

from scriptorium_core.knowledge.assess import Assessment
from scriptorium_core.problem import Problem
from scriptorium_core.recall import Kind, Nothing, Reason
from scriptorium_core.sources.kinds import Branch

from .cited import Alternative, Citation, Turn

__all__ = ["Found", "FoundItem"]


class FoundItem(NamedTuple):
    """A hit: a record with the turns that it cites, or a turn (`turn`) with the records that cite it.

    `id` is a block id or a source id. `branch` is that of a turn; of a record it is `abandoned` if all of
    its evidence stands on abandoned branches, so that it must not pose as current, else `live` if any
    stands on a live one. `path` is the topic or the archive. `branches` are the live branches of a
    conversation (`session@node`, of its first message) that all of a record stands on, where there are
    several, and `alternatives` what stands on others; `scopes` the projects in which it was said: without
    one it holds everywhere. `assessment` says how far a record may be relied on
    at the time of the answer; of a turn it is None.
    """

    id: str
    kind: Kind
    content: str
    path: str
    headings: tuple[str, ...]
    dates: tuple[str, ...]
    score: float
    reasons: tuple[Reason, ...]
    matched: tuple[str, ...]
    branch: Branch
    citations: tuple[Citation, ...] = ()
    turn: Turn | None = None
    cited_by: tuple[str, ...] = ()
    branches: tuple[str, ...] = ()
    alternatives: tuple[Alternative, ...] = ()
    scopes: tuple[str, ...] = ()
    assessment: Assessment | None = None

    @property
    def is_abandoned(self) -> bool:
        """Whether all that it rests on was given up by an edit, a retry or a rewind."""
        return self.branch == "abandoned"


class Found(NamedTuple):
    """What a search found, best first; `nothing` says why where that is nothing at all.

    `indexed` is the commit that was searched: an older one than `revision`, with a notice, while another
    process brings the index up to date.
    """

    revision: str | None
    indexed: str | None
    hits: tuple[FoundItem, ...] = ()
    nothing: Nothing | None = None
    notices: tuple[Problem, ...] = ()
