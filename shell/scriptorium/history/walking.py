"""All commits of a history in which some were united from two: both sides of each, newest first."""

from collections.abc import Iterator
from heapq import heappop, heappush

from scriptorium_core.syncing import Node, relation

from .log import Entry
from .repository import History
from .touching import touching

__all__ = ["touching_both", "walked"]


def walked(history: History, start: str | None) -> Iterator[Entry]:
    """Every commit that `start` leads to, each before its parents unless a clock went wrong."""
    heap: list[tuple[int, int, str]] = []
    seen: set[str] = set()
    entries: dict[str, Entry] = {}

    def wait(commit: str) -> None:
        if commit not in seen:
            seen.add(commit)
            entries[commit] = history.entry(commit)
            heappush(heap, (-entries[commit].when.seconds, len(seen), commit))

    if start is not None:
        wait(start)
    while heap:
        _, _, commit = heappop(heap)
        found = entries.pop(commit)
        yield found
        for parent in found.parents:
            wait(parent)


def touching_both(history: History, commit: str, *paths: str) -> Iterator[str]:
    """The commits from `commit` back that changed one of `paths`, on both sides of each that united two."""
    for found in touching(history, commit, *paths):
        yield found
        parents = history.entry(found).parents
        for other in parents[1:]:
            own = frozenset(relation(parents[0], other, lambda name: _node(history, name)).only_two)
            yield from (each for each in touching_both(history, other, *paths) if each in own)


def _node(history: History, commit: str) -> Node:
    try:
        entry = history.entry(commit)
    except KeyError:
        return Node(0)
    return Node(entry.when.seconds, entry.parents)
