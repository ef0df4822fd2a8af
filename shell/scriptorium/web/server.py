"""Serving the application on an address of this computer, until a signal ends it."""

import socket
from collections.abc import Callable

import uvicorn

from ..clock import chance
from ..serving import Services
from .access import LOOPBACK, Access
from .app import application
from .page import ADDRESS
from .protocol import BoundedProtocol

__all__ = ["Server"]

_END_SECONDS = 45


class Server:
    """A server of one home: its token for this run, and where it is."""

    def __init__(self, services: Services, listening: socket.socket) -> None:
        self._listening = listening
        host, port = listening.getsockname()[:2]
        self.address = f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"
        self.token = f"scriptorium_run_{chance(32)}"
        self._running: _Running | None = None
        self._app = application(services, Access(services.home, self.token), LOOPBACK)

    @property
    def page(self) -> str:
        """The address of the page, with the token."""
        return f"{self.address}{ADDRESS}?token={self.token}"

    def run(self, begun: Callable[[], None]) -> None:
        """Serve until SIGTERM or SIGINT, which then comes again; what was begun is answered first.

        `begun` is called when requests are taken. Nothing is logged of any request.
        """
        config = uvicorn.Config(
            self._app,
            http=BoundedProtocol,
            ws="none",
            lifespan="on",
            log_config=None,
            access_log=False,
            server_header=False,
            proxy_headers=False,
            timeout_graceful_shutdown=_END_SECONDS,
        )
        self._running = _Running(config, begun)
        self._running.run([self._listening])

    def end(self) -> None:
        """Let `run`, in another thread, come to its end: requests that were begun are answered first."""
        if self._running is not None:
            self._running.should_exit = True


class _Running(uvicorn.Server):
    """Says when it has begun."""

    def __init__(self, config: uvicorn.Config, begun: Callable[[], None]) -> None:
        super().__init__(config)
        self._begun = begun

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self._begun()
