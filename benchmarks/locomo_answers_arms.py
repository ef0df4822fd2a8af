"""What the answerer is shown of a conversation: by the product, by grep, all of it, or nothing.

- recall: what `context` delivers with a question, character for character, under the budget.
- grep: the turns with most of the question's words, until the same budget is full, in their order.
- full: the whole conversation; where the window of the model is smaller, its newest turns that fit.
- nothing: no word of it, which shows what the model guesses.

Turns stand under the date of their session. Tokens are counted as the product counts them.
"""

import time
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import Literal

from attrs import frozen
from locomo_answers_set import days_of
from locomo_memory import Made
from locomo_rankings import grep
from locomo_set import Conversation

from scriptorium.tokens import count
from scriptorium_core.recall import Kind

__all__ = ["ARMS", "Arm", "Book", "Shown", "book"]

Arm = Literal["recall", "grep", "full", "nothing"]
ARMS: tuple[Arm, ...] = ("recall", "grep", "full", "nothing")
"""In the order in which they are asked."""


@frozen
class Shown:
    """What is shown with a question, how many tokens it has, and in how many milliseconds it was made.

    Of `turns` turns that could have been shown `left_out` did not fit; both are 0 for what no turn is
    chosen for.
    """

    text: str
    tokens: int
    turns: int
    left_out: int
    milliseconds: float

    @property
    def cut(self) -> bool:
        """Whether something that was to be shown did not fit."""
        return self.left_out > 0


@frozen
class _Line:
    """A turn as it is shown, and its tokens with the end of the line."""

    id: str
    day: str
    text: str
    tokens: int


@frozen
class Book:
    """A conversation with the memory of it, ready to be shown."""

    made: Made
    lines: tuple[_Line, ...]

    def shown(self, arm: Arm, question: str, budget: int, room: int) -> Shown:
        """What an arm shows with a question: under `budget` tokens, the whole under `room`."""
        begun = time.perf_counter()
        text, turns, left_out = self._shown(arm, question, budget, room)
        return Shown(text, count(text), turns, left_out, (time.perf_counter() - begun) * 1_000)

    def _shown(self, arm: Arm, question: str, budget: int, room: int) -> tuple[str, int, int]:
        if arm == "recall":
            return self.made.service.context(question, budget).text, 0, 0
        if arm == "nothing":
            return "", 0, 0
        if arm == "full":
            kept = _fitting(self.lines[::-1], room)
            return _text(kept[::-1]), len(self.lines), len(self.lines) - len(kept)
        known = {line.id: line for line in self.lines}
        found = [known[name] for name in grep(self.made.of_kind(Kind.TURN))(question)]
        chosen = {line.id for line in _fitting(found, budget)}
        text = _text([line for line in self.lines if line.id in chosen])
        return text, len(found), len(found) - len(chosen)


def book(talk: Conversation, made: Made) -> Book:
    """The turns of a conversation as its memory holds them, each with the date of its session."""
    return Book(made, tuple(_lines(made, days_of(talk))))


def _lines(made: Made, days: Mapping[str, str]) -> Iterator[_Line]:
    for turn in made.of_kind(Kind.TURN):
        (name,) = made.holds[Kind.TURN, turn.id]
        text = f"{turn.speaker}: {turn.content}"
        yield _Line(turn.id, days[name], text, count(f"{text}\n"))


def _fitting(lines: Sequence[_Line], room: int) -> list[_Line]:
    """The first lines that fit together, with the dates above them."""
    kept, days, left = list[_Line](), set[str](), room
    for line in lines:
        left -= line.tokens + (0 if line.day in days else count(_heading(line.day)))
        if left < 0:
            break
        days.add(line.day)
        kept.append(line)
    return kept


def _text(lines: Sequence[_Line]) -> str:
    parts = groupby(lines, key=lambda line: line.day)
    return "\n".join(_heading(day) + "\n".join(line.text for line in held) for day, held in parts)


def _heading(day: str) -> str:
    return f"[{day}]\n"
