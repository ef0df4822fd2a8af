"""What a program says when it fails has its code and what to do, and nothing secret is shown."""

import json
import os
from pathlib import Path

import pytest

from agent_programs import TOPIC, WRITES, Agent, an_agent, edited, failed
from scriptorium.settings import Command
from scriptorium.workspace import Memory
from scriptorium_core.problem import Code
from small_homes import opened, written


@pytest.fixture
def memory(tmp_path: Path) -> Memory:
    return opened(tmp_path / "memory")


@pytest.mark.parametrize(
    ("words", "code"),
    [
        ("Invalid API key · Please run /login", Code.MODEL_AUTHENTICATION),
        ("API Error: 529 overloaded", Code.MODEL_PROVIDER_INTERNAL),
        ("Prompt is too long", Code.MODEL_CONTEXT_LENGTH),
        ("unknown option '--strict'", Code.WRITER_PRECONDITION_FAILED),
    ],
)
def test_known_words_of_a_failure_have_their_code(
    memory: Memory, tmp_path: Path, words: str, code: Code
) -> None:
    outcome = failed(an_agent(memory, tmp_path, f"sys.exit({words!r})"))
    assert outcome.code is code
    assert words in outcome.message


def test_a_limit_that_comes_as_an_answer_is_waited_out(memory: Memory, tmp_path: Path) -> None:
    said = {"type": "result", "is_error": False, "result": "You've hit your limit · resets 9pm"}
    lines = f"print(json.dumps({said!r}))"
    outcome = failed(an_agent(memory, tmp_path, lines))
    assert (outcome.code, outcome.until) == (Code.MODEL_RATE_LIMIT, "2026-04-03T21:00:00+00:00")
    assert outcome.retryable


def test_a_batch_about_limits_is_no_limit(memory: Memory, tmp_path: Path) -> None:
    lines = WRITES + 'print("Mara wrote that her rate limit was reached and that she is not logged in.")'
    assert list(edited(an_agent(memory, tmp_path, lines)).stage.tree.differences()) == [TOPIC]


def test_a_program_that_is_missing_or_cannot_run_is_named_with_what_to_do(
    memory: Memory, tmp_path: Path
) -> None:
    for program, word in (("no-such-agent", "not installed"), (str(tmp_path), "cannot be run")):
        outcome = failed(Agent(memory, Command((program,))))
        assert (outcome.code, outcome.retryable) == (Code.WRITER_PRECONDITION_FAILED, False)
        assert word in outcome.message
        assert "scriptorium setup" in outcome.problems[0].remedy


def test_secrets_of_the_login_are_never_shown(
    memory: Memory, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MY_TOKEN", "correct-horse-battery")
    lines = 'sys.exit("\\x1b[31mbad token " + os.environ["MY_TOKEN"] + " ghp_" + "a1" * 18)'
    outcome = failed(an_agent(memory, tmp_path, lines, env=("MY_TOKEN",)))
    assert "correct-horse-battery" not in outcome.message
    assert "ghp_" not in outcome.message
    assert "\x1b" not in outcome.message
    assert "bad token [secret]" in outcome.message


def test_the_environment_is_what_the_program_needs_and_no_more(
    memory: Memory, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("MY_TOKEN", "OTHER_TOKEN", "SCRIPTORIUM_HOME", "SCRIPTORIUM_SECRET"):
        monkeypatch.setenv(name, "x")
    monkeypatch.setenv("CLAUDE_CODE_SESSION_ID", "outer")
    lines = 'pathlib.Path("topics/seen.md").write_text(json.dumps(dict(os.environ)))'
    agent = an_agent(memory, tmp_path, lines, env=("MY_TOKEN", "SCRIPTORIUM_SECRET"))
    seen = json.loads(edited(agent).stage.tree.get("topics/seen.md") or b"")
    assert seen["MY_TOKEN"] == "x"
    assert seen["PATH"] == os.environ["PATH"]
    assert seen["SCRIPTORIUM_WRITER_RUN"] == "claude-code/outer"
    assert not {"OTHER_TOKEN", "SCRIPTORIUM_HOME", "SCRIPTORIUM_SECRET", "CLAUDE_CODE_SESSION_ID"} & set(seen)


def test_folders_that_a_program_has_shut_are_read_and_cleared_away(memory: Memory, tmp_path: Path) -> None:
    lines = """
pathlib.Path("topics/shut/in").mkdir(parents=True)
pathlib.Path("topics/shut/in/a.md").write_text("# A")
os.chmod("topics/shut", 0)
"""
    agent = an_agent(memory, tmp_path, lines)
    assert list(edited(agent).stage.tree.differences()) == ["topics/shut/in/a.md"]
    assert not list(memory.layout.staging.iterdir())


def test_a_topic_that_changed_meanwhile_is_tried_again_later(memory: Memory, tmp_path: Path) -> None:
    written(memory, "Mara lives in Porto.", topic=TOPIC)
    there = Path(__file__).parent
    lines = f"""
sys.path[:0] = {[str(there), str(there.parent / "core"), str(there.parent / "shell")]!r}
from small_homes import opened, written
with opened(pathlib.Path({str(memory.layout.root)!r})) as other:
    written(other, "Mara has a cat.", topic="{TOPIC}")
path = pathlib.Path("{TOPIC}")
path.write_text(path.read_text().replace("Porto", "Lisbon"))
"""
    outcome = failed(an_agent(memory, tmp_path, lines))
    assert (outcome.code, outcome.retryable) == (Code.CONCURRENT_UPDATE, True)
