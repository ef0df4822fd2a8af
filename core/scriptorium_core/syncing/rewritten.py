"""Which commits of a copy a rewritten history still has: an erasure gives them other ids, and little else."""

from collections import Counter
from collections.abc import Iterable, Mapping

from attrs import frozen

from ..trailers import Trailer

__all__ = ["Made", "lost_by_rewriting"]


@frozen
class Made:
    """What a rewriting leaves of a commit: when it was made, by whom, and what its trailers say it did."""

    seconds: int
    offset: int
    author: str
    trailers: tuple[Trailer, ...]


def lost_by_rewriting(theirs: Mapping[str, Made], ours: Iterable[Made]) -> tuple[str, ...]:
    """The commits of theirs, in their order, that are none of ours under another id; each of ours is one."""
    left = Counter(ours)
    found: list[str] = []
    for name, made in theirs.items():
        if left[made] > 0:
            left[made] -= 1
        else:
            found.append(name)
    return tuple(found)
