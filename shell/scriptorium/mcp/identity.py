"""Who makes a request: the credential says it, never a parameter."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

from mcp.server.context import ServerRequestContext

from scriptorium_core.policy import Actor
from scriptorium_core.problem import Code, Problem

from .. import credentials
from ..refused import Refused

__all__ = ["Identity", "always", "by_token", "of_token"]

Identity = Callable[[ServerRequestContext[Any, Any]], Awaitable[Actor]]
"""Who makes a request; raises Refused for nobody."""


def always(actor: Actor) -> Identity:
    """Every request is this actor's: a local process."""

    async def identity(_: ServerRequestContext[Any, Any]) -> Actor:
        return actor

    return identity


def by_token(home: Path, token: str) -> Identity:
    """Every request is that of the token's actor, as long as the token holds."""

    async def identity(_: ServerRequestContext[Any, Any]) -> Actor:
        return await asyncio.to_thread(of_token, home, token)

    return identity


def of_token(home: Path, token: str) -> Actor:
    """The actor of a token. Raises Refused for one that is none of this home."""
    actor = credentials.actor_of(home, token)
    if actor is None:
        message = "the token is none of this memory, or was taken back"
        remedy = "make one with `scriptorium token create`"
        raise Refused(Problem(Code.NOT_PERMITTED, message, "token", remedy=remedy))
    return actor
