"""Examples of documents, ranking, reasons and filters."""

from math import log

import pytest

from scriptorium_core.recall import (
    Candidate,
    Document,
    Hit,
    Kind,
    Nothing,
    Query,
    Reason,
    Statistics,
    Why,
    admits,
    bag,
    days,
    filters,
    keys,
    narrow,
    rank,
    search,
    sitting,
    smooth,
    span,
    wanted,
)
from scriptorium_core.recall.ranking import bm25, weights
from scriptorium_core.sources import Trust
from scriptorium_core.terms import same_text
from scriptorium_core.when import When, Window

LIMA = Document(
    "b1",
    Kind.RECORD,
    "Bo flies to Lima",
    "topics/trips/peru.md",
    headings=("Plans",),
    dates=(When(2026, 4, 3),),
    speaker="Bo (4402)",
    scopes=("/home/bo",),
    sources=("chat/s1/m2",),
)
TURN = Document(
    "chat/s1/m2", Kind.TURN, "I fly to Lima", "sources/chat/_v2/s1.md", dates=(When(2026, 4, 3),), order=2
)


def candidate(document: Document) -> Candidate:
    return Candidate(document, bag(document))


def statistics(*documents: Document) -> dict[Kind, Statistics]:
    def of(kind: Kind) -> Statistics:
        bags = [bag(document) for document in documents if document.kind is kind]
        frequency = {term: sum(term in each for each in bags) for each in bags for term in each}
        return Statistics(len(bags), sum(map(len, bags)) / (len(bags) or 1), frequency)

    return {kind: of(kind) for kind in Kind}


def found(query: Query, *documents: Document) -> tuple[Hit, ...]:
    terms = wanted(query)
    assert not isinstance(terms, Nothing)
    answer = search(query, map(candidate, documents), terms, statistics(*documents))
    return () if isinstance(answer, Nothing) else answer


def test_a_bag_holds_each_field_as_often_as_it_counts() -> None:
    held = bag(LIMA)
    assert held.count("lima") == 1
    assert held.count("plan") == held.count("peru") == held.count("trip") == 2
    assert held.count("bo") == 2  # content and speaker
    assert {"2026", "2026-04", "2026-04-03", "april"} <= set(held)
    assert "topic" not in held


def test_the_path_of_an_archive_is_no_term() -> None:
    assert not {"source", "s1", "chat"} & set(bag(TURN))


def test_partial_dates_give_the_terms_they_have() -> None:
    assert bag(Document("b", Kind.RECORD, "", "topics/x.md", dates=(When(2026),)))[-1] == "2026"
    assert span(Document("b", Kind.RECORD, "", "", dates=(When(2026, 4), When(2025)))) == (20250101, 20260431)
    assert span(Document("b", Kind.RECORD, "", "")) is None


def test_keys_name_every_step_of_a_path_and_every_name_of_a_speaker() -> None:
    assert set(keys(LIMA)) == {
        "trust:trusted",
        "topic:trips",
        "topic:trips/peru",
        "source:chat",
        "source:chat/s1",
        "source:chat/s1/m2",
        "scope:/home/bo",
        "speaker:bo (4402)",
        "speaker:bo",
        "speaker:4402",
    }
    assert "source:chat/s1/m2" in keys(TURN)


def test_bm25_is_the_formula() -> None:
    known = Statistics(documents=10, average=8.0, frequency={"lima": 2})
    idf = log(1 + (10 - 2 + 0.5) / (2 + 0.5))
    worth = weights(("lima",), known)
    assert bm25({"lima": 3}, 1.0, worth) == pytest.approx(idf * 3 * 2.2 / (3 + 1.2))
    assert bm25({"lima": 3}, 2.0, worth) == pytest.approx(idf * 3 * 2.2 / (3 + 1.2 * 1.75))


def test_a_rare_word_weighs_more_than_a_common_one() -> None:
    common = [Document(f"c{n}", Kind.RECORD, f"key number {n}", "topics/x.md") for n in range(9)]
    rare = Document("r", Kind.RECORD, "zebra number 9", "topics/x.md")
    assert found(Query("key zebra"), *common, rare)[0].document == rare


def test_a_heading_weighs_more_than_the_text() -> None:
    text = Document("a", Kind.RECORD, "lima beans are green", "topics/x.md", headings=("Food",))
    heading = Document("b", Kind.RECORD, "food beans are green", "topics/x.md", headings=("Lima",))
    other = Document("c", Kind.RECORD, "nothing of it here", "topics/x.md", headings=("Food",))
    hits = found(Query("lima"), text, heading, other)
    assert [hit.document.id for hit in hits] == ["b", "a"]
    assert [hit.reasons for hit in hits] == [(Reason.HEADING,), (Reason.TERMS,)]


def test_equal_scores_are_ordered_by_id() -> None:
    twins = [Document(name, Kind.RECORD, f"lima {name}", "topics/x.md") for name in ("c", "a", "b")]
    assert [hit.document.id for hit in found(Query("lima"), *twins)] == ["a", "b", "c"]


def test_an_exact_date_is_a_reason() -> None:
    (hit,) = found(Query("2026-04-03"), LIMA, LIMA._replace(id="b2", dates=(When(2025, 1, 1),)))
    assert hit.document.id == "b1"
    assert Reason.DATE in hit.reasons


def test_the_same_text_is_found_once() -> None:
    copy = LIMA._replace(id="b2", content="  bo FLIES to “Lima”!")
    assert [hit.document.id for hit in found(Query("lima"), copy, LIMA)] == ["b1"]


def test_texts_of_signs_alone_are_told_apart() -> None:
    assert same_text("!?") != same_text("…")
    assert same_text("設 備。") == same_text("設備")


def test_a_turn_is_found_by_the_turns_beside_it() -> None:
    turns = [
        Document(f"chat/s/m{n}", Kind.TURN, text, "sources/chat/_v2/s.md", order=n)
        for n, text in enumerate(
            ["hello", "where is the lima ticket", "in the drawer", "fine", "bye", "well"]
        )
    ]
    hits = found(Query("lima ticket"), *turns)
    assert [hit.document.order for hit in hits[:3]] == [1, 0, 2]
    assert hits[0].reasons == (Reason.TERMS,)
    assert hits[1].reasons == (Reason.AROUND,)
    assert hits[1].matched == ()


def test_a_record_is_not_found_by_its_neighbours() -> None:
    assert found(Query("lima"), LIMA, Document("b2", Kind.RECORD, "bread", "topics/trips/peru.md"))[1:] == ()


def test_in_one_answer_what_is_found_by_its_neighbours_stands_below_what_holds_the_word() -> None:
    said = ("hello", "where is the lima ticket, the lima one", "in the drawer", "fine", "bye", "well")
    turns = [
        Document(f"chat/s/m{n}", Kind.TURN, text, "sources/chat/_v2/s.md", order=n)
        for n, text in enumerate(said)
    ]
    words = "a long record about many things that mentions a trip to lima once and then goes on with more"
    record = Document("b1", Kind.RECORD, words, "topics/x.md")
    noise = [Document(f"n{n}", Kind.RECORD, f"nothing {n}", "topics/x.md") for n in range(3)]
    hits = found(Query("lima"), *turns, record, *noise)
    assert [hit.document.id for hit in hits[:2]] in (["chat/s/m1", "b1"], ["b1", "chat/s/m1"])
    assert [hit.reasons for hit in hits[2:]] == [(Reason.AROUND,)] * 5
    scores = [hit.score for hit in hits]
    assert scores == sorted(scores, reverse=True)
    alone = [hit.document.id for hit in found(Query("lima"), *turns)]
    assert [hit.document.id for hit in hits if hit.document.kind is Kind.TURN] == alone


def test_a_turn_alone_in_its_sitting_weighs_what_a_record_with_its_words_weighs() -> None:
    record = Document("b1", Kind.RECORD, "the lima ticket is blue", "topics/x.md")
    turn = Document("c/s/m1", Kind.TURN, "the lima ticket is green", "sources/c/_v2/s.md")
    first, second = found(Query("lima ticket"), record, turn)
    assert first.score == pytest.approx(second.score)


def test_smoothing_adds_neighbours_second_neighbours_and_the_whole() -> None:
    assert smooth({0: 1.0, 1: 0.0, 2: 10.0}, 2.0) == {0: 4.0, 1: 5.4, 2: 11.2}
    assert smooth({0: 1.0, 5: 1.0}, 0.0) == {0: 1.0, 5: 1.0}


def test_a_sitting_is_one_archive_on_one_day() -> None:
    assert sitting(TURN) == sitting(TURN._replace(order=9))
    assert sitting(TURN) != sitting(TURN._replace(dates=(When(2026, 4, 4),)))


def test_only_the_limit_is_returned() -> None:
    many = [Document(f"b{n}", Kind.RECORD, f"lima {n}", "topics/x.md") for n in range(5)]
    assert len(found(Query("lima", limit=2), *many)) == 2


def test_a_long_query_is_narrowed_to_its_rarest_words() -> None:
    words = tuple(f"w{n}" for n in range(100))
    known = Statistics(1000, 10.0, {word: n for n, word in enumerate(words)})
    assert narrow(words, [known]) == words[1:65]


def test_documents_of_a_kind_without_statistics_are_left_out() -> None:
    assert rank([candidate(TURN)], ("lima",), {Kind.RECORD: Statistics(1, 1.0, {})}) == ()


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", Why.NO_WORDS),
        ('" * ☃', Why.NO_WORDS),
        ("what is it", Why.ONLY_COMMON_WORDS),
    ],
)
def test_a_query_without_a_word_says_so(text: str, why: Why) -> None:
    answer = wanted(Query(text))
    assert isinstance(answer, Nothing)
    assert answer.why is why


def test_no_match_is_an_answer_with_its_reason() -> None:
    known = statistics(LIMA)
    plain = search(Query("zebra"), (), (), known)
    filtered = search(Query("zebra", topic="trips"), (), (), known)
    assert isinstance(plain, Nothing)
    assert isinstance(filtered, Nothing)
    assert plain == Nothing(Why.NO_MATCH, "no word of the query occurs in any of the records")
    assert filtered.message.endswith("that the filters let pass")


@pytest.mark.parametrize(
    ("query", "passes"),
    [
        (Query(""), True),
        (Query("", kinds=(Kind.TURN,)), False),
        (Query("", topic="trips"), True),
        (Query("", topic="topics/trips/peru.md"), True),
        (Query("", topic="trip"), False),
        (Query("", source="chat/s1"), True),
        (Query("", source="chat/s"), False),
        (Query("", speaker="BO"), True),
        (Query("", speaker="4402"), True),
        (Query("", speaker="Bo (4402)"), True),
        (Query("", speaker="Ann"), False),
        (Query("", scope="/home/bo"), True),
        (Query("", scope="/home"), False),
        (Query("", window=Window(When(2026, 4), When(2026, 4))), True),
        (Query("", window=Window(end=When(2026, 4, 2))), False),
        (Query("", window=Window(start=When(2027))), False),
        (Query("", trust=(Trust.PENDING,)), False),
        (Query("", trust=()), False),
    ],
)
def test_filters_let_pass_what_they_say(query: Query, passes: bool) -> None:
    assert admits(query, LIMA) is passes


def test_pending_documents_pass_only_when_asked_for() -> None:
    pending = LIMA._replace(trust=Trust.PENDING)
    assert not admits(Query(""), pending)
    assert admits(Query("", trust=(Trust.PENDING, Trust.TRUSTED)), pending)
    assert ("trust:pending", "trust:trusted") in filters(Query("", trust=(Trust.PENDING, Trust.TRUSTED)))


def test_a_window_between_two_dates_lets_neither_pass() -> None:
    both = LIMA._replace(dates=(When(2020), When(2024)))
    query = Query("lima", window=Window(When(2022), When(2022)))
    assert found(query, both) == ()
    assert days(query) == (20220101, 20221231)
    assert days(Query("", window=Window(start=When(2022)))) == (20220101, 99_999_999)
    assert days(Query("", window=Window(end=When(2022)))) == (0, 20221231)
    assert days(Query("")) is None
