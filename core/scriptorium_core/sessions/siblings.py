"""The other branches of a conversation, seen from one of its messages."""

from collections.abc import Iterable, Iterator, Mapping

from attrs import frozen

from ..names import NodeId
from .graph import Link, tips_of

__all__ = ["Fork", "siblings", "upwards"]


@frozen
class Fork:
    """A branch that does not hold the message: its tip, and the last node that both paths share.

    `leaves_at` is None where they share nothing.
    """

    tip: NodeId
    leaves_at: NodeId | None


def siblings(links: Iterable[Link], node: NodeId) -> tuple[Fork, ...]:
    """The branches of a session that do not hold `node`, by the order of their tips."""
    listed = tuple(links)
    known = {link.node: link for link in listed}
    own = frozenset(link.node for link in upwards(known, node))
    forks: list[Fork] = []
    for tip in tips_of(listed):
        path = tuple(link.node for link in upwards(known, tip))
        if node not in path:
            forks.append(Fork(tip, next((above for above in path if above in own), None)))
    return tuple(forks)


def upwards(known: Mapping[NodeId, Link], node: NodeId) -> Iterator[Link]:
    """`node` and all above it; a store never holds a circle."""
    here: NodeId | None = node
    while here is not None and here in known:
        yield known[here]
        here = known[here].above
