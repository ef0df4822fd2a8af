"""Fitting things into a number of tokens, with a counter that the caller brings."""

from collections.abc import Callable, Sequence
from typing import Generic, NamedTuple, TypeVar

__all__ = ["Count", "Fit", "estimate", "fill", "fit", "tokens_of_sizes"]

Count = Callable[[str], int]
T = TypeVar("T")


class Fit(NamedTuple, Generic[T]):
    """What was kept and what was left out, both in order, and the cost of what was kept."""

    kept: tuple[T, ...]
    omitted: tuple[T, ...]
    used: int


def fit(items: Sequence[T], cost: Callable[[T], int], limit: int) -> Fit[T]:
    """Take each item that still fits into `limit`; one that does not is skipped and the next is tried."""
    kept: list[T] = []
    omitted: list[T] = []
    used = 0
    for item in items:
        price = cost(item)
        if used + price <= limit:
            kept.append(item)
            used += price
        else:
            omitted.append(item)
    return Fit(tuple(kept), tuple(omitted), used)


def fill(items: Sequence[T], cost: Callable[[T], int], goal: int) -> Fit[T]:
    """The shortest beginning of `items` whose cost reaches `goal`; all of them if they never do."""
    used = 0
    for index, item in enumerate(items):
        used += cost(item)
        if used >= goal:
            return Fit(tuple(items[: index + 1]), tuple(items[index + 1 :]), used)
    return Fit(tuple(items), (), used)


def estimate(text: str) -> int:
    """An estimate of the tokens of `text`, for when no vocabulary is installed.

    A quarter of the ASCII bytes and every other character count as one token each, rounded
    up; that is on the high side for prose and for CJK text, so that a budget is kept.
    """
    ascii_length = sum(1 for char in text if char < "\x80")
    return -(-ascii_length // 4) + len(text) - ascii_length


def tokens_of_sizes(characters: int, size: int) -> int:
    """What `estimate` gives for texts of so many characters and bytes in UTF-8, without a look at them.

    Exact for ASCII and for characters of three bytes, as those of CJK are; others count as fewer or more.
    """
    other = min(max(size - characters, 0) // 2, characters)
    return -(-(characters - other) // 4) + other
