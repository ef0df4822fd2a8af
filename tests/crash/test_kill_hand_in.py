"""Kill -9 at any step of a hand-in loses no message, writes none twice, and leaves no batch with nobody."""

import os
import shutil
from pathlib import Path

import pytest

from agent_homes import MINUTES, agent, keep, offered, talks, unwritten, wrote
from crash.deaths import deaths
from crash.dying import hand_in
from kept_homes import Clock
from scriptorium.conversations.store import open_store
from scriptorium.service.leased import Offered, Unoffered
from scriptorium_core.writing.outcome import NothingDue
from small_homes import opened, unsound

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork and SIGKILL")

TEA = ("I prefer tea to coffee.", "I drink it without sugar.")


def history(home: Path) -> list[str]:
    """The commits of a home, oldest first."""
    with opened(home / "memory") as memory:
        return [entry.commit for entry in memory.history.log()][::-1]


def test_a_hand_in_killed_at_any_step_is_finished_by_the_same_agent(tmp_path: Path) -> None:
    home = tmp_path / "home"
    talks(home, s1=TEA)
    alive = shutil.copytree(home, tmp_path / "done")
    hand_in(alive)
    wanted = history(alive)
    lengths: list[int] = []
    for killed in deaths("hand_in", home, tmp_path, 14):
        found = history(killed)
        assert found == wanted[: len(found)], killed.name
        assert list(unsound(killed)) == [], killed.name
        with agent(killed, Clock(), "owner") as service:
            given = service.pending()
            if isinstance(given, Offered):
                wrote(service.hand_in(given.batch, [keep(*given.refs)]))
            else:
                assert isinstance(given, Unoffered)
            assert unwritten(service) == 0
        # The same clock: whoever finished it, the commits are those of a hand-in that was not cut off.
        assert history(killed) == wanted, killed.name
        assert list(unsound(killed)) == [], killed.name
        lengths.append(len(found))
        shutil.rmtree(killed)
    assert lengths == sorted(lengths)
    assert set(lengths) == {0, 1}


@pytest.mark.parametrize("late", [0, MINUTES])
def test_between_commit_and_marks_the_next_call_sets_the_marks_and_writes_nothing(
    tmp_path: Path, late: int
) -> None:
    talks(tmp_path, s1=TEA)
    clock = Clock()
    with agent(tmp_path, clock, "owner") as service:
        given = offered(service)
        leases = (service.root / ".scriptorium" / "leases.json").read_bytes()
        wrote(service.hand_in(given.batch, [keep(*given.refs)]))
        head = service.memory().revision
        # As a process leaves it that is killed behind its commit.
        (service.root / ".scriptorium" / "leases.json").write_bytes(leases)
        with open_store(tmp_path / "sessions.sqlite3") as store, store.transaction():
            store.run("UPDATE nodes SET mark = ''", ())
        assert unwritten(service) == 2
        clock.now += late
        again = service.hand_in(given.batch, [keep(*given.refs)])
        assert (again.already, again.outcome) == (True, NothingDue())
        assert unwritten(service) == 0
        assert service.memory().revision == head
    assert list(unsound(tmp_path)) == []
