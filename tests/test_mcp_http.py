"""The MCP server over HTTP: who is let in, what is refused, and how several agents are served at once."""

import asyncio
import json
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx2
import pytest
from mcp import Client

from cli_example import fresh_home, run, run_json
from mcp_clients import Served, called, over_http, served
from scriptorium import credentials
from scriptorium.mcp.server import TOOLS
from scriptorium_core.policy import AGENT, READER

HELLO = {
    "jsonrpc": "2.0", "id": 1, "method": "initialize",
    "params": {
        "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"},
    },
}  # fmt: skip


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return fresh_home(tmp_path_factory.mktemp("http"))


@pytest.fixture(scope="module")
def server(home: Path) -> Iterator[Served]:
    with served(home) as running:
        yield running


def post(server: Served, body: bytes | None = None, /, **headers: str) -> httpx2.Response:
    """A first request, with the headers of an agent that is let in, where they are not others."""
    known = {
        "Authorization": f"Bearer {server.token}",
        "Content-Type": "application/json",
        "Accept": "application/json, text/event-stream",
    }
    given = {**known, **{name.replace("_", "-"): value for name, value in headers.items()}}
    data = json.dumps(HELLO).encode() if body is None else body
    sent = {name.encode(): value.encode("latin-1") for name, value in given.items() if value}
    return httpx2.post(server.address, content=data, headers=sent, timeout=60)


def test_tools_resources_and_the_prompt_are_reached(server: Served) -> None:
    async def talk(mode: str) -> None:
        async with over_http(server, mode=mode) as client:
            assert len((await client.list_tools()).tools) == len(TOOLS)
            (hit, *_) = (await called(client, "memory_search", query="dinner in Porto"))["hits"]
            assert (await called(client, "memory_get", id=hit["id"]))["record"]["evidence"]
            saved = await called(client, "memory_remember", text=f"The lamp is green, says {mode}.")
            assert (await called(client, "memory_why", id=saved["created"][0]))["history"]
            (part,) = (await client.read_resource("memory://core")).contents
            assert part.text.startswith("<memory-context ")  # type: ignore[union-attr]
            assert (await client.get_prompt("use_memory")).messages

    asyncio.run(talk("auto"))
    asyncio.run(talk("legacy"))


def test_who_is_let_in_is_let_in(server: Served) -> None:
    assert post(server).status_code == 200
    port = server.address.split(":")[2].split("/")[0]
    assert post(server, Host=f"localhost:{port}", Origin=f"http://localhost:{port}").status_code == 200


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"Authorization": ""}, 401),
        ({"Authorization": "Bearer"}, 401),
        ({"Authorization": "Bearer wrong"}, 401),
        ({"Authorization": "Bearer scriptorium_00000000_" + "0" * 64}, 401),
        ({"Authorization": "Bearer \u00e9"}, 401),
        ({"Authorization": "Basic b3duZXI6"}, 401),
        ({"Host": "evil.example"}, 421),
        ({"Host": "evil.example:8766"}, 421),
        ({"Host": "127.0.0.1"}, 421),
        ({"Host": "localhost:1"}, 421),
        ({"Host": "127.0.0.1.evil.example"}, 421),
        ({"Origin": "https://evil.example"}, 403),
        ({"Origin": "null"}, 403),
        ({"Origin": "127.0.0.1:8766"}, 403),
        ({"Origin": "http://127.0.0.1:1"}, 403),
        ({"Origin": "http://localhost.evil.example"}, 403),
        ({"Content_Type": "text/plain"}, 400),
    ],
)
def test_who_is_not_let_in_is_told_why_and_gets_nothing(
    server: Served, headers: dict[str, str], status: int
) -> None:
    answer = post(server, **headers)
    assert answer.status_code == status
    assert "serverInfo" not in answer.text
    assert "mcp-session-id" not in answer.headers
    if status in (401, 403, 421):
        assert answer.json()["error"]["code"] == "NOT_PERMITTED"
        assert answer.json()["ok"] is False
    assert ("www-authenticate" in answer.headers) is (status == 401)


@pytest.mark.parametrize(
    "path", ["/", "/mcp/x", "/../mcp", "/.git/config", "/api/memory/status", "/%2e%2e/mcp"]
)
def test_nothing_else_is_served(server: Served, path: str) -> None:
    address = server.address.removesuffix("/mcp") + path
    answer = httpx2.get(address, headers={"Authorization": f"Bearer {server.token}"})
    assert answer.status_code in (404, 405, 406, 400)
    assert "repositoryformatversion" not in answer.text


@pytest.mark.parametrize(
    ("body", "statuses"),
    [
        (b"x" * (5 * 1024 * 1024), {413}),
        (
            b'{"jsonrpc":"2.0","id":1,"method":"ping","params":' + b"[" * 500_000 + b"]" * 500_000 + b"}",
            {400},
        ),
        (b"no json", {400}),
        (b"", {400}),
        (b"[]", {400}),
        (b"\xff\xfe\x00", {400}),
        (b'{"jsonrpc":"2.0","id":1,"method":"../../etc/passwd"}', {200, 400, 404}),
    ],
)
def test_giant_deep_and_broken_bodies_are_refused(server: Served, body: bytes, statuses: set[int]) -> None:
    assert post(server, body).status_code in statuses
    assert post(server).status_code == 200  # and the server goes on


def test_two_agents_of_two_actors_at_once_are_kept_apart(home: Path, server: Served) -> None:
    mine, theirs = credentials.create(home, AGENT, "a"), credentials.create(home, READER, "b")

    async def write(client: Client, name: str) -> list[bool]:
        results = [
            await client.call_tool("memory_remember", {"text": f"{name} notes the number {number}."})
            for number in range(3)
        ]
        return [result.is_error for result in results]

    async def whole() -> Any:
        async with (
            asyncio.timeout(240),
            over_http(server) as owner,
            over_http(server, theirs) as reader,
            over_http(server, mine) as agent,
        ):
            found = await asyncio.gather(
                write(owner, "Olive"),
                write(reader, "Rita"),
                *(called(each, "memory_search", query="dinner") for each in (owner, agent, reader) * 4),
            )
            noted = (await called(owner, "memory_grep", text="notes the number"))["hits"]
            return found[0], found[1], [hit["text"][:5] for hit in noted]

    owner, reader, noted = asyncio.run(whole())
    assert owner == [False] * 3
    assert reader == [True] * 3
    assert noted == ["Olive"] * 3
    assert run_json("--home", home, "verify")["ok"]


def test_a_session_is_of_no_use_to_another_actor(home: Path, server: Served) -> None:
    first = post(server)
    session = first.headers["mcp-session-id"]
    body = json.dumps({"jsonrpc": "2.0", "id": 2, "method": "tools/list"}).encode()
    other = credentials.create(home, READER, "other")
    version = {"MCP_Protocol_Version": "2025-06-18", "MCP_Session_Id": session}
    assert post(server, body, **version).status_code == 200
    assert post(server, body, Authorization=f"Bearer {other}", **version).status_code == 404


def test_a_token_that_was_taken_back_is_of_no_use_any_more(home: Path, server: Served) -> None:
    token = credentials.create(home, READER, "gone")
    assert post(server, Authorization=f"Bearer {token}").status_code == 200
    credentials.revoke(home, "gone")
    assert post(server, Authorization=f"Bearer {token}").status_code == 401


def test_a_port_that_is_taken_is_an_error_and_no_trace(home: Path, server: Served) -> None:
    port = server.address.split(":")[2].split("/")[0]
    ran = run("--home", home, "mcp", "--http", "--port", port)
    assert ran.code == 2
    assert f"port {port} cannot be used" in ran.err


def test_it_says_where_it_is_and_ends_soon_though_an_agent_is_connected(tmp_path: Path) -> None:
    home = fresh_home(tmp_path)

    async def connected(running: Served) -> float:
        async with over_http(running) as client:
            await called(client, "memory_status")
            began = time.monotonic()
            running.process.terminate()
            assert await asyncio.to_thread(running.process.wait, 20) == 0
            return time.monotonic() - began

    with served(home) as running:
        assert running.address.startswith("http://127.0.0.1:")
        try:
            took = asyncio.run(connected(running))
        except* Exception:
            took = 0.0  # the client complains of a connection that is gone
        assert running.process.poll() == 0
    assert took < 10
