"""No tool, route or writer reaches the vault, and what repeats a secret of it is archived without it."""

import json
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from mcp import Client as Agent
from mcp import MCPError

from mcp_clients import here
from residue import places_with
from scriptorium.conversations.store import open_store
from scriptorium.mcp.server import TOOLS
from scriptorium.refused import Refused
from scriptorium.service import Service
from scriptorium.settings import Settings
from scriptorium.vault.finding import Finder
from scriptorium_core.policy import AGENT, OWNER, Actor
from scriptorium_core.problem import Code
from secret_examples import a_home
from small_homes import service
from vault_homes import NAME, VALUE, a_vault, secrets
from web_homes import Client, served

pytestmark = pytest.mark.vault

WORDS = (NAME, f"secrets/{NAME}", "../vault.json", "vault", VALUE)


# --- Doors -----------------------------------------------------------------------------------------


def test_no_part_of_a_service_but_the_owners_own_doors_has_a_vault() -> None:
    assert [name for name in dir(Service) if "vault" in name or "secret" in name] == []
    told = json.dumps([[tool.name, tool.about, tool.takes, tool.gives] for tool in TOOLS], default=dict)
    assert "vault" not in told
    assert "use_secret" not in told


def given(schema: Mapping[str, Any], word: str) -> Any:
    """Something that fits a schema, with a word wherever a text may stand."""
    if "enum" in schema:
        return schema["enum"][0]
    match schema.get("type"):
        case "object":
            wanted = schema.get("properties", {})
            return {name: given(each, word) for name, each in wanted.items()}
        case "array":
            return [given(schema.get("items", {}), word)]
        case "integer" | "number":
            return schema.get("minimum", 1)
        case "boolean":
            return False
        case _:
            return word


@pytest.mark.parametrize("actor", [OWNER, AGENT], ids=str)
def test_no_tool_answers_with_a_secret_whatever_it_is_asked(tmp_path: Path, actor: Actor) -> None:
    a_home(tmp_path, "I prefer tea to coffee.").close()
    home = tmp_path / "home"
    a_vault(home)
    sealed = (home / "vault.json").read_text()

    async def ask(agent: Agent) -> list[str]:
        seen = []
        for tool in TOOLS:
            for word in WORDS[:-1]:
                for asked in (given(tool.takes, word), {**given(tool.takes, word), "kind": "both"}):
                    try:
                        seen.append(repr(await agent.call_tool(tool.name, asked)))
                    except MCPError as error:
                        seen.append(repr(error))
        for address in (f"memory://{word}" for word in WORDS[:-1]):
            try:
                seen.append(repr(await agent.read_resource(address)))
            except MCPError as error:
                seen.append(repr(error))
        return seen

    seen = here(home, ask, actor)
    assert len(seen) >= len(TOOLS) * 4
    for answer in seen:
        assert VALUE not in answer
        assert sealed[60:120] not in answer
    assert secrets(home).uses() == ()
    assert places_with(home, VALUE) == []


def routes(client: Client) -> Iterator[tuple[str, str]]:
    """Every method of every route of the description, with words for what stands in braces."""
    for path, methods in client.get("/openapi.json").json["paths"].items():
        for word in (NAME, "..%2Fvault.json", "..%2F..%2Fvault.json", "vault.json"):
            filled = path
            while "{" in filled:
                filled = f"{filled[: filled.index('{')]}{word}{filled[filled.index('}') + 1 :]}"
            yield from ((method.upper(), filled) for method in methods if method in ("get", "delete", "put"))


def test_no_route_answers_with_a_secret_or_with_the_file_of_the_vault(tmp_path: Path) -> None:
    a_home(tmp_path, "I prefer tea to coffee.").close()
    home = tmp_path / "home"
    a_vault(home)
    sealed = (home / "vault.json").read_text()
    with served(home) as client:
        paths = client.get("/openapi.json").json["paths"]
        assert [path for path in paths if "vault" in path or "secret" in path] == []
        asked = sorted({*routes(client), *(("GET", f"/{word}") for word in ("vault.json", "../vault.json"))})
        assert len(asked) > len(paths)
        for method, path in asked:
            body = b"{}" if method == "PUT" else None
            for target in {path, f"/api/memory{path}"}:
                data = client.ask(method, f"{target}?q={NAME}", body, content_type="application/json").data
                assert VALUE.encode() not in data
                assert sealed[60:120].encode() not in data
    assert secrets(home).uses() == ()


# --- What is archived ------------------------------------------------------------------------------


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A home with a vault and nothing else."""
    a_vault(tmp_path / "home")
    return tmp_path / "home"


def test_a_secret_of_the_vault_that_somebody_said_is_archived_as_a_placeholder(
    tmp_path: Path, home: Path
) -> None:
    with a_home(tmp_path, f"I prefer {VALUE}, always.", "And tea.") as made:
        made.context(f"What about {VALUE}?")
        (question,) = {trace.question for trace in made.traces()}
        with made.memory().reading() as (_, base):
            said = [source.text for source in base.facts.sources.values()]
    assert question == "What about [secret:vault]?"
    assert "I prefer [secret:vault], always." in said
    assert places_with(home / "memory", VALUE) == []


def test_what_is_said_by_an_agent_or_on_purpose_too(home: Path) -> None:
    with service(home) as made:
        done = made.remember(f"The login is {VALUE}.")
        assert done.committed.redacted == {"vault": 1}  # type: ignore[union-attr]

    async def remember(agent: Agent) -> None:
        assert "memory_remember" in [tool.name for tool in TOOLS]
        await agent.call_tool("memory_remember", {"text": f"It is {VALUE} again."})

    here(home, remember)
    assert places_with(home / "memory", VALUE) == []


def test_an_open_memory_follows_the_vault_and_reads_it_only_when_it_changes(home: Path) -> None:
    find = Finder(home)
    assert [span.kind for span in find(f"{VALUE} and {VALUE}")] == ["vault", "vault"]
    secrets(home).put("other", b"another long one")
    assert len(list(find(f"another long one, {VALUE}"))) == 2
    (home / "keys.json").rename(home / "elsewhere.json")  # nothing can be read any more, and need not be
    assert len(list(find(VALUE))) == 1
    (home / "vault.json").unlink()
    assert list(find(VALUE)) == []
    assert VALUE not in repr(find)


def test_a_short_secret_cannot_be_found_by_trying(home: Path) -> None:
    secrets(home).put("pin", b"4711-0815")
    with service(home) as made:
        made.remember(" ".join(f"47{number}-0815" for number in range(10, 13)))
        assert "4711-0815" in made.show("topics/notes.md").text  # type: ignore[union-attr]


def test_with_a_vault_that_cannot_be_opened_nothing_is_archived(tmp_path: Path, home: Path) -> None:
    (home / "keys.json").rename(home / "elsewhere.json")
    with service(home) as made, pytest.raises(Refused) as raised:
        made.remember("I like tea.")
    assert raised.value.problems[0].code is Code.KEY_UNAVAILABLE
    (home / "vault.json").rename(tmp_path / "vault.json")
    with service(home) as made:
        made.remember("I like tea.")


def test_looking_for_the_secrets_of_a_vault_costs_a_text_little(home: Path) -> None:
    for number in range(40):
        secrets(home).put(f"s{number}", f"{number}-{VALUE}".encode())
    find, text = Finder(home), "He prefers trains to planes, and tea. " * 50
    list(find(text))
    began = time.perf_counter()
    for _ in range(200):
        list(find(text))
    assert (time.perf_counter() - began) / 200 < 0.005  # seconds for 2 KB and 41 secrets


def test_the_session_store_keeps_what_was_said_and_the_settings_may_switch_it_off(
    tmp_path: Path, home: Path
) -> None:
    with a_home(tmp_path, f"I prefer {VALUE}.", settings=Settings(redact=False)) as made:
        assert places_with(made.root, VALUE) != []
    with open_store(home / "sessions.sqlite3") as store:
        assert [node.text for node in store.nodes(store.sessions()[0])] == [f"I prefer {VALUE}."]
