"""Homes that are sealed: a history, drafts, files of a person's own, settings and conversations."""

from pathlib import Path
from typing import Any

import pytest

from scriptorium.refused import Refused
from scriptorium.sealed import sealing
from scriptorium.service import Service
from scriptorium_core.problem import Problem
from small_homes import git, service, told

__all__ = ["WORDS", "contents", "filled", "objects_of", "refusal", "sealed_pair", "small_pieces"]

WORDS = "The spare keys hang behind the zinnober door."


def filled(home: Path) -> Path:
    """A home with two commits, a draft, a deletion by hand, a file of a person's own, and a conversation."""
    told(home)
    home.joinpath("settings.toml").write_text('timezone = "Europe/Berlin"\n')
    with Service(home) as made:
        made.remember(WORDS, topic="keys")
        made.remember("Tea is at six.", topic="tea")
    memory = home / "memory"
    draft = memory / "topics" / "tea.md"
    draft.write_text(draft.read_text().replace("six", "five"))
    (memory / "recent_events.jsonl").unlink()
    (memory / "my own").mkdir()
    (memory / "my own" / "ünder.txt").write_bytes(b"\r\nmine\x00")
    (memory / "my own" / "empty").write_bytes(b"")
    return home


def contents(home: Path) -> dict[str, bytes]:
    """Every file of a memory that is neither git's nor runtime, its HEAD, its log and its id."""
    memory = home / "memory"
    found = {path.relative_to(memory).as_posix(): path for path in memory.rglob("*") if path.is_file()}
    kept = {name: path.read_bytes() for name, path in found.items() if not name.startswith(".")}
    said = {name: git(memory, *words).encode() for name, words in _ASKED.items()}
    identity = (memory / ".scriptorium" / "workspace-id").read_bytes()
    return {**kept, **said, "id": identity, "settings": (home / "settings.toml").read_bytes()}


_ASKED = {
    "HEAD": ("rev-parse", "HEAD"),
    "log": ("log", "--format=fuller"),
    "refs": ("for-each-ref",),
    "branch": ("symbolic-ref", "HEAD"),
}


def objects_of(library: Path) -> list[Path]:
    """The files of the objects of a library."""
    return sorted((library / "objects").rglob("*.mcma"))


def refusal(call: Any, *arguments: Any, **named: Any) -> Problem:
    """The first problem of a call that is refused."""
    with pytest.raises(Refused) as refused:
        call(*arguments, **named)
    return refused.value.problems[0]


def sealed_pair(tmp_path: Path) -> tuple[Path, Path]:
    """A home, and the library that it was sealed to."""
    home, library = filled(tmp_path / "home"), tmp_path / "library"
    with service(home) as opened:
        opened.seal(str(library))
    return home, library


@pytest.fixture
def small_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    """Objects of at most 512 bytes, so that a small history has many."""
    monkeypatch.setattr(sealing, "PIECE", 512)
