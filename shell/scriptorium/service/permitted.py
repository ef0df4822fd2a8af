"""What whoever asks a service may do: how they speak, and what they see.

`Service.memory` gives the memory as they see it, so that every view is without what is denied. Here is what
goes beyond: what needs a whole memory, and searches, whose engine leaves things out before it ranks.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from attrs import evolve

from scriptorium_core.policy.actor import OWNER
from scriptorium_core.policy.rules import DEFAULT, POLICY_FILE, Right, allows, anywhere, everywhere
from scriptorium_core.problem import Code, Problem

from ..refused import Refused

if TYPE_CHECKING:
    from scriptorium_core.changes import Caller
    from scriptorium_core.facts.permitted import May
    from scriptorium_core.policy import Policy

    from .place import Place

__all__ = ["may_all", "see_it_is_allowed", "sight", "speaker"]


def speaker(service: Place, caller: Caller | None = None) -> Caller:
    """Who brings and changes things; a `caller` that a door has found keeps its tier, and is this actor."""
    from scriptorium_core.changes.callers import caller_of

    if service.actor == OWNER:
        return caller or caller_of(OWNER, DEFAULT, service.settings.owner)
    if caller is not None:
        return evolve(caller, actor=service.actor)
    return caller_of(service.actor, _policy(service), service.settings.owner)


def see_it_is_allowed(service: Place, action: str, root: str = "") -> None:
    """Raise Refused where something is not allowed everywhere below a root (both, if it is empty)."""
    right = Right(action)
    if not may_all(service, right, root):
        what = {"": "the whole memory", "*": "anything"}.get(root, root)
        message = f"{service.actor} may not {right} {what}"
        raise Refused(Problem(Code.NOT_PERMITTED, message, remedy="ask the owner"))


def may_all(service: Place, right: Right, root: str = "") -> bool:
    """Whether something is allowed everywhere below a root; with `*`, whether it is anywhere.

    The policy itself and a secret (`secrets/NAME`) are no roots, but what is asked about.
    """
    if service.actor == OWNER:
        return True
    policy = _policy(service)
    if root == "*":
        return anywhere(policy, service.actor, right)
    if root == POLICY_FILE or root.startswith("secrets/"):
        return allows(policy, service.actor, right, root)
    return everywhere(policy, service.actor, right, root)


def sight(service: Place, right: Right) -> May | None:
    """What may be seen in some way; None if it is everything."""
    if service.actor == OWNER:
        return None
    from ..workspace.governing import gate_of

    memory = service.whole()
    gate = gate_of(memory.history, memory.revision, service.actor)
    may = gate.may(right) if gate is not None else None
    return lru_cache(maxsize=None)(may) if may is not None else None


def _policy(service: Place) -> Policy:
    from ..workspace.governing import policy_at

    if not service.root.exists():
        return DEFAULT
    memory = service.whole()
    return policy_at(memory.history, memory.revision).policy
