"""Calls that take long: they tell of their progress, and end when nobody waits for them any more."""

import asyncio
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any
from unittest import mock

import pytest
from attrs import evolve
from mcp import Client

from mcp_clients import called, here
from scriptorium.mcp import server
from scriptorium.mcp.schemas import answer, taking
from scriptorium.mcp.tool import READS, Call, Tool
from small_homes import create, request, service


def tool(name: str, run: Callable[[Call], dict[str, Any]]) -> Tool:
    return Tool(name, name, "A tool of an example.", taking(), answer(), READS, run)


class Long:
    """A call that goes on until nobody waits for it any more, or as long as twenty seconds."""

    def __init__(self) -> None:
        self.began, self.ended = threading.Event(), threading.Event()
        self.steps = 0

    def run(self, call: Call) -> dict[str, Any]:
        self.began.set()
        try:
            for self.steps in range(1, 2_000):
                call.progress(self.steps, 2_000)
                threading.Event().wait(0.01)
        finally:
            self.ended.set()
        return {}


async def until(event: threading.Event) -> bool:
    return await asyncio.to_thread(event.wait, 15)


@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_a_call_that_is_cancelled_ends_and_the_next_is_served(tmp_path: Path, mode: str) -> None:
    calls = [Long() for _ in range(6)]  # more than there are threads
    tools = tuple(tool(f"long_{number}", each.run) for number, each in enumerate(calls))

    async def talk(client: Client) -> None:
        running = [asyncio.create_task(client.call_tool(f"long_{n}", {})) for n in range(6)]
        assert await until(calls[0].began)
        for task in running:
            task.cancel()
        await asyncio.gather(*running, return_exceptions=True)
        for each in calls:
            assert not each.began.is_set() or await until(each.ended)
        assert (await called(client, "memory_status"))["records"] == 0

    with mock.patch.object(server, "TOOLS", (*server.TOOLS, *tools)):
        here(tmp_path, talk, mode=mode)
    assert max(each.steps for each in calls) < 1_999


@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_progress_is_told_as_it_grows_and_not_too_often(tmp_path: Path, mode: str) -> None:
    seen: list[float] = []

    async def told(progress: float, total: float | None, message: str | None) -> None:
        assert total == 100
        seen.append(progress)

    def run(call: Call) -> dict[str, Any]:
        for step in range(101):
            call.progress(step, 100)
            call.progress(max(step - 3, 0), 100)  # what goes back is not told
            threading.Event().wait(0.01)
        return {}

    async def talk(client: Client) -> None:
        await client.call_tool("busy", {}, progress_callback=told)
        await asyncio.sleep(0.2)

    with mock.patch.object(server, "TOOLS", (tool("busy", run),)):
        here(tmp_path, talk, mode=mode)
    assert seen == sorted(seen)
    assert seen[-1] == 100
    assert 2 <= len(seen) <= 60


def test_an_index_that_is_being_made_may_be_given_up_and_is_made_by_the_next(tmp_path: Path) -> None:
    with service(tmp_path) as made:
        for number in range(30):
            made.change(
                request(create(f"Shelf {number} holds box {number}.", f"topics/shelves/s{number}.md"))
            )
    looking = next(each for each in server.TOOLS if each.name == "memory_search")
    began, go_on = threading.Event(), threading.Event()

    def held_up(call: Call) -> dict[str, Any]:
        def progress(done: int, total: int) -> None:
            began.set()
            go_on.wait(15)
            call.progress(done, total)

        return looking.run(evolve(call, progress=progress))

    async def talk(client: Client) -> None:
        waiting = asyncio.create_task(client.call_tool("slow_search", {"query": "box"}))
        assert await until(began)
        waiting.cancel()
        await asyncio.gather(waiting, return_exceptions=True)
        await asyncio.sleep(0.2)
        go_on.set()
        hits = (await called(client, "memory_search", query="box shelf", limit=50))["hits"]
        assert len(hits) == 30

    slow = evolve(looking, name="slow_search", run=held_up)
    with mock.patch.object(server, "TOOLS", (*server.TOOLS, slow)):
        here(tmp_path, talk)


def test_a_fault_of_the_program_tells_no_words_and_the_next_call_is_served(tmp_path: Path) -> None:
    def run(_: Call) -> dict[str, Any]:
        raise ZeroDivisionError("words of somebody")

    async def talk(client: Client) -> None:
        result = await client.call_tool("faulty", {})
        assert isinstance(result.structured_content, dict)
        assert result.structured_content["error"]["code"] == "PROGRAM_FAULT"
        assert "words of somebody" not in str(result)
        assert (await called(client, "memory_status"))["records"] == 0

    with mock.patch.object(server, "TOOLS", (*server.TOOLS, tool("faulty", run))):
        here(tmp_path, talk)


def test_an_error_of_the_disk_is_an_answer(tmp_path: Path) -> None:
    def run(_: Call) -> dict[str, Any]:
        raise OSError(28, "No space left on device", "/somewhere/private")

    async def talk(client: Client) -> None:
        result = await client.call_tool("full", {})
        assert isinstance(result.structured_content, dict)
        assert result.is_error
        assert result.structured_content["error"]["message"] == "No space left on device"
        assert "/somewhere/private" not in str(result)

    with mock.patch.object(server, "TOOLS", (tool("full", run),)):
        here(tmp_path, talk)
