"""The MCP server on standard streams: a process of its own, as an agent's settings start it."""

import asyncio
import json
import signal
import subprocess
import time
from pathlib import Path
from typing import Any

import pytest
from mcp import Client, MCPError

from cli_example import DINNER, PORTO, child, fresh_home, run_json, surroundings
from mcp_clients import asked, called, over_streams
from scriptorium import credentials
from scriptorium.mcp.stdio import LONGEST, lines_of
from scriptorium_core.policy import READER

HELLO = {
    "jsonrpc": "2.0", "id": 0, "method": "initialize",
    "params": {
        "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"},
    },
}  # fmt: skip
READY = {"jsonrpc": "2.0", "method": "notifications/initialized"}


def call(number: int, tool: str, **given: Any) -> dict[str, Any]:
    params = {"name": tool, "arguments": given}
    return {"jsonrpc": "2.0", "id": number, "method": "tools/call", "params": params}


def lines(*messages: object) -> str:
    return "".join(f"{each if isinstance(each, str) else json.dumps(each)}\n" for each in messages)


def started(home: Path, **more: Any) -> subprocess.Popen[str]:
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    command = child("--home", home, "mcp")
    return subprocess.Popen(command, text=True, env=surroundings(), **(pipes | more))


def talked(home: Path, *messages: object) -> tuple[dict[Any, dict[str, Any]], str]:
    """The answers by id to messages that are written at once, the input ended behind them; and the errors."""
    with started(home) as process:
        out, err = process.communicate(lines(HELLO, READY, *messages), timeout=120)
    assert process.returncode == 0, err
    answers = [json.loads(line) for line in out.splitlines()]  # nothing but the protocol is on the output
    return {each["id"]: each for each in answers}, err


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return fresh_home(tmp_path)


# --- With the SDK's client ---------------------------------------------------------------------------


@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_both_ways_of_the_protocol_reach_tools_resources_and_the_prompt(home: Path, mode: str) -> None:
    async def talk(client: Client) -> None:
        assert client.instructions
        (hit, *_) = (await called(client, "memory_search", query="dinner in Porto"))["hits"]
        assert hit["citations"][0]["text"]
        assert (await called(client, "memory_why", id=f"^{DINNER}"))["conversations"]
        names = [each.uri for each in (await client.list_resources()).resources]
        assert names[0] == "memory://core"
        assert f"memory://{PORTO}" in names
        templates = (await client.list_resource_templates()).resource_templates
        assert len(templates) == 2
        for address in (*names, "memory://timeline/2026", f"memory://{PORTO.removesuffix('.md')}"):
            (part,) = (await client.read_resource(address)).contents
            assert part.text.startswith("<memory-context ")  # type: ignore[union-attr]
        (listed,) = (await client.list_prompts()).prompts
        told = await client.get_prompt(listed.name, {"task": "plan a dinner"})
        assert "plan a dinner" in told.messages[0].content.text  # type: ignore[union-attr]

    asked(home, talk, mode=mode)


ESCAPES = [
    "memory://topics/../policy.toml",
    "memory://topics/..%2f..%2f.git/config",
    "memory://topics/%2e%2e/%2e%2e/etc/passwd",
    "memory://topics/%252e%252e%252fetc%252fpasswd",
    "memory://topics/..\\..\\.git\\config",
    "memory://topics//etc/passwd",
    "memory://topics/%00",
    "memory://topics/..%c0%af..%c0%afetc/passwd",
    "memory://topics/．．/．．/etc/passwd",
    "memory://topics/.scriptorium/index.sqlite3",
    "memory://topics/.git/HEAD",
    "memory://sources/native/porto.md",
    "memory://vault",
    "memory://tapes/1",
    "memory://core/../topics/x",
    "memory://timeline/../../etc",
    "memory://topics/",
    "memory://topics/" + "a/" * 5_000,
    "file:///etc/passwd",
    "",
]


def test_no_address_and_no_id_leads_out_of_memory(home: Path) -> None:
    ids = [address.removeprefix("memory://").replace("%2f", "/") for address in ESCAPES if address]
    ids += [
        ".git/config",
        ".scriptorium",
        "../sessions.sqlite3",
        str(home / "settings.toml"),
        "~/.ssh/id_rsa",
    ]

    async def talk(client: Client) -> None:
        for address in ESCAPES:
            with pytest.raises(MCPError) as failed:
                await client.read_resource(address)
            assert failed.value.code == -32602, address
        for name in ids:
            if name in ("vault",):
                continue
            result = await client.call_tool("memory_get", {"id": name})
            assert result.is_error, name
            whole = json.dumps(result.structured_content)
            assert not any(word in whole for word in ("root:", "repositoryformatversion", "SQLite format"))

    asked(home, talk)


def test_two_agents_at_once_see_what_the_other_writes(home: Path) -> None:
    async def remember(client: Client, name: str) -> None:
        for number in range(4):
            await called(client, "memory_remember", text=f"The {name} shelf holds box {number}.")

    async def whole() -> None:
        async with asyncio.timeout(240), over_streams(home) as one, over_streams(home) as two:
            await asyncio.gather(remember(one, "upper"), remember(two, "lower"))
            for client in (one, two):
                hits = (await called(client, "memory_grep", text="shelf holds box"))["hits"]
                assert len(hits) == 8

    asyncio.run(whole())
    assert run_json("--home", home, "verify")["ok"]


def test_a_token_makes_the_agent_its_actor_and_a_wrong_one_never_the_owner(home: Path) -> None:
    token = credentials.create(home, READER, "for a test")

    async def talk(client: Client) -> None:
        result = await client.call_tool("memory_remember", {"text": "A reader says so."})
        assert isinstance(result.structured_content, dict)
        assert result.is_error
        assert result.structured_content["error"]["code"] == "NOT_PERMITTED"
        credentials.revoke(home, "for a test")
        result = await client.call_tool("memory_search", {"query": "dinner"})
        assert isinstance(result.structured_content, dict)
        assert result.structured_content["error"]["code"] == "NOT_PERMITTED"

    asked(home, talk, "--token", token)
    wrong = subprocess.run(
        child("--home", home, "mcp"),
        env={**surroundings(), "SCRIPTORIUM_TOKEN": token},
        input="", capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip
    assert wrong.returncode not in (0, 70)
    assert wrong.stdout == ""
    assert "NOT_PERMITTED" in wrong.stderr


# --- Line by line ------------------------------------------------------------------------------------


def test_requests_before_the_end_of_the_input_are_answered(home: Path) -> None:
    answers, err = talked(home, call(1, "memory_status"), call(2, "memory_search", query="dinner"))
    assert answers[0]["result"]["serverInfo"]["name"] == "scriptorium"
    assert answers[1]["result"]["structuredContent"]["ok"]
    assert answers[2]["result"]["structuredContent"]["hits"]
    assert err == ""


def test_what_is_no_message_is_said_to_be_none_and_the_talk_goes_on(home: Path) -> None:
    deep = '{"jsonrpc":"2.0","id":7,"method":"tools/call","params":' + "[" * 100_000 + "]" * 100_000 + "}"
    giant = json.dumps(call(8, "memory_search", query="x" * (LONGEST + 1)))
    answers, _ = talked(home, "no json", "[]", deep, giant, call(1, "memory_status"))
    assert answers[1]["result"]["structuredContent"]["ok"]
    assert answers[None]["error"]["code"] in (-32700, -32600)


def test_deep_and_long_arguments_are_refused_by_the_tool(home: Path) -> None:
    nested: Any = "x"
    for _ in range(150):
        nested = [nested]
    answers, _ = talked(
        home,
        call(1, "memory_update", base_revision="HEAD", memory_changes=nested),
        call(2, "memory_search", query=nested),
        call(3, "memory_remember", text="y" * 1_000_000),
        call(4, "memory_update", base_revision="HEAD", memory_changes=[{"op": "z" * 1_000_000}]),
        call(5, "memory_get", id="../" * 10_000),
    )
    for number in range(1, 6):
        result = answers[number]["result"]
        assert result["isError"], number
        assert result["structuredContent"]["error"]["code"] == "INVALID_ARGUMENT", number
        assert len(json.dumps(result)) < 60_000, number


def test_lines_are_bounded_and_the_last_one_needs_no_end(tmp_path: Path) -> None:
    file = tmp_path / "input"
    file.write_bytes(b"one\n\n" + b"x" * 200_000 + b"\nlast")
    with file.open("rb") as opened:
        found = list(lines_of(opened.fileno(), 1_000))
    assert found == [b"one", b"", b"x" * 1_001, b"last"]


# --- How it ends -------------------------------------------------------------------------------------


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_it_at_once_and_cleanly_while_the_agent_is_silent(home: Path, number: int) -> None:
    with started(home) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(lines(HELLO, READY))
        process.stdin.flush()
        assert json.loads(process.stdout.readline())["id"] == 0
        began = time.monotonic()
        process.send_signal(number)
        assert process.wait(20) == 0
        assert time.monotonic() - began < 5
        assert process.stderr is not None
        assert process.stderr.read() == ""


def test_the_end_of_the_input_ends_it_and_nothing_is_left_behind(home: Path) -> None:
    began = time.monotonic()
    with started(home) as process:
        assert process.stdin is not None
        process.stdin.close()
        assert process.wait(30) == 0
    assert time.monotonic() - began < 30
    assert run_json("--home", home, "verify")["ok"]


def test_an_agent_that_reads_nothing_any_more_ends_it(home: Path) -> None:
    with started(home) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(lines(HELLO, READY))
        process.stdin.flush()
        process.stdout.readline()
        process.stdout.close()
        process.stdin.write(lines(call(1, "memory_status")))
        process.stdin.flush()
        assert process.wait(20) == 0


def test_what_prints_goes_to_the_error_stream(home: Path) -> None:
    code = "import sys; from scriptorium import cli; import scriptorium.mcp.reading as r\n" + (
        "import attrs; from scriptorium.mcp import server as s\n"
        "def loud(call):\n    print('noise'); __import__('os').system('echo noise'); return {}\n"
        "s.TOOLS = (attrs.evolve(s.TOOLS[6], run=loud, name='memory_status'),)\n"
        f"sys.exit(cli.main(['--home', {str(home)!r}, 'mcp']))"
    )
    ran = subprocess.run(
        [child()[0], "-c", code], env=surroundings(), input=lines(HELLO, READY, call(1, "memory_status")),
        capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip
    assert [json.loads(line)["id"] for line in ran.stdout.splitlines()] == [0, 1]
    assert ran.stderr.count("noise") == 2
