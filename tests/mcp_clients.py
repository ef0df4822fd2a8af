"""Agents for examples: the SDK's own client, on standard streams and over HTTP, with a home behind it."""

import asyncio
import json
import signal
import subprocess
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any, TypeVar

import httpx2
from attrs import frozen
from mcp import Client, StdioServerParameters
from mcp.client.streamable_http import streamable_http_client
from mcp_types import CallToolResult, TextContent

from cli_example import child, surroundings
from scriptorium.mcp.identity import always
from scriptorium.mcp.server import DETAILS, server_over
from scriptorium.serving import Services
from scriptorium_core.policy import OWNER, Actor
from small_homes import NOW

__all__ = [
    "Served",
    "alone",
    "answer",
    "asked",
    "called",
    "here",
    "over_http",
    "over_streams",
    "parameters",
    "refused",
    "served",
]

T = TypeVar("T")


@frozen
class Served:
    """A server over HTTP: where it is, the owner's token of this run, and its process."""

    address: str
    token: str
    process: subprocess.Popen[str]


def parameters(home: Path, *words: str, env: Mapping[str, str] | None = None) -> StdioServerParameters:
    """How an agent starts the server of a home."""
    command, *rest = child("--home", home, "mcp", *words)
    return StdioServerParameters(command=command, args=rest, env={**surroundings(), **(env or {})})


@asynccontextmanager
async def over_streams(home: Path, *words: str, **more: Any) -> AsyncIterator[Client]:
    """A client whose server is a process of its own."""
    async with Client(parameters(home, *words), **more) as client:
        yield client


@contextmanager
def served(home: Path, *words: str) -> Iterator[Served]:
    """A server over HTTP on a free port, ended by a signal, with a clean end."""
    command = child("--home", home, "--json", "mcp", "--http", "--port", "0", *words)
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=surroundings())
    try:
        assert process.stdout is not None
        told = json.loads("".join(iter_until(process.stdout, "}")))
        yield Served(told["address"], told["token"], process)
    finally:
        process.send_signal(signal.SIGTERM)
        code = process.wait(20)
    assert code == 0


def iter_until(lines: Any, last: str) -> Iterator[str]:
    """The lines up to the one that is `last`."""
    for line in lines:
        yield line
        if line.rstrip() == last:
            return


@asynccontextmanager
async def over_http(server: Served, token: str | None = None, **more: Any) -> AsyncIterator[Client]:
    """A client of a server over HTTP, with a token of its own or that of the run."""
    headers = {"Authorization": f"Bearer {token or server.token}"}
    async with (
        httpx2.AsyncClient(headers=headers, timeout=60) as http,
        Client(streamable_http_client(server.address, http_client=http), **more) as client,
    ):
        yield client


def here(
    home: Path,
    talk: Callable[[Client], Awaitable[T]],
    actor: Actor = OWNER,
    *,
    settings: str = "",
    **more: Any,
) -> T:
    """The same with a server in this process, over the pool of a home, for one actor."""
    home.mkdir(parents=True, exist_ok=True)
    (home / "settings.toml").write_text(settings or 'timezone = "UTC"\n')

    async def whole(services: Services) -> T:
        async with asyncio.timeout(240), Client(server_over(services, always(actor)), **more) as client:
            return await talk(client)

    with Services(home, moment=lambda: NOW) as services:
        return asyncio.run(whole(services))


def asked(home: Path, talk: Callable[[Client], Awaitable[T]], *words: str, **more: Any) -> T:
    """What a talk with the server on standard streams comes to."""

    async def whole() -> T:
        async with asyncio.timeout(240):
            async with over_streams(home, *words, **more) as client:
                return await talk(client)

    return asyncio.run(whole())


async def called(client: Client, tool: str, **given: Any) -> dict[str, Any]:
    """What a tool answers, where it succeeds; the SDK checks it against the schema of the tool."""
    return answer(await client.call_tool(tool, given))


def answer(result: CallToolResult) -> dict[str, Any]:
    """The structured answer of a call that succeeded; its text holds the same data in a wrapper.

    Of a tool whose text is the whole answer: the details beside it, with the `text`.
    """
    if result.meta and DETAILS in result.meta:
        return alone(result)
    data = result.structured_content
    assert isinstance(data, dict)
    assert not result.is_error, data
    assert data["ok"] is True
    text = result.content[-1]
    assert isinstance(text, TextContent)
    head, note, body, end = text.text.rstrip("\n").split("\n")
    assert head.startswith("<memory-context kind=")
    assert note == data["note"]
    assert end == "</memory-context>"
    assert {**data, **json.loads(body)} == data
    return data


def alone(result: CallToolResult) -> dict[str, Any]:
    """The details that go along with a text which is the whole answer, and the text."""
    assert result.structured_content is None
    assert not result.is_error
    assert result.meta is not None
    (text,) = result.content
    assert isinstance(text, TextContent)
    details = result.meta[DETAILS]
    assert details["ok"] is True
    assert "text" not in details
    return {**details, "text": text.text}


async def refused(client: Client, tool: str, **given: Any) -> list[tuple[str, str]]:
    """The codes and places of all problems of a call that is refused."""
    result = await client.call_tool(tool, given)
    data = result.structured_content
    assert isinstance(data, dict)
    assert result.is_error
    assert data["ok"] is False
    assert set(data["error"]) == {"code", "message", "path", "problems"}
    assert data["error"]["message"]
    return [(each["code"], each["path"]) for each in data["error"]["problems"]]
