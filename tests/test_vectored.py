"""What `verify` says of the vectors beside the index, and that repairing and searching end it."""

import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest

from embedders import Meanings
from scriptorium.embeddings import Row
from scriptorium.index.schema import discard
from scriptorium.refused import Refused
from scriptorium.service import Service
from scriptorium_core.problem import Code
from scriptorium_core.recall import Query
from trips import ask, create, written

pytest.importorskip("numpy", reason="the extra [semantic] is not installed: there is nothing to compare with")

SPOILT = {
    "another program's": "PRAGMA application_id = 7",
    "of version 99": "PRAGMA user_version = 99",
    "damaged": "UPDATE vectors SET vector = zeroblob(4)",
    "damaged (documents)": "UPDATE documents SET id = 'c'",
    "damaged (vectors)": "DELETE FROM vectors",
    "damaged (tables)": "DROP TABLE documents",
}


@pytest.fixture
def service(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Service]:
    monkeypatch.setattr("scriptorium.embeddings.embedder_of", lambda settings, model: Meanings())
    with written(tmp_path) as opened:
        opened.by_meaning = True
        assert opened.search(Query("railway")).hits
        yield opened


def told(service: Service) -> list[tuple[str, str]]:
    found = [(each.level, each.problem) for each in service.verify().findings]
    return [(level, problem.message) for level, problem in found if problem.path == "vectors.sqlite3"]


def spoil(service: Service, statement: str) -> None:
    with sqlite3.connect(service.memory().layout.vectors) as database:
        database.execute(statement)
    database.close()


def test_sound_vectors_and_none_at_all_are_no_finding(service: Service) -> None:
    assert told(service) == []
    service.memory().layout.vectors.unlink()
    assert told(service) == []


@pytest.mark.parametrize("fault", SPOILT)
def test_vectors_that_cannot_be_used_are_told_and_left_as_they_are(service: Service, fault: str) -> None:
    spoil(service, SPOILT[fault])
    ((level, message),) = told(service)
    assert level == "problem"
    assert fault.split(" (", maxsplit=1)[0] in message
    assert len(told(service)) == 1


@pytest.mark.parametrize("fault", SPOILT)
def test_repairing_ends_it_and_a_search_answers_as_before(service: Service, fault: str) -> None:
    before = service.search(Query("railway")).hits
    spoil(service, SPOILT[fault])
    service.doctor(repair=True)
    assert told(service) == []
    assert service.search(Query("railway")).hits == before
    assert told(service) == []


@pytest.mark.parametrize("fault", SPOILT)
def test_searching_ends_it_too_and_is_never_by_words_alone_in_silence(service: Service, fault: str) -> None:
    before = service.search(Query("railway")).hits
    spoil(service, SPOILT[fault])
    with Service(service.home) as fresh:
        fresh.by_meaning = True
        first = fresh.search(Query("railway"))
        assert first.hits == before or [each.path for each in first.notices] == ["vectors.sqlite3"]
        assert fresh.search(Query("railway")).hits == before
    assert told(service) == []


def test_a_link_in_their_place_is_told(service: Service, tmp_path: Path) -> None:
    path = service.memory().layout.vectors
    path.replace(tmp_path / "elsewhere")
    path.symlink_to(tmp_path / "elsewhere")
    assert told(service) == [("problem", "the vectors cannot be used: a link stands in its place")]


def test_vectors_of_an_earlier_commit_are_information(service: Service) -> None:
    ask(service, create("We take the night train."))
    ((level, message),) = told(service)
    assert (level, "earlier commit" in message) == ("information", True)


def test_a_vector_of_what_is_not_there_is_told(service: Service) -> None:
    with sqlite3.connect(service.memory().layout.vectors) as database:
        path, kind, name = database.execute("SELECT path, kind, hash FROM documents").fetchone()
        gone = Row(path, kind, "gone", name)
        database.execute(
            "INSERT INTO documents (path, kind, id, hash, sum) VALUES (?, ?, ?, ?, ?)",
            (path, kind, gone.id, name, gone.sum),
        )
    database.close()
    ((level, message),) = told(service)
    assert (level, message) == ("problem", "1 vectors are of what is not there any more: gone")


def test_a_folder_in_their_place_is_told_and_left_there(service: Service) -> None:
    before = service.search(Query("railway")).hits
    path = service.memory().layout.vectors
    discard(path)
    path.mkdir()
    assert told(service) == [("problem", "a folder stands in the place of the vectors")]
    with Service(service.home) as fresh:
        fresh.by_meaning = True
        for asked in (lambda: fresh.search(Query("railway")), lambda: fresh.index(rebuild=True)):
            with pytest.raises(Refused) as refused:
                asked()
            (problem,) = refused.value.problems
            assert problem.code is Code.INVALID_ARGUMENT
            assert problem.remedy.startswith("move it away")
        path.rmdir()
        assert fresh.search(Query("railway")).hits == before
