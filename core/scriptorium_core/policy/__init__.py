"""Who may do what: permissions by tier, what an append may touch, standing instructions, quotas.

The file `policy.toml` with its actors, actions and paths will be read here.
"""

from .appending import overwritten
from .instruction import binds, current, is_instruction
from .permission import Action, permits, withheld
from .quota import QUOTA, Held, Quota, Usage, overdrawn, usage

__all__ = [
    "QUOTA",
    "Action",
    "Held",
    "Quota",
    "Usage",
    "binds",
    "current",
    "is_instruction",
    "overdrawn",
    "overwritten",
    "permits",
    "usage",
    "withheld",
]
