"""The conversations behind a record: messages that stand beside each other are shown once, in one talk."""

from collections.abc import Iterable, Sequence

from attrs import evolve, frozen

from ...service.cited import Turn
from ...service.shown import Conversation, Sibling

__all__ = ["Said", "Talk", "talks"]


@frozen
class Said:
    """A message in a talk, and whether it is one that is asked about."""

    turn: Turn
    main: bool


@frozen
class Talk:
    """Messages as they follow each other, and those of other branches beside them."""

    title: str
    said: tuple[Said, ...]
    siblings: tuple[Sibling, ...]

    @property
    def places(self) -> list[str]:
        """Where its messages stand, in order."""
        return [each.turn.place for each in self.said]


def talks(conversations: Iterable[Conversation]) -> tuple[Talk, ...]:
    """A talk of each conversation; those that hold the same messages are one, as long as they go on alike."""
    found: list[Talk] = []
    for each in conversations:
        said = (
            *(Said(turn, False) for turn in each.before),
            Said(each.turn, True),
            *(Said(turn, False) for turn in each.after),
        )
        talk = Talk(each.title, said, each.siblings)
        joined = ((n, both) for n, other in enumerate(found) if (both := _joined(other, talk)) is not None)
        place, both = next(joined, (len(found), talk))
        found[place : place + 1] = [both]
    return tuple(found)


def _joined(one: Talk, other: Talk) -> Talk | None:
    """Both as one, None where they have nothing in common, or go on differently from there."""
    known = set(other.places)
    if known.isdisjoint(one.places):
        return None
    shared = [place for place in one.places if place in known]
    (before, within, after), (others_before, others_within, others_after) = (
        _parted(each.said, shared[0], shared[-1]) for each in (one, other)
    )
    asked = {each.turn.place for each in (*one.said, *other.said) if each.main}
    whole = (
        *max(before, others_before, key=len),
        *max(within, others_within, key=len),
        *max(after, others_after, key=len),
    )
    said = tuple(evolve(each, main=each.turn.place in asked) for each in whole)
    siblings = dict.fromkeys((*one.siblings, *other.siblings))
    both = Talk(one.title or other.title, said, tuple(siblings))
    return both if set(both.places) == known.union(one.places) else None


def _parted(
    said: Sequence[Said], first: str, last: str
) -> tuple[Sequence[Said], Sequence[Said], Sequence[Said]]:
    """What stands before a message, from it to another one, and behind that."""
    places = [each.turn.place for each in said]
    begin, end = sorted((places.index(first), places.index(last)))
    return said[:begin], said[begin : end + 1], said[end + 1 :]
