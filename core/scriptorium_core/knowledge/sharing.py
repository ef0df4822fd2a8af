"""Sharing tokens out: who needs less than the share leaves the rest to the others."""

from collections.abc import Sequence

__all__ = ["shares"]


def shares(needs: Sequence[int], weights: Sequence[int], room: int) -> tuple[int, ...]:
    """What each may take of `room`: all that it needs, or its part by weight of what the others leave.

    The sum never exceeds `room`; weights are above 0.
    """
    given = [0] * len(needs)
    open_ones: list[int] = [place for place, need in enumerate(needs) if need > 0]
    left = max(room, 0)
    while open_ones:
        total = sum(weights[place] for place in open_ones)
        content: list[int] = [place for place in open_ones if needs[place] * total <= left * weights[place]]
        for place in content or open_ones:
            given[place] = needs[place] if content else left * weights[place] // total
        if not content:
            break
        left -= sum(given[place] for place in content)
        open_ones = [place for place in open_ones if place not in content]
    return tuple(given)
