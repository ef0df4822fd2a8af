"""The server over streamable HTTP on this computer: every request is checked for token, `Host`, `Origin`."""

from __future__ import annotations

import asyncio
import hmac
import json
import logging
import signal
import socket
from typing import TYPE_CHECKING, Any

import uvicorn
from mcp.server.auth.middleware.bearer_auth import AuthenticatedUser
from mcp.server.auth.provider import AccessToken
from mcp.server.context import ServerRequestContext
from mcp.server.transport_security import TransportSecuritySettings
from starlette.datastructures import Headers

from scriptorium_core.policy import OWNER, Actor
from scriptorium_core.problem import Code, Problem

from ..refused import Refused
from ..serving import Services
from .errors import error_of
from .identity import of_token
from .server import server_over

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Receive, Scope, Send

__all__ = ["HOST", "PATH", "bound", "serve_http"]

HOST = "127.0.0.1"
PATH = "/mcp"

_LARGEST = 4 * 1024 * 1024  # bytes of a request
_SESSIONS = 200
_PATIENCE = 2  # seconds for what runs when the server ends
_LOG = logging.getLogger(__name__)


def bound(port: int) -> socket.socket:
    """A socket of this computer alone; port 0 is any that is free. Raises Refused where it is taken."""
    made = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        made.bind((HOST, port))
        made.listen(128)  # who is told the address may come at once
    except OSError as error:
        made.close()
        message = f"port {port} cannot be used: {error.strerror}"
        remedy = "name another with --port, or 0 for any that is free"
        raise Refused(Problem(Code.INVALID_ARGUMENT, message, "--port", remedy=remedy)) from error
    return made


def serve_http(services: Services, listening: socket.socket, token: str) -> None:
    """Serve until a signal says that it ends. `token` is the owner's, others are those of the home."""
    port = listening.getsockname()[1]
    # What uvicorn raises again when it has ended is not to end the process before the pool is closed.
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: None)
    config = uvicorn.Config(
        _app(services, port, token),
        log_config=None,
        access_log=False,
        server_header=False,
        timeout_graceful_shutdown=_PATIENCE,
        lifespan="on",
    )
    uvicorn.Server(config).run(sockets=[listening])
    services.close(_PATIENCE)


def _app(services: Services, port: int, token: str) -> ASGIApp:
    hosts = [f"{name}:{port}" for name in ("127.0.0.1", "localhost", "[::1]")]
    guarded = TransportSecuritySettings(
        allowed_hosts=hosts, allowed_origins=[f"http://{host}" for host in hosts]
    )
    server = server_over(services, _of_request)
    app = server.streamable_http_app(
        streamable_http_path=PATH,
        transport_security=guarded,
        max_request_body_size=_LARGEST,
        max_sessions=_SESSIONS,
    )
    return _Guard(app, services, token, hosts)


async def _of_request(context: ServerRequestContext[Any, Any]) -> Actor:
    """The actor whom the guard has found behind the request."""
    user = context.request.scope.get("user") if context.request is not None else None
    if not isinstance(user, AuthenticatedUser):
        raise Refused(_nobody())
    return Actor(user.username)


class _Guard:
    """Lets nobody through without a token, and nothing that another page of a browser sends."""

    def __init__(self, app: ASGIApp, services: Services, token: str, hosts: list[str]) -> None:
        self._app, self._services, self._token = app, services, token
        self._hosts = hosts

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request, or the beginning and end of all."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        origin = headers.get("origin")
        if headers.getlist("host") not in ([host] for host in self._hosts):
            await _refuse(send, 421, _strange("Host", "connect to 127.0.0.1 or localhost"))
        elif origin is not None and origin not in (f"http://{host}" for host in self._hosts):
            await _refuse(send, 403, _strange("Origin", "no other page may ask this server"))
        else:
            await self._known(headers, scope, receive, send)

    async def _known(self, headers: Headers, scope: Scope, receive: Receive, send: Send) -> None:
        kind, _, given = headers.get("authorization", "").partition(" ")
        try:
            actor = await self._actor(given.strip() if kind.casefold() == "bearer" else "")
        except Refused as refused:
            _LOG.warning("a request without a valid token was refused")
            await _refuse(send, 401, refused.problems[0])
            return
        # The SDK lets a session be used by nobody but the one who began it.
        user = AuthenticatedUser(AccessToken(token="", client_id=actor.name, scopes=[]))
        await self._app({**scope, "user": user}, receive, send)

    async def _actor(self, token: str) -> Actor:
        if not token:
            raise Refused(_nobody())
        if hmac.compare_digest(token.encode(), self._token.encode()):
            return OWNER
        return await asyncio.to_thread(of_token, self._services.home, token)


async def _refuse(send: Send, status: int, problem: Problem) -> None:
    body = json.dumps(error_of((problem,))).encode()
    headers = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
    if status == 401:
        headers.append((b"www-authenticate", b'Bearer realm="scriptorium"'))
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})


def _nobody() -> Problem:
    remedy = "send `Authorization: Bearer …` with the token that the server printed, or one of your own"
    return Problem(Code.NOT_PERMITTED, "a token is needed", "Authorization", remedy=remedy)


def _strange(header: str, remedy: str) -> Problem:
    message = f"the header {header} is not one of this server"
    return Problem(Code.NOT_PERMITTED, message, header, remedy=remedy)
