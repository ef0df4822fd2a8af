"""The policy of a memory: what holds, why somebody may not do something, and setting another one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from attrs import evolve, frozen

from scriptorium_core.policy import POLICY_FILE, Actor, Right, actor_named
from scriptorium_core.policy.reading import parse_new_policy, render_policy
from scriptorium_core.policy.rules import decided, leaves_the_owner_alone
from scriptorium_core.problem import Code, Problem
from scriptorium_core.transaction import Edit, Rejected

from .. import files
from ..refused import Refused
from ..workspace.governing import edited_policy, not_in_force, policy_at

if TYPE_CHECKING:
    from scriptorium_core.policy import Policy
    from scriptorium_core.transaction import Snapshot

    from ..workspace import Committed
    from .place import Place

__all__ = ["Checked", "Governed", "check", "governed", "set_policy"]


@frozen
class Governed:
    """The policy that holds, as a value and as the text of its file.

    `commit` is where it stands, None for the default policy; `problems` say that another one stands at HEAD
    or in the working tree, and does not hold.
    """

    revision: str | None
    policy: Policy
    text: str
    commit: str | None
    problems: tuple[Problem, ...] = ()


@frozen
class Checked:
    """Whether an actor may do something with a resource, and which rule says so."""

    actor: str
    action: str
    resource: str
    allowed: bool
    why: str


def governed(service: Place) -> Governed:
    """The policy that holds now."""
    memory = service.whole()
    revision = memory.revision
    found = policy_at(memory.history, revision)
    data = memory.history.base(found.commit).get(POLICY_FILE) if found.commit is not None else None
    text = data.decode("utf-8", "replace") if data is not None else render_policy(found.policy)
    problems = (*not_in_force(memory.history, revision), *edited_policy(memory.history))
    return Governed(revision, found.policy, text, found.commit, problems)


def check(service: Place, actor: str, action: str, resource: str) -> Checked:
    """Whether an actor may do something, with the reason. Raises Refused where a name is none."""
    named, rights = actor_named(actor), [right for right in Right if right == action]
    faults = [named] if isinstance(named, Problem) else []
    if not rights:
        remedy = f"take one of {', '.join(Right)}"
        faults.append(Problem(Code.INVALID_ARGUMENT, f"{action!r} is no action", "action", remedy=remedy))
    if faults:
        raise Refused(*faults)
    found = decided(governed(service).policy, Actor(actor), rights[0], resource)
    return Checked(actor, action, resource, found.allowed, found.why)


def set_policy(service: Place, data: bytes | None = None) -> Committed | Rejected:
    """Let a policy hold: `data`, or what stands in the working tree; what holds already changes nothing.

    An empty file is refused; that one allows nobody anything is among the problems of what was committed.
    """
    memory = service.whole(make=True)
    text = files.read(memory.layout.root / POLICY_FILE, memory.layout.root) if data is None else data
    if text is None:
        message = f"there is no {POLICY_FILE} in the memory directory"
        remedy = "write one (`scriptorium policy show` prints what holds now), or name a file"
        return Rejected((Problem(Code.INVALID_ARGUMENT, message, POLICY_FILE, remedy=remedy),))
    policy, problems = parse_new_policy(text)
    if problems:
        return Rejected(problems)

    def plan(base: Snapshot) -> Edit | Rejected:
        return Edit(base.tree.put(POLICY_FILE, text), kind="policy", subject="Set the policy")

    done = memory.commit(plan, memory.rules())
    if isinstance(done, Rejected) or not leaves_the_owner_alone(policy):
        return done
    return evolve(done, problems=(*done.problems, _alone()))


def _alone() -> Problem:
    message = "nobody but the owner may do anything now: none of its rules allows it"
    remedy = "write a rule with `allow` for those who may, and set it again"
    return Problem(Code.NOT_PERMITTED, message, POLICY_FILE, remedy=remedy)
