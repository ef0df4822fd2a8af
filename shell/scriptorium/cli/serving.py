"""Serving memory over HTTP on this computer."""

import signal
from pathlib import Path
from typing import TYPE_CHECKING

import click

from .door import Door, Stop
from .safe import safe
from .shared import command
from .streams import out

if TYPE_CHECKING:
    from scriptorium_core.problem import Problem

    from ..web.server import Server

__all__: list[str] = []

_EXTRA = "pip install 'scriptorium-memory[serve]'"


@command("serve")
@click.option("--host", default="127.0.0.1", show_default=True, help="An address of this computer, no other.")
@click.option(
    "--port", default=8420, show_default=True, type=click.IntRange(0, 65535), help="0: any that is free."
)
@click.option("--demo", is_flag=True, help="Serve the memory of the demo, in a temporary home.")
def serve_command(door: Door, host: str, port: int, demo: bool) -> int:
    """Serve the memory to people, programs and pages on this computer, over HTTP.

    Prints the address of the page, which opens once, with a token that is the owner's to programs as long as
    the server runs; `token create` makes others, and the settings of the page an address for another browser.
    Requests need a token: Authorization: Bearer TOKEN. Ends on SIGTERM and Ctrl-C, after what was begun.
    """
    if not demo:
        return _serve(door, _home(door), host, port)
    from .demo import demo_home

    with demo_home(door) as home:
        return _serve(door, home, host, port)


def _serve(door: Door, home: Path, host: str, port: int) -> int:
    server = _server(door, home, host, port)

    def begun() -> None:
        if door.json:
            door.give({"ok": True, "address": server.address, "token": server.token, "page": server.page})
        else:
            folder = door.memory or home / "memory"
            out(f"serving {safe(str(folder))}; Ctrl-C ends it\n\n  {server.page}\n")

    before = signal.signal(signal.SIGTERM, _ended)
    try:
        server.run(begun)
    except KeyboardInterrupt:
        if not door.json:
            out("ended; what was committed stays")
    finally:
        signal.signal(signal.SIGTERM, before)
    return 0


def _server(door: Door, home: Path, host: str, port: int) -> "Server":
    from ..clock import moment
    from ..serving import Services
    from ..web.listening import bound

    listening, fixed = bound(host, port), door.clock
    try:
        from ..web.server import Server
    except ModuleNotFoundError as error:
        raise Stop((_missing(error.name or ""),)) from error
    services = Services(home, door.memory, (lambda: fixed) if fixed else moment)
    return Server(services, listening)


def _home(door: Door) -> Path:
    """The home that was asked for; of a memory directory by itself, the folder in which it stands."""
    from ..settings import default_home

    if door.home is None and door.memory is not None:
        return door.memory.absolute().parent
    return door.home or default_home()


def _missing(name: str) -> "Problem":
    from scriptorium_core.problem import Code, Problem

    return Problem(Code.INVALID_ARGUMENT, f"serving needs the package {name}", "serve", remedy=_EXTRA)


def _ended(*_: object) -> None:
    raise KeyboardInterrupt
