"""The doors of a service that need more than a view: shut to whoever may not do so much.

Each names an action and the root below which it must be allowed without an exception: the whole memory if it
is empty, the policy's file for what is done to a home, `*` for what need only be allowed somewhere.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import wraps
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, TypeVar

from scriptorium_core.policy.actor import OWNER

if TYPE_CHECKING:
    from scriptorium_core.policy import Actor

    from ..workspace import Memory
    from .place import Place

__all__ = ["guarded", "seen_by"]

C = TypeVar("C", bound=type)
T = TypeVar("T")

_HOME = (
    "init verify doctor index adopt import_paths importing exclude_session excluded_sessions settle choices"
    " found_logs keep_once replay sync seal unseal prove copy_sealed policy check_policy set_policy"
).split()
_DOORS: Mapping[str, tuple[str, str]] = MappingProxyType(
    {
        **dict.fromkeys(_HOME, ("manage", "policy.toml")),
        **dict.fromkeys(("sessions", "estimate", "pending", "hand_in"), ("read", "sources")),
        **dict.fromkeys(("write", "passes", "backfill"), ("write", "")),
        "organize": ("organize", ""),
        "held": ("promote", "*"),
        "forget": ("forget", "*"),
    }
)


def guarded(owner: C) -> C:
    """Let the methods of a class that are such doors ask first."""
    for name, (right, root) in _DOORS.items():
        setattr(owner, name, _behind(getattr(owner, name), right, root))
    return owner


def seen_by(actor: Actor, whole: Memory, right: str = "read") -> Memory:
    """The memory as an actor sees it who is about to do something; itself where that is everything."""
    if actor == OWNER:
        return whole
    from scriptorium_core.policy import Right

    from ..workspace.permitted import permitted

    return permitted(whole, whole, actor, Right(right))


def _behind(method: Callable[..., T], right: str, root: str) -> Callable[..., T]:
    @wraps(method)
    def asked(self: Place, *arguments: Any, **named: Any) -> T:
        if self.actor != OWNER:
            from .permitted import see_it_is_allowed

            see_it_is_allowed(self, right, root)
        return method(self, *arguments, **named)

    return asked
