"""How two commits stand to one another: what each history has alone, and where they met last.

Newest commits are looked at first, as git does, so that the cost follows the difference and not the
history. Clocks may be wrong, by a day in sum along a history: the walk goes on until all that is left is
older by that than what it found. Beyond that, as with git, a commit that both sides have may be taken for
one that only one has.
"""

from collections.abc import Callable, Iterable
from enum import StrEnum
from heapq import heapify, heappop, heappush

from attrs import define, field, frozen

__all__ = ["WRONG_BY", "Look", "Node", "Relation", "Standing", "is_within", "relation"]

WRONG_BY = 86_400
"""By how many seconds clocks may be wrong: a day, which is what git allows for, too."""

_ONE, _TWO, _BOTH, _BELOW = 1, 2, 3, 4


@frozen
class Node:
    """A commit as a history of commits sees it: when it was made, in seconds, and its parents."""

    time: int
    parents: tuple[str, ...] = ()


Look = Callable[[str], Node]
"""The node of a commit id; one that is not there leads nowhere."""


class Standing(StrEnum):
    """How one commit stands to another."""

    SAME = "same"
    AHEAD = "ahead"
    BEHIND = "behind"
    APART = "apart"
    UNRELATED = "unrelated"


@frozen
class Relation:
    """How `one` stands to `two`.

    `bases` are the commits of both that no other commit of both follows, newest first; `only_one` and
    `only_two` what each has alone, parents first, otherwise by time and id.
    """

    standing: Standing
    bases: tuple[str, ...]
    only_one: tuple[str, ...]
    only_two: tuple[str, ...]


@define
class _Walk:
    look: Look
    wrong_by: int
    nodes: dict[str, Node] = field(factory=dict[str, Node])
    marks: dict[str, int] = field(factory=dict[str, int])
    heap: list[tuple[int, str]] = field(factory=list[tuple[int, str]])
    open: set[str] = field(factory=set[str])
    oldest: int | None = None

    def mark(self, name: str, marks: int) -> None:
        """Give a commit further marks; it is looked at again if it had not all of them."""
        before = self.marks.get(name, 0)
        if before | marks == before:
            return
        self.marks[name] = before | marks
        if name not in self.nodes:
            self.nodes[name] = self.look(name)
        heappush(self.heap, (-self.nodes[name].time, name))
        if self.marks[name] & _BELOW:
            self.open.discard(name)
        else:
            self.open.add(name)

    def run(self) -> None:
        """Go back until all that is left is older than both histories, and common to them."""
        while self.heap and (self.open or self._younger(-self.heap[0][0])):
            time, name = heappop(self.heap)
            marks = self.marks[name]
            self.open.discard(name)
            if marks in (_ONE, _TWO):
                self.oldest = -time if self.oldest is None else min(self.oldest, -time)
            for parent in self.nodes[name].parents:
                self.mark(parent, marks | _BELOW if marks & _BOTH == _BOTH else marks)

    def _younger(self, time: int) -> bool:
        """Whether something that only one side has may still turn out to be common."""
        return self.oldest is not None and time + self.wrong_by >= self.oldest


def relation(one: str | None, two: str, look: Look, wrong_by: int = WRONG_BY) -> Relation:
    """How two commits stand to one another; None, before the first commit, is behind any.

    It is exact where no commit is younger than one that follows it by more than `wrong_by` seconds.
    """
    walk = _Walk(look, wrong_by)
    if one is not None:
        walk.mark(one, _ONE)
    walk.mark(two, _TWO)
    walk.run()
    bases = [name for name, marks in walk.marks.items() if marks == _BOTH]
    own = [_in_order((n for n, marks in walk.marks.items() if marks == side), walk) for side in (_ONE, _TWO)]
    bases.sort(key=lambda name: (-walk.nodes[name].time, name))
    standing = Standing.APART if bases else Standing.UNRELATED
    match bool(own[0]), bool(own[1]):
        case False, False:
            standing = Standing.SAME
        case False, True:
            standing = Standing.BEHIND
        case True, False:
            standing = Standing.AHEAD
        case _:
            pass
    return Relation(standing, tuple(bases), *own)


def is_within(commit: str, head: str, look: Look) -> bool:
    """Whether `head` has `commit` in its history, or is it."""
    return relation(commit, head, look).standing in (Standing.SAME, Standing.BEHIND)


def _in_order(names: Iterable[str], walk: _Walk) -> tuple[str, ...]:
    """Parents first; of what nothing ties, the older first, then by id."""
    wanted = set(names)
    waits = {name: sum(parent in wanted for parent in set(walk.nodes[name].parents)) for name in wanted}
    follows: dict[str, list[str]] = {name: [] for name in wanted}
    for name in wanted:
        for parent in {*walk.nodes[name].parents} & wanted:
            follows[parent].append(name)
    ready = [(walk.nodes[name].time, name) for name, count in waits.items() if not count]
    heapify(ready)
    ordered: list[str] = []
    while ready:
        _, name = heappop(ready)
        ordered.append(name)
        for child in follows[name]:
            waits[child] -= 1
            if not waits[child]:
                heappush(ready, (walk.nodes[child].time, child))
    return tuple(ordered)
