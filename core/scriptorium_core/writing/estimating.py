"""What it would take to write all that waits, before a model is asked: batches, tokens, and at what price.

What was said is known. What goes with each batch, and what comes back, is taken from the passes of the same
model so far; before the first, from the largest outline and an answer of an eighth of what was said.
"""

from collections.abc import Mapping

from attrs import evolve, frozen

from .costs import Spent
from .outline import BUDGET
from .prompts import WRITE

__all__ = ["Estimate", "estimated"]

_MILLION = 1_000_000
_ANSWER = 8


@frozen
class Estimate:
    """What would be written: sessions, batches, tokens of what was said; what a model takes, in US dollars.

    `below` sessions hold less than a batch and are left for `force`. `measured` says by how many passes of
    this model that is measured, 0: it is a guess. A `cost` of None is unknown. A writer without a `model`
    takes nothing.
    """

    sessions: int
    batches: int
    tokens: int
    below: int = 0
    model: str = ""
    tokens_in: int = 0
    tokens_out: int = 0
    cost: float | None = None
    measured: int = 0


def estimated(
    waiting: Mapping[str, int],
    goal: int,
    force: bool,
    model: str = "",
    before: Spent | None = None,
    per_million: tuple[float, float] | None = None,
) -> Estimate:
    """For sessions with so many tokens, in batches of `goal`; `before` is what the model took so far."""
    due = {name: size for name, size in waiting.items() if force or size >= goal}
    batches = sum(max(1, -(-size // goal)) if force else size // goal for size in due.values())
    tokens = sum(due.values()) if force else batches * goal
    plain = Estimate(len(due), batches, tokens, len(waiting) - len(due))
    if not model:
        return plain
    known = before or Spent()
    measured = known.passes if known.offered and known.tokens_in else 0
    if measured:
        tokens_in = tokens * known.tokens_in // known.offered
        tokens_out = tokens * known.tokens_out // known.offered
    else:
        tokens_in = tokens + batches * (BUDGET + len(WRITE.text) // 4)
        tokens_out = tokens // _ANSWER
    cost = None
    if per_million is not None:
        cost = (tokens_in * per_million[0] + tokens_out * per_million[1]) / _MILLION
    elif measured and not known.unpriced:
        cost = tokens * known.cost / known.offered
    return evolve(
        plain, model=model, tokens_in=tokens_in, tokens_out=tokens_out, cost=cost, measured=measured
    )
