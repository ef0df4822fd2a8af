"""Kill -9 at every step of a commit leaves the state before or after, and the next opening finishes it."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from scriptorium import files, layout, lock
from scriptorium.clock import Moment
from scriptorium.history import History

OLD = {
    "topics/a.md": b"old a\n",
    "topics/gone/b.md": b"old b\n",
    "sources/chat/_v2/t.md": b"old source\n",
    "core.md": b"old core\n",
    "timeline/2026.md": b"old day\n",
}
NEW = {
    "topics/a.md": b"new a\n" * 500,
    "topics/fresh/deep/c.md": b"new c\n",
    "sources/chat/_v2/t.md": b"new source\n",
    "core.md": b"new core\n",
}
STEPS = 60  # more than a commit has

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork and SIGKILL")


def memory_of(folder: Path) -> Path:
    history = History.create(layout.create(folder / "memory"))
    made = history.write(None, OLD, "Begin\n", Moment(1_700_000_000))
    assert history.move(None, made)
    assert history.project().done
    history.close()
    return history.layout.root


def copies(memory: Path, folder: Path) -> list[Path]:
    made = [folder / f"{number:02d}" for number in range(1, STEPS + 1)]
    for each in made:
        shutil.copytree(memory, each)
    return made


def outcomes(mode: str, memories: list[Path]) -> list[str]:
    script = Path(__file__).with_name("commit_and_die.py")
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}
    command = [sys.executable, str(script), mode, *map(str, memories)]
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stdout.split()


def committed(history: History) -> dict[str, bytes | None]:
    base = history.base(history.head())
    return {path: base.get(path) for path in base.under("")}


def on_disk(root: Path) -> dict[str, bytes]:
    paths = [path for path in root.rglob("*") if path.is_file() and path.relative_to(root).parts[0][0] != "."]
    return {path.relative_to(root).as_posix(): path.read_bytes() for path in paths}


def git(root: Path, *arguments: str) -> str:
    if shutil.which("git") is None:
        return ""
    done = subprocess.run(["git", "-C", str(root), *arguments], capture_output=True, text=True, check=True)
    return done.stdout + done.stderr


def check(root: Path) -> bool:
    """Whether the commit of a killed process stands; everything else is asserted."""
    history = History.open(layout.locate(root))
    found = committed(history)
    assert found in (OLD, NEW)
    shown = {path: content for path, content in on_disk(root).items() if "/." not in path}
    assert all(content in (OLD.get(path), NEW.get(path)) for path, content in shown.items())
    assert git(root, "fsck", "--strict", "--no-dangling") == ""
    with lock.held(history.layout.lock, timeout=0):
        finished = history.recover()
    assert finished.done
    assert finished.drafts == history.drafts() == ()
    assert on_disk(root) == found
    assert not list(root.rglob(f"{files.TEMPORARY}*"))
    assert git(root, "status", "--porcelain") == ""
    again = history.write(history.head(), {"topics/again.md": b"x"}, "Again\n", Moment(1_700_000_002))
    assert history.move(history.head(), again)
    assert history.project().drafts == ()
    assert git(root, "fsck", "--strict", "--no-dangling") == ""
    history.close()
    return found == NEW


@pytest.mark.parametrize("mode", ["clean", "torn"])
def test_a_commit_killed_at_any_step_is_there_or_not(mode: str, tmp_path: Path) -> None:
    memories = copies(memory_of(tmp_path), tmp_path)
    ends = outcomes(mode, memories)
    assert set(ends) == {"killed", "done"}
    killed = ends.count("killed")
    assert ends == ["killed"] * killed + ["done"] * (STEPS - killed)
    stands = [check(memory) for memory in memories[: killed + 1]]
    # One step divides before from after, and it lies well inside the commit.
    moved = stands.index(True)
    assert stands == [False] * moved + [True] * (killed + 1 - moved)
    assert 5 < moved < killed - 5
