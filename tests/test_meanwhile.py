"""A person saves the very topic that a commit changes, or calls git, while the commit is being made."""

import itertools
import os
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from scriptorium import files
from scriptorium.history import refs
from scriptorium.layout import git_program
from scriptorium.workspace import Memory
from scriptorium_core.problem import Code
from small_homes import create, delete, git, opened, request, unsound, written
from small_memory import KEYS, cited, codes, draft, sure, topic

needs_git = pytest.mark.skipif(git_program() is None, reason="git is not installed")

Acting = Callable[[Callable[[], None]], None]


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Memory]:
    with opened(tmp_path / "memory") as made:
        yield made


@pytest.fixture
def meanwhile(monkeypatch: pytest.MonkeyPatch) -> Acting:
    """Lets somebody act once, right after the branch has moved."""

    def set_up(act: Callable[[], None]) -> None:
        real, left = refs.move, [act]

        def move(*arguments: Any) -> bool:
            moved = real(*arguments)
            if left:
                left.pop()()
            return moved

        monkeypatch.setattr(refs, "move", move)

    return set_up


def change(block: str, content: str) -> dict[str, object]:
    source = {"source": "new-source-a", "label": "Owner"}
    return {"op": "update_record", "memory_id": block, "content": content, "time": None, "sources": [source]}


def by_hand(memory: Memory, old: str, new: str) -> None:
    topic(memory).write_text(topic(memory).read_text().replace(old, new))


def without(memory: Memory, block: str) -> None:
    """The person takes a record out of the topic."""
    lines = topic(memory).read_text().splitlines(keepends=True)
    topic(memory).write_text("".join(line for line in lines if f"^{block}" not in line))


def contents(memory: Memory) -> list[str]:
    with memory.reading() as (_, base):
        return sorted(known.record.content for known in base.facts.newest)


def test_a_save_while_a_commit_is_made_is_taken_together_with_it(
    memory: Memory, meanwhile: Acting, tmp_path: Path
) -> None:
    written(memory, "One.")
    mine = cited(memory, "Mine.")
    meanwhile(lambda: draft(memory, mine))
    done = sure(memory.update(request(create("Two."))))
    assert done.drafts == (KEYS,)
    adopted = sure(memory.adopt())
    assert len(adopted.report.created) == 1
    assert adopted.report.overruled == ()
    assert contents(memory) == ["Mine.", "One.", "Two."]
    assert list(unsound(tmp_path)) == []


def test_of_a_record_that_both_changed_the_persons_text_stands_and_history_keeps_the_other(
    memory: Memory, meanwhile: Acting, tmp_path: Path
) -> None:
    one, _ = written(memory, "One.", "Two.")
    meanwhile(lambda: by_hand(memory, "One.", "One, by hand."))
    done = sure(memory.update(request(change(one, "One, by a program."), create("Three."), says="New.")))
    adopted = sure(memory.adopt())
    assert adopted.report.overruled == (one,)
    assert contents(memory) == ["One, by hand.", "Three.", "Two."]
    assert b"One, by a program." in (memory.history.base(done.revision).get(KEYS) or b"")
    assert ("Overruled", one) in memory.history.entry(adopted.revision).trailers
    assert list(unsound(tmp_path)) == []


def test_the_next_commit_takes_the_draft_in_by_itself(
    memory: Memory, meanwhile: Acting, tmp_path: Path
) -> None:
    written(memory, "One.")
    mine = cited(memory, "Mine.")
    meanwhile(lambda: draft(memory, mine))
    sure(memory.update(request(create("Two."))))
    sure(memory.update(request(create("Three."), says="Three.")))
    assert contents(memory) == ["Mine.", "One.", "Three.", "Two."]
    assert list(unsound(tmp_path)) == []


def test_a_record_that_the_person_took_out_meanwhile_is_asked_about_and_no_other(
    memory: Memory, meanwhile: Acting
) -> None:
    one, _ = written(memory, "One.", "Two.")
    meanwhile(lambda: without(memory, one))
    sure(memory.update(request(create("Three."))))
    mine = topic(memory).read_bytes()
    result = memory.adopt()
    assert codes(result) == [Code.BLOCK_LOST]
    assert f"^{one}" in result.problems[0].message
    assert topic(memory).read_bytes() == mine


def test_the_newest_record_that_a_person_takes_out_later_is_asked_about(
    memory: Memory, meanwhile: Acting
) -> None:
    written(memory, "One.")
    mine, more = cited(memory, "Mine."), cited(memory, "More.")
    meanwhile(lambda: draft(memory, mine))
    (two,) = sure(memory.update(request(create("Two.")))).report.created
    sure(memory.adopt())
    draft(memory, more)
    without(memory, two)
    assert codes(memory.adopt()) == [Code.BLOCK_LOST]


def test_a_record_that_was_deleted_meanwhile_does_not_come_back_with_an_old_text(
    memory: Memory, meanwhile: Acting
) -> None:
    one, _ = written(memory, "One.", "Two.")
    meanwhile(lambda: by_hand(memory, "Two.", "Two, by hand."))
    sure(memory.update(request(delete(one))))
    assert sure(memory.adopt()).report.overruled == ()
    assert contents(memory) == ["Two, by hand."]


def test_a_note_that_is_damaged_or_names_no_commit_is_as_good_as_none(
    memory: Memory, meanwhile: Acting
) -> None:
    written(memory, "One.")
    mine = cited(memory, "Mine.")
    meanwhile(lambda: draft(memory, mine))
    sure(memory.update(request(create("Two."))))
    for damage in (b"", b"[]", b"\xff", b'{"topics/keys.md": 3}', f'{{"{KEYS}": "{"1" * 40}"}}'.encode()):
        (memory.layout.runtime / "basis.json").write_bytes(damage)
        assert codes(memory.adopt()) == [Code.BLOCK_LOST]


# --- Git ---------------------------------------------------------------------------------------


def called(memory: Memory, *arguments: str) -> str:
    """What git says to a person whom it refuses something."""
    command = ["git", "-C", str(memory.layout.root), "-c", "user.name=P", "-c", "user.email=p@x", *arguments]
    environment = os.environ | {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}
    return subprocess.run(command, check=False, capture_output=True, text=True, env=environment).stderr


@needs_git
@pytest.mark.parametrize("how", ["-q", "-a"])
def test_whoever_commits_between_the_branch_and_the_files_is_told_of_the_lock(
    memory: Memory, meanwhile: Acting, how: str
) -> None:
    written(memory, "One.")
    said: list[str] = []
    meanwhile(lambda: said.append(called(memory, "commit", how, "--allow-empty", "-m", "Mine")))
    done = sure(memory.update(request(create("Two."))))
    assert "index.lock" in said[0]
    assert memory.revision == done.revision
    assert git(memory.layout.root, "status", "--porcelain") == ""


@needs_git
def test_a_commit_by_hand_before_the_branch_moves_is_adopted_and_ours_comes_after_it(
    memory: Memory, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    written(memory, "One.")
    real, left = memory.history.write.__func__, ["Mine"]  # type: ignore[attr-defined]

    def write(history: Any, *arguments: Any) -> str:
        made: str = real(history, *arguments)
        if left:
            assert called(memory, "commit", "--allow-empty", "-m", left.pop()) == ""
        return made

    monkeypatch.setattr(type(memory.history), "write", write)
    sure(memory.update(request(create("Two."))))
    subjects = [entry.subject for entry in memory.history.log()]
    assert subjects[1:3] == ["Take over the memory", "Mine"]
    assert contents(memory) == ["One.", "Two."]
    assert list(unsound(tmp_path)) == []


class Dead(BaseException):
    """The process ends here, as far as the disk can tell."""


@needs_git
@pytest.mark.parametrize("with_git", [True, False])
def test_what_a_person_has_staged_survives_a_commit_that_was_killed_at_any_step(
    with_git: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not with_git:
        monkeypatch.setattr("scriptorium.history.program.git_program", lambda: None)
    monkeypatch.setattr(files, "_AT_ONCE", 1)
    for number in itertools.count(1, 2):
        home = tmp_path / str(number)
        with opened(home / "memory") as memory:
            written(memory, "One.")
            (memory.layout.root / "topics/mine.md").write_text("# Mine\n")
            git(memory.layout.root, "add", "topics/mine.md")
            with monkeypatch.context() as patch:
                steps = itertools.count(1)
                for name in files.STEPS:
                    patch.setattr(files, name, _mortal(getattr(files, name), steps, number))
                try:
                    memory.update(request(create("Two.")))
                    ended = True
                except Dead:
                    ended = False
        with opened(home / "memory") as memory:
            assert not (memory.layout.git / "index.lock").exists(), number
            assert git(memory.layout.root, "status", "--porcelain") == "A  topics/mine.md\n", number
        if ended:
            assert number > 30
            break


def _mortal(real: Callable[..., Any], steps: Iterator[int], number: int) -> Callable[..., Any]:
    def step(*arguments: Any, **more: Any) -> Any:
        if next(steps) >= number:
            raise Dead
        return real(*arguments, **more)

    return step


@needs_git
def test_a_lock_of_a_living_git_is_left_alone(memory: Memory, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("scriptorium.history.gitindex._PAUSE", 0)
    written(memory, "One.")
    lock = memory.layout.git / "index.lock"
    lock.write_bytes(b"")
    done = sure(memory.update(request(create("Two."))))
    assert not done.projected
    assert done.problems[0].path == ".git/index"
    assert lock.read_bytes() == b""
    lock.unlink()
    sure(memory.update(request(create("Three."), says="Three.")))
    assert git(memory.layout.root, "status", "--porcelain") == ""
