"""What an agent is given of a batch, bounded, and why there may be none for it."""

from collections.abc import Sequence
from enum import StrEnum

from attrs import evolve, frozen

from .batch import Said, render_batch
from .prompts import WRITE_AGENT

__all__ = ["LONGEST", "Given", "NoOffer", "given", "rules", "versions"]

LONGEST = 24_000
"""Characters of one message that are shown; it is archived whole."""


class NoOffer(StrEnum):
    """Why no batch is offered."""

    NOTHING = "nothing is unwritten"
    BELOW = "less than a batch is unwritten"
    TAKEN = "all that is unwritten is with other agents"
    REFUSED = "what is unwritten was given up: it is offered by name, or when something new is said"
    SPENT = "the tokens of the day are spent"


@frozen
class Given:
    """The text of a batch, the refs that stand in it, and those of messages of which only a part is shown."""

    text: str
    refs: tuple[str, ...]
    cut: tuple[str, ...] = ()


def given(items: Sequence[Said]) -> Given:
    """The batch as an agent sees it: lines of JSON under date headings, long messages cut."""
    shown = [_cut(item) for item in items]
    cut = tuple(item.source for item in items if len(item.text) > LONGEST)
    return Given(render_batch(shown), tuple(item.source for item in items), cut)


def rules() -> str:
    """What memory is, what is kept of a conversation, the form of a topic, and how a batch is handed in."""
    return WRITE_AGENT.text


def versions() -> str:
    """The version of all that an agent is given to read, as it goes into the commit."""
    return WRITE_AGENT.version


def _cut(item: Said) -> Said:
    more = len(item.text) - LONGEST
    if more <= 0:
        return item
    return evolve(item, text=f"{item.text[:LONGEST]} [cut: {more} more characters]")
