"""What stands before every route: the form of the request, host, origin, token, and how many at once.

Each refusal is an error of the usual form. Every answer gets headers that keep it out of caches and frames.
"""

import logging
import re
import traceback
from collections.abc import Iterator
from urllib.parse import unquote_to_bytes

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from ..refused import Refused
from .access import Access, host_name, is_foreign, token_of
from .answers import Failure, failed, said
from .statuses import Fault

__all__ = ["Guard", "noted"]

_BROKEN = re.compile(rb"%(?![0-9A-Fa-f]{2})")
_CONTROLS = frozenset([*map(chr, range(32)), "\x7f"])
_GUARDED = "/api/"
_HEADERS = (
    ("Cache-Control", "no-store"),
    ("Content-Security-Policy", "default-src 'none'; base-uri 'none'; frame-ancestors 'none'"),
    ("Cross-Origin-Opener-Policy", "same-origin"),
    ("Cross-Origin-Resource-Policy", "same-origin"),
    ("Referrer-Policy", "no-referrer"),
    ("X-Content-Type-Options", "nosniff"),
    ("X-Frame-Options", "DENY"),
)
_LOG = logging.getLogger("scriptorium.web")


class Guard:
    """An ASGI application before another one; the actor stands in `scope["state"]["actor"]` behind it."""

    def __init__(self, app: ASGIApp, access: Access, hosts: frozenset[str], most: int) -> None:
        """`hosts` are the names of this server, `most` the requests that it works on at once."""
        self._app, self._access, self._hosts = app, access, hosts
        self._most, self._running = most, 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or let the application answer it."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        answer = _Answer(send, headless=scope["method"] == "HEAD")
        try:
            self._see(scope)
            await self._admit(scope)
            await self._run(scope, receive, answer)
        except Failure as failure:
            await said(failure)(scope, receive, answer)
        except Refused as refused:
            await failed(refused.problems)(scope, receive, answer)
        except Exception as error:
            if answer.ended:
                return  # the application has said it already
            told = noted(error)
            if answer.begun:
                raise _BrokenOff from None  # the server ends the connection; words of the error stay here
            await said(told)(scope, receive, answer)

    def _see(self, scope: Scope) -> None:
        """Refuse what was not meant for this server, or can mean two things."""
        headers = Headers(scope=scope)
        hosts = headers.getlist("host")
        if len(hosts) != 1 or host_name(hosts[0]) not in self._hosts:
            message = "this server answers to its own address only"
            raise Failure(Fault.HOST_NOT_ALLOWED, message, "Host")
        if is_foreign(headers.get("origin"), hosts[0], headers.get("sec-fetch-site")):
            message = "another page may not ask this server"
            raise Failure(Fault.ORIGIN_NOT_ALLOWED, message, "Origin")
        for message in _unclear(scope):
            raise Failure(Fault.BAD_REQUEST, message, "path")

    async def _admit(self, scope: Scope) -> None:
        if not scope["path"].startswith(_GUARDED):
            return
        given = Headers(scope=scope).getlist("authorization")
        actor = await self._access.actor(token_of(given[0])) if len(given) == 1 else None
        if actor is None:
            message = "give the token that `scriptorium serve` printed, or one of `scriptorium token create`"
            headers = {"WWW-Authenticate": 'Bearer realm="scriptorium"'}
            raise Failure(Fault.UNAUTHORIZED, message, "Authorization", headers=headers)
        scope.setdefault("state", {})["actor"] = actor

    async def _run(self, scope: Scope, receive: Receive, answer: "_Answer") -> None:
        if self._running >= self._most:
            message = "too many requests at once"
            raise Failure(Fault.BUSY, message, headers={"Retry-After": "1", "Connection": "close"})
        self._running += 1
        try:
            # Whoever may GET may ask for the head of it; no route has to know.
            as_get = {**scope, "method": "GET"} if scope["method"] == "HEAD" else scope
            await self._app(as_get, receive, answer)
        finally:
            self._running -= 1


class _BrokenOff(Exception):
    """An answer of which a part was sent already will not come to its end."""


class _Answer:
    """Sends an answer on, with the headers that every answer has; of a HEAD only the head."""

    def __init__(self, send: Send, headless: bool) -> None:
        self._send, self._headless = send, headless
        self.begun, self.ended = False, False

    async def __call__(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self.begun = True
            headers = MutableHeaders(scope=message)
            for name, value in _HEADERS:
                headers.setdefault(name, value)
        elif message["type"] == "http.response.body":
            self.ended = not message.get("more_body", False)
            message = {**message, "body": b""} if self._headless else message
        await self._send(message)


def _unclear(scope: Scope) -> Iterator[str]:
    """What in the address has no one meaning: half an escape, bytes that are no UTF-8, a control."""
    raw = scope.get("raw_path") or scope["path"].encode()
    for part, forbidden in ((raw, _CONTROLS), (scope["query_string"], frozenset({"\0"}))):
        if _BROKEN.search(part):
            yield "a % in the address is not followed by two hex digits"
            continue
        try:
            text = unquote_to_bytes(part).decode()
        except UnicodeDecodeError:
            yield "the address holds bytes that are no UTF-8"
            continue
        if not forbidden.isdisjoint(text):
            yield "the address holds a control character"


def noted(error: Exception) -> Failure:
    """What is said of a fault of the program, once it is logged: its kind and place, none of its words."""
    _LOG.error("%s in %s", type(error).__name__, "".join(traceback.format_tb(error.__traceback__)))
    message = f"a fault of the program, not of yours: {type(error).__name__}"
    return Failure(Fault.PROGRAM_FAULT, message)
