"""Which of two histories is the first: it follows from the commits, not from who asks.

The older one is, as what stood there before the other came; so two people who unite the same two commits
make the same third one. A commit of another hand, in which no id has its order yet, is never the first.
"""

from attrs import frozen

__all__ = ["Head", "in_order"]


@frozen
class Head:
    """The newest commit of a history: when it was made, in seconds, and whether by another hand."""

    commit: str
    time: int
    foreign: bool = False


def in_order(one: Head, two: Head) -> tuple[Head, Head]:
    """The two, the first of them first."""
    first, second = sorted((one, two), key=lambda head: (head.foreign, head.time, head.commit))
    return first, second
