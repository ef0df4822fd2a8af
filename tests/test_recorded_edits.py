"""Tapes of writers that edit: the commits of the recording again, byte for byte, or nothing at all."""

import json
import shutil
from pathlib import Path

import pytest

from scriptorium.writer import Answer, NothingProposed, Task
from scriptorium.writer.recorded import Player, Recorder, read_tape
from scriptorium_core.problem import Code
from scriptorium_core.writing.outcome import Failed, NothingToKeep, Wrote
from small_homes import create, listed, opened, request, told, unsound
from written_homes import (
    TALK_PATH,
    USED,
    Scripted,
    Turn,
    edited,
    failed,
    first,
    kept,
    only_block,
    topic,
    wrong,
    wrote,
)


@pytest.fixture
def home(tmp_path: Path) -> Path:
    told(tmp_path / "home")
    return tmp_path / "home"


def history(home: Path) -> list[str]:
    with opened(home / "memory") as memory:
        return [entry.commit for entry in memory.history.log()]


def test_a_tape_of_edits_gives_the_commits_of_the_recording_byte_for_byte(home: Path, tmp_path: Path) -> None:
    with opened(home / "memory") as memory:
        memory.update(request(create("Tea is what Mara drinks.", TALK_PATH)))
    block = only_block(home)

    def replace(task: Task) -> Answer:
        text = topic(("Mara drinks tea\u2028now.", first(task)))
        gone: Turn = ("delete_records", {"ids": [block], "reason": "said anew"})
        return edited(task, gone, ("write", {"path": "topics/tea.md", "content": text}))

    for name in ("one", "two"):
        shutil.copytree(home, tmp_path / name)
    tape = tmp_path / "tape.jsonl"
    prompt = "write/1-00000000 repair/1-11111111"
    writer = Scripted([replace, lambda _: NothingProposed("small talk", USED), wrong, kept], prompt=prompt)
    recorded = listed(tmp_path / "one", writer=writer, record=Recorder(tape, "scripted", prompt))
    assert [type(outcome) for outcome in recorded] == [Wrote, NothingToKeep, Wrote]
    player = Player(read_tape(tape))
    played = listed(tmp_path / "two", writer=player)
    assert history(tmp_path / "two") == history(tmp_path / "one")
    assert len(history(tmp_path / "two")) == 4
    assert [type(outcome) for outcome in played] == [Wrote, NothingToKeep, Wrote]
    assert all(isinstance(outcome, Wrote | NothingToKeep) and outcome.used.calls == 0 for outcome in played)
    assert list(unsound(tmp_path / "two")) == []


def test_a_tape_of_operations_gives_the_commits_of_the_recording_too(home: Path, tmp_path: Path) -> None:
    shutil.copytree(home, tmp_path / "two")
    with opened(home / "memory"), opened(tmp_path / "two" / "memory"):
        pass
    tape = tmp_path / "tape.jsonl"
    listed(home, record=Recorder(tape, "extractive"))
    listed(tmp_path / "two", writer=Player(read_tape(tape)))
    assert history(tmp_path / "two") == history(home)


def test_a_tape_is_not_played_over_texts_that_its_writer_has_not_seen(home: Path, tmp_path: Path) -> None:
    shutil.copytree(home, tmp_path / "two")
    tape = tmp_path / "tape.jsonl"
    listed(home, 10_000, Scripted([kept]), record=Recorder(tape, "scripted"))
    with opened(tmp_path / "two" / "memory") as memory:
        memory.update(request(create("Mine.", "topics/u1.md")))
    (outcome,) = listed(tmp_path / "two", 10_000, Player(read_tape(tape)))
    assert isinstance(outcome, Failed)
    assert (outcome.code, outcome.retryable) == (Code.WRITER_PRECONDITION_FAILED, False)
    assert [problem.path for problem in outcome.problems] == ["topics/u1.md"]


def test_only_what_came_into_memory_goes_onto_the_tape(home: Path, tmp_path: Path) -> None:
    tape = tmp_path / "tape.jsonl"
    failed(home, Scripted([wrong]), record=Recorder(tape, "scripted"))
    assert not tape.exists()
    wrote(home, Scripted([wrong, kept]), record=Recorder(tape, "scripted", "write/1-00000000"))
    head, *lines = [json.loads(line) for line in tape.read_text().splitlines()]
    assert head == {"tape": 1, "writer": "scripted", "prompt": "write/1-00000000"}
    (line,) = lines
    assert [change["path"] for change in line["changes"]] == ["topics/u1.md"]
    assert line["used"] == {"model": "scripted-1", "tokens_in": 2400, "tokens_out": 680}
    assert line["summary"] == "Keep u1"
