"""Erasing that is stopped, by the end of the process or by a reader: the next opening finishes it."""

import json
import sqlite3
from pathlib import Path

import pytest

from erase_homes import GUEST_HOUSE, WORDS, copied, record_of
from residue import places_with
from scriptorium.conversations import schema as sessions
from scriptorium.index import schema
from scriptorium.refused import Refused
from scriptorium.service import Service
from scriptorium.service.forgetting import Forgotten
from scriptorium.service.shown import RecordShown
from scriptorium.workspace import erasing
from scriptorium_core.forgetting import Targets
from scriptorium_core.names import BlockId, SourceId, archive_path
from scriptorium_core.problem import Code
from scriptorium_core.sources.archive import scan
from scriptorium_core.transaction import Rejected
from trips import TRAINS


@pytest.fixture
def service(tmp_path: Path, tmp_path_factory: pytest.TempPathFactory) -> Service:
    return copied(tmp_path, tmp_path_factory.getbasetemp())


def test_targets_are_kept_for_whoever_finishes(service: Service) -> None:
    layout = service.memory().layout
    for source in (TRAINS, GUEST_HOUSE):
        erasing.begin(
            layout, Targets(frozenset(), frozenset([SourceId(source)]), "2026-04-03"), service.sessions_path
        )
    assert json.loads(layout.erasing.read_text())["sources"] == [TRAINS, GUEST_HOUSE]
    assert "trains" not in layout.erasing.read_text()


def test_a_process_that_ends_right_after_the_commit_leaves_the_erasure_to_the_next_one(
    service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    block = record_of(service, TRAINS)
    with monkeypatch.context() as killed:
        killed.setattr(erasing, "finish", lambda *_: (_ for _ in ()).throw(KeyboardInterrupt))
        with pytest.raises(KeyboardInterrupt):
            service.forget([block], erase=True, unlink=True)
    service.close()
    assert service.verify().holds  # opens the home
    assert not service.memory().layout.erasing.exists()
    service.close()
    assert places_with(service.home, WORDS) == []


def test_each_message_is_erased_on_the_day_on_which_that_began(
    service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as killed:
        killed.setattr(erasing, "finish", lambda *_: (_ for _ in ()).throw(KeyboardInterrupt))
        with pytest.raises(KeyboardInterrupt):
            service.forget([TRAINS], erase=True, unlink=True)
    layout, today = service.memory().layout, service.memory().today()
    assert isinstance(service.forget([GUEST_HOUSE], unlink=True), Forgotten)
    later = Targets(frozenset(), frozenset([SourceId(GUEST_HOUSE)]), "2031-05-01")
    erasing.begin(layout, later, service.sessions_path)
    service.close()
    assert service.verify().holds  # opens the home
    path = archive_path(TRAINS)
    said = {frame.id: frame.record for frame in scan(path, (layout.root / path).read_bytes()).frames}
    assert (said[SourceId(TRAINS)], said[SourceId(GUEST_HOUSE)]) == (
        f"[erased {today}] erased: ",
        "[erased 2031-05-01] erased: ",
    )


def test_an_erasure_whose_commit_was_never_made_erases_nothing(service: Service) -> None:
    block, layout, before = record_of(service, TRAINS), service.memory().layout, service.memory().revision
    assert isinstance(service.forget([block], erase=True), Rejected)  # another record links to it
    assert not layout.erasing.exists()
    erasing.begin(
        layout, Targets(frozenset({BlockId(block)}), frozenset(), "2026-05-02"), service.sessions_path
    )
    service.close()
    assert isinstance(service.show(block), RecordShown)  # opens the home
    assert (service.memory().revision, layout.erasing.exists()) == (before, False)


@pytest.mark.parametrize("which", ["sessions.sqlite3", "memory/.scriptorium/index.sqlite3"])
def test_a_reader_in_the_way_stops_it_and_the_next_opening_finishes_it(
    service: Service, which: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    block = record_of(service, TRAINS)
    service.close()
    for store in (schema, sessions):  # how long a reader is waited for is not the point
        monkeypatch.setattr(store, "_PATIENCE", 0.2)
    reader = sqlite3.connect(service.home / which, isolation_level=None)
    reader.execute("BEGIN")
    reader.execute("SELECT count(*) FROM sqlite_schema").fetchone()
    with pytest.raises(Refused) as caught:
        service.forget([block], erase=True, unlink=True)
    assert [problem.code for problem in caught.value.problems] == [Code.CONCURRENT_UPDATE]
    service.close()
    reader.close()
    assert service.verify().holds  # opens the home
    assert not service.memory().layout.erasing.exists()
    service.close()
    assert places_with(service.home, WORDS) == []
