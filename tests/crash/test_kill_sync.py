"""Kill -9 at any step of a sync: the next one finishes it, and nothing of what waited is left."""

import os
import shutil
from pathlib import Path

import pytest

from crash.deaths import deaths
from crash.dying import meet
from small_homes import opened, service, unsound
from sync_homes import bare

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork and SIGKILL")


def heads(home: Path) -> tuple[str, str]:
    """Where the memory and the copy stand."""
    with opened(home / "memory") as memory:
        assert memory.revision is not None
        return memory.revision, (home / "remote.git" / "refs" / "heads" / "main").read_text().strip()


def test_a_sync_killed_at_any_step_is_finished_by_the_next(tmp_path: Path) -> None:
    home, other = tmp_path / "home", tmp_path / "other"
    remote = bare(tmp_path / "remote.git")
    with service(home) as one, service(other) as two:
        one.remember("The spare keys hang behind the blue door.", topic="keys")
        one.sync(str(remote))
        two.sync(str(remote))
        two.remember("Tea is at six.", topic="keys")
        two.sync(str(remote))
        one.remember("The gate is green.", topic="keys")
    shutil.copytree(remote, home / "remote.git")
    alive = shutil.copytree(home, tmp_path / "done")
    meet(alive)
    wanted = heads(alive)
    assert wanted[0] == wanted[1]
    before: list[bool] = []
    for killed in deaths("meet", home, tmp_path, 16):
        assert list(unsound(killed)) == [], killed.name
        before.append(heads(killed)[0] == wanted[0])
        with service(killed) as again:
            again.sync(str(killed / "remote.git"))
        assert heads(killed) == wanted, killed.name
        assert not (killed / "memory" / ".scriptorium" / "incoming").exists(), killed.name
        assert list(unsound(killed)) == [], killed.name
        shutil.rmtree(killed)
    assert before == sorted(before)
    assert set(before) == {True, False}
