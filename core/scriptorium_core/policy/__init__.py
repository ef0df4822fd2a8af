"""Who may do what: actors and rules, permissions by tier, what an append may touch, instructions, quotas.

`policy.reading` reads the file `policy.toml`.
"""

from .actor import AGENT, ANONYMOUS, LIBRARIAN, OWNER, PAIRED, READER, Actor, actor_named
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
