"""The server on standard input and output: a message a line, and nothing else on the output.

The SDK's own reader waits for a line in a thread that cannot be stopped, so that a signal would not end the
process while the agent is silent; it takes a line of any length, and answers nothing to one that it cannot
read. So the server is given streams of ours: daemon threads read lines of bounded length and write answers,
and whatever else prints goes to the error stream.
"""

from __future__ import annotations

import asyncio
import gc
import os
import signal
import sys
from collections.abc import Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from queue import SimpleQueue
from threading import Thread
from typing import TYPE_CHECKING

import anyio
import mcp_types as types
from mcp.shared.message import SessionMessage
from pydantic import ValidationError

from ..clock import monotonic
from ..serving import Services
from .identity import Identity
from .server import server_over

if TYPE_CHECKING:
    from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream

__all__ = ["LONGEST", "lines_of", "serve_stdio"]

LONGEST = 4 * 1024 * 1024
"""Bytes of a message, as many as over HTTP."""

_ANSWERS = 10.0  # seconds for the answers that are underway when the input ends; a signal is not waited for
_PATIENCE = 1.5  # seconds for what a thread is about when all ends
_CHUNK = 65_536
_AHEAD = 64  # lines that are read before those ahead of them are taken
_SIGNALS = (signal.SIGTERM, signal.SIGINT)


def serve_stdio(services: Services, identity: Identity) -> None:
    """Serve until the input ends or a signal says so; what runs then has a moment to end."""
    gc.freeze()  # what is loaded by now stays to the end, which is not to be spent on looking through it
    with _output() as descriptor:
        asyncio.run(_serve(services, identity, descriptor))
    services.close(_PATIENCE)


async def _serve(services: Services, identity: Identity, descriptor: int) -> None:
    server = server_over(services, identity)
    talk = _Talk(descriptor)
    into, incoming = anyio.create_memory_object_stream[SessionMessage | Exception](0)
    outgoing, out = anyio.create_memory_object_stream[SessionMessage](0)
    async with anyio.create_task_group() as group:
        if sys.platform != "win32":
            for number in _SIGNALS:
                asyncio.get_running_loop().add_signal_handler(number, group.cancel_scope.cancel)
        group.start_soon(talk.take, into)
        group.start_soon(talk.give, out, group.cancel_scope)
        await server.run(incoming, outgoing, server.create_initialization_options())
        group.cancel_scope.cancel()


class _Talk:
    """The messages that come in and go out, and which requests are not answered yet."""

    def __init__(self, descriptor: int) -> None:
        self._writes: SimpleQueue[tuple[bytes, Future[None]]] = SimpleQueue()
        self._open: set[types.RequestId] = set()
        Thread(target=_written, args=(descriptor, self._writes), name="mcp-output", daemon=True).start()

    async def take(self, into: MemoryObjectSendStream[SessionMessage | Exception]) -> None:
        """Hand on what comes in; at its end, what is underway is answered first if that is soon."""
        lines: asyncio.Queue[bytes | None] = asyncio.Queue(_AHEAD)
        loop = asyncio.get_running_loop()
        Thread(target=_read, args=(loop, lines), name="mcp-input", daemon=True).start()
        async with into:
            while (line := await lines.get()) is not None:
                if line.strip():
                    await self._take(line, into)
            limit = monotonic() + _ANSWERS
            while self._open and monotonic() < limit:
                await asyncio.sleep(0.01)

    async def give(self, out: MemoryObjectReceiveStream[SessionMessage], scope: anyio.CancelScope) -> None:
        """Write what goes out; where nobody reads it any more, all ends."""
        async with out:
            async for item in out:
                try:
                    await self._write(item.message.model_dump_json(by_alias=True, exclude_unset=True))
                except OSError:
                    scope.cancel()
                if isinstance(item.message, types.JSONRPCResponse | types.JSONRPCError):
                    self._open.discard(item.message.id or 0)

    async def _take(self, line: bytes, into: MemoryObjectSendStream[SessionMessage | Exception]) -> None:
        if len(line) > LONGEST:
            await self._refuse(types.INVALID_REQUEST, f"a message has at most {LONGEST:,} bytes")
            return
        try:
            message = types.jsonrpc_message_adapter.validate_json(line, by_name=False)
        except ValidationError:
            await self._refuse(types.PARSE_ERROR, "this is no message of JSON-RPC")
            return
        match message:
            case types.JSONRPCRequest():
                self._open.add(message.id)
            case types.JSONRPCNotification(method="notifications/cancelled"):
                self._open.discard((message.params or {}).get("requestId", 0))  # it is never answered
        await into.send(SessionMessage(message))

    async def _refuse(self, code: int, message: str) -> None:
        error = types.ErrorData(code=code, message=message)
        answer = types.JSONRPCError(jsonrpc="2.0", id=None, error=error)
        await self._write(answer.model_dump_json(by_alias=True, exclude_unset=True))

    async def _write(self, text: str) -> None:
        done: Future[None] = Future()
        self._writes.put((text.encode("utf-8", "replace") + b"\n", done))
        await asyncio.wrap_future(done)


def lines_of(descriptor: int, longest: int = LONGEST) -> Iterator[bytes]:
    """The lines of an input, without their ends; of one that is too long a beginning that is too long."""
    held = b""
    while chunk := os.read(descriptor, _CHUNK):
        *whole, rest = chunk.split(b"\n")
        for part in whole:
            yield (held + part)[: longest + 1]
            held = b""
        held = (held + rest)[: longest + 1]
    if held:
        yield held


def _read(loop: asyncio.AbstractEventLoop, lines: asyncio.Queue[bytes | None]) -> None:
    """The life of the thread that reads; it waits for room where messages come faster than they go on."""
    try:
        for line in lines_of(0):
            asyncio.run_coroutine_threadsafe(lines.put(line), loop).result()
        asyncio.run_coroutine_threadsafe(lines.put(None), loop)
    except RuntimeError:
        return  # the loop has ended


def _written(descriptor: int, writes: SimpleQueue[tuple[bytes, Future[None]]]) -> None:
    """The life of the thread that writes: one that nobody reads holds up no signal."""
    while True:
        data, done = writes.get()
        if not done.set_running_or_notify_cancel():
            continue
        try:
            while data:
                data = data[os.write(descriptor, data) :]
        except OSError as error:
            done.set_exception(error)
        else:
            done.set_result(None)


@contextmanager
def _output() -> Iterator[int]:
    """The output for the protocol alone; meanwhile whatever else is printed goes to the error stream."""
    sys.stdout.flush()
    kept = os.dup(1)
    os.dup2(2, 1)
    try:
        yield kept
    finally:
        os.dup2(kept, 1)
        os.close(kept)
