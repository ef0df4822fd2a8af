"""Serving agents: the Model Context Protocol on standard streams, or over HTTP on this computer."""

import logging
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import click

from scriptorium_core.problem import Code, Problem

from .door import Door, Stop
from .shared import command
from .streams import out

if TYPE_CHECKING:
    from ..serving import Services

__all__: list[str] = []

_PORT = 8766


@command("mcp")
@click.option("--http", is_flag=True, help="Over HTTP on this computer instead of standard streams.")
@click.option(
    "--port",
    type=click.IntRange(0, 65_535),
    default=_PORT,
    show_default=True,
    help="With --http; 0: any free.",
)
@click.option(
    "--token",
    envvar="SCRIPTORIUM_TOKEN",
    default="",
    metavar="TOKEN",
    help="On standard streams: act as the actor of this token, not as the owner (or $SCRIPTORIUM_TOKEN).",
)
def mcp_command(door: Door, http: bool, port: int, token: str) -> int:
    """Serve an agent that speaks the Model Context Protocol: search, read, correct and write memory.

    In the agent's settings:

    \b
    {"mcpServers": {"memory": {"command": "scriptorium", "args": ["mcp"]}}}

    With --http, requests need a token: the one that is printed, which is the owner's and lasts as long as
    the server runs, or one of `scriptorium token create`.
    """
    logging.basicConfig(stream=sys.stderr, level=logging.WARNING, format="scriptorium mcp: %(message)s")
    with _pool(door) as services, _installed():
        if http:
            _over_http(door, services, port)
        else:
            _over_streams(services, token)
    return 0


def _over_streams(services: "Services", token: str) -> None:
    from scriptorium_core.policy import OWNER

    from ..mcp.identity import always, by_token, of_token
    from ..mcp.stdio import serve_stdio

    if token:
        of_token(services.home, token)  # a wrong one is said at once, and never stands for the owner
    serve_stdio(services, by_token(services.home, token) if token else always(OWNER))


def _over_http(door: Door, services: "Services", port: int) -> None:
    from ..clock import chance
    from ..mcp.http import HOST, PATH, bound, serve_http

    listening, token = bound(port), chance(24)
    address = f"http://{HOST}:{listening.getsockname()[1]}{PATH}"
    if door.json:
        door.give({"ok": True, "address": address, "token": token})
    else:
        out(
            f"serving memory at {address}\n"
            f"  header   Authorization: Bearer {token}\n"
            f'  settings {{"mcpServers": {{"memory": {{"type": "http", "url": "{address}",'
            f' "headers": {{"Authorization": "Bearer {token}"}}}}}}}}\n'
            "The token is yours, the owner's, and lasts as long as this runs; end it with Ctrl-C."
        )
    serve_http(services, listening, token)


@contextmanager
def _pool(door: Door) -> "Iterator[Services]":
    from ..clock import moment
    from ..serving import Services
    from ..settings import default_home

    fixed = door.clock
    home = door.home or (door.memory.absolute().parent if door.memory else default_home())
    services = Services(home, door.memory, (lambda: fixed) if fixed else moment)
    try:
        yield services
    finally:
        services.close(0)


@contextmanager
def _installed() -> "Iterator[None]":
    """Say what to install where the SDK is not there."""
    try:
        yield
    except ModuleNotFoundError as missing:
        if (missing.name or "").partition(".")[0] not in ("mcp", "mcp_types", "uvicorn", "starlette"):
            raise
        remedy = "pip install 'scriptorium-memory[mcp]'"
        raise Stop(
            (Problem(Code.INVALID_ARGUMENT, "the MCP SDK is not installed", "mcp", remedy=remedy),)
        ) from None
