"""Laws of passes and crashes: each message is written exactly once, the same input gives the same commits."""

import contextlib
import itertools
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any
from unittest.mock import patch

from hypothesis import given, settings
from hypothesis import strategies as st

from scriptorium import files
from scriptorium.conversations import unwritten
from scriptorium.conversations.store import open_store
from scriptorium.history import gitindex
from scriptorium.writer.recorded import Player, Recorder, read_tape
from scriptorium_core.sessions.evidence import source_of
from scriptorium_core.sessions.graph import Node
from scriptorium_core.sessions.talk import talks
from scriptorium_core.sources.archive import scan
from scriptorium_core.writing.outcome import Failed
from session_strategies import logs
from small_homes import committed, listed, opened, talk_of, told

FEW = settings(max_examples=max(4, settings().max_examples // 6))
"""Real folders and real git: an example costs a second."""

STEPS = ((files, *files.STEPS), (unwritten, "mark"), (gitindex, "start"))


class Dead(BaseException):
    """The process ends here, as far as what is on the disk can tell."""


@contextlib.contextmanager
def mortal(number: int) -> Iterator[None]:
    """Every step from the `number`-th on fails, so that nothing can be cleared up either."""
    steps = itertools.count(1)

    def wrapped(real: Any) -> Any:
        def step(*arguments: Any, **more: Any) -> Any:
            if next(steps) >= number:
                raise Dead
            return real(*arguments, **more)

        return step

    with contextlib.ExitStack() as patches:
        for module, *names in STEPS:
            for name in names:
                patches.enter_context(patch.object(module, name, wrapped(getattr(module, name))))
        # Threads cannot carry the end of the process to the one that waits for them.
        patches.enter_context(patch.object(files, "_AT_ONCE", 1))
        patches.enter_context(contextlib.suppress(Dead))
        yield


@contextlib.contextmanager
def fresh() -> Iterator[Path]:
    with tempfile.TemporaryDirectory() as folder:
        yield Path(folder)


def archived(home: Path) -> list[str]:
    """The ids of all archived messages, as often as they stand there."""
    with opened(home / "memory") as memory:
        found = committed(memory)
    return [frame.id for path, data in found.items() if data and path.endswith(".md") and "_v2" in path
            for frame in scan(path, data).frames]  # fmt: skip


def history(home: Path) -> list[str]:
    with opened(home / "memory") as memory:
        return [entry.commit for entry in memory.history.log()]


def talk(home: Path) -> list[str]:
    """The source ids of all that was said in the conversation of a home."""
    with open_store(home / "sessions.sqlite3") as store:
        turns = list(store.nodes(talk_of(store)))
    return [source_of(turn) for turn in turns if talks(turn.origin, turn.text)]


class TestEachMessageIsWrittenExactlyOnce:
    """Over all branches each message is written once, in any order of branches, batches and crashes."""

    @FEW
    @given(logs(), st.data())
    def test_whatever_is_cut_off_and_wherever_the_head_moves(
        self, turns: Sequence[Node], data: st.DataObject
    ) -> None:
        names = [turn.id for turn in turns]
        with fresh() as home:
            for _ in range(data.draw(st.integers(1, 3))):
                told(home, turns[: data.draw(st.integers(1, len(turns)))], data.draw(st.sampled_from(names)))
                with mortal(data.draw(st.integers(1, 250))):
                    listed(home, goal=data.draw(st.sampled_from((1, 10, 10_000))))
            told(home, turns)
            assert not [outcome for outcome in listed(home, goal=20) if isinstance(outcome, Failed)]
            assert sorted(archived(home)) == sorted(talk(home))
            before = history(home)
            listed(home, goal=20)
            assert history(home) == before


class TestTheSameInputGivesTheSameCommits:
    """Same session, same tape, same clock: the same commit ids, whatever was cut off between."""

    @FEW
    @given(logs(), st.integers(1, 200), st.sampled_from((1, 20, 10_000)))
    def test_two_fresh_homes_play_a_tape_to_the_same_commits(
        self, turns: Sequence[Node], death: int, goal: int
    ) -> None:
        with fresh() as home:
            tape = home / "tape.jsonl"
            told(home / "one", turns)
            recorded = listed(home / "one", goal, record=Recorder(tape, "extractive"))
            assert not [outcome for outcome in recorded if isinstance(outcome, Failed)]
            if not tape.exists():
                return  # nothing was said
            for name in ("two", "three"):
                told(home / name, turns)
                with mortal(death if name == "three" else 1_000_000):
                    listed(home / name, goal, Player(read_tape(tape)))
                outcomes = listed(home / name, goal, Player(read_tape(tape)))
                assert not [outcome for outcome in outcomes if isinstance(outcome, Failed)]
            assert history(home / "two") == history(home / "three")
