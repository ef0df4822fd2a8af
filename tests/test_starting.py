"""What a new process loads: a host and a person wait for that, so nothing is loaded that is not used."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from cli_example import surroundings
from scriptorium.service import Service
from scriptorium_core.recall import Query

NEVER = """
    anthropic attr attrs cattr cattrs dataclasses detect_secrets dulwich httpx2 mcp numpy openai orjson
    pyrsistent
    starlette subprocess tomlkit toktok tzlocal unidiff zstandard
    scriptorium.conversations scriptorium.embeddings scriptorium.history.repository
    scriptorium.index.following scriptorium.keeper scriptorium.memory scriptorium.models scriptorium.organizer
    scriptorium.service.kept scriptorium.service.model scriptorium.service.shown
    scriptorium.workspace scriptorium.writer
    scriptorium_core.changes scriptorium_core.checks scriptorium_core.facts.derive scriptorium_core.facts.once
    scriptorium_core.facts.rows scriptorium_core.markdown.footnotes scriptorium_core.markdown.paragraphs
    scriptorium_core.policy.rules scriptorium_core.topics.parse
    scriptorium_core.sessions.graph scriptorium_core.sources.archive scriptorium_core.topics.model
    scriptorium_core.transaction scriptorium_core.views scriptorium_core.writing.prompts
""".split()
SEARCH = """
    scriptorium.redaction scriptorium.service.meaning scriptorium_core.knowledge.offer
    scriptorium_core.sources.redact scriptorium_core.writing shutil textwrap
"""
HELP = "attrs scriptorium.service scriptorium_core.problem sqlite3 tantivy"
PROMPT = {
    "session_id": "s1",
    "prompt": "Where is the violin?",
    "cwd": "/",
    "hook_event_name": "UserPromptSubmit",
}


@pytest.fixture
def home(tmp_path: Path) -> Path:
    with Service(tmp_path) as service:
        service.remember("The violin is in the attic.")
        assert service.search(Query("violin")).hits
    return tmp_path


def loaded(home: Path, words: list[str], also: str, given: str = "") -> list[str]:
    """What a command loads of that which it must not load; it answers all the same."""
    names = [*NEVER, *also.split()]
    code = f"""
import sys
from scriptorium.cli import main
assert main({["--home", str(home), *words]!r}) == 0
print([name for name in {names!r} if name in sys.modules], file=sys.stderr)
"""
    command = [sys.executable, "-c", code]
    env = surroundings()
    done = subprocess.run(command, env=env, input=given, capture_output=True, text=True, check=True)
    assert "violin" in done.stdout or "--help" in words
    found: list[str] = json.loads(done.stderr.replace("'", '"'))
    return found


def test_a_search_loads_only_what_it_uses(home: Path) -> None:
    assert loaded(home, ["search", "violin"], SEARCH) == []
    assert loaded(home, ["--json", "search", "violin"], "scriptorium.redaction") == []


def test_a_hook_loads_only_what_it_uses(home: Path) -> None:
    assert loaded(home, ["hook", "prompt"], "click", json.dumps(PROMPT)) == []


@pytest.mark.parametrize("name", ["hooked", "group", "door", "endings", "first"])
def test_a_key_that_interrupts_while_a_command_is_loaded_shows_no_traceback(home: Path, name: str) -> None:
    def interrupted(*words: str) -> tuple[int, str, str]:
        code = f"""
import sys
class Key:
    pressed = False
    def find_spec(self, found, *_):
        if found == "scriptorium.cli.{name}" and not self.pressed:
            self.pressed = True
            raise KeyboardInterrupt
sys.meta_path.insert(0, Key())
from scriptorium.cli import main
sys.exit(main({["--home", str(home), *words]!r}))
"""
        done = subprocess.run(
            [sys.executable, "-c", code], env=surroundings(), capture_output=True, text=True, check=False
        )
        return done.returncode, done.stdout, done.stderr

    ended, out, err = interrupted("status")
    assert (ended, out, err.strip()) == (130, "", "interrupted; what was committed stays")
    ended, out, err = interrupted("status", "--json")
    assert (ended, err.strip()) == (130, "")
    assert json.loads(out)["error"]["code"] == "INTERRUPTED"
    assert interrupted("hook", "turn")[0] == 0


def test_before_a_key_is_answered_almost_nothing_is_loaded() -> None:
    code = "import sys, scriptorium.cli; print(sorted({'click', 're', 'typing'} & {*sys.modules}))"
    # Without the site's own files, which load what they like.
    done = subprocess.run(
        [sys.executable, "-S", "-c", code], env=surroundings(), capture_output=True, text=True, check=True
    )
    assert done.stdout == "[]\n"


def test_help_loads_nothing_of_a_memory(home: Path) -> None:
    assert loaded(home, ["--help"], HELP) == []
