"""What a home is right after its first import, before anything is written or `init` was said."""

import json
from pathlib import Path

import pytest

from cli_example import run, run_json


@pytest.fixture
def log(tmp_path: Path) -> Path:
    path = tmp_path / "talk.jsonl"
    rows = [{"role": "user", "content": "Where are the keys?"}, {"role": "assistant", "content": "Here."}]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def test_what_waits_is_told_at_once(tmp_path: Path, log: Path) -> None:
    home = tmp_path / "home"
    assert run("--home", home, "import", log).code == 0
    found = run_json("--home", home, "status")
    assert (found["pending"], found["revision"], found["records"]) == (2, None, 0)
    assert run("--home", home, "status").code == 0


def test_a_dry_run_makes_no_memory(tmp_path: Path, log: Path) -> None:
    home = tmp_path / "home"
    assert run("--home", home, "import", "--dry-run", log).code == 0
    assert not (home / "memory").exists()
