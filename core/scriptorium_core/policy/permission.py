"""What a tier permits: the owner everything, everybody else to add what they say themselves."""

from collections.abc import Mapping
from enum import StrEnum
from types import MappingProxyType

from ..problem import Code, Problem
from ..sources.frame import Tier

__all__ = ["Action", "permits", "withheld"]


class Action(StrEnum):
    """What somebody may be about to do; each word completes `only the owner may …`."""

    APPEND = "add records"
    CHANGE = "change what is there"
    STAND = "say how far a record may be trusted"
    REMEMBER = "save words as verified"
    PROMOTE = "let held words into memory"


_BELOW: Mapping[Tier | None, frozenset[Action]] = MappingProxyType(
    {Tier.PAIRED: frozenset({Action.APPEND}), None: frozenset({Action.APPEND})}
)


def permits(tier: Tier | None, action: Action) -> bool:
    """Whether a tier (None: unknown) permits an action."""
    return tier is Tier.OWNER or action in _BELOW[tier]


def withheld(tier: Tier | None, action: Action) -> tuple[Problem, ...]:
    """That an action is not permitted; nothing if it is."""
    if permits(tier, action):
        return ()
    who = tier or "an unknown speaker"
    message = f"only the owner may {action}, and this is {who}"
    return (Problem(Code.NOT_PERMITTED, message, remedy="ask the owner"),)
