"""Requests that are carried out once, however often they are sent: a key, claimed by the commit itself.

    Request: <key> <request>
    Request: <key> <request> <commit>

The first form stands in the commit that carried the request out, also where that changes nothing else. The
second stands in a commit that unites two histories, and names the commit of the other one. Both words are
the first 32 hex digits of an SHA-256: of who asks and the key, and of the key and the request. So a history
tells nobody's keys, and without the key nobody can try out what a request may have said.

A key counts as long as no more than `KEPT` requests with keys came after it; then it may be used anew.
"""

import json
from collections.abc import Iterable, Sequence
from hashlib import sha256

from attrs import frozen

from ..policy.actor import Actor
from ..problem import Code, Problem
from ..trailers import Trailer, values_of

__all__ = ["KEPT", "LONGEST", "REQUEST", "Claim", "Made", "claim_of", "claims_in", "misused", "retold"]

REQUEST = "Request"
"""The name of the trailer."""

KEPT = 10_000
"""How many requests with keys are known at a time: the newest."""

LONGEST = 255
"""Characters of a key."""

_DIGITS = 32


@frozen
class Claim:
    """A request that somebody gave a key: the two words of its trailer."""

    key: str
    request: str

    @property
    def trailer(self) -> Trailer:
        """The line of the commit that carries it out."""
        return REQUEST, f"{self.key} {self.request}"


@frozen
class Made:
    """A request that was carried out, and the commit that did it: empty for the one that says so."""

    key: str
    request: str
    commit: str = ""


def claim_of(actor: Actor, key: str, request: object) -> Claim | Problem:
    """The claim of a request; it is plain data, in which the order of the keys of objects does not count."""
    if not key.strip() or len(key) > LONGEST or not key.isprintable():
        message = f"a key has 1 to {LONGEST} printable characters"
        remedy = "give each request a random one, a UUID, say"
        return Problem(Code.INVALID_ARGUMENT, message, "idempotency_key", remedy=remedy)
    said = json.dumps(request, sort_keys=True, separators=(",", ":"), default=str)
    return Claim(_digest("key", str(actor), key), _digest("request", key, said))


def claims_in(trailers: Sequence[Trailer]) -> tuple[Made, ...]:
    """The requests that a commit says were carried out, in order; what has another form says nothing."""
    words = (value.split(" ") for value in values_of(trailers, REQUEST))
    return tuple(Made(*each) for each in words if len(each) in (2, 3) and all(map(_is_hex, each)))


def misused(claim: Claim, made: Made) -> Problem | None:
    """Why a key that is known cannot be that of this request; None if it is the same request."""
    if made.request == claim.request:
        return None
    message = "this key was given to another request, which was carried out"
    remedy = "give this request a key of its own, or repeat the first one as it was"
    return Problem(Code.INVALID_ARGUMENT, message, "idempotency_key", remedy=remedy)


def retold(made: Iterable[tuple[str, Made]]) -> tuple[Trailer, ...]:
    """The trailers of a commit that takes in others: each with the commit that it stands in."""
    lines = {each.key: f"{each.key} {each.request} {each.commit or commit}" for commit, each in made}
    return tuple((REQUEST, line) for line in lines.values())


def _digest(*parts: str) -> str:
    framed = "".join(f"{len(part)}:{part}" for part in parts)
    return sha256(framed.encode("utf-8", "surrogatepass")).hexdigest()[:_DIGITS]


def _is_hex(word: str) -> bool:
    return len(word) >= _DIGITS and all(char in "0123456789abcdef" for char in word)
