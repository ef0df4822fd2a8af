"""What a request says that it has seen: the revision in `If-Match`, or that there is nothing yet.

GET gives `ETag: "9b1d…"`, the commit that was read; PUT and DELETE give it back in `If-Match`. It holds as
long as the topic has not changed since that commit, whatever else was committed: so it is the `base_revision`
of the change. Where it does not hold, the status is 412, because it is the request's own condition that has
failed; 409 is for a `base_revision` inside a body, and for a memory that somebody else is writing to.
"""

import re
from collections.abc import Sequence

from attrs import frozen
from fastapi import Request

from scriptorium_core.problem import Code, Problem

from ..refused import Refused
from .answers import Failure
from .statuses import Fault

__all__ = ["BASE", "Outdated", "Seen", "key_of", "seen_by", "tag"]

BASE = "base_revision"
"""The place in a request of changes at which the memory says that somebody was faster."""

_TAG = re.compile(r'"((?:[0-9a-f]{40})?)"')


class Outdated(Refused):
    """What a request names in If-Match has changed since, or was never so."""


@frozen
class Seen:
    """The commit that was read, empty for the memory before its first; None: there was no such topic."""

    revision: str | None


def seen_by(request: Request, may_make: bool) -> Seen:
    """What the headers say. Raises Failure where they say nothing, Outdated where it can never have been so.

    `If-None-Match: *` says that there is nothing yet, where that may be (`may_make`).
    """
    given = _one(request.headers.getlist("if-match"), "If-Match")
    absent = _one(request.headers.getlist("if-none-match"), "If-None-Match")
    if given is None and absent == "*" and may_make:
        return Seen(None)
    if given is None or given == "*":
        hint = ", or If-None-Match: * to make a new one" if may_make else ""
        message = f"say in If-Match which revision you have read (the ETag of a GET){hint}"
        raise Failure(Fault.PRECONDITION_REQUIRED, message, "If-Match")
    found = _TAG.fullmatch(given)
    if found is None:
        message = f"{given[:80]} is no revision of this memory"
        remedy = "give the ETag of a GET as it is, in double quotes"
        raise Outdated(Problem(Code.CONCURRENT_UPDATE, message, "If-Match", remedy=remedy))
    return Seen(found[1])


def key_of(request: Request) -> str:
    """The key by which a request is carried out once, from `Idempotency-Key`; empty without one.

    The header is a string in double quotes, or the characters of a key as they are.
    """
    given = _one(request.headers.getlist("idempotency-key"), "Idempotency-Key")
    if given is None:
        return ""
    quoted = len(given) > 1 and given[0] == given[-1] == '"'
    return given[1:-1] if quoted else given or " "


def tag(revision: str | None) -> str:
    """The entity tag of a revision."""
    return f'"{revision or ""}"'


def _one(values: Sequence[str], name: str) -> str | None:
    if len(values) > 1:
        raise Failure(Fault.BAD_REQUEST, f"{name} stands there {len(values)} times", name)
    return values[0].strip() if values else None
