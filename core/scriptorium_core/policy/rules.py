"""A policy: who may do what with which parts of a memory, and why somebody may not.

Deny beats allow, whatever is more specific, and what no rule names is denied. The owner may do everything:
no rule gives it to them, and none can take it away. Who may not read a thing may do nothing else with it.
"""

from collections.abc import Iterator
from enum import StrEnum

from attrs import frozen

from .actor import AGENT, ANONYMOUS, LIBRARIAN, OWNER, PAIRED, READER, Actor
from .patterns import ROOTS, covers, matches, meets

__all__ = [
    "BUILT_IN",
    "DEFAULT",
    "OWNER_ALONE",
    "POLICY_FILE",
    "Named",
    "Policy",
    "Right",
    "Rule",
    "Verdict",
    "allows",
    "anywhere",
    "decided",
    "everywhere",
    "kind_of",
    "leaves_the_owner_alone",
]

POLICY_FILE = "policy.toml"
"""Where the policy stands in the memory directory; what manages it is addressed by this path."""


class Right(StrEnum):
    """What a rule allows or denies."""

    READ = "read"
    SEARCH = "search"
    INJECT = "inject"
    WRITE = "write"
    ORGANIZE = "organize"
    PROMOTE = "promote"
    FORGET = "forget"
    MANAGE = "manage"
    USE_SECRET = "use_secret"


BUILT_IN = (OWNER, PAIRED, AGENT, LIBRARIAN, READER, ANONYMOUS)
# What is done with memory needs that it may be read, too: else a denial to read would say little.
_ON_MEMORY = frozenset(Right) - {Right.READ, Right.MANAGE, Right.USE_SECRET}


@frozen
class Rule:
    """What some actors may do (`allow`) or not do with what the patterns mean; `place` is where it stands."""

    actors: tuple[str, ...]
    allow: bool
    rights: tuple[Right, ...]
    paths: tuple[str, ...] = ("**",)
    place: str = ""


@frozen
class Named:
    """An actor with a name of its own; what holds for `like`, a built-in one, holds for it too."""

    name: str
    like: str = ""


@frozen
class Policy:
    """The rules, and the actors with names of their own."""

    rules: tuple[Rule, ...] = ()
    actors: tuple[Named, ...] = ()


@frozen
class Verdict:
    """Whether something is allowed, and why: the rule that decided, None if none did, and in words."""

    allowed: bool
    rule: Rule | None
    why: str


OWNER_ALONE = Policy()
"""The policy that allows nobody anything; the owner needs none."""

_MEMORY = ("topics/**", "sources/**")


def _allowing(actor: Actor, *rights: Right) -> Rule:
    return Rule((actor.name,), True, rights, _MEMORY, "the default policy")


DEFAULT = Policy(
    (
        _allowing(PAIRED, Right.READ, Right.SEARCH, Right.INJECT, Right.WRITE),
        _allowing(AGENT, Right.READ, Right.SEARCH, Right.INJECT, Right.WRITE, Right.ORGANIZE),
        _allowing(LIBRARIAN, Right.READ, Right.SEARCH, Right.WRITE, Right.ORGANIZE, Right.PROMOTE),
        _allowing(READER, Right.READ, Right.SEARCH),
    )
)
"""What holds where there is no policy.toml."""


def allows(policy: Policy, actor: Actor, right: Right, resource: str) -> bool:
    """Whether an actor may do something with a resource: a path, a secret's, or that of the policy."""
    return decided(policy, actor, right, resource).allowed


def decided(policy: Policy, actor: Actor, right: Right, resource: str) -> Verdict:
    """The same with the reason, which names rules and is for the owner's eyes."""
    if actor == OWNER:
        return Verdict(True, None, "the owner may do everything")
    if right in _ON_MEMORY:
        reading = _judged(policy, actor, Right.READ, resource)
        if not reading.allowed:
            why = f"{right} needs read, and {reading.why}"
            return Verdict(False, reading.rule, why)
    return _judged(policy, actor, right, resource)


def everywhere(policy: Policy, actor: Actor, right: Right, root: str = "") -> bool:
    """Whether all of a root (`topics`, `sources`; both if it is empty) is allowed, whatever is there.

    True only if the rules say so without looking at any path.
    """
    if actor == OWNER:
        return True
    rights = (Right.READ, right) if right in _ON_MEMORY else (right,)
    roots = (root,) if root else ROOTS
    return all(_covered(policy, actor, each, where) for each in rights for where in roots)


def anywhere(policy: Policy, actor: Actor, right: Right) -> bool:
    """Whether any rule allows it at all; what it is denied for does not count."""
    return actor == OWNER or any(rule.allow and right in rule.rights for rule in _rules(policy, actor))


def leaves_the_owner_alone(policy: Policy) -> bool:
    """Whether nobody else may do anything."""
    return not any(rule.allow and set(rule.actors) != {OWNER.name} for rule in policy.rules)


def kind_of(policy: Policy, actor: Actor) -> Actor | None:
    """The built-in actor that somebody is or is like; None for one that is like none."""
    if actor in BUILT_IN:
        return actor
    like = next((named.like for named in policy.actors if named.name == actor.name), "")
    return Actor(like) if like else None


def _judged(policy: Policy, actor: Actor, right: Right, resource: str) -> Verdict:
    about = [rule for rule in _rules(policy, actor) if right in rule.rights]
    meant = [rule for rule in about if any(matches(pattern, resource) for pattern in rule.paths)]
    denying = next((rule for rule in meant if not rule.allow), None)
    if denying is not None:
        return Verdict(False, denying, f"{_called(denying)} denies {actor} to {right} {resource}")
    allowing = next(iter(meant), None)
    if allowing is None:
        return Verdict(False, None, f"no rule allows {actor} to {right} {resource}")
    return Verdict(True, allowing, f"{_called(allowing)} allows {actor} to {right} {resource}")


def _covered(policy: Policy, actor: Actor, right: Right, root: str) -> bool:
    about = [rule for rule in _rules(policy, actor) if right in rule.rights]
    allowed = any(covers(pattern, root) for rule in about if rule.allow for pattern in rule.paths)
    denied = (pattern for rule in about if not rule.allow for pattern in rule.paths)
    return allowed and not any(meets(pattern, root) for pattern in denied)


def _rules(policy: Policy, actor: Actor) -> Iterator[Rule]:
    kind = kind_of(policy, actor)
    names = {actor.name} | ({kind.name} if kind is not None else set[str]())
    return (rule for rule in policy.rules if not names.isdisjoint(rule.actors))


def _called(rule: Rule) -> str:
    return rule.place or "a rule"
