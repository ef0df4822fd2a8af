"""What it would take to write all that waits, before a model is asked: batches, tokens, and at what price.

What was said is known. What goes with each batch, and what comes back, is taken from the passes of the same
model so far; before the first, from the largest outline and an answer of an eighth of what was said.
"""

from collections.abc import Mapping

from attrs import frozen

from .costs import Spent
from .outline import BUDGET
from .prompts import WRITE

__all__ = ["Estimate", "estimated"]

_MILLION = 1_000_000
_ANSWER = 8


@frozen
class Estimate:
    """What waits: sessions, batches, tokens of what was said; what a model would take, and US dollars.

    `measured` says by how many passes of this model that is measured, 0: it is a guess. A `cost` of None is
    unknown. A writer without a `model` takes nothing.
    """

    sessions: int
    batches: int
    tokens: int
    model: str = ""
    tokens_in: int = 0
    tokens_out: int = 0
    cost: float | None = None
    measured: int = 0


def estimated(
    waiting: Mapping[str, int], goal: int, model: str, before: Spent, per_million: tuple[float, float] | None
) -> Estimate:
    """For sessions with so many tokens, in batches of `goal`; `before` is what the model took so far."""
    tokens = sum(waiting.values())
    batches = sum(max(1, -(-size // goal)) for size in waiting.values())
    if not model:
        return Estimate(len(waiting), batches, tokens)
    if before.offered and before.tokens_in:
        tokens_in = tokens * before.tokens_in // before.offered
        tokens_out = tokens * before.tokens_out // before.offered
    else:
        tokens_in = tokens + batches * (BUDGET + len(WRITE.text) // 4)
        tokens_out = tokens // _ANSWER
    cost = None
    if per_million is not None:
        cost = (tokens_in * per_million[0] + tokens_out * per_million[1]) / _MILLION
    elif before.cost and not before.unpriced and before.offered:
        cost = tokens * before.cost / before.offered
    passes = before.passes if before.offered else 0
    return Estimate(len(waiting), batches, tokens, model, tokens_in, tokens_out, cost, passes)
