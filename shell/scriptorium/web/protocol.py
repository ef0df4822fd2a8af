"""HTTP on one connection, with an end to patience: slow heads, slow readers and too many connections.

What is no HTTP gets an error of the usual form.
"""

import asyncio
from typing import Any

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol, RequestResponseCycle

from .answers import Failure, said
from .statuses import Fault

__all__ = ["BoundedProtocol"]

_CONNECTIONS = 512
_HEAD_SECONDS = 15
_READ_SECONDS = 30


class BoundedProtocol(H11Protocol):
    """A connection that is broken off where its client lets it wait."""

    _head: asyncio.TimerHandle | None = None
    _reader: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Begin, unless there are too many already."""
        if len(self.connections) >= _CONNECTIONS:
            transport.abort()
            return
        super().connection_made(transport)
        self.access_log = False  # an address may hold a token
        self._head = self._later(_HEAD_SECONDS)

    def connection_lost(self, exc: Exception | None) -> None:
        """End, with all that was waited for."""
        self._stop()
        if self.transport is not None:
            super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Take bytes; while they make no whole head of a request, the time for one runs."""
        super().data_received(data)
        if self._is_busy():
            if self._head is not None:
                self._head.cancel()
            self._head = None
        elif self._head is None and not self.transport.is_closing():
            self._head = self._later(_HEAD_SECONDS)

    def pause_writing(self) -> None:
        """The client does not read."""
        super().pause_writing()
        if self._reader is None:
            self._reader = self._later(_READ_SECONDS, while_busy=True)

    def resume_writing(self) -> None:
        """It reads again."""
        super().resume_writing()
        if self._reader is not None:
            self._reader.cancel()
        self._reader = None

    def timeout_keep_alive_handler(self) -> None:
        """Nothing more was asked: close, and do not wait for ever until the last answer is read."""
        super().timeout_keep_alive_handler()
        self.loop.call_later(_READ_SECONDS, self.transport.abort)

    def send_400_response(self, msg: str) -> None:
        """Say that it is no HTTP."""
        response = said(Failure(Fault.BAD_REQUEST, "this is no request of HTTP"))
        headers = [*response.raw_headers, (b"connection", b"close")]
        events: list[Any] = [
            h11.Response(status_code=400, headers=headers, reason=b"Bad Request"),
            h11.Data(data=bytes(response.body)),
            h11.EndOfMessage(),
        ]
        for event in events:
            self.transport.write(self.conn.send(event) or b"")
        self.transport.close()

    def _later(self, seconds: int, while_busy: bool = False) -> asyncio.TimerHandle:
        return self.loop.call_later(seconds, self._give_up, while_busy)

    def _give_up(self, while_busy: bool) -> None:
        if while_busy or not self._is_busy():
            self.transport.abort()

    def _is_busy(self) -> bool:
        """Whether a request is being answered."""
        cycle: RequestResponseCycle | None = self.cycle
        return cycle is not None and not cycle.response_complete

    def _stop(self) -> None:
        for timer in (self._head, self._reader):
            if timer is not None:
                timer.cancel()
