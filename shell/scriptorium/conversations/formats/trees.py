"""The order of the messages of a document, whose own order says nothing.

A message stands behind its parent, and otherwise behind what is older. One without a time is as old
as its parent; messages of one time stay in the order of the document.
"""

from collections.abc import Mapping
from heapq import heappop, heappush

__all__ = ["newest_leaf", "oldest_first"]

Above = Mapping[str, str | None]
"""The parent that each message names, in the order of the document."""


def oldest_first(above: Above, times: Mapping[str, str]) -> dict[str, str]:
    """All messages, parents first, each with its time (`moments.sortable`) or that of its parent.

    Where parents go round in a circle, the first of them in the document begins.
    """
    below = _below(above)
    rank = {name: place for place, name in enumerate(above)}
    found: dict[str, str] = {}
    roots = [name for name, parent in above.items() if parent not in above]
    for start in (roots, *([name] for name in above)):
        heap: list[tuple[str, int, str]] = []
        for name in start:
            _push(heap, name, times.get(name, ""), rank, found)
        while heap:
            time, _, name = heappop(heap)
            found[name] = time
            for child in below.get(name, ()):
                _push(heap, child, times.get(child) or time, rank, found)
    return found


def newest_leaf(above: Above, dated: Mapping[str, str]) -> str:
    """Of `oldest_first`, the newest message that nothing follows; of one time, the last in the document.

    `above` may not be empty. A tree that is one circle has no such message: its last one is taken.
    """
    below = _below(above)
    rank = {name: place for place, name in enumerate(above)}
    leaves = [name for name in dated if name not in below] or [next(reversed(list(dated)))]
    return max(leaves, key=lambda name: (dated[name], rank[name]))


def _push(
    heap: list[tuple[str, int, str]], name: str, time: str, rank: Mapping[str, int], found: Mapping[str, str]
) -> None:
    if name not in found:
        heappush(heap, (time, rank[name], name))


def _below(above: Above) -> dict[str, list[str]]:
    below: dict[str, list[str]] = {}
    for name, parent in above.items():
        if parent is not None:
            below.setdefault(parent, []).append(name)
    return below
