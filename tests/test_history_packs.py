"""Many small packs become few, under readers that go on reading."""

import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from scriptorium import layout
from scriptorium.clock import Moment
from scriptorium.history import History, packs
from scriptorium.lock import held


@pytest.fixture(params=["git", "dulwich"])
def history(
    request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[History]:
    if request.param == "dulwich":
        monkeypatch.setattr("scriptorium.history.program.git_program", lambda: None)
    elif shutil.which("git") is None:
        pytest.skip("the git program is not installed")
    opened = History.create(layout.create(tmp_path / "memory"))
    yield opened
    opened.close()


def commits(history: History, first: int, last: int) -> None:
    for number in range(first, last):
        parent = history.head()
        text = b"".join(b"line %d\n" % line for line in range(number))
        made = history.write(parent, {f"topics/{number % 7}.md": text}, f"Write {number}\n", Moment(number))
        assert history.move(parent, made)


def everything(history: History) -> list[dict[str, bytes | None]]:
    bases = [history.base(entry.commit) for entry in history.log()]
    return [{path: base.get(path) for path in base.under("")} for base in bases]


def fsck(history: History) -> str:
    if shutil.which("git") is None:
        return ""
    command = ["git", "-C", str(history.layout.root), "fsck", "--strict", "--full"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return done.stdout + done.stderr


def test_few_packs_are_left_as_they_are(history: History) -> None:
    commits(history, 0, 5)
    assert not history.consolidate(wait=True)
    assert packs.count(history.layout) == 5


def test_many_packs_become_few_and_every_commit_reads_as_before(history: History) -> None:
    commits(history, 0, 40)
    before = everything(history)
    assert history.consolidate(wait=True)
    assert packs.count(history.layout) < 5
    assert everything(history) == before
    assert fsck(history) == ""


def test_a_reader_that_knew_the_old_packs_finds_the_new_one(history: History) -> None:
    commits(history, 0, 20)
    reader = History.open(history.layout)
    reader.base(reader.head()).get("topics/1.md")
    expected = everything(history)
    history.consolidate(force=True, wait=True)
    assert everything(reader) == expected
    reader.close()


def test_packs_stay_few_over_many_commits(history: History) -> None:
    for round_ in range(6):
        commits(history, round_ * 33, round_ * 33 + 33)
        history.consolidate(wait=True)
        assert packs.count(history.layout) < 32
    assert len(everything(history)) == 198
    assert fsck(history) == ""


def test_one_consolidation_runs_at_a_time(history: History) -> None:
    commits(history, 0, 3)
    with held(history.layout.repack_lock):
        assert not history.consolidate(force=True, wait=True)
    assert packs.count(history.layout) == 3


def test_a_kept_pack_is_not_touched(history: History) -> None:
    commits(history, 0, 4)
    kept = next((history.layout.git / "objects/pack").glob("*.pack"))
    kept.with_suffix(".keep").write_bytes(b"")
    history.consolidate(force=True, wait=True)
    assert kept.exists()
    assert len(everything(history)) == 4
