"""A fault at any step that touches the disk ends in clear problems and the state before or after."""

import errno
import itertools
import os
import sqlite3
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest

from scriptorium import files
from scriptorium.refused import Refused
from scriptorium.workspace import Committed, Memory
from scriptorium_core.problem import Code, Problem
from scriptorium_core.transaction import Rejected
from scriptorium_core.writing.outcome import Failed, NothingDue, Outcome, Wrote
from small_homes import (
    committed,
    create,
    delete,
    listed,
    move,
    on_disk,
    opened,
    request,
    told,
    unsound,
    written,
)

STEPS = (*files.STEPS, "read")
KINDS = {"full": errno.ENOSPC, "not permitted": errno.EPERM, "broken": errno.EIO}


class Faulty:
    """Makes the steps of `files` fail from the `first` on, or that one alone."""

    def __init__(self, patch: pytest.MonkeyPatch, first: int, number: int, lasting: bool = True) -> None:
        self.steps = itertools.count(1)
        self.first, self.number, self.lasting = first, number, lasting
        self.hit = False
        for name in STEPS:
            patch.setattr(files, name, self._wrapped(name, getattr(files, name)))

    def _wrapped(self, name: str, real: Callable[..., Any]) -> Callable[..., Any]:
        def step(*arguments: Any, **more: Any) -> Any:
            place = next(self.steps)
            if place == self.first or (self.lasting and place > self.first and name != "read"):
                self.hit = True
                if name == "write_temporary":
                    self._half(*arguments)
                raise OSError(self.number, os.strerror(self.number), str(arguments[0]))
            return real(*arguments, **more)

        return step

    def _half(self, folder: Path, data: bytes, *_: Any) -> None:
        """What a short write leaves when nobody can clear up."""
        (folder / f"{files.TEMPORARY}half.tmp").write_bytes(data[: len(data) // 2])


def change(memory: Memory) -> Committed | Rejected | Refused:
    try:
        with memory.reading() as (_, base):
            first, second, _ = (known.record.id for known in reversed(tuple(base.facts.newest)))
        changes = create("New.", "topics/new/fourth.md"), delete(first), move(second, topic="topics/moved.md")
        return memory.update(request(*changes, says="Four."))
    except Refused as refused:
        return refused


def clear(problems: tuple[Problem, ...]) -> bool:
    """Whether each says what, where, and what to do."""
    return bool(problems) and all(each.message and each.path and each.remedy for each in problems)


def refusal(work: Callable[[], None]) -> tuple[Problem, ...]:
    """Why some work was refused; empty if it was done."""
    try:
        work()
    except Refused as refused:
        return refused.problems
    return ()


def faults(
    home: Path, patch: pytest.MonkeyPatch, number: int, lasting: bool, steps: Iterable[int]
) -> Iterator[bool]:
    """Whether the commit stood, for a fault at each of the steps of an update, until none is hit."""
    for first in steps:
        root = home / f"{first}" / "memory"
        with opened(root) as memory:
            written(memory, "One.", "Two.", "Three.")
            before, kept = memory.revision, on_disk(root)
            with patch.context() as broken:
                fault = Faulty(broken, first, number, lasting)
                result = change(memory)
            after = memory.revision
            if not fault.hit:
                return
            match result:
                case Committed():
                    assert after == result.revision != before
                    assert result.projected or clear(result.problems)
                case Rejected() | Refused():
                    assert clear(result.problems), result
                    assert after == before, first
                    assert on_disk(root) == kept
        assert list(unsound(root.parent)) == [], first
        yield after != before


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("lasting", [True, False], ids=["lasting", "passing"])
def test_an_update_that_meets_a_fault_is_there_or_not(
    kind: str, lasting: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Every step with the profile `deep`; else each kind of fault meets steps of its own.
    begin, every = 2 * [*KINDS].index(kind) + lasting, 17
    steps = (
        itertools.count(1)
        if os.environ.get("HYPOTHESIS_PROFILE") == "deep"
        else itertools.count(begin + 1, every)
    )
    stands = list(faults(tmp_path, monkeypatch, KINDS[kind], lasting, steps))
    assert set(stands) == {True, False}
    if lasting:
        assert stands == sorted(stands)


def test_a_memory_goes_on_after_a_passing_fault_without_being_opened_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for first in range(3, 90, 21):
        root = tmp_path / f"{first}" / "memory"
        with opened(root) as memory:
            written(memory, "One.", "Two.", "Three.")
            with monkeypatch.context() as broken:
                Faulty(broken, first, errno.EIO)
                change(memory)
            assert isinstance(memory.update(request(create("Two more.", "topics/moved.md"))), Committed)
        assert list(unsound(root.parent)) == [], first


def test_what_could_not_be_projected_is_no_draft(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file that could not follow holds an older state, which must not be taken for a person's wish."""
    root = tmp_path / "memory"
    with opened(root) as memory:
        (block,) = written(memory, "The key hangs by the door.")

        def refused(temporary: Path, path: Path) -> None:
            raise PermissionError(errno.EPERM, "not permitted", str(path))

        with monkeypatch.context() as broken:
            real = files.install
            broken.setattr(
                files,
                "install",
                lambda one, two: refused(one, two) if two.suffix == ".md" else real(one, two),
            )
            update = {"op": "update_record", "memory_id": block, "content": "It hangs in the hall."}
            cites = {"time": "2026", "sources": [{"source": "new-source-a", "label": "Owner"}]}
            done = memory.update(request(update | cites, says="In the hall."))
            assert isinstance(done, Committed)
            assert not done.projected
            assert clear(done.problems)
            assert memory.history.drafts() == ()
            again = memory.update(request(create("Another.")))
            assert isinstance(again, Committed)
            assert not again.projected
        text = committed(memory)["topics/keys.md"] or b""
        assert b"in the hall" in text
        assert b"Another." in text
    assert list(unsound(tmp_path)) == []
    assert (root / "topics/keys.md").read_bytes() == text


def test_opening_that_meets_a_fault_is_refused_and_opens_the_next_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for first in itertools.count(1, 9):
        root = tmp_path / f"{first}" / "memory"
        with monkeypatch.context() as broken:
            fault = Faulty(broken, first, errno.ENOSPC)
            problems = refusal(lambda root=root: opened(root).close())  # type: ignore[misc]
        assert problems == () or clear(problems)
        if not fault.hit:
            assert first > 20
            return
        with opened(root) as memory:
            written(memory, "One.")
        assert list(unsound(root.parent)) == [], first


def test_a_pass_that_meets_a_fault_says_so_and_the_next_one_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for first in itertools.count(30, 70):
        home = tmp_path / f"{first}"
        told(home)
        opened(home / "memory").close()
        with monkeypatch.context() as broken:
            fault = Faulty(broken, first, errno.ENOSPC)
            outcomes: list[Outcome] = []
            problems = refusal(lambda home=home, found=outcomes: found.extend(listed(home)))  # type: ignore[misc]
        assert problems == () or clear(problems)
        if not fault.hit:
            assert first > 100
            return
        for outcome in outcomes:
            match outcome:
                case Failed():
                    assert outcome.problems
                    assert outcome.message
                case _:
                    assert isinstance(outcome, Wrote | NothingDue)
        assert all(isinstance(outcome, Wrote | NothingDue) for outcome in listed(home))
        assert [type(outcome) for outcome in listed(home)] == [NothingDue]
        assert list(unsound(home)) == [], first


@pytest.mark.skipif(
    not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root can become another user"
)
def test_who_is_not_root_can_write_and_is_told_where_they_may_not(tmp_path: Path) -> None:
    """Root may do what others may not, so that a test as root shows nothing about permissions."""
    for folder in (tmp_path, *tmp_path.parents):
        if folder.stat().st_uid == 0 and folder != Path("/"):
            folder.chmod(folder.stat().st_mode | 0o755)
    theirs, ours = tmp_path / "theirs", tmp_path / "ours"
    theirs.mkdir()
    theirs.chmod(0o777)
    with opened(theirs / "warm") as memory:  # loads what is loaded late, which another user may not read
        written(memory, "One.")
    with opened(ours) as memory:
        written(memory, "One.")
    child = os.fork()
    if child == 0:
        os._exit(_as_nobody(theirs, ours))
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


def _as_nobody(theirs: Path, ours: Path) -> int:
    try:
        os.setgid(65534)
        os.setuid(65534)
        with opened(theirs / "memory") as memory:
            for number in range(3):
                done = memory.update(request(create(f"Record {number}.")))
                assert isinstance(done, Committed)
                assert done.projected
        problems = refusal(lambda: opened(ours).close())
        return [problem.code for problem in problems] != [Code.READ_ONLY_PATH]
    except BaseException as error:
        print(repr(error))
        return 1


def test_a_full_disk_below_sqlite_is_a_refusal_in_words(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = sqlite3.connect

    class Full(sqlite3.Connection):
        def execute(self, query: str, *more: Any) -> sqlite3.Cursor:
            if query == "COMMIT" and self.in_transaction and self.total_changes > 3:
                error = sqlite3.OperationalError("database or disk is full")
                error.sqlite_errorcode = sqlite3.SQLITE_FULL
                raise error
            return super().execute(query, *more)

    with monkeypatch.context() as broken:
        broken.setattr(sqlite3, "connect", lambda *each, **more: real(*each, factory=Full, **more))
        with opened(tmp_path / "memory") as memory:
            written(memory, "One.")
            with pytest.raises(Refused) as refused:
                written(memory, "Two.")
            assert clear(refused.value.problems)
    assert list(unsound(tmp_path)) == []
