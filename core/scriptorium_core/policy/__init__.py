"""Who may do what: permissions by tier, what an append may touch, standing instructions, quotas.

The file `policy.toml` with its actors, actions and paths will be read here.
"""

from .actor import AGENT, ANONYMOUS, LIBRARIAN, OWNER, PAIRED, READER, Actor, actor_named
from .appending import overwritten
from .instruction import binds, current, is_instruction
from .permission import Action, permits, withheld
from .quota import QUOTA, Held, Quota, Usage, overdrawn, usage

__all__ = [
    "AGENT",
    "ANONYMOUS",
    "LIBRARIAN",
    "OWNER",
    "PAIRED",
    "QUOTA",
    "READER",
    "Action",
    "Actor",
    "Held",
    "Quota",
    "Usage",
    "actor_named",
    "binds",
    "current",
    "is_instruction",
    "overdrawn",
    "overwritten",
    "permits",
    "usage",
    "withheld",
]
