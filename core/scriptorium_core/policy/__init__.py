"""Who may do what: actors and rules, permissions by tier, what an append may touch, instructions, quotas.

`policy.reading` reads the file `policy.toml`.

What judges a change is loaded when it is asked for: whoever only reads needs no more than an actor.
"""

from typing import TYPE_CHECKING

from .actor import AGENT, ANONYMOUS, LIBRARIAN, OWNER, PAIRED, READER, Actor, actor_named

if TYPE_CHECKING:
    from .appending import overwritten
    from .instruction import binds, current, is_instruction
    from .permission import Action, permits, withheld
    from .quota import QUOTA, Held, Quota, Usage, overdrawn, usage
    from .rules import POLICY_FILE, Policy, Right, allows, anywhere, decided, everywhere, kind_of

__all__ = [
    "AGENT",
    "ANONYMOUS",
    "LIBRARIAN",
    "OWNER",
    "PAIRED",
    "POLICY_FILE",
    "QUOTA",
    "READER",
    "Action",
    "Actor",
    "Held",
    "Policy",
    "Quota",
    "Right",
    "Usage",
    "actor_named",
    "allows",
    "anywhere",
    "binds",
    "current",
    "decided",
    "everywhere",
    "is_instruction",
    "kind_of",
    "overdrawn",
    "overwritten",
    "permits",
    "usage",
    "withheld",
]


def __getattr__(name: str) -> object:
    """The public names that judge, each from its own module."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from . import appending, instruction, permission, quota, rules

    homes = (appending, instruction, permission, quota, rules)
    return next(getattr(each, name) for each in homes if hasattr(each, name))
