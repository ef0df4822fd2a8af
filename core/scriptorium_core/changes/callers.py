"""How an actor speaks: the tier of what it brings and whose words those are, by what a policy says it is.

| actor | tier | what it says is |
|---|---|---|
| owner | owner | a person's |
| agent, librarian | owner: it may change what is there | an agent's, which carries no standing instruction |
| paired, reader, one that is like none | paired: it only adds | a person's whom the owner knows |
| anonymous | none: held until the owner consents | nobody's whom anybody knows |
"""

from ..names import percent
from ..policy.actor import AGENT, ANONYMOUS, LIBRARIAN, OWNER, Actor
from ..policy.rules import Policy, kind_of
from ..sources.frame import Origin, Tier
from .model import Caller

__all__ = ["caller_of"]


def caller_of(actor: Actor, policy: Policy, owner: str = "Owner") -> Caller:
    """The caller that an actor is; `owner` is how the owner is called."""
    kind = kind_of(policy, actor)
    speaker = f"{(kind or actor).name}/{percent(actor.name)}"
    if actor == OWNER:
        return Caller(speaker_name=owner)
    if kind in (AGENT, LIBRARIAN):
        return Caller(
            speaker_kind="agent",
            speaker_id=speaker,
            speaker_name=actor.name,
            tier=Tier.OWNER,
            origin=Origin.AGENT,
            provider="agent",
            actor=actor,
        )
    if kind == ANONYMOUS:
        return Caller("owner/local", "unknown", speaker, actor.name, None, actor=actor)
    return Caller("owner/local", "human", speaker, actor.name, Tier.PAIRED, actor=actor)
