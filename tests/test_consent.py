"""What is asked before a change: a function of the caller's, and whether what vanished is to be deleted."""

from pathlib import Path

import pytest

from cli_example import run
from scriptorium import Memory
from scriptorium.workspace import Committed
from scriptorium_core.problem import Code
from scriptorium_core.trailers import values_of
from scriptorium_core.transaction import Prepared, Rejected
from small_homes import committed, create, on_disk, request, service, written

KEYS = "topics/keys.md"


@pytest.fixture
def home(tmp_path: Path) -> Path:
    with service(tmp_path) as asked:
        written(asked.memory(make=True), "One.", "Two.")
    return tmp_path


class Refusal(Exception):
    pass


def test_a_function_is_called_after_the_checks_and_before_the_commit(home: Path) -> None:
    with Memory.open(home / "memory") as memory:
        seen: list[tuple[tuple[str, ...], str | None]] = []

        def look(prepared: Prepared) -> None:
            seen.append((prepared.report.created, memory.revision))

        memory.before_commit = look
        before = memory.revision
        done = memory.update(**request(create("Three.")))
        assert isinstance(done, Committed)
        assert seen == [(done.report.created, before)]
        assert isinstance(memory.update(**request(create(""))), Rejected)
        assert len(seen) == 1
        memory.before_commit = None
        assert isinstance(memory.update(**request(create("Four."))), Committed)
        assert len(seen) == 1


def test_where_it_raises_nothing_is_changed(home: Path) -> None:
    with service(home) as asked:

        def refuse(prepared: Prepared) -> None:
            raise Refusal

        files, head = on_disk(home / "memory"), committed(asked.memory())
        asked.before_commit = refuse
        with pytest.raises(Refusal):
            asked.change(request(create("Three."), says="Three."))
        with pytest.raises(Refusal):
            asked.remember("Four.")
        assert (on_disk(home / "memory"), committed(asked.memory())) == (files, head)
        asked.before_commit = None
        assert isinstance(asked.change(request(create("Three."), says="Three.")), Committed)
        assert asked.verify().holds


def test_a_record_that_vanished_from_a_draft_is_deleted_if_that_is_confirmed(home: Path) -> None:
    file = home / "memory" / KEYS
    file.write_text(
        "\n\n".join(part for part in file.read_text().split("\n\n") if not part.startswith("One."))
    )
    assert run("adopt", "--home", home).code == 3
    with service(home) as asked:
        rejected = asked.adopt()
        assert isinstance(rejected, Rejected)
        assert [problem.code for problem in rejected.problems] == [Code.BLOCK_LOST]
    assert run("adopt", KEYS, "--delete", "--home", home).code == 0
    with service(home) as asked:
        assert [row.record.content for row in asked.recent().rows] == ["Two."]
        (entry,) = asked.log(1)
        assert (entry.kind, len(values_of(entry.trailers, "Deleted"))) == ("adopt", 1)
        assert asked.verify().holds


def test_a_record_that_moved_from_draft_to_draft_is_not_deleted(home: Path) -> None:
    file = home / "memory" / KEYS
    file.with_name("other.md").write_text(file.read_text())
    file.unlink()
    with service(home) as asked:
        done = asked.adopt(delete=True)
        assert isinstance(done, Committed)
        assert (done.report.deleted, len(done.report.moved)) == ((), 2)
