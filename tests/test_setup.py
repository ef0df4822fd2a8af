"""Choosing what writes: what is found, what is written into the settings, and what is said about it."""

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from threading import Thread

import pytest

from agent_programs import on_path
from scriptorium.cli import main
from scriptorium.refused import Refused
from scriptorium.service.choosing import EXTRACTIVE, choices, named, served_at
from scriptorium.settings import Api, Command, Price, load

KEYS = ("ANTHROPIC_API_KEY", "OPENAI_API_KEY", "GEMINI_API_KEY", "OPENROUTER_API_KEY")


@pytest.fixture(autouse=True)
def nothing_around(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither keys nor programs nor servers but those of an example."""
    for name in KEYS:
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    monkeypatch.setattr("scriptorium.service.choosing.served_at", lambda _: None)


def said(home: Path, capsys: pytest.CaptureFixture[str], *arguments: str, code: int = 0) -> str:
    """What the command prints."""
    capsys.readouterr()
    assert main(["--home", str(home), "setup", *arguments]) == code
    shown = capsys.readouterr()
    return shown.out + shown.err


@contextmanager
def a_server(answer: bytes) -> Iterator[int]:
    """A server that answers so, and its port."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200 if self.path == "/v1/models" else 404)
            self.end_headers()
            self.wfile.write(answer)

        def log_message(self, format: str, *args: object) -> None:
            """Say nothing."""

    with HTTPServer(("127.0.0.1", 0), Handler) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield server.server_port
        server.shutdown()


def test_what_is_there_is_found_the_cheapest_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-secret-value")
    monkeypatch.setenv("ANTHROPIC_API_KEY", "")
    found = choices(lambda port: "qwen3:8b" if port == 11434 else None, lambda name: f"/bin/{name}")
    assert [each.name for each in found] == [
        *("ollama", "claude", "codex", "gemini", "opencode", "openai", "extractive")
    ]
    assert found[0].table == {"model": "ollama:qwen3:8b", "base_url": "http://127.0.0.1:11434/v1"}
    assert "sk-secret" not in repr(found)
    monkeypatch.delenv("OPENAI_API_KEY")
    assert choices() == (EXTRACTIVE,)


def test_a_local_server_is_asked_for_its_models() -> None:
    with a_server(b'{"object": "list", "data": [{"id": ""}, 3, {"id": "tiny-model"}]}') as port:
        assert served_at(port) == "tiny-model"
    assert served_at(port) is None  # nobody is there any more


@pytest.mark.parametrize("answer", [b"<html>hello</html>", b"[]", b'{"data": 3}', b'{"data": []}', b""])
def test_whatever_else_runs_there_is_no_model_server(answer: bytes) -> None:
    with a_server(answer) as port:
        assert served_at(port) is None


def test_without_anything_the_writer_without_a_model_is_chosen_and_said_so(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    shown = said(tmp_path, capsys)
    assert "no model was found" in shown
    assert "setup --writer NAME" in shown
    assert not (tmp_path / "settings.toml").exists()
    shown = said(tmp_path, capsys, "--yes")
    assert "no model is asked" in shown
    assert load(tmp_path).writer == "extractive"


def test_a_program_is_chosen_by_name(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    on_path(tmp_path / "bin", "claude", "")
    on_path(tmp_path / "bin", "codex", "")
    shown = said(tmp_path, capsys, "--writer", "codex", "--model", "gpt-5-codex")
    assert "your login of codex pays" in shown
    assert "goes to the provider behind codex" in shown
    settings = load(tmp_path)
    assert (settings.writer, settings.command) == ("command", Command("codex", "gpt-5-codex"))
    assert os.stat(tmp_path / "settings.toml").st_mode & 0o777 == 0o600


def test_a_key_is_known_by_the_name_of_its_variable_alone(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-ant-secret-value")
    shown = said(tmp_path, capsys, "--yes")
    assert "what was said in the batches goes to anthropic" in shown
    assert "paid with that key" in shown
    written = (tmp_path / "settings.toml").read_text()
    assert 'key_env = "ANTHROPIC_API_KEY"' in written
    assert "secret-value" not in written + shown
    assert load(tmp_path).api == Api("anthropic:claude-haiku-4-5", key_env="ANTHROPIC_API_KEY")


def test_what_stands_in_the_settings_stays_with_its_remarks(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-secret")
    before = """# mine
owner = "Mara"   # that is me
timezone = "Europe/Berlin"

[api]  # asked at night
model = "ollama:old"
base_url = "http://127.0.0.1:11434/v1"
timeout = 30  # seconds

[prices."openai:gpt-5-mini"]
input = 1
output = 2.5
"""
    (tmp_path / "settings.toml").write_text(before)
    said(tmp_path, capsys, "--writer", "openai")
    written = (tmp_path / "settings.toml").read_text()
    for kept in ("# mine\n", "# that is me", "[api]  # asked at night", "timeout = 30  # seconds"):
        assert kept in written
    settings = load(tmp_path)
    assert (settings.writer, settings.owner) == ("api", "Mara")
    assert settings.api == Api("openai:gpt-5-mini", key_env="OPENAI_API_KEY", timeout=30)
    assert settings.prices == {"openai:gpt-5-mini": Price(1, 2.5)}
    said(tmp_path, capsys, "--writer", "openai")
    assert (tmp_path / "settings.toml").read_text() == written


def test_what_was_not_found_cannot_be_chosen(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    shown = said(tmp_path, capsys, "--writer", "claude", code=2)
    assert "'claude' was not found here" in shown
    assert "there are: extractive" in shown
    assert not (tmp_path / "settings.toml").exists()
    with pytest.raises(Refused):
        named((EXTRACTIVE,), "extractive", "some-model")


def test_the_agent_is_there_for_whoever_names_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    shown = said(tmp_path, capsys, "--writer", "agent")
    assert "agent writes from now on" in shown
    assert "the agent pays" in shown
    assert load(tmp_path).writer == "agent"
    with pytest.raises(Refused, match="agent takes no model"):
        named((EXTRACTIVE,), "agent", "some-model")


def test_with_json_what_is_found_and_chosen_is_one_object(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    told = json.loads(said(tmp_path, capsys, "--json"))
    assert (told["ok"], told["chosen"], [each["name"] for each in told["found"]]) == (
        True,
        None,
        ["extractive"],
    )
    told = json.loads(said(tmp_path, capsys, "--json", "--yes"))
    assert told["chosen"]["writer"] == "extractive"
    assert told["settings"] == str(tmp_path / "settings.toml")


def test_a_choice_is_asked_for_where_a_person_sits(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    on_path(tmp_path / "bin", "gemini", "")
    monkeypatch.setattr("sys.stdin.isatty", lambda: True, raising=False)
    monkeypatch.setattr("click.prompt", lambda *_, **__: "gemini")
    assert "gemini writes from now on" in said(tmp_path, capsys)
    assert load(tmp_path).command.program == "gemini"


def test_all_that_is_wrong_in_the_tables_is_said_at_once(tmp_path: Path) -> None:
    (tmp_path / "settings.toml").write_text(
        """writer = "api"
command = "claude"
daily_tokens = 0
[api]
model = "no provider"
base_url = "ftp://x"
key_env = "sk-ant-a-key-by-mistake"
max_turns = true
max_cost = -1
mode = "magic"
colour = "red"
[prices]
cheap = 3
[prices.dear]
input = "much"
"""
    )
    with pytest.raises(Refused) as refused:
        load(tmp_path)
    told = "\n".join(f"{each.message} → {each.remedy}" for each in refused.value.problems)
    for key in ("daily_tokens", "api.model", "api.base_url", "api.key_env", "api.max_turns", "api.max_cost"):
        assert key in told
    for words in ("api.mode", "api.colour is not a setting", "command must be a table", 'prices."cheap"'):
        assert words in told
    assert 'prices."dear".input' in told
    assert 'prices."dear".output is missing' in told
    assert "by-mistake" not in told
    assert all(each.remedy for each in refused.value.problems)


@pytest.mark.parametrize(("writer", "key"), [("api", "api.model"), ("command", "command.program")])
def test_a_writer_names_what_it_lacks(tmp_path: Path, writer: str, key: str) -> None:
    (tmp_path / "settings.toml").write_text(f'writer = "{writer}"\n')
    with pytest.raises(Refused) as refused:
        load(tmp_path)
    (problem,) = refused.value.problems
    assert f"{key} is missing" in problem.message
    assert "scriptorium setup" in problem.remedy
