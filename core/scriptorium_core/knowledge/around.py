"""The messages around one: what was said before it and after it on its own branch.

Upwards lead the parents that contexts name, downwards the branch that goes on: of several replies one that
is live, else the first. Where nothing is known of a message's place (archives of other programs, sources
that a request brought), the archive's own order stands in.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice

from attrs import Factory, frozen

from ..facts.model import SourceFact
from ..names import NodeId

__all__ = ["Above", "Talk", "around"]

Above = Callable[[SourceFact], SourceFact | None]
"""The archived message above one whose parent is not archived beside it; None where nobody knows."""

_STATES = ("live", "unknown", "abandoned")


def _nobody_knows(_: SourceFact) -> None:
    return None


@frozen
class Talk:
    """The messages of one archive, in its order, and what stands above each of them."""

    turns: Sequence[SourceFact]
    above: Mapping[str, SourceFact | None] = Factory(dict[str, SourceFact | None])

    @classmethod
    def of(cls, turns: Sequence[SourceFact], bridge: Above = _nobody_knows) -> "Talk":
        """The talk of an archive; `bridge` is asked for what its messages alone do not tell."""
        nodes = {turn.context.node: turn for turn in turns if turn.context is not None}
        # Where nobody names a parent, as in what requests brought, the order is all there is.
        ordered = not any(turn.context.parent for turn in turns if turn.context is not None)
        return cls(turns, dict(_above(turns, nodes, bridge, ordered)))

    def upwards(self, source: SourceFact) -> Iterator[SourceFact]:
        """What was said before it in this archive, the nearest first; the last may be of another archive."""
        passed = {source.id}
        here = self.above.get(source.id)
        while here is not None and here.id not in passed:
            passed.add(here.id)
            yield here
            here = self.above.get(here.id)

    def downwards(self, source: SourceFact) -> Iterator[SourceFact]:
        """What was said after it on the branch that leads on, the nearest first."""
        below: dict[str, SourceFact] = {}
        for turn in self.turns:
            above = self.above.get(turn.id)
            if above is not None and (above.id not in below or _rank(turn) < _rank(below[above.id])):
                below[above.id] = turn
        passed = {source.id}
        here = below.get(source.id)
        while here is not None and here.id not in passed:
            passed.add(here.id)
            yield here
            here = below.get(here.id)


def around(
    talk_of: Callable[[str], Talk], source: SourceFact, many: int, shown: Callable[[SourceFact], bool]
) -> tuple[tuple[SourceFact, ...], tuple[SourceFact, ...]]:
    """At most `many` shown messages before and after `source`, in the order in which they were said.

    `talk_of` gives the talk of an archive by its path: a branch may begin in another session's.
    """
    before = islice(filter(shown, _upwards(talk_of, source)), many)
    after = islice(filter(shown, talk_of(source.path).downwards(source)), many)
    return tuple(before)[::-1], tuple(after)


def _upwards(talk_of: Callable[[str], Talk], source: SourceFact) -> Iterator[SourceFact]:
    passed = {source.id}
    here: SourceFact | None = source
    while here is not None:
        last, here = here, None
        for above in talk_of(last.path).upwards(last):
            if above.id in passed:
                return
            passed.add(above.id)
            yield above
            if above.path != last.path:
                here = above
                break


def _above(
    turns: Sequence[SourceFact], nodes: Mapping[NodeId, SourceFact], bridge: Above, ordered: bool
) -> Iterator[tuple[str, SourceFact | None]]:
    before: SourceFact | None = None
    for turn in turns:
        context = turn.context
        if ordered or context is None:
            yield turn.id, before
        elif context.parent is None:
            yield turn.id, None
        else:
            yield turn.id, nodes.get(context.parent) or bridge(turn) or before
        before = turn


def _rank(turn: SourceFact) -> int:
    return _STATES.index(turn.context.branch if turn.context is not None else "unknown")
