"""Topics and sources filter by whole steps of a path, and every door says so."""

from pathlib import Path

import pytest
from mcp import Client

from cli_example import fresh_home, run, run_json
from mcp_clients import here
from scriptorium import Memory
from web_homes import served


@pytest.mark.parametrize(
    ("option", "whole", "broken"),
    [("--topic", "people/ines", "people/in"), ("--source", "native/porto", "native/po")],
)
def test_half_a_step_finds_nothing(tmp_path: Path, option: str, whole: str, broken: str) -> None:
    home = fresh_home(tmp_path)
    found = run_json("--home", home, "search", "shellfish", option, whole)
    assert found["hits"]
    assert run_json("--home", home, "search", "shellfish", option, broken)["hits"] == []


def test_the_help_of_the_command_and_of_the_library_speaks_of_whole_steps() -> None:
    said = " ".join(run("search", "--help").out.split())
    assert "topics at or below this path, whole steps of it" in said
    assert "messages at or below this id, whole steps of it" in said
    assert "begins so" not in said
    assert "whole steps of paths and of source ids" in " ".join(str(Memory.search.__doc__).split())


def test_the_tool_and_the_route_speak_of_whole_steps(tmp_path: Path) -> None:
    home = fresh_home(tmp_path)

    async def talk(client: Client) -> None:
        (tool,) = (each for each in (await client.list_tools()).tools if each.name == "memory_search")
        for name in ("topic", "source"):
            assert "whole steps" in tool.input_schema["properties"][name]["description"]

    here(home, talk)
    with served(home) as client:
        described = client.get("/openapi.json").json["paths"]["/api/memory/search"]["get"]["parameters"]
    told = {each["name"]: each.get("description", "") for each in described}
    assert "whole steps" in told["topic"]
    assert "whole steps" in told["source"]
