"""Why a search answers what it answers: terms, scores, filters, near misses, and an empty answer."""

from collections import Counter
from pathlib import Path

import pytest

from cli_example import fresh_home, run, run_json
from scriptorium import Memory
from scriptorium.cli.explained import explanation
from scriptorium_core.recall import (
    Candidate,
    Document,
    Kind,
    Query,
    Similar,
    Statistics,
    Why,
    admits,
    bag,
    narrow,
    search,
    wanted,
)
from scriptorium_core.recall.explain import Explanation, explained
from scriptorium_core.recall.search import Hit, Nothing
from scriptorium_core.sources import Trust
from scriptorium_core.when import Window, parse_when


def record(name: str, content: str, path: str = "topics/keys.md", trust: Trust = Trust.TRUSTED) -> Document:
    day = parse_when("2026-04-03")
    assert day is not None
    return Document(name, Kind.RECORD, content, path, ("Keys",), (day,), "Mira", trust=trust)


def turn(order: int, content: str) -> Document:
    return Document(f"chat/s1/m{order}", Kind.TURN, content, "sources/chat/_v2/s1.md", order=order)


def told(
    query: Query, *documents: Document, similar: Similar | None = None
) -> tuple[Explanation, tuple[Hit, ...] | Nothing]:
    """The explanation of the answer that a query finds among the documents, and the answer."""
    candidates = [Candidate(each, bag(each)) for each in documents]
    statistics: dict[Kind, Statistics] = {}
    for kind in query.kinds:
        mine = [each.terms for each in candidates if each.document.kind is kind]
        frequency = Counter(term for terms in mine for term in set(terms))
        statistics[kind] = Statistics(len(mine), sum(map(len, mine)) / max(len(mine), 1), frequency)
    asked = wanted(query)
    terms = () if isinstance(asked, Nothing) else narrow(asked, statistics.values())
    passing = [each for each in candidates if admits(query, each.document)]
    answer = asked if isinstance(asked, Nothing) else search(query, passing, terms, statistics, similar)
    return explained(query, candidates, terms, statistics, answer, similar), answer


def test_each_term_says_what_it_gave_and_where_it_stands() -> None:
    how, answer = told(
        Query("where are Mira's keys, zeppelin"), record("a", "Mira hides the keys."), record("b", "Tea.")
    )
    assert not isinstance(answer, Nothing)
    first = how.hits[0]
    assert first.id == "a"
    assert sum(part.score for part in first.terms) == pytest.approx(first.score)
    (key,) = (part for part in first.terms if part.term == "key")
    assert (key.content, key.headings, key.path) == (1, 1, 1)
    why_not = {use.term: use.why_not for use in how.terms}
    assert why_not["key"] == ""
    assert "none" in why_not["zeppelin"]
    assert "too common" in why_not["where"]


def test_a_turn_owes_part_of_its_score_to_the_turns_around_it() -> None:
    query = Query("keys cellar", (Kind.TURN,))
    how, answer = told(query, turn(0, "Where are the keys?"), turn(1, "In the cellar."), turn(2, "Fine."))
    assert not isinstance(answer, Nothing)
    for hit, scored in zip(answer, how.hits, strict=True):
        assert scored.around > 0
        assert (scored.own + scored.around) * scored.scale == pytest.approx(hit.score)


def test_beside_records_a_turn_is_scaled_down() -> None:
    query = Query("keys", (Kind.RECORD, Kind.TURN))
    how, answer = told(query, record("a", "Keys."), turn(0, "Where are the keys?"))
    assert not isinstance(answer, Nothing)
    for hit, scored in zip(answer, how.hits, strict=True):
        assert (scored.own + scored.around) * scored.scale == pytest.approx(hit.score)
    assert sorted(scored.scale for scored in how.hits) == [pytest.approx(1 / 1.5), 1.0]


def test_an_empty_answer_names_the_filter_that_emptied_it() -> None:
    query = Query("keys", topic="trips", window=Window(parse_when("2025"), parse_when("2025")))
    how, answer = told(query, record("a", "Keys hang here."), record("b", "Keys.", "topics/trips/lima.md"))
    assert isinstance(answer, Nothing)
    removed = {stage.filter: stage.removed for stage in how.filters}
    assert removed == {"topic": ("a",), "dates": ("a", "b"), "trust": ()}
    assert how.nothing is not None
    assert "topic (trips) 1" in how.nothing.message
    assert "dates (2025 to 2025) 2" in how.nothing.message


def test_what_waits_for_consent_is_named_by_its_id_alone() -> None:
    how, _ = told(Query("keys"), record("a", "Keys."), record("b", "Keys and codes.", trust=Trust.PENDING))
    assert {stage.filter: stage.removed for stage in how.filters} == {"trust": ("b",)}
    assert "codes" not in repr(how)


def test_near_misses_say_why_they_are_none() -> None:
    query = Query("keys", limit=1)
    how, _ = told(
        query, record("a", "Keys!"), record("b", "keys"), record("c", "Keys, and much else there is.")
    )
    assert {each.id: each.why_not for each in how.near} == {
        "b": "it says the same as a",
        "c": "1 others score higher",
    }


@pytest.mark.parametrize(
    ("text", "why"),
    [("", Why.NO_WORDS), ("where is it", Why.ONLY_COMMON_WORDS), ("zeppelin", Why.NO_MATCH)],
)
def test_an_empty_answer_keeps_its_reason(text: str, why: Why) -> None:
    how, _ = told(Query(text), record("a", "Keys."))
    assert how.nothing is not None
    assert how.nothing.why is why
    assert how.hits == ()


def test_a_hit_says_how_like_the_query_it_is_where_that_is_known() -> None:
    documents = (record("a", "Keys."), record("b", "Keys, at last."))
    how, _ = told(Query("keys"), *documents)
    assert [hit.similarity for hit in how.hits] == [None, None]
    similar = Similar({(Kind.RECORD, "b"): 0.6}, {}, 0.5)
    how, answer = told(Query("keys"), *documents, similar=similar)
    assert {hit.id: hit.similarity for hit in how.hits} == {"a": None, "b": 0.6}
    assert not isinstance(answer, Nothing)
    assert [hit.similarity for hit in answer] == [hit.similarity for hit in how.hits]
    assert any("0.60  similarity" in line for line in explanation(how).splitlines())


def test_words_that_tell_nothing_apart_give_nothing_beside_a_meaning() -> None:
    documents = [record(f"r{number}", f"Mira says {number}.") for number in range(25)]
    similar = Similar({(Kind.RECORD, "r3"): 0.9, (Kind.RECORD, "r4"): 0.8}, {}, 0.5)
    how, answer = told(Query("Mira zeppelin", limit=1), *documents, similar=similar)
    assert not isinstance(answer, Nothing)
    assert [(hit.id, hit.terms, hit.own) for hit in how.hits] == [("r3", (), 0)]
    assert [each.id for each in how.near] == ["r4"]
    assert how.near[0].score < how.hits[0].score
    assert "tells nothing apart" in {use.term: use.why_not for use in how.terms}["mira"]


def test_the_doors_explain(tmp_path: Path) -> None:
    home = fresh_home(tmp_path)
    with Memory.open(home / "memory") as memory:
        found = memory.explain(Query("shellfish allergic"))
        assert [hit.id for hit in found.found.hits] == [hit.id for hit in found.explanation.hits]
        assert found.explanation.hits[0].score == pytest.approx(found.found.hits[0].score)
    shown = run_json("--home", home, "search", "shellfish", "--explain", "--topic", "nowhere")
    assert shown["explanation"]["nothing"]["why"] == "no_match"
    assert shown["explanation"]["filters"][0]["removed"]
    out = run("--home", home, "search", "where is the shellfish", "--explain").out
    assert "too common" in out
    assert "(text 1)" in out
