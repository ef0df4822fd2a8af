"""Settings of a person are kept letter by letter, but for what is ours; what is in doubt is refused."""

import json
import os
import tomllib
from pathlib import Path
from typing import Any

import pytest

from attached import Attached, attached, settings
from scriptorium.agents import jsontext, tomltext
from scriptorium.agents.edits import Drop, Misshapen, Put
from scriptorium_core.writing.hosts import Host

__all__ = ["attached"]  # a fixture

CLAUDE = """{
    "model": "opus",
    "permissions": {"allow": ["Bash(ls:*)", "Read"],   "deny": []},
    "hooks": {
        "Stop": [
            { "matcher": "", "hooks": [ { "type": "command", "command": "say done" } ] }
        ],
        "PreToolUse": []
    },
    "unknown": { "ü": 1.50, "n": null }
}
"""
CODEX = """# mine
model = "gpt-5" # the model

[[hooks.Stop]] # a bell
matcher = ""
[[hooks.Stop.hooks]]
type = "command"
command = "say done"

[hooks.state."x"]
trusted_hash = "sha256:1"

[mcp_servers.other] # stays
command = "other"

[projects."/x y"]
trust_level = "trusted"
"""
STOP = {"type": "command", "command": "mine"}


def put(attached: Attached, host: Host, text: str) -> Path:
    path = attached.file(host)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return path


# --- What is a person's own ----------------------------------------------------------------------


@pytest.mark.parametrize(("host", "text"), [(Host.CLAUDE_CODE, CLAUDE), (Host.CODEX, CODEX)])
def test_in_and_out_again_leaves_every_letter(attached: Attached, host: Host, text: str) -> None:
    path = put(attached, host, text)
    path.chmod(0o640)
    assert attached.hook("install", host, "--mcp").code == 0
    there = settings(path)
    assert there["hooks"]["Stop"][0]["hooks"][0]["command"] == "say done"
    assert path.stat().st_mode & 0o777 == 0o640
    backup = path.with_name(path.name + ".scriptorium-backup")
    assert (backup.read_text(), backup.stat().st_mode & 0o777) == (text, 0o640)
    assert attached.hook("remove", host).code == 0
    assert path.read_text() == text


def test_only_lines_are_added(attached: Attached) -> None:
    path = put(attached, Host.CLAUDE_CODE, CLAUDE)
    shown = attached.hook("install", "claude-code", "--dry-run").out
    gone = [line for line in shown.splitlines() if line.startswith("-") and not line.startswith("---")]
    # Two lines get a comma behind them.
    assert [line[1:].strip() for line in gone] == [
        '{ "matcher": "", "hooks": [ { "type": "command", "command": "say done" } ] }',
        '"PreToolUse": []',
    ]
    assert path.read_text() == CLAUDE


def test_a_hook_of_ours_beside_one_of_a_person_is_taken_out_alone(attached: Attached) -> None:
    attached.hook("install", "gemini")
    path = attached.file(Host.GEMINI)
    there = settings(path)
    there["hooks"]["AfterAgent"][0]["hooks"].append(STOP)
    path.write_text(json.dumps(there))
    assert attached.hook("remove", "gemini").code == 0
    assert settings(path) == {"hooks": {"AfterAgent": [{"hooks": [STOP]}]}}


def test_where_codex_has_a_file_of_hooks_they_stand_there(attached: Attached) -> None:
    rows = put(attached, Host.CODEX, CODEX).with_name("hooks.json")
    attached.hook("install", "codex")
    rows.write_text('{"hooks": {}}')
    attached.hook("install", "codex", "--mcp")
    assert set(settings(rows)["hooks"]) >= {"SessionStart", "Stop"}
    table = settings(attached.file(Host.CODEX))
    assert [*table["hooks"]] == ["Stop", "state"], "ours moved from the one file to the other"
    assert "scriptorium" in table["mcp_servers"]


def test_what_is_switched_off_is_said(attached: Attached) -> None:
    put(attached, Host.CLAUDE_CODE, '{"disableAllHooks": true}')
    put(attached, Host.GEMINI, '{"hooksConfig": {"enabled": false}}')
    put(attached, Host.CODEX, "[features]\nhooks = false\n")
    for host, words in (
        (Host.CLAUDE_CODE, "disableAllHooks"),
        (Host.GEMINI, "enabled"),
        (Host.CODEX, "false"),
    ):
        assert words in attached.hook("install", host).out


# --- What is refused -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ('{\n  // mine\n  "a": 1\n}\n', "comments"),
        ('{"a": 1,}', "trailing commas"),
        ('{"a": ', "not JSON"),
        ("[]", "not an object"),
        ('{"a": 1, "a": 2}', "twice"),
        ('{"hooks": []}', "`hooks` is not an object"),
        ('{"hooks": {"Stop": {}}}', "`hooks.Stop` is not a list"),
        ("[" * 99_999, "too deeply"),
    ],
)
def test_json_that_cannot_be_edited_is_refused_with_what_to_do(
    attached: Attached, text: str, why: str
) -> None:
    path = put(attached, Host.CLAUDE_CODE, text)
    ran = attached.hook("install", "claude-code")
    assert ran.code not in (0, 70)
    assert why in " ".join(ran.err.split())
    assert "→" in ran.err
    assert path.read_text() == text
    assert [each.name for each in path.parent.iterdir()] == [path.name]


@pytest.mark.parametrize("text", ["a = ", "hooks = 3\n", "[hooks]\nStop = 3\n"])
def test_toml_that_cannot_be_edited_is_refused(attached: Attached, text: str) -> None:
    path = put(attached, Host.CODEX, text)
    assert attached.hook("install", "codex").code not in (0, 70)
    assert path.read_text() == text


def test_a_link_is_not_written_through(attached: Attached, tmp_path: Path) -> None:
    real = tmp_path / "dotfiles.json"
    real.write_text("{}")
    path = attached.file(Host.CLAUDE_CODE)
    path.parent.mkdir()
    path.symlink_to(real)
    ran = attached.hook("install", "claude-code")
    assert ran.code not in (0, 70)
    assert "symbolic link" in ran.err
    assert "--project" in ran.err
    assert real.read_text() == "{}"
    path.unlink()
    path.parent.rmdir()
    path.parent.symlink_to(tmp_path, target_is_directory=True)
    assert attached.hook("install", "claude-code").code not in (0, 70)


def test_a_file_that_may_not_be_written_is_refused_before_anything_is(
    attached: Attached, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(attached, Host.GEMINI, "{}")
    may = os.access
    monkeypatch.setattr("os.access", lambda path, mode: ".gemini" not in str(path) and may(path, mode))
    ran = attached.hook("install", "gemini")
    assert ran.code not in (0, 70)
    assert "may not be written" in " ".join(ran.err.split())
    assert settings(attached.file(Host.GEMINI)) == {}


def test_a_server_and_a_plugin_of_somebody_else_are_left_alone(attached: Attached) -> None:
    put(attached, Host.GEMINI, '{"mcpServers": {"scriptorium": {"command": "another"}}}')
    assert "another server" in " ".join(attached.hook("install", "gemini", "--mcp").err.split())
    attached.hook("remove", "gemini")
    assert settings(attached.file(Host.GEMINI)) == {"mcpServers": {"scriptorium": {"command": "another"}}}
    plugin = put(attached, Host.OPENCODE, "export default 1\n")
    assert attached.hook("install", "opencode").code not in (0, 70)
    attached.hook("remove", "opencode")
    assert plugin.read_text() == "export default 1\n"


# --- Texts ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text", ["", "{}", "{ }\n", '{"a": {}}', '{"a": {"b": [1]}}', '{\r\n\t"a": {"b": []}\r\n}']
)
def test_json_gets_a_value_wherever_it_belongs(text: str) -> None:
    made = jsontext.edited(text, [Put(("a", "b", len(_at(text))), {"ü": [1, "x"]})])
    assert json.loads(made)["a"]["b"] == [*_at(text), {"ü": [1, "x"]}]
    assert "ü" in made
    assert ("\r\n" in made) == ("\r\n" in text)
    assert "\n" not in made.replace("\r\n", "") or "\r\n" not in text


def _at(text: str) -> list[Any]:
    found: list[Any] = (json.loads(text or "{}").get("a") or {}).get("b") or []
    return found


def test_json_loses_a_member_wherever_it_stands() -> None:
    text = '{"a": 1, "b": [1, 2, 3],\n "c": {"d": 2}}'
    assert jsontext.edited(text, [Drop(("a",))]) == '{"b": [1, 2, 3],\n "c": {"d": 2}}'
    assert jsontext.edited(text, [Drop(("b", 2)), Drop(("b", 0))]) == '{"a": 1, "b": [2],\n "c": {"d": 2}}'
    assert jsontext.edited(text, [Drop(("c", "d"))]) == '{"a": 1, "b": [1, 2, 3],\n "c": {}}'


@pytest.mark.parametrize(
    "text",
    [
        "",
        'hooks = { Stop = [ { hooks = [ { type = "command", command = "x" } ] } ] }\n',
        "[hooks]\nStop = [ { hooks = [] } ] # mine\n",
        "a.b = 1\nhooks.state.x.enabled = true\n",
    ],
)
def test_toml_takes_hooks_in_whatever_form_it_has_them(text: str) -> None:
    groups = len(tomllib.loads(text).get("hooks", {}).get("Stop", []))
    edit = Put(("hooks", "Stop", groups), {"hooks": [STOP]})
    try:
        made = tomltext.edited(text, [edit])
    except Misshapen:
        assert text.startswith("a.b"), "dotted keys cannot be gone on with as tables"
        return
    assert tomllib.loads(made)["hooks"]["Stop"][-1] == {"hooks": [STOP]}
    back = tomllib.loads(tomltext.edited(made, [Drop(("hooks", "Stop", groups))]))
    assert back.get("hooks", {}).get("Stop", []) == tomllib.loads(text).get("hooks", {}).get("Stop", [])
