"""The other branches of a conversation, seen from one of its messages."""

from collections.abc import Iterable, Iterator, Mapping

from attrs import frozen

from ..names import NodeId
from .graph import Link, tips_of

__all__ = ["Fork", "beginnings", "siblings", "upwards"]


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


def beginnings(links: Iterable[Link], live: Iterable[NodeId]) -> Mapping[NodeId, tuple[NodeId, ...]]:
    """For each node that stands on one of several live branches the first nodes of the branches it is on.

    `live` are the head and the nodes listed as live. A branch begins below a node under which the paths of
    two of them part; where they part again, the later one has two beginnings, the upper first. Paths that
    share no node are branches of nothing.
    """
    known = {link.node: link for link in links}
    below: dict[NodeId, dict[NodeId, None]] = {}
    order: dict[NodeId, None] = {}
    for start in live:
        # What hangs below the last message of talk makes no branch of its own.
        spoken = next((link.node for link in upwards(known, start) if link.talks), None)
        path = tuple(upwards(known, spoken))[::-1] if spoken is not None else ()
        for link in path:
            order[link.node] = None
            if link.above is not None:
                below.setdefault(link.above, {})[link.node] = None
    found: dict[NodeId, tuple[NodeId, ...]] = {}
    for node in order:
        above = known[node].above
        before = found.get(above, ()) if above is not None else ()
        parts = above is not None and len(below[above]) > 1
        found[node] = (*before, node) if parts else before
    return {node: begun for node, begun in found.items() if begun}


def upwards(known: Mapping[NodeId, Link], node: NodeId) -> Iterator[Link]:
    """`node` and all above it; a store never holds a circle."""
    here: NodeId | None = node
    while here is not None and here in known:
        yield known[here]
        here = known[here].above
