"""Messages of a runtime that keeps no log: they go into the session store of the home as they are."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from scriptorium_core.sessions.messages import Message, nodes_of
from scriptorium_core.sources.frame import Tier

from .. import files
from ..conversations.store import open_store
from .opening import see_it_is_on
from .shaping import moment_text

if TYPE_CHECKING:
    from .place import Place

__all__ = ["take_in"]


def take_in(
    service: Place, provider: str, session: str, messages: Sequence[Message], tier: Tier | None
) -> int:
    """Add the messages that are new to a session, which is made if there is none; how many were.

    Where the last message is known already, the session goes on from it: what is said next after going back
    is another branch.
    """
    see_it_is_on(service)
    if not messages:
        return 0
    with files.explained(service.home):
        files.ensure_folder(service.home)
    now = moment_text(service.moment())
    with open_store(service.sessions_path) as store:
        talk = store.ensure(provider, session, now)
        nodes = tuple(nodes_of(messages, provider, session, talk.head, tier))
        with store.transaction():
            added = store.add(talk, nodes, now)
            store.set_head(talk, nodes[-1].id, now)
        return len(added.new)
