"""Who looks at the page: the token of the address becomes a cookie that no script and no other page can use.

The cookie is a name drawn by chance; the token behind it stays here. So it ends with the server, and with its
token. An address opens the page once: whoever finds it later, in a history or on a screen, comes in no more.
From a page that is open another address can be had, for another browser. A form carries a word that follows
from the cookie: no other page can write it.
"""

import hmac
from hashlib import sha256

from attrs import field, frozen

from scriptorium_core.policy import Actor

from ...clock import chance
from ..access import Access

__all__ = ["Session", "Sessions", "Used", "cookie_name"]

_MOST = 64
_TICKETS = 8


@frozen
class Session:
    """One that looks: its actor, the word of its forms, and the name of its cookie."""

    actor: Actor
    word: str = field(repr=False)
    name: str = field(repr=False)


class Used(Exception):
    """The address was opened before."""


class Sessions:
    """The sessions of a running server; the newest push out the oldest."""

    def __init__(self, access: Access) -> None:
        self._access = access
        self._tokens: dict[str, str] = {}
        self._tickets: dict[str, str] = {}
        self._used: set[str] = set()

    async def opened(self, given: str) -> Session | None:
        """The session of an address, by its token or ticket; None for nobody's. Raises Used once it was."""
        key = _key(given)
        token = self._tickets.pop(key, given)
        actor = await self._access.actor(token)
        if key in self._used:
            raise Used
        if actor is None:
            return None
        # Whatever is kept here was valid once: so nobody can make it long.
        self._used.add(key)
        return self._begun(actor, token)

    async def begin(self, token: str) -> Session | None:
        """A session for a program that says its token in a header; None for nobody's."""
        actor = await self._access.actor(token)
        return None if actor is None else self._begun(actor, token)

    def ticket(self, session: Session) -> str:
        """What stands in another address that opens the page once, for whoever has this session."""
        made = chance(32)
        self._tickets[_key(made)] = self._tokens[_key(session.name)]
        for oldest in tuple(self._tickets)[:-_TICKETS]:
            del self._tickets[oldest]
        return made

    def _begun(self, actor: Actor, token: str) -> Session:
        name = chance(32)
        self._tokens[_key(name)] = token
        for oldest in tuple(self._tokens)[:-_MOST]:
            del self._tokens[oldest]
        return Session(actor, _word(name), name)

    async def of(self, name: str) -> Session | None:
        """The session of a cookie; None where there is none, or its token was revoked."""
        token = self._tokens.get(_key(name)) if name else None
        actor = await self._access.actor(token) if token is not None else None
        return Session(actor, _word(name), name) if actor is not None else None

    def end(self, session: Session) -> None:
        """Let go of a session."""
        self._tokens.pop(_key(session.name), None)


def cookie_name(port: int | None) -> str:
    """The cookie of a server: those of one computer share their cookies, whatever their ports."""
    return f"scriptorium-{port or 80}"


def _key(name: str) -> str:
    """What a cookie is kept under: looking it up tells nothing of its letters by the time it takes."""
    return sha256(name.encode()).hexdigest()


def _word(name: str) -> str:
    return hmac.new(name.encode(), b"scriptorium form", sha256).hexdigest()
