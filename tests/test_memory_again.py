"""Examples of a request that is made again because its answer was not heard."""

from pathlib import Path

from scriptorium.workspace import Committed
from small_homes import create, opened, request, unsound


def test_the_same_request_twice_changes_nothing_the_second_time(tmp_path: Path) -> None:
    asked = request(create("One."), create("Two."))
    with opened(tmp_path / "memory") as memory:
        first, second = memory.update(asked), memory.update(asked)
        assert isinstance(first, Committed)
        assert isinstance(second, Committed)
        assert second.unchanged
        assert second.revision == first.revision
        with memory.reading() as (_, base):
            assert len(base.facts.records) == 2
    assert list(unsound(tmp_path)) == []


def test_what_was_not_heard_of_is_made_beside_what_was(tmp_path: Path) -> None:
    with opened(tmp_path / "memory") as memory:
        memory.update(request(create("One.")))
        result = memory.update(request(create("One."), create("Two.")))
        assert isinstance(result, Committed)
        assert len(result.report.created) == 1


def test_another_text_on_the_same_evidence_is_another_record(tmp_path: Path) -> None:
    with opened(tmp_path / "memory") as memory:
        memory.update(request(create("One.")))
        assert isinstance(result := memory.update(request(create("One, again."))), Committed)
        assert len(result.report.created) == 1
