"""The command line in this process and in one of its own, on copies of the demo's home."""

import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping
from functools import cache
from io import StringIO
from pathlib import Path
from typing import Any
from unittest import mock

from attrs import frozen

from scriptorium.cli import main
from scriptorium.service import Service

__all__ = [
    "DINNER",
    "HOTEL",
    "INES",
    "PORTO",
    "ROOT",
    "Ran",
    "change",
    "child",
    "create",
    "fresh_home",
    "held",
    "in_a_process",
    "refused",
    "run",
    "run_json",
    "surroundings",
]

ROOT = Path(__file__).resolve().parent.parent
PORTO = "topics/trips/porto.md"
DINNER, HOTEL, INES = "15d64015", "e04876bb", "f785be39"
"""Records of the demo; its tape, its conversation and its clock give them the same ids everywhere."""


@frozen
class Ran:
    """How a command ended."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """The one JSON object on the standard output."""
        return json.loads(self.out)


def run(*words: object) -> Ran:
    """A command in this process."""
    out, err = StringIO(), StringIO()
    with mock.patch.object(sys, "stdout", out), mock.patch.object(sys, "stderr", err):
        code = main([*map(str, words)])
    return Ran(code, out.getvalue(), err.getvalue())


def run_json(*words: object) -> Any:
    """The answer of a command to a program, which is one object with `ok` whatever happened."""
    ran = run(*words, "--json")
    assert ran.err == "", ran.err
    assert isinstance(ran.json, dict)
    assert ran.json["ok"] is (ran.code == 0)
    return ran.json


def in_a_process(*words: object, env: Mapping[str, str] | None = None, input: str | None = None) -> Ran:
    """A command in a process of its own."""
    done = subprocess.run(
        child(*words),
        env=env or surroundings(),
        input=input,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    return Ran(done.returncode, done.stdout, done.stderr)


def child(*words: object) -> list[str]:
    """The words that start a process with a command."""
    return [sys.executable, "-m", "scriptorium", *map(str, words)]


def surroundings() -> Mapping[str, str]:
    """The environment of a process: the packages of this checkout, and no home of the person."""
    kept = {key: value for key, value in os.environ.items() if not key.startswith(("SCRIPTORIUM", "XDG_"))}
    packages = os.pathsep.join(str(ROOT / package) for package in ("core", "shell"))
    return {**kept, "PYTHONPATH": packages, "HOME": tempfile.gettempdir()}


def fresh_home(folder: Path) -> Path:
    """A copy of the demo's home."""
    home = folder / "home"
    shutil.copytree(_demo(), home)
    return home


def held(home: Path) -> Mapping[str, bytes]:
    """What may not change by itself: HEAD, and every file of the memory that is not git's or runtime."""
    memory = home / "memory"
    files = (path for path in sorted(memory.rglob("*")) if path.is_file() and not path.is_symlink())
    named = {path.relative_to(memory).as_posix(): path for path in files}
    inside = {name: path.read_bytes() for name, path in named.items() if not name.startswith(".")}
    with Service(home) as service:
        head = service.memory().revision or ""
    return {**inside, ".git/HEAD": head.encode()}


def create(path: str, content: str = "Mara has oats for breakfast.", **other: object) -> dict[str, Any]:
    """A request that creates one record, which cites a message of the demo."""
    destination = {"topic_path": path, "headings": ["Food"], "position": "end"}
    operation = {
        "op": "create_record",
        "content": content,
        "time": "2026-03-14",
        "sources": [{"source": "native/porto/m1", "label": "Mara"}],
        "destination": destination,
    }
    return {"memory_changes": [operation | other]}


def change(home: Path, request: object) -> Ran:
    """The command that carries out a request."""
    file = home / "request.json"
    file.write_text(request if isinstance(request, str) else json.dumps(request))
    return run("--home", home, "change", file)


def refused(home: Path, code: str, place: str, act: Callable[[], Ran]) -> Ran:
    """That an act ends in an error of this code at this place, and that nothing was changed."""
    before = held(home)
    ran = act()
    assert ran.code not in (0, 70), ran.out
    assert ran.out == ""
    lines = ran.err.splitlines()
    heads = [line for line in lines if line and not line.startswith(" ")]
    assert any(line.startswith(code) and place in line for line in heads), ran.err
    assert "Traceback" not in ran.err
    assert held(home) == before
    return ran


@cache
def _demo() -> Path:
    home = Path(tempfile.mkdtemp(prefix="scriptorium-test-")) / "home"
    ran = run("demo", "--home", home)
    assert ran.code == 0, ran.err
    return home
