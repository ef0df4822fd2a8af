"""What goes along with a prompt: one budget for all of it, the cited turn with every record, nothing hidden.

    <memory-context kind="context" revision="9b1d…">
    Reference data from memory. …
    ## Records
    ^6c1f02aa topics/people/mira.md › Keys, 2026-04-03, supported 0.75
    > Mira keeps the spare keys at the bakery. … (`scriptorium show ^6c1f02aa`)
    cites Mira, 2026-04-03 10:22 (chat/s1/m7):
    > they are at the bakery
    1 of 3 shown; left out: 1 below-threshold, 1 duplicate
    </memory-context>

Every line of a text stands behind `> `, so that none can pass for a line of ours. The budget counts the
whole text, with the counter of the caller. It is shared out: records 5, turns 3, subject 2 parts, and within
a part to each the same; who needs less leaves the rest to the others. What is larger than its share is
shortened; where even that is too much, the least important is left out and the rest is shared out again.
"""

from collections.abc import Collection, Sequence
from functools import lru_cache
from types import MappingProxyType
from typing import NamedTuple

from ..budget import Count, estimate
from ..sessions.wrapper import wrapped
from .beginning import beginning
from .blocks import Block, Plan, full, plans, within
from .choosing import LeftOut, choose, least_important
from .offer import Left, Offer, Part, Reason, Shown
from .sharing import shares

__all__ = ["Context", "pack"]

_TITLES = MappingProxyType(
    {Part.TURN: "## This conversation", Part.RECORD: "## Records", Part.SUBJECT: "## On the subject"}
)
_WEIGHTS = MappingProxyType({Part.TURN: 3, Part.RECORD: 5, Part.SUBJECT: 2})
_LEAST_FIRST = (Part.SUBJECT, Part.TURN, Part.RECORD)
_SHORT = 12  # of a revision: it names the commit, and takes its tokens from the budget
_NOTHING = "Memory holds nothing that bears on this question."
_TOO_FAR = "Nothing that memory holds comes near enough to this question."
_NO_ROOM = "What memory holds on this question does not fit into the budget."


class Context(NamedTuple):
    """What goes along with a question: `text` is all of it, `tokens` what it takes of the `budget`.

    `counted` is false where the text cannot exceed the budget, so that nothing was counted: a text has no
    more tokens than bytes; then `tokens` is an estimate. Whatever was considered is in `shown` or in
    `left_out`. The text is empty where not even the wrapper fits.
    """

    text: str
    tokens: int
    budget: int
    shown: tuple[Shown, ...] = ()
    left_out: tuple[Left, ...] = ()
    counted: bool = True


def pack(
    turns: Sequence[Offer], records: Sequence[Offer], count: Count, limit: int, revision: str = ""
) -> Context:
    """The context of at most `limit` tokens: of the turns of a conversation, oldest first, and of records."""
    chosen = choose([beginning(turn, limit) for turn in turns], [beginning(each, limit) for each in records])
    given = {Part.TURN: chosen.turns, Part.RECORD: chosen.records, Part.SUBJECT: chosen.subject}
    left = [*chosen.left_out]
    blocks = [*map(full, plans(given))]
    text = _text(blocks, left, revision)
    if len(text.encode("utf-8", "surrogatepass")) <= limit:
        return _context(text, estimate(text), limit, blocks, left, counted=False)
    cost = lru_cache(None)(count)
    while True:
        room = limit - cost(_text([], left, revision))
        fitted = _fitted(plans(given), cost, room)
        text = _text(fitted, left, revision) if isinstance(fitted, list) else ""
        if isinstance(fitted, list) and (tokens := cost(text)) <= limit:
            return _context(text, tokens, limit, fitted, left)
        if not any(given.values()):
            return Context("", 0, limit, (), _left([], left))
        part = fitted if isinstance(fitted, Part) else next(each for each in _LEAST_FIRST if given[each])
        dropped = least_important(part, given[part])
        given[part] = tuple(offer for offer in given[part] if offer is not dropped)
        left.append((part, dropped, Reason.BUDGET))


def _fitted(planned: Sequence[Plan], cost: Count, room: int) -> list[Block] | Part:
    """The blocks in their shares of the room; the part in which one has no place."""
    needs = [cost(full(plan).text) for plan in planned]
    parts = [part for part in _WEIGHTS if any(plan.part is part for plan in planned)]
    sums = [
        sum(need for plan, need in zip(planned, needs, strict=True) if plan.part is part) for part in parts
    ]
    titles = [cost(f"{_TITLES[part]}\n") for part in parts]
    given = shares(sums, [_WEIGHTS[part] for part in parts], room - sum(titles))
    blocks: dict[int, Block] = {}
    for part, allowed in zip(parts, given, strict=True):
        mine = [place for place, plan in enumerate(planned) if plan.part is part]
        each = shares([needs[place] for place in mine], [1] * len(mine), allowed)
        for place, most in zip(mine, each, strict=True):
            block = full(planned[place]) if needs[place] <= most else within(planned[place], cost, most)
            if block is None:
                return part
            blocks[place] = block
    return [blocks[place] for place in range(len(planned))]


def _text(blocks: Sequence[Block], left: Sequence[LeftOut], revision: str) -> str:
    lines: list[str] = []
    for part, title in _TITLES.items():
        mine = [block.text for block in blocks if block.plan.part is part]
        lines += [title, *(text.removesuffix("\n") for text in mine)] if mine else []
    if not blocks:
        lines.append(_why_nothing({reason for _, _, reason in left}))
    counts = [(reason, sum(each is reason for _, _, each in left)) for reason in Reason]
    out = ", ".join(f"{number} {reason}" for reason, number in counts if number)
    shown = f"{len(blocks)} of {len(blocks) + len(left)} shown"
    return wrapped(
        "context", revision[:_SHORT], "\n".join([*lines, f"{shown}; left out: {out}" if out else shown])
    )


def _why_nothing(reasons: Collection[Reason]) -> str:
    """Why a context shows nothing; that something is held back is said by the counts alone."""
    if Reason.BUDGET in reasons:
        return _NO_ROOM
    return _TOO_FAR if Reason.BELOW_THRESHOLD in reasons else _NOTHING


def _context(
    text: str, tokens: int, limit: int, blocks: Sequence[Block], left: Sequence[LeftOut], counted: bool = True
) -> Context:
    shown: list[Shown] = []
    for block in blocks:
        offer = block.plan.offer
        shown.append(Shown(block.plan.part, offer.id, offer.score, block.cut, offer.assessment))
        shown += [Shown(Part.CITED, cited.id, cited.score, cut) for cited, cut in block.quoted]
    return Context(text, tokens, limit, tuple(shown), _left(blocks, left), counted)


def _left(blocks: Sequence[Block], left: Sequence[LeftOut]) -> tuple[Left, ...]:
    cited = [(Part.CITED, offer, reason) for block in blocks for offer, reason in block.unquoted]
    return tuple(
        Left(part, offer.id, offer.score, reason, offer.assessment) for part, offer, reason in (*left, *cited)
    )
