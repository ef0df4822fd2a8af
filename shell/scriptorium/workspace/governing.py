"""Which policy holds at a commit: the one in it, or the last that could be read before it.

HEAD is the truth, and another hand may commit a policy that no check saw. One that cannot be read, or that
would lock the owner out, opens nothing: the last good one goes on, and without one the owner alone may do
anything.
"""

from collections.abc import Iterator
from functools import lru_cache

from attrs import frozen

from scriptorium_core.policy import OWNER, POLICY_FILE, Actor, Policy
from scriptorium_core.policy.reading import parse_policy
from scriptorium_core.policy.rules import DEFAULT, OWNER_ALONE
from scriptorium_core.problem import Code, Problem
from scriptorium_core.transaction.permitting import Gate

from ..history import History
from ..history.touching import looking

__all__ = ["Governing", "edited_policy", "gate_of", "not_in_force", "policy_at"]


@frozen
class Governing:
    """The policy that holds, the commit in which it stands (None: the default), and what is wrong at HEAD."""

    policy: Policy
    commit: str | None = None
    problems: tuple[Problem, ...] = ()


def gate_of(history: History, commit: str | None, actor: Actor) -> Gate | None:
    """What an actor has to pass at a commit; None for the owner, who may do everything."""
    return None if actor == OWNER else Gate(policy_at(history, commit).policy, actor)


def policy_at(history: History, commit: str | None) -> Governing:
    """The policy that holds at a commit."""
    data = _data(history, commit)
    if data is None:
        return Governing(DEFAULT)
    policy, problems = _parsed(data)
    if not problems:
        return Governing(policy, commit)
    for earlier, before in _before(history, commit):
        policy, faulty = _parsed(before)
        if not faulty:
            return Governing(policy, earlier, problems)
    return Governing(OWNER_ALONE, None, problems)


def not_in_force(history: History, commit: str | None) -> tuple[Problem, ...]:
    """What is wrong with the policy of a commit, which another hand made, and what holds in its stead."""
    found = policy_at(history, commit)
    if not found.problems:
        return ()
    instead = (
        f"the policy of {found.commit[:10]} goes on" if found.commit else "only the owner may do anything"
    )
    message = f"the policy cannot hold, and {instead}"
    remedy = "mend policy.toml as the next lines say, then `scriptorium policy set`"
    return (Problem(Code.INVALID_ARGUMENT, message, POLICY_FILE, remedy=remedy), *found.problems)


def edited_policy(history: History) -> tuple[Problem, ...]:
    """That the policy in the working tree is another one than that of HEAD, which holds."""
    if not history.drafts((POLICY_FILE,)):
        return ()
    message = "the policy was edited by hand and does not hold yet"
    remedy = "`scriptorium policy set` checks it and lets it hold"
    return (Problem(Code.DRAFT_IN_THE_WAY, message, POLICY_FILE, remedy=remedy),)


def _before(history: History, commit: str | None) -> Iterator[tuple[str, bytes]]:
    """The earlier texts of the policy, newest first, as far back as there was one all the time."""
    for each in looking(history, commit, POLICY_FILE) if commit is not None else ():
        data = _data(history, each)
        if data is None:
            return
        yield each, data


def _data(history: History, commit: str | None) -> bytes | None:
    return history.base(commit).get(POLICY_FILE)


@lru_cache(maxsize=8)
def _parsed(data: bytes) -> tuple[Policy, tuple[Problem, ...]]:
    return parse_policy(data)
