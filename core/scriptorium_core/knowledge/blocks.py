"""How one thing stands in a context: a line about it, its text behind `> `, and the turns that it cites."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from ..budget import Count
from ..names import is_source_name
from .likeness import holds
from .offer import Offer, Part, Reason
from .sharing import shares
from .shortening import shortened

__all__ = ["Block", "Plan", "full", "plans", "within"]

_MAIN, _CITED = 2, 1  # how a block is shared out between what a record says and each turn that it cites


class Plan(NamedTuple):
    """What is to be shown; the turns in `told` are cited too, and say nothing that is not shown before."""

    part: Part
    offer: Offer
    quotes: tuple[Offer, ...] = ()
    told: tuple[Offer, ...] = ()


class Block(NamedTuple):
    """A thing as it is shown. `cut` says that only its beginning is, `quoted` the same of each cited turn.

    `unquoted` are the cited turns that are only named, and why.
    """

    plan: Plan
    text: str
    cut: bool = False
    quoted: tuple[tuple[Offer, bool], ...] = ()
    unquoted: tuple[tuple[Offer, Reason], ...] = ()


def plans(given: Mapping[Part, Sequence[Offer]]) -> tuple[Plan, ...]:
    """The plans in the order of showing; each turn is quoted once."""
    seen: set[str] = set()
    made: list[Plan] = []
    for part, offers in given.items():
        for offer in offers:
            seen.add(offer.id)
            fresh = [
                cited for cited in offer.cites if cited.id not in seen and not holds(offer.text, cited.text)
            ]
            seen |= {cited.id for cited in fresh}
            told = tuple(cited for cited in offer.cites if cited not in fresh)
            made.append(Plan(part, offer, tuple(fresh), told))
    return tuple(made)


def full(plan: Plan) -> Block:
    """All of it."""
    return _block(plan, _whole(plan.offer), [_whole(quote) for quote in plan.quotes])


def within(plan: Plan, count: Count, most: int) -> Block | None:
    """As much of it as fits into so many tokens; None if not even the beginning of its text does."""
    room = most - count(_block(plan, "", [None for _ in plan.quotes]).text)
    texts = [_whole(plan.offer), *(_whole(quote) for quote in plan.quotes)]
    needs = [count(_behind(text)) for text in texts]
    given = shares(needs, [_MAIN, *(_CITED for _ in plan.quotes)], room)
    main, *quotes = (
        text if need <= allowed else _cut(offer, count, allowed)
        for offer, text, need, allowed in zip((plan.offer, *plan.quotes), texts, needs, given, strict=True)
    )
    return None if main is None else _block(plan, main, quotes)


def _whole(offer: Offer) -> str:
    """All of its text, and how to see the rest where it is but a beginning."""
    return f"{offer.text} … ({_rest(offer)})" if offer.more else offer.text


def _cut(offer: Offer, count: Count, most: int) -> str | None:
    return shortened(offer.text, _rest(offer), lambda text: count(_behind(text)) <= most)


def _rest(offer: Offer) -> str:
    name = offer.id if is_source_name(offer.id) else f"^{offer.id}"
    return f"`scriptorium show {name}`"


def _block(plan: Plan, main: str, quotes: Sequence[str | None]) -> Block:
    """The block with these texts; a cited turn without one is only named."""
    lines = [_line(plan.offer.head), _behind(main)]
    pairs = [*zip(plan.quotes, quotes, strict=True)]
    for quote, text in pairs:
        lines += [
            _line(quote.head) + (":" if text is not None else ""),
            *([] if text is None else [_behind(text)]),
        ]
    lines += [f"{_line(turn.head)}, {_where(plan.offer, turn)}" for turn in plan.told]
    return Block(
        plan,
        "".join(f"{line}\n" for line in lines if line),
        main != plan.offer.text,
        tuple((quote, text != quote.text) for quote, text in pairs if text is not None),
        (
            *((turn, Reason.DUPLICATE) for turn in plan.told),
            *((quote, Reason.BUDGET) for quote, text in pairs if text is None),
        ),
    )


def _where(offer: Offer, cited: Offer) -> str:
    return "in these words" if holds(offer.text, cited.text) else "as above"


def _line(head: str) -> str:
    """A line about something: one line, whatever names stand in it, and neither a quotation nor a title."""
    return " ".join(head.split()).lstrip("> #")


def _behind(text: str) -> str:
    """A text behind `> `, line by line; what merely divides lines in some readers divides them here too."""
    return "\n".join(f"> {line}".rstrip() for line in text.splitlines())
