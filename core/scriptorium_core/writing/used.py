"""What an answer of a writer cost."""

from attrs import frozen

from ..trailers import Trailer

__all__ = ["NOTHING_USED", "Used", "together", "used_trailers"]

_LONGEST_NAME = 100


@frozen
class Used:
    """The model, tokens in and out, calls of the model, and US dollars (None: unknown).

    `calls` is 0 where no model was asked: an answer from a tape keeps its model and its tokens, and is free.
    """

    model: str = ""
    tokens_in: int = 0
    tokens_out: int = 0
    calls: int = 0
    cost: float | None = None


NOTHING_USED = Used()


def together(first: Used, second: Used) -> Used:
    """What two answers cost together; the cost is known only where it is for all calls."""
    if not second.calls and second.model in ("", first.model):
        return _added(first, second, first.cost)
    if not first.calls:
        return _added(first, second, second.cost)
    known = first.cost is not None and second.cost is not None
    return _added(first, second, (first.cost or 0) + (second.cost or 0) if known else None)


def used_trailers(used: Used) -> tuple[Trailer, ...]:
    """The trailers `Model: name` and `Tokens: in/out` of a commit; none for a writer that asked no model."""
    counted = used.tokens_in or used.tokens_out
    tokens = f"{used.tokens_in}/{used.tokens_out}" if counted else ""
    return (("Model", used.model[:_LONGEST_NAME]), ("Tokens", tokens))


def _added(first: Used, second: Used, cost: float | None) -> Used:
    return Used(
        second.model or first.model,
        first.tokens_in + second.tokens_in,
        first.tokens_out + second.tokens_out,
        first.calls + second.calls,
        cost,
    )
