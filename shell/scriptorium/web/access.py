"""Who asks, at which address, and from where: a token, a host of this computer, and no foreign page."""

import asyncio
import hmac
from pathlib import Path

from attrs import field, frozen

from scriptorium_core.policy import OWNER, Actor

from .. import credentials

__all__ = ["LOOPBACK", "Access", "host_name", "is_foreign", "token_of"]

LOOPBACK = frozenset({"127.0.0.1", "localhost", "[::1]"})
"""The names under which a page on this computer is reached; any other one is a name that was bent to it."""

_SCHEME = "bearer "
_OWN_SITES = (None, "same-origin", "none")


@frozen
class Access:
    """The token of this run, which is the owner's, and the home whose tokens are bound to actors."""

    home: Path
    token: str = field(repr=False)

    async def actor(self, token: str) -> Actor | None:
        """Whose token it is; None if nobody's. Raises Refused where those of the home may not be used."""
        if hmac.compare_digest(token.encode(), self.token.encode()):
            return OWNER
        return await asyncio.to_thread(credentials.actor_of, self.home, token) if token else None


def token_of(authorization: str | None) -> str:
    """The token of the header `Authorization: Bearer`, empty if there is none."""
    given = authorization or ""
    return given[len(_SCHEME) :].strip() if given.lower().startswith(_SCHEME) else ""


def host_name(host: str) -> str:
    """The name in a `Host` header without its port, in small letters."""
    name = host.strip().lower()
    if name.startswith("["):
        return name[: name.find("]") + 1]
    return name.partition(":")[0]


def is_foreign(origin: str | None, host: str, site: str | None) -> bool:
    """Whether a browser says that another page sent the request; a program says nothing of pages."""
    return site not in _OWN_SITES or (origin is not None and origin.lower() != f"http://{host.lower()}")
