"""An agent is attached by one command: what stands in its settings then is run as the agent runs it."""

import json
import os
from pathlib import Path

import pytest

from attached import Attached, attached, settings
from cli_example import run
from scriptorium.service import Service
from scriptorium_core.writing.calls import Event, decode_call
from scriptorium_core.writing.hosts import EVENTS, Host, answer_for

__all__ = ["attached"]  # a fixture

HOOKED = (Host.CLAUDE_CODE, Host.CODEX, Host.GEMINI)
hooked = pytest.mark.parametrize("host", HOOKED)


def written(ran_out: str, host: Host, event: Event) -> str:
    """The text for the conversation, from an answer in the form of the agent."""
    answer = json.loads(ran_out)
    assert set(answer) == {"hookSpecificOutput"}
    given = answer["hookSpecificOutput"]
    assert given["hookEventName"] == EVENTS[host][event]
    return str(given["additionalContext"])


# --- What stands in the settings is run ----------------------------------------------------------


@hooked
def test_the_lines_that_are_written_give_core_and_recall_and_ask_for_writing(
    attached: Attached, host: Host
) -> None:
    assert attached.hook("install", host).code == 0
    lines = attached.lines(host)
    start = attached.called(host, Event.SESSION_START, lines[Event.SESSION_START])
    assert (start.code, start.err) == (0, "")
    assert "Mara" in written(start.out, host, Event.SESSION_START)
    prompt = attached.called(host, Event.PROMPT, lines[Event.PROMPT])
    assert (prompt.code, prompt.err) == (0, "")
    recalled = written(prompt.out, host, Event.PROMPT)
    assert "shellfish" in recalled
    assert recalled.startswith("<memory-context")
    with attached.asked() as calls:
        for event in (Event.TURN, Event.PRE_COMPACT, Event.SESSION_END):
            ran = attached.called(host, event, lines[event], transcript_path=f"/logs/{event}.jsonl")
            assert (ran.code, ran.out, ran.err) == (0, "", "")
    asked = {(call.event, call.session, call.transcript, call.cwd) for call in calls}
    writing = (Event.TURN, Event.PRE_COMPACT, Event.SESSION_END)
    assert asked == {(event, "s1", f"/logs/{event}.jsonl", "/home/p/trip") for event in writing}


@pytest.mark.parametrize("host", Host)
def test_status_names_an_agent_that_is_attached_and_what_it_was_given(attached: Attached, host: Host) -> None:
    line = f"agents     {host} is attached; memory goes along from the next session on"
    assert line not in run("--home", attached.home, "status").out
    attached.hook("install", host)
    assert line in run("--home", attached.home, "status").out
    with Service(attached.home) as service:
        service.hook(Event.SESSION_START, b'{"session_id": "s1"}')
    assert "agents     last given " in run("--home", attached.home, "status").out


@hooked
def test_what_fails_ends_no_conversation_and_is_seen_in_status(attached: Attached, host: Host) -> None:
    attached.hook("install", host)
    lines = attached.lines(host)
    folder = attached.home / "memory" / ".scriptorium" / "requests"
    folder.write_text("in the way")
    failed = attached.called(host, Event.TURN, lines[Event.TURN], transcript_path="/logs/x.jsonl")
    assert (failed.code, failed.out) == (0, "")
    with Service(attached.home) as service:
        fault = service.status().outlook.hook_failed
    assert fault is not None
    assert fault.words.startswith("turn: ")
    folder.unlink()


@hooked
def test_where_memory_has_nothing_to_say_an_agent_is_told_nothing(attached: Attached, host: Host) -> None:
    attached.hook("install", host)
    ran = attached.called(host, Event.PROMPT, attached.lines(host)[Event.PROMPT], prompt="   ")
    assert (ran.code, ran.out, ran.err) == (0, "", "")


def test_an_answer_has_the_name_of_the_event_that_the_agent_knows() -> None:
    answer = json.loads(answer_for(Host.GEMINI, Event.PROMPT, "“so”\n"))
    given = {"hookEventName": "BeforeAgent", "additionalContext": "“so”\n"}
    assert answer == {"hookSpecificOutput": given}
    assert answer_for(Host.CODEX, Event.TURN, "") == ""
    assert answer_for(Host.OPENCODE, Event.PROMPT, "plain") == "plain"
    assert decode_call(Event.TURN, b'{"session_id": "s", "transcript_path": null}').transcript == ""


def test_an_agent_that_is_not_known_fails_no_conversation(attached: Attached) -> None:
    ran = run("--home", attached.home, "hook", "session-start", "--agent", "nobody")
    assert (ran.code, ran.out) == (0, "")
    assert "nobody" in ran.err


# --- Writing and taking out ----------------------------------------------------------------------


@pytest.mark.parametrize("host", Host)
def test_a_dry_run_shows_what_is_written_and_writes_nothing(attached: Attached, host: Host) -> None:
    before = sorted(attached.person.rglob("*"))
    shown = attached.hook("install", host, "--mcp", "--dry-run")
    assert shown.code == 0
    assert sorted(attached.person.rglob("*")) == before
    assert f"+++ {attached.file(host)}" in shown.out
    assert "session-start" in shown.out
    attached.hook("install", host, "--mcp")
    added = [line[1:] for line in shown.out.splitlines() if line.startswith("+") and line[:3] != "+++"]
    files = [path for path in attached.person.rglob("*") if path not in before and path.is_file()]
    assert sorted(added) == sorted(line for path in files for line in path.read_text().splitlines())


@pytest.mark.parametrize("host", Host)
def test_a_second_time_changes_nothing_and_removal_takes_out_all_of_ours(
    attached: Attached, host: Host
) -> None:
    attached.hook("install", host, "--mcp")
    once = attached.file(host).read_bytes()
    again = attached.hook("install", host, "--mcp")
    assert "nothing to change" in again.out
    assert attached.file(host).read_bytes() == once
    assert attached.hook("remove", host).code == 0
    left = [path.read_text() for path in attached.person.rglob("*") if path.is_file() and _is_live(path)]
    assert not any("--agent" in text or '"mcp"' in text for text in left)
    assert "nothing to change" in attached.hook("remove", host).out


def _is_live(path: Path) -> bool:
    return "home" not in path.parts and not path.name.endswith("-backup")


@hooked
def test_another_home_takes_the_place_of_the_first(attached: Attached, host: Host, tmp_path: Path) -> None:
    attached.hook("install", host)
    assert run("--home", tmp_path / "other", "hook", "install", host).code == 0
    for name, groups in settings(attached.file(host))["hooks"].items():
        assert len(groups) == 1, name
    assert all(str(tmp_path / "other") in line for line in attached.lines(host).values())


@pytest.mark.parametrize("host", Host)
def test_a_project_has_settings_of_its_own(attached: Attached, host: Host, tmp_path: Path) -> None:
    project = tmp_path / "project"
    project.mkdir()
    assert attached.hook("install", host, "--mcp", "--project", project).code == 0
    made = {path.relative_to(project).as_posix() for path in project.rglob("*") if path.is_file()}
    assert (
        made
        == {
            Host.CLAUDE_CODE: {".claude/settings.local.json", ".mcp.json"},
            Host.CODEX: {".codex/config.toml"},
            Host.GEMINI: {".gemini/settings.json"},
            Host.OPENCODE: {".opencode/plugins/scriptorium.js", "opencode.json"},
        }[host]
    )
    assert not attached.file(host).exists()


def test_the_server_is_entered_as_each_agent_reads_it(attached: Attached) -> None:
    for host in Host:
        attached.hook("install", host, "--mcp")
    words = attached.lines(Host.CODEX)[Event.TURN]
    program = settings(attached.person / ".codex/config.toml")["mcp_servers"]["scriptorium"]
    assert program["args"] == ["--home", str(attached.home), "mcp"]
    assert words.startswith(program["command"])
    claude = settings(attached.person / ".claude.json")["mcpServers"]["scriptorium"]
    assert claude == {"type": "stdio", **program}
    assert settings(attached.person / ".gemini/settings.json")["mcpServers"]["scriptorium"] == program
    opencode = settings(attached.person / ".config/opencode/opencode.json")["mcp"]["servers"]["scriptorium"]
    assert opencode == {"type": "local", "command": [program["command"], *program["args"]]}


def test_a_configuration_of_the_older_opencode_keeps_its_form(attached: Attached) -> None:
    config = attached.person / ".config/opencode/opencode.json"
    config.parent.mkdir(parents=True)
    config.write_text('{\n  "mcp": {"x": {"type": "local", "command": ["x"]}}\n}\n')
    attached.hook("install", "opencode", "--mcp")
    mine = settings(config)["mcp"]["scriptorium"]
    assert (mine["type"], mine["enabled"]) == ("local", True)
    attached.hook("remove", "opencode")
    assert settings(config) == {"mcp": {"x": {"type": "local", "command": ["x"]}}}


def test_where_memory_is_switched_off_no_agent_is_attached(tmp_path: Path, attached: Attached) -> None:
    off = tmp_path / "off"
    off.mkdir()
    (off / "settings.toml").write_text('backend = "none"\n')
    ran = run("--home", off, "hook", "install", "claude-code")
    assert ran.code != 0
    assert "switched off" in ran.err
    assert not attached.file(Host.CLAUDE_CODE).exists()
    assert os.listdir(off) == ["settings.toml"]


def test_the_answer_to_a_program_holds_paths_diffs_and_notes(attached: Attached) -> None:
    ran = attached.hook("install", "codex", "--json")
    assert ran.json["ok"] is True
    assert [row["path"] for row in ran.json["changes"]] == [str(attached.file(Host.CODEX))]
    assert "/hooks" in ran.json["notes"][0]
