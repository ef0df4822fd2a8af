"""Kill -9 at any step of a pass loses no message and writes none twice, whatever marks were set."""

import os
import shutil
from pathlib import Path

import pytest

from crash.deaths import deaths
from scriptorium.conversations.store import open_store
from scriptorium.conversations.unwritten import count_pending, spoken
from scriptorium_core.sources.archive import scan
from scriptorium_core.writing.outcome import NothingDue, Wrote
from small_homes import TALK, committed, listed, opened, talk_of, told, unsound

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork and SIGKILL")


def history(home: Path) -> list[str]:
    """The commits of a home, oldest first."""
    with opened(home / "memory") as memory:
        return [entry.commit for entry in memory.history.log()][::-1]


def archived(home: Path) -> list[str]:
    """The ids of all archived messages, as often as they stand there."""
    with opened(home / "memory") as memory:
        files = [(path, data) for path, data in committed(memory).items() if path.endswith("_v2/s1.md")]
        return [frame.id for path, data in files if data for frame in scan(path, data).frames]


def marks(home: Path) -> tuple[int, list[str]]:
    """How many messages are pending, and the marks of all."""
    with opened(home / "memory") as memory, open_store(home / "sessions.sqlite3") as store:
        session = talk_of(store)
        found = [mark for _, mark in spoken(store, session)]
        assert set(found) <= {memory.workspace, ""}
        return count_pending(store, session, memory.workspace), found


def test_a_pass_killed_at_any_step_is_finished_by_the_next_one(tmp_path: Path) -> None:
    home = tmp_path / "home"
    told(home)
    alive = shutil.copytree(home, tmp_path / "done")
    assert [type(outcome) for outcome in listed(alive)] == [Wrote] * 3
    wanted = history(alive)
    assert list(unsound(alive)) == []
    lengths = []
    for killed in deaths("write", home, tmp_path, 14):
        found = history(killed)
        assert found == wanted[: len(found)], killed.name
        assert list(unsound(killed)) == [], killed.name
        outcomes = listed(killed)
        assert not [outcome for outcome in outcomes if not isinstance(outcome, Wrote | NothingDue)]
        # The same clock: a pass that was cut off anywhere ends in the commits of one that was not.
        assert history(killed) == wanted, killed.name
        assert sorted(archived(killed)) == sorted(f"chat/s1/{turn.id}" for turn in TALK)
        assert marks(killed)[0] == 0, killed.name
        assert [type(outcome) for outcome in listed(killed)] == [NothingDue]
        assert list(unsound(killed)) == [], killed.name
        lengths.append(len(found))
        shutil.rmtree(killed)
    assert lengths == sorted(lengths)
    assert set(lengths) == {0, 1, 2, 3}


def test_marks_that_are_missing_are_set_without_a_commit(tmp_path: Path) -> None:
    told(tmp_path)
    listed(tmp_path)
    before = history(tmp_path)
    with open_store(tmp_path / "sessions.sqlite3") as store, store.transaction():
        store.run("UPDATE nodes SET mark = '' WHERE id IN ('a1', 'u2b', 'u3b')", ())
    assert marks(tmp_path)[0] == 3
    (outcome,) = listed(tmp_path)
    assert isinstance(outcome, NothingDue)
    # Node u2 and its branch were done; the walk from the head meets a mark above what lost its own.
    assert marks(tmp_path)[0] == 0
    assert history(tmp_path) == before
