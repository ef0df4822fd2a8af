"""A whole pass with a program that edits files: settings, commit, repair, and its own sessions kept out."""

import json
import os
import textwrap
from pathlib import Path

import pytest

from agent_programs import on_path
from kept_homes import Clock, home, unwritten
from scriptorium.refused import Refused
from scriptorium.service import Service
from scriptorium.settings import Command, Settings
from scriptorium.workspace import Committed
from scriptorium_core.problem import Code
from scriptorium_core.writing.outcome import Failed, NothingToKeep, Wrote
from small_homes import create, request
from trips import a_talk

WRITES = """
lines = pathlib.Path("BATCH.md").read_text().splitlines()
ref = next(json.loads(line)["ref"] for line in lines if line.startswith("{"))
note = f"[^e1]: Time: `2026-03-01`; Sources: [Owner, 2026-03-01]({ref})"
text = f"# Trip\\n\\nThe owner prefers trains to planes.[^e1]\\n\\n{note}\\n"
pathlib.Path("topics/trip.md").write_text(text)
pathlib.Path("RESULT.json").write_text(json.dumps({"summary": "Trains rather than planes"}))
print(json.dumps({"type": "result", "result": "Done.", "is_error": False, "num_turns": 3,
    "usage": {"input_tokens": 1200, "output_tokens": 80}, "total_cost_usd": 0.02,
    "modelUsage": {"claude-large": {"costUSD": 0.02}}}))
"""
INDENTED = textwrap.indent(WRITES.strip(), "    ")


def a_home(folder: Path, monkeypatch: pytest.MonkeyPatch, lines: str, name: str = "claude") -> Service:
    on_path(folder / "bin", name, lines)
    monkeypatch.setenv("PATH", f"{folder / 'bin'}:{os.environ['PATH']}")
    service = home(folder, Clock(), writer="command", command=Command(name))
    service.import_paths([a_talk(folder)])
    return service


def test_a_program_writes_memory_and_the_commit_says_which_model(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with a_home(tmp_path, monkeypatch, WRITES) as service:
        (done,) = service.write(force=True)
        (outcome,) = done.outcomes
        assert isinstance(outcome, Wrote), outcome
        assert outcome.summary == "Trains rather than planes"
        assert unwritten(service) == {"trip": 0}
        trailers = dict(service.log(1)[0].trailers)
        assert (trailers["Writer"], trailers["Model"], trailers["Tokens"]) == (
            "command",
            "claude-large",
            "1200/80",
        )
        assert trailers["Prompt"].startswith("write-files/")
        (kept_out,) = service.excluded_sessions()
        assert kept_out.provider == "claude-code"
        assert service.verify().holds


def test_a_second_spelling_of_a_title_is_refused_with_the_topic_that_there_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """bc-057: a writer proposes `coffee-brewing` while `Coffee Brewing` exists."""
    lines = f"""
(topics := pathlib.Path("topics")).mkdir(exist_ok=True)
if "write to topics/Coffee Brewing.md" not in sys.stdin.read():
{INDENTED.replace("trip.md", "coffee-brewing.md")}
else:
    text = pathlib.Path("topics/Coffee Brewing.md").read_text()
{INDENTED.replace("trip.md", "Coffee Brewing.md").replace('f"# Trip', 'text + f"').replace("e1", "e2")}
"""
    with a_home(tmp_path, monkeypatch, lines) as service:
        made = service.change(request(create("Coffee is brewed at 93 degrees.", "topics/Coffee Brewing.md")))
        assert isinstance(made, Committed)
        (done,) = service.write(force=True)
        (outcome,) = done.outcomes
        assert isinstance(outcome, Wrote), outcome
        assert [(line.path, line.records) for line in service.topics()] == [("topics/Coffee Brewing.md", 2)]


def test_a_refused_edit_is_made_again_on_a_fresh_copy(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lines = f"""
if "refused" not in sys.stdin.read():
    pathlib.Path("topics/bad.md").write_text("# Bad\\n\\nNothing is cited here.\\n")
else:
    assert not pathlib.Path("topics/bad.md").exists()
{INDENTED}
"""
    with a_home(tmp_path, monkeypatch, lines) as service:
        (outcome,) = service.write(force=True)[0].outcomes
        assert isinstance(outcome, Wrote), outcome
        assert [topic.path for topic in service.topics()] == ["topics/trip.md"]


def test_a_program_that_changes_archives_is_refused_twice(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lines = f"""
if "more" not in pathlib.Path("BATCH.md").read_text():
{INDENTED}
else:
    path = next(pathlib.Path("sources").rglob("*.md"))
    os.chmod(path, 0o600)
    path.write_text(path.read_text().replace("trains", "ships"))
"""
    with a_home(tmp_path, monkeypatch, lines) as service:
        service.write(force=True)
        before = service.log(1)[0].commit
        service.import_paths(
            [a_talk(tmp_path, {"id": "n1", "role": "user", "text": "I like it more."}, session="two")]
        )
        (outcome,) = [
            each for done in service.write(force=True) for each in done.outcomes if isinstance(each, Failed)
        ]
        assert Code.SOURCES_CHANGED in {problem.code for problem in outcome.problems}
        assert service.log(1)[0].commit == before
        assert service.verify().holds


def test_nothing_to_keep_is_archived_and_marked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with a_home(tmp_path, monkeypatch, 'print("nothing_to_keep: small talk")', "codex") as service:
        (outcome,) = service.write(force=True)[0].outcomes
        assert isinstance(outcome, NothingToKeep)
        assert outcome.reason == "small talk"
        assert unwritten(service) == {"trip": 0}


def test_a_writer_without_its_program_writes_nothing(tmp_path: Path) -> None:
    service = Service(tmp_path, settings=Settings(writer="command"))
    (tmp_path / "sessions").mkdir()
    service.import_paths([a_talk(tmp_path)])
    revision = service.memory().revision
    with pytest.raises(Refused) as refused:
        service.write(force=True)
    assert "scriptorium setup" in refused.value.problems[0].remedy
    assert service.memory().revision == revision


def test_settings_of_the_program_are_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program = on_path(tmp_path / "bin", "mine", WRITES)
    (tmp_path / "settings.toml").write_text(
        'writer = "command"\n[command]\ntimeout = 60\nenv = ["MY_TOKEN"]\n'
        f"program = {json.dumps([str(program)])}\n"
    )
    with Service(tmp_path) as service:
        service.import_paths([a_talk(tmp_path)])
        (outcome,) = service.write(force=True)[0].outcomes
        assert isinstance(outcome, Wrote), outcome
