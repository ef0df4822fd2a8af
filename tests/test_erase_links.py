"""Erasing a message after the record that rested on it: no state of the history links to what it lost."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from scriptorium.service import Service
from scriptorium.service.forgetting import Forgotten
from scriptorium_core.facts import facts_of
from scriptorium_core.tree import Tree
from trips import TRAINS, ask, create, written

GUEST_HOUSE = "native/trip/m5"
STATIONS = "topics/stations.md"


@pytest.fixture
def service(tmp_path: Path) -> Service:
    return written(tmp_path)


def linked(service: Service) -> tuple[str, str]:
    """A record that rests on the message about trains, and one of another topic that links to it."""
    one = ask(service, create("Mara likes stations.", STATIONS, TRAINS)).report.created[0]
    text = f"Mara was [there](stations.md#^{one}) twice."
    return one, ask(service, create(text, source=GUEST_HOUSE)).report.created[0]


def erase(service: Service, name: str) -> None:
    done = service.forget([name], erase=True, unlink=True)
    assert isinstance(done, Forgotten), done


def states(service: Service) -> Iterator[dict[str, bytes]]:
    """The files of every commit, the newest first."""
    history = service.memory().history
    for entry in service.log(None):
        tree = Tree(history.base(entry.commit))
        yield {path: data for path in tree.under("") if (data := tree.get(path)) is not None}


def dangling(service: Service) -> list[str]:
    """The links of all states that land nowhere in theirs."""
    every = (facts_of(Tree(service.memory().history.base(entry.commit))) for entry in service.log(None))
    return [
        link
        for facts in every
        for each in facts.newest
        for link in each.record.links
        if link not in facts.records
    ]


def test_a_record_that_was_forgotten_before_is_linked_to_in_no_state(service: Service) -> None:
    one, _ = linked(service)
    done = service.forget([one], unlink=True)
    assert isinstance(done, Forgotten)
    assert done.shared == (TRAINS,)  # the writer's own record of it stays
    assert any(one.encode() in data for state in states(service) for data in state.values())
    erase(service, TRAINS)
    assert dangling(service) == []
    assert not any(one.encode() in data for state in states(service) for data in state.values())
    assert any(b"Mara was there twice." in state["topics/notes.md"] for state in states(service))
    assert service.verify().holds


def test_a_record_that_was_deleted_before_is_linked_to_in_no_state(service: Service) -> None:
    one, other = linked(service)
    plain = {"op": "update_record", "memory_id": other, "content": "Mara was there thrice.", "time": None}
    ask(service, {**plain, "sources": [{"source": GUEST_HOUSE, "label": "said"}]})
    ask(service, {"op": "delete_record", "memory_id": one})
    erase(service, TRAINS)
    assert dangling(service) == []
    assert any(b"Mara was there twice." in state.get("topics/notes.md", b"") for state in states(service))


def test_a_record_that_rests_on_something_else_by_now_stays_and_is_linked_to(service: Service) -> None:
    one, _ = linked(service)
    change = {"op": "update_record", "memory_id": one, "content": "Mara knows stations.", "time": None}
    ask(service, {**change, "sources": [{"source": GUEST_HOUSE, "label": "said"}]})
    erase(service, TRAINS)
    newest, before, *_ = states(service)
    for state in (newest, before):
        assert b"Mara knows stations." in state[STATIONS]
        assert f"Mara was [there](stations.md#^{one}) twice.".encode() in state["topics/notes.md"]
    assert dangling(service) == []
    written_first = [state for state in states(service) if "topics/notes.md" in state][-1]
    assert b"Mara was there twice." in written_first["topics/notes.md"]
    assert STATIONS not in written_first
    assert service.verify().holds


def test_erasing_once_more_writes_no_commit_anew(service: Service) -> None:
    one, _ = linked(service)
    service.forget([one], unlink=True)
    erase(service, TRAINS)
    first = service.log(None)
    done = service.forget([TRAINS], erase=True, unlink=True)
    assert isinstance(done, Forgotten)
    assert done.erased is not None
    assert (done.erased.commits, service.log(None)[1:]) == (0, first)
