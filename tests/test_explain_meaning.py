"""Why a search by meaning answers what it answers: what was looked at, what filters took, what came close."""

from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from cli_example import run
from embedders import Meanings
from scriptorium.refused import Refused
from scriptorium.service import Service
from scriptorium.settings import Embeddings, Settings
from scriptorium_core.problem import Code, Problem
from scriptorium_core.recall import Kind, Query, Why
from scriptorium_core.recall.explain import Explanation
from trips import ask, create, written

pytest.importorskip("numpy", reason="the extra [semantic] is not installed: there is nothing to compare with")


@pytest.fixture
def service(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Service]:
    meanings = Meanings()
    monkeypatch.setattr("scriptorium.embeddings.embedder_of", lambda settings, model: meanings)
    with written(tmp_path) as opened:
        opened.by_meaning = True
        yield opened


def removed(how: Explanation) -> dict[str, tuple[str, ...]]:
    return {stage.filter: stage.removed for stage in how.filters}


def test_what_is_found_by_its_meaning_was_looked_at(service: Service) -> None:
    (hit,) = service.search(Query("railway")).hits
    how = service.explain(Query("railway")).explanation
    assert [each.id for each in how.hits] == [hit.id]
    assert how.proposed >= 1
    assert how.near == ()


def test_a_filter_takes_away_what_is_found_by_its_meaning(service: Service) -> None:
    (hit,) = service.search(Query("railway")).hits
    how = service.explain(Query("railway", topic="nowhere")).explanation
    assert removed(how)["topic"] == (hit.id,)
    assert how.nothing is not None
    assert how.nothing.why is Why.NO_MATCH
    assert "or what is like it" in how.nothing.message
    assert "topic (nowhere) 1" in how.nothing.message


def test_what_is_alike_and_no_hit_says_why(service: Service) -> None:
    ask(service, create("Trains leave from platform nine.", topic="topics/travel.md"))
    first, second = service.search(Query("railway")).hits
    how = service.explain(Query("railway", limit=1)).explanation
    assert [each.id for each in how.hits] == [first.id]
    assert [(each.id, each.why_not) for each in how.near] == [(second.id, "1 others score higher")]
    assert how.near[0].score == pytest.approx(second.score)


def test_a_hit_behind_many_that_a_filter_takes_away_has_its_parts(service: Service) -> None:
    service.by_meaning = False
    better = [f"Lantern, lantern: lantern number {number}." for number in range(80)]
    for some in (better[:40], better[40:]):
        ask(service, *(create(each, topic="topics/lamps.md") for each in some))
    ask(service, create("There is also an old thing in the hall, a lantern.", topic="topics/hall.md"))
    how = service.explain(Query("lantern", topic="hall")).explanation
    (hit,) = how.hits
    assert [part.term for part in hit.terms] == ["lantern"]
    assert hit.own == pytest.approx(hit.score)
    assert len(removed(how)["topic"]) >= 50


def test_without_a_word_to_look_for_nothing_is_looked_at(service: Service) -> None:
    for text, why in (("", Why.NO_WORDS), ("where is it", Why.ONLY_COMMON_WORDS)):
        how = service.explain(Query(text, (Kind.RECORD, Kind.TURN))).explanation
        assert how.nothing is not None
        assert (how.nothing.why, how.proposed) == (why, 0)


def test_why_words_decided_alone_is_said_beside_the_explanation_too(
    service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    service.index()
    service.close()
    service.by_meaning, service.settings = None, Settings(embeddings=Embeddings("use"))
    odd = Problem(Code.INDEX_STALE, "the model is gone", remedy="bring it back")

    def embed(self: Meanings, texts: Sequence[str]) -> Sequence[Sequence[float]]:
        raise Refused(odd)

    monkeypatch.setattr(Meanings, "embed", embed)
    assert odd in service.search(Query("railway")).notices
    assert odd in service.explain(Query("railway")).notices


def test_the_command_says_what_it_looked_at_by_meaning(service: Service) -> None:
    service.close()
    out = run("--home", service.home, "search", "railway", "--semantic", "--explain", "--topic", "no").out
    assert "filter topic (no) took away 1 document" in out
    assert "\n0 documents looked at" not in out
