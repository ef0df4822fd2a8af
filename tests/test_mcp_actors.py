"""Actors of the MCP server: what somebody may not read shows in no answer, no count and no error."""

import json
from pathlib import Path
from typing import Any

import pytest
from mcp import Client, MCPError

from mcp_clients import called, here
from scriptorium.mcp.server import TOOLS
from scriptorium_core.policy import ANONYMOUS, READER, Actor
from small_homes import create, git, request, service

POLICY = """\
version = 1

[actors.secretary]
like = "agent"

[[rules]]
actors = ["agent"]
allow = ["read", "search", "inject", "write"]

[[rules]]
actors = ["secretary"]
deny = ["read"]
paths = ["topics/private/**"]
"""
SECRETARY = Actor("secretary")
PRIVATE = "topics/private/health.md"


def filled(home: Path) -> dict[str, str]:
    """The ids of an open and of a private record, the second cited by a message of its own."""
    ids = {}
    with service(home) as made:
        for name, topic in (("open", "topics/keys.md"), ("private", PRIVATE)):
            says = f"What is {name} hangs in the {name} shed."
            made.change(request(create(f"The {name} key hangs in the shed.", topic), says=says))
            ids[name] = next(row.record.id for row in made.recent().rows if row.record.topic_path == topic)
        root = made.root
    (root / "policy.toml").write_text(POLICY)
    git(root, "add", "policy.toml")
    git(root, "commit", "-q", "-m", "A policy", "--", "policy.toml")
    return ids


def test_what_a_secretary_may_not_read_is_nowhere(tmp_path: Path) -> None:
    ids = filled(tmp_path)

    async def talk(client: Client) -> list[str]:
        calls: list[tuple[str, dict[str, Any]]] = [
            ("memory_search", {"query": "key hangs in the shed", "kind": "both"}),
            ("memory_search", {"query": "private"}),
            ("memory_search", {"query": "key", "topic": "private"}),
            ("memory_grep", {"text": "key hangs"}),
            ("memory_grep", {"text": "private"}),
            ("memory_browse", {}),
            ("memory_browse", {"what": "recent"}),
            ("memory_browse", {"what": "timeline", "under": "2026-04"}),
            ("memory_browse", {"what": "core"}),
            ("memory_context", {"question": "Which key hangs in the shed?"}),
            ("memory_traces", {}),
            ("memory_status", {}),
            ("memory_get", {"id": "keys"}),
        ]
        seen = [json.dumps(await called(client, name, **given)) for name, given in calls]
        seen += [each.uri for each in (await client.list_resources()).resources]
        for address in ("memory://core", "memory://timeline/2026-04"):
            seen.append((await client.read_resource(address)).contents[0].text)  # type: ignore[union-attr]
        return seen

    seen = here(tmp_path, talk, SECRETARY)
    assert any("The open key" in each for each in seen)
    for each in seen:
        assert ids["private"] not in each
        assert "The private key" not in each
        assert "topics/private" not in each
    assert '"records": 1' in next(each for each in seen if '"sources"' in each and '"health"' in each)


def test_what_may_not_be_read_is_refused_in_the_words_of_what_is_not_there(tmp_path: Path) -> None:
    ids = filled(tmp_path)

    async def talk(client: Client) -> None:
        for tool in ("memory_get", "memory_why"):
            for hidden, absent in ((ids["private"], "deadbeef"), (PRIVATE, "topics/private/nothing.md")):
                answers = []
                for name in (hidden, absent):
                    result = await client.call_tool(tool, {"id": name})
                    answers.append(json.dumps(result.structured_content).replace(name, "X"))
                assert answers[0] == answers[1]
                assert "MEMORY_NOT_FOUND" in answers[0]
        messages = []
        for path in ("private/health.md", "private/nothing.md"):
            with pytest.raises(MCPError) as failed:
                await client.read_resource(f"memory://topics/{path}")
            messages.append(str(failed.value).replace(path, "X"))
        assert messages[0] == messages[1]

    here(tmp_path, talk, SECRETARY)


def test_a_reader_changes_nothing_and_nobody_reads_nothing(tmp_path: Path) -> None:
    filled(tmp_path)
    writing: dict[str, dict[str, Any]] = {
        "memory_update": {"base_revision": "HEAD", **request(create("Mine."))},
        "memory_remember": {"text": "Mine."},
        "memory_promote": {"names": ["chat/s1/m1"]},
        "memory_pending": {},
        "memory_write": {"batch": "b-1", "nothing_to_keep": "-"},
    }
    asking: dict[str, dict[str, Any]] = {
        "memory_search": {"query": "key"}, "memory_grep": {"text": "key"}, "memory_get": {"id": "keys"},
        "memory_context": {"question": "key"}, "memory_why": {"id": "keys"},
    }  # fmt: skip

    async def refused(client: Client, names: dict[str, dict[str, Any]]) -> dict[str, str]:
        found = {}
        for name, given in names.items():
            result = await client.call_tool(name, given)
            assert "shed" not in result.model_dump_json()
            if result.is_error:
                assert isinstance(result.structured_content, dict)
                found[name] = result.structured_content["error"]["code"]
        return found

    reader = here(tmp_path, lambda client: refused(client, writing), READER)
    assert set(reader) == set(writing)
    nobody = here(tmp_path, lambda client: refused(client, {**asking, **writing}), ANONYMOUS)
    assert set(nobody) >= set(writing)
    with service(tmp_path) as made:
        assert len(made.recent().rows) == 2
    assert {tool.name for tool in TOOLS} >= set(asking) | set(writing)
