"""Turns as people read them: each with the two before it and the two after it, in one sitting.

A ranking of turns becomes one of windows: a turn that stands in a window further up is passed over, because
it shows little that is new. The rankings beside the engine see the text of the whole window.
"""

from collections.abc import Mapping, Sequence

from locomo_rankings import Ranking

from scriptorium_core.recall import Document, passages
from scriptorium_core.recall.document import sitting

__all__ = ["apart", "whole_texts", "windows"]

_AROUND = 2


def windows(turns: Sequence[Document]) -> dict[str, tuple[str, ...]]:
    """By the id of the turn in the middle, the ids of all turns of a window."""
    return {
        turn.id: tuple(
            near.id
            for near in turns[max(place - _AROUND, 0) : place + _AROUND + 1]
            if sitting(near) == sitting(turn)
        )
        for place, turn in enumerate(turns)
    }


def whole_texts(turns: Sequence[Document]) -> tuple[Document, ...]:
    """The windows as documents: the id of the middle, the text of all."""
    return tuple(turn._replace(content=text, speaker="") for turn, text in passages(turns))


def apart(ranking: Ranking, known: Mapping[str, Sequence[str]]) -> Ranking:
    """The ranking without the turns that stand in a window further up."""

    def ranked(question: str) -> Sequence[str]:
        seen, chosen = set[str](), list[str]()
        for name in ranking(question):
            if name not in seen:
                chosen.append(name)
                seen.update(known[name])
        return chosen

    return ranked
