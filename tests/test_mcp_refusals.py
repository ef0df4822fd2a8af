"""What the tools of the MCP server refuse: all that is wrong, each with its place, and nothing done."""

from pathlib import Path
from typing import Any

import pytest
from mcp import Client, MCPError

from mcp_clients import called, here, refused
from scriptorium.mcp.server import TOOLS
from small_homes import create, delete, request, service


def filled(home: Path) -> None:
    with service(home) as made:
        made.change(request(create("The spare key hangs in the shed."), says="The spare key is in the shed."))


def test_a_rejected_change_names_every_problem_and_changes_nothing(tmp_path: Path) -> None:
    filled(tmp_path)

    async def talk(client: Client) -> None:
        before = await called(client, "memory_status")
        bad = [create("one\n\ntwo"), delete("deadbeef"), {"op": "explode"}, create("x", "../../etc/passwd")]
        found = await refused(
            client, "memory_update", base_revision=before["revision"], memory_changes=bad, nonsense=1
        )
        assert {place.partition(".")[0] for _, place in found} >= {
            "memory_changes[0]", "memory_changes[2]", "memory_changes[3]", "nonsense",
        }  # fmt: skip
        assert ("PATH_OUTSIDE_WORKSPACE", "memory_changes[3].destination.topic_path") in found
        assert (await called(client, "memory_status"))["revision"] == before["revision"]

    here(tmp_path, talk)


def test_nothing_is_overwritten_that_was_not_seen(tmp_path: Path) -> None:
    filled(tmp_path)

    async def talk(client: Client) -> None:
        seen = (await called(client, "memory_status"))["revision"]
        (hit,) = (await called(client, "memory_search", query="spare key"))["hits"]
        for given in ({}, {"base_revision": None}, {"base_revision": ""}):
            found = await refused(client, "memory_update", memory_changes=[delete(hit["id"])], **given)
            assert found == [("INVALID_ARGUMENT", "base_revision")]
        await called(client, "memory_update", base_revision=seen, **request(create("Another key.")))
        found = await refused(client, "memory_update", base_revision=seen, memory_changes=[delete(hit["id"])])
        assert found == [("CONCURRENT_UPDATE", "base_revision")]

    here(tmp_path, talk)


def test_an_empty_memory_is_made_on_first_use_and_needs_no_revision(tmp_path: Path) -> None:
    async def talk(client: Client) -> None:
        assert (await called(client, "memory_search", query="key"))["hits"] == []
        done = await called(client, "memory_update", base_revision=None, **request(create("A first key.")))
        assert len(done["created"]) == 1

    here(tmp_path, talk)


@pytest.mark.parametrize(
    ("tool", "given", "places"),
    [
        ("memory_search", {}, ["arguments"]),
        ("memory_search", {"query": 7, "limit": 0, "kind": "all"}, ["kind", "limit", "query"]),
        ("memory_search", {"query": "x" * 10_001}, ["query"]),
        ("memory_search", {"query": "x", "since": "yesterday"}, ["since"]),
        ("memory_get", {"id": "^deadbeef"}, ["deadbeef", "^deadbeef"]),
        ("memory_get", {"id": "keys", "first": 99}, ["first"]),
        ("memory_grep", {"text": " "}, ["text"]),
        ("memory_browse", {"what": "everything"}, ["what"]),
        ("memory_context", {"question": "x", "budget": 10**9}, ["budget"]),
        ("memory_context", {"question": "x", "session": "nowhere"}, ["nowhere"]),
        ("memory_promote", {"names": []}, ["names"]),
        ("memory_status", {"actor": "owner"}, ["arguments"]),
        ("memory_write", {}, ["batch"]),
    ],
)
def test_what_makes_no_sense_is_refused_with_its_place(
    tmp_path: Path, tool: str, given: dict[str, Any], places: list[str]
) -> None:
    filled(tmp_path)
    found = here(tmp_path, lambda client: refused(client, tool, **given))
    assert found
    assert {place for _, place in found} <= set(places)


def test_an_unknown_tool_is_an_error_of_the_protocol(tmp_path: Path) -> None:
    async def talk(client: Client) -> None:
        with pytest.raises(MCPError, match="no tool"):
            await client.call_tool("memory_erase_everything", {})

    here(tmp_path, talk)


def test_where_memory_is_switched_off_every_tool_says_so_and_no_directory_is_made(tmp_path: Path) -> None:
    required: dict[str, dict[str, Any]] = {
        "memory_search": {"query": "x"},
        "memory_grep": {"text": "x"},
        "memory_get": {"id": "x"},
        "memory_context": {"question": "x"},
        "memory_ask": {"question": "x"},
        "memory_why": {"id": "x"},
        "memory_update": {"base_revision": None, **request(create("x."))},
        "memory_remember": {"text": "x"},
        "memory_promote": {"names": ["x"]},
        "memory_write": {"batch": "x", "nothing_to_keep": "x"},
        "memory_correct": {"target": "x", "do": "retract"},
    }

    async def talk(client: Client) -> None:
        for tool in TOOLS:
            result = await client.call_tool(tool.name, required.get(tool.name, {}))
            assert isinstance(result.structured_content, dict)
            assert result.is_error, tool.name
            assert "switched off" in result.structured_content["error"]["message"], tool.name
        with pytest.raises(MCPError, match="switched off"):
            await client.read_resource("memory://core")
        assert len((await client.list_resources()).resources) == 1

    here(tmp_path, talk, settings='backend = "none"\n')
    assert [path.name for path in tmp_path.iterdir()] == ["settings.toml"]
