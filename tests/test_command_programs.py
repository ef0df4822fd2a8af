"""The agent programs that people have: how each is run, and what is made of what each prints."""

import json
import os
from pathlib import Path

import pytest

from agent_programs import Agent, on_path
from scriptorium.settings import PROGRAMS, Command
from scriptorium.workspace import Memory
from scriptorium.writer import Edited, Unable
from scriptorium.writer.programs import known_program
from scriptorium_core.problem import Code
from scriptorium_core.writing.printed import Printed, printed
from small_homes import opened

SEEN = (
    'pathlib.Path("topics/seen.md").write_text(json.dumps({"argv": sys.argv[1:], "env": dict(os.environ)}))\n'
)


@pytest.fixture
def memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Memory:
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}:{os.environ['PATH']}")
    return opened(tmp_path / "memory")


def seen(agent: Agent) -> tuple[list[str], dict[str, str], Edited]:
    answer = agent.asked()
    assert isinstance(answer, Edited), answer
    told = json.loads(answer.stage.tree.get("topics/seen.md") or b"")
    return told["argv"], told["env"], answer


def test_claude_has_tools_for_files_alone_and_its_session_is_kept_out(memory: Memory, tmp_path: Path) -> None:
    on_path(
        tmp_path / "bin",
        "claude",
        SEEN
        + """print(json.dumps({"type": "result", "subtype": "success", "is_error": False, "result": "Done.",
    "num_turns": 4, "session_id": sys.argv[sys.argv.index("--session-id") + 1], "total_cost_usd": 0.0123,
    "usage": {"input_tokens": 10, "cache_read_input_tokens": 900, "output_tokens": 55},
    "modelUsage": {"claude-small": {"costUSD": 0.001}, "claude-large": {"costUSD": 0.0113}}}))""",
    )
    agent = Agent(memory, Command("claude", "sonnet"))
    argv, _, answer = seen(agent)
    session = argv[argv.index("--session-id") + 1]
    assert set(agent.excluded) == {("claude-code", session)}
    assert argv[0] == "--print"
    assert argv[argv.index("--tools") + 1] == "Read,Edit,Write,Glob,Grep"
    assert argv[argv.index("--permission-mode") + 1] == "acceptEdits"
    assert argv[argv.index("--model") + 1] == "sonnet"
    assert {"Bash", "WebFetch", "WebSearch"} <= set(argv[argv.index("--disallowedTools") + 1].split(","))
    used = answer.used
    assert (used.model, used.tokens_in, used.tokens_out) == ("claude-large", 910, 55)
    assert (used.calls, used.cost) == (4, 0.0123)


def test_codex_is_kept_to_its_sandbox_without_a_network(memory: Memory, tmp_path: Path) -> None:
    on_path(
        tmp_path / "bin",
        "codex",
        SEEN
        + """for row in ({"type": "thread.started", "thread_id": "t-1"},
    {"type": "error", "message": "Reconnecting... 1/5"},
    {"type": "item.completed", "item": {"type": "agent_message", "text": "Done."}},
    {"type": "turn.completed", "usage": {"input_tokens": 700, "output_tokens": 70}}):
    print(json.dumps(row))""",
    )
    agent = Agent(memory, Command("codex"))
    argv, _, answer = seen(agent)
    assert argv[0] == "exec"
    assert argv[argv.index("--sandbox") + 1] == "workspace-write"
    assert "sandbox_workspace_write.network_access=false" in argv
    assert argv[-1] == "-"  # the task comes on the standard input
    assert agent.excluded == [("codex", "t-1")]
    assert (answer.used.model, answer.used.tokens_in, answer.used.tokens_out) == ("codex", 700, 70)
    assert answer.used.cost is None


def test_gemini_may_edit_and_has_neither_shell_nor_web(memory: Memory, tmp_path: Path) -> None:
    on_path(
        tmp_path / "bin",
        "gemini",
        SEEN.replace(
            '"env": dict(os.environ)',
            '"env": json.load(open(os.environ["GEMINI_CLI_SYSTEM_SETTINGS_PATH"]))',
        )
        + """used = {"api": {"totalRequests": 3}, "tokens": {"prompt": 500, "candidates": 40, "thoughts": 10}}
print(json.dumps({"response": "Done.", "stats": {"models": {"gemini-pro": used}}}))""",
    )
    argv, settings, answer = seen(Agent(memory, Command("gemini", "pro")))
    assert argv[argv.index("--approval-mode") + 1] == "auto_edit"
    assert {"run_shell_command", "web_fetch", "google_web_search"} <= set(settings["tools"]["exclude"])  # type: ignore[index]
    used = answer.used
    assert (used.model, used.tokens_in, used.tokens_out, used.calls) == ("gemini-pro", 500, 50, 3)
    assert answer.dropped == ()  # its settings are ours, and no stray file


def test_opencode_may_read_and_edit_and_nothing_else(memory: Memory, tmp_path: Path) -> None:
    on_path(
        tmp_path / "bin",
        "opencode",
        SEEN
        + """for row in ({"type": "text", "sessionID": "ses_1", "part": {"text": "Done."}},
    {"type": "step_finish", "part": {"cost": 0.5, "tokens": {"input": 19, "output": 5}}},
    {"type": "step_finish", "part": {"cost": 0.25, "tokens": {"input": 1, "output": 2, "reasoning": 3}}}):
    print(json.dumps(row))""",
    )
    argv, environment, answer = seen(Agent(memory, Command("opencode", "some/model")))
    assert argv[:2] == ["run", "--format"]
    permission = json.loads(environment["OPENCODE_CONFIG_CONTENT"])["permission"]
    assert {name for name, may in permission.items() if may == "allow"} == {
        "read",
        "edit",
        "glob",
        "grep",
        "list",
    }
    assert permission["*"] == "deny"
    used = answer.used
    assert (used.model, used.tokens_in, used.tokens_out, used.cost) == ("some/model", 20, 10, 0.75)


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_login_that_is_missing_is_said_with_how_to_log_in(
    memory: Memory, tmp_path: Path, name: str
) -> None:
    rows = {
        "claude": {"type": "result", "is_error": True, "result": "Invalid API key · Please run /login"},
        "codex": {"type": "turn.failed", "error": {"message": "unexpected status 401 Unauthorized"}},
        "gemini": {"error": {"type": "Error", "message": "Please set an Auth method", "code": 41}},
        "opencode": {
            "type": "error",
            "error": {"name": "ProviderAuthError", "data": {"message": "no api key"}},
        },
    }
    on_path(tmp_path / "bin", name, f"print(json.dumps({rows[name]!r})); sys.exit(1)")
    answer = Agent(memory, Command(name)).asked()
    assert isinstance(answer, Unable)
    assert answer.outcome.code is Code.MODEL_AUTHENTICATION
    assert answer.outcome.problems[0].remedy == known_program(name).login


def test_what_is_cut_off_or_unknown_is_passed_over() -> None:
    assert printed("All done.\n") == Printed("All done.")
    assert printed("") == Printed()
    assert printed('{"a": 1}') == Printed('{"a": 1}')
    whole = '{"type": "turn.completed", "usage": {"input_tokens": "many", "output_tokens": 3}}'
    cut = f'{{"type": "item.comp\n{whole}\n{{"ty'
    assert printed(cut) == Printed(tokens_out=3, calls=1)
    assert printed('{"type": "turn.failed"}').error == "it failed"
    assert printed("[" * 100_000).text == "[" * 100_000
