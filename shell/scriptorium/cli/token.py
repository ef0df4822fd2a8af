"""Tokens: who may come in by a server, and as whom."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click
from attrs import frozen

from .door import Door
from .lines import counted
from .safe import one_line, safe
from .shared import command, options

if TYPE_CHECKING:
    from ..credentials import Credential
    from ..service import Service

__all__ = ["token_command"]


@frozen
class _Made:
    """A token as it is shown once."""

    token: str
    actor: str
    label: str


@frozen
class _Kept:
    """A token as it is known afterwards."""

    id: str
    actor: str
    label: str
    made: str


@click.group("token", context_settings={"help_option_names": ["-h", "--help"]})
def token_command() -> None:
    """Make, list and revoke the tokens with which programs come in.

    \b
    scriptorium token create --actor agent --label laptop
    scriptorium token list
    scriptorium token revoke laptop

    Each is bound to an actor, and the policy says what that may do (`scriptorium policy show`). Only the
    hash of a token is kept, in credentials.json in the home.
    """


token_command.params += options()


@command("create")
@click.option("--actor", required=True, metavar="NAME", help="Who comes in with it: agent, reader, …")
@click.option("--label", default="", metavar="WORDS", help="What you call it, to know it again.")
def create_command(door: Door, actor: str, label: str) -> int:
    """Make a token for an actor and print it: now, and never again."""
    from scriptorium_core.policy import Actor

    from ..credentials import create

    with door.service() as service:
        made = _Made(create(service.home, Actor(actor), label), actor, label)
        note = _unknown_actor(service, actor)
    door.say("token", made, lambda: f"{made.token}\n{note}".rstrip("\n"))
    return 0


@command("list")
def list_command(door: Door) -> int:
    """List the tokens: their ids, actors and labels, never themselves."""
    from ..credentials import listed

    with door.service() as service:
        found = tuple(map(_kept, listed(service.home)))
    door.say("tokens", found, lambda: "\n".join(map(_line, found)) or "there is no token")
    return 0


@command("revoke")
@click.argument("name")
def revoke_command(door: Door, name: str) -> int:
    """Take a token back, by its id or by its label; from then on nobody comes in with it."""
    from ..credentials import listed, revoke

    with door.service() as service:
        gone, left = _kept(revoke(service.home, name)), len(listed(service.home))
    door.say("revoked", gone, lambda: f"revoked {_line(gone)}; {counted(left, 'token')} left")
    return 0


for _each in (create_command, list_command, revoke_command):
    token_command.add_command(_each)


def _kept(found: Credential) -> _Kept:
    return _Kept(found.id, found.actor, found.label, found.made)


def _line(kept: _Kept) -> str:
    label = f"  {one_line(kept.label)}" if kept.label else ""
    return f"{safe(kept.id)}  {safe(kept.actor)}  {safe(kept.made[:10])}{label}"


def _unknown_actor(service: Service, actor: str) -> str:
    """That the policy gives nothing to the actor of a token, in words; empty if it does."""
    from scriptorium_core.policy import Actor, Right, anywhere

    if not service.root.is_dir():
        return ""
    policy = service.policy().policy
    if any(anywhere(policy, Actor(actor), right) for right in Right):
        return ""
    return f"the policy allows {safe(actor)} nothing yet: see `scriptorium policy show`"
