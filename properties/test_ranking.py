"""Laws of ranking."""

from hypothesis import given
from hypothesis import strategies as st

from scriptorium_core.recall import (
    Candidate,
    Document,
    Kind,
    Nothing,
    Query,
    Statistics,
    admits,
    bag,
    days,
    filters,
    keys,
    rank,
    search,
    smooth,
    span,
)
from scriptorium_core.recall.ranking import bm25, tells_apart, weights
from scriptorium_core.recall.twins import anything, folded
from scriptorium_core.sources import Trust
from scriptorium_core.terms import same_text
from scriptorium_core.when import When, Window

WORDS = st.sampled_from(("lima", "peru", "key", "door", "bread"))
WHENS = st.one_of(
    st.integers(2020, 2026).map(When),
    st.builds(When, st.integers(2020, 2026), st.integers(1, 12), st.just(0)),
    st.builds(When, st.integers(2020, 2026), st.integers(1, 12), st.integers(1, 28)),
)
DOCUMENTS = st.builds(
    Document,
    id=st.text("abc", min_size=1, max_size=3),
    kind=st.sampled_from(Kind),
    content=st.lists(WORDS, max_size=6).map(" ".join),
    path=st.sampled_from(("topics/a/b.md", "topics/a.md", "topics/ab.md")),
    headings=st.lists(WORDS, max_size=2).map(tuple),
    dates=st.lists(WHENS, max_size=2).map(tuple),
    speaker=st.sampled_from(("", "Bo (44)", "Ann")),
    trust=st.sampled_from(Trust),
    order=st.integers(0, 5),
)
MEMORIES = st.lists(DOCUMENTS, max_size=8, unique_by=lambda document: document.id)
QUERIES = st.builds(
    Query,
    text=st.just("lima"),
    kinds=st.lists(st.sampled_from(Kind), unique=True).map(tuple),
    topic=st.sampled_from(("", "a", "a/b", "b")),
    speaker=st.sampled_from(("", "bo", "44", "ann")),
    window=st.builds(Window, st.none() | WHENS, st.none() | WHENS),
)
ASKED = ("lima", "peru", "key")
SCORES = st.dictionaries(st.integers(0, 12), st.floats(0, 50), max_size=8)


def candidates(memory: list[Document]) -> list[Candidate]:
    return [Candidate(document, bag(document)) for document in memory]


def known(memory: list[Document]) -> dict[Kind, Statistics]:
    bags = {kind: [bag(each) for each in memory if each.kind is kind] for kind in Kind}
    return {
        kind: Statistics(
            len(held),
            sum(map(len, held)) / (len(held) or 1),
            {word: sum(word in b for b in held) for word in ASKED},
        )
        for kind, held in bags.items()
    }


class TestOrder:
    """The order of hits is the same for the same documents, and equal scores go by id."""

    @given(MEMORIES, st.randoms(use_true_random=False))
    def test_the_order_of_candidates_does_not_matter(self, memory: list[Document], random: object) -> None:
        shuffled = list(memory)
        random.shuffle(shuffled)  # type: ignore[attr-defined]
        first = rank(candidates(memory), ASKED, known(memory))
        again = rank(candidates(shuffled), ASKED, known(memory))
        assert [each.document for each in first] == [each.document for each in again]

    @given(MEMORIES)
    def test_scores_fall_and_are_above_nothing(self, memory: list[Document]) -> None:
        scores = [each.score for each in rank(candidates(memory), ASKED, known(memory))]
        assert scores == sorted(scores, reverse=True)
        assert all(score > 0 for score in scores)

    @given(MEMORIES)
    def test_a_record_is_ranked_exactly_if_it_holds_a_wanted_term(self, memory: list[Document]) -> None:
        ranked = {each.document for each in rank(candidates(memory), ASKED, known(memory))}
        records = {document for document in memory if document.kind is Kind.RECORD}
        assert ranked & records == {each for each in records if set(bag(each)) & set(ASKED)}


class TestFusion:
    """What holds a wanted term never stands below a turn that is found only by its neighbours."""

    @given(MEMORIES)
    def test_in_one_answer_the_holders_come_first(self, memory: list[Document]) -> None:
        holds = [bool(each.matched) for each in rank(candidates(memory), ASKED, known(memory))]
        assert holds == sorted(holds, reverse=True)

    @given(MEMORIES)
    def test_fusing_loses_nothing_and_leaves_records_as_they_are(self, memory: list[Document]) -> None:
        numbers = known(memory)
        together = rank(candidates(memory), ASKED, numbers)
        apart = {kind: rank(candidates(memory), ASKED, {kind: numbers[kind]}) for kind in Kind}
        records = tuple(each for each in together if each.document.kind is Kind.RECORD)
        assert records == apart[Kind.RECORD]
        turns = [each.document for each in together if each.document.kind is Kind.TURN]
        order = [each.document for each in apart[Kind.TURN]]
        assert sorted(turns, key=order.index) == order
        held = [each.document for each in apart[Kind.TURN] if each.matched]
        assert turns[: len(held)] == held


class TestWeight:
    """BM25 over records."""

    @given(st.integers(1, 9), st.floats(0, 9), st.integers(0, 20), st.integers(0, 20))
    def test_more_of_a_term_never_weighs_less(
        self, times: int, relative: float, df: int, documents: int
    ) -> None:
        worth = weights(("lima",), Statistics(documents, 10.0, {"lima": df}))
        less = bm25({"lima": times}, relative, worth)
        assert 0 <= less <= bm25({"lima": times + 1}, relative, worth)

    @given(st.integers(0, 20), st.integers(0, 20))
    def test_a_rarer_term_never_weighs_less(self, df: int, documents: int) -> None:
        worth = weights(("lima", "peru"), Statistics(documents, 10.0, {"lima": df, "peru": df + 1}))
        assert worth["lima"] >= worth["peru"] >= 0


class TestNothing:
    """A word that a hit shares with the query tells it apart, unless the query asks for nothing else."""

    @given(MEMORIES, st.sampled_from(ASKED), st.booleans())
    def test_an_answer_is_empty_only_where_no_word_that_occurs_tells_apart(
        self, memory: list[Document], word: str, absent: bool
    ) -> None:
        many = [each._replace(id=f"{each.id}{n}", kind=Kind.RECORD) for each in memory for n in range(9)]
        numbers = {Kind.RECORD: known(many)[Kind.RECORD]}
        terms = (word,) if numbers[Kind.RECORD].frequency[word] else ()
        query = Query(f"{word} zeppelin" if absent else word, limit=1)
        answer = search(query, candidates(many), terms, numbers)
        apart = bool(terms) and (not absent or tells_apart(word, numbers[Kind.RECORD]))
        assert isinstance(answer, Nothing) != apart


class TestSmoothing:
    """A turn is found by the conversation around it."""

    @given(SCORES, st.floats(0, 50))
    def test_no_turn_loses_and_none_is_lost(self, scores: dict[int, float], whole: float) -> None:
        smoothed = smooth(scores, whole)
        assert smoothed.keys() == scores.keys()
        assert all(smoothed[place] >= score for place, score in scores.items())

    @given(SCORES)
    def test_silence_stays_silent(self, scores: dict[int, float]) -> None:
        assert set(smooth(dict.fromkeys(scores, 0.0), 0.0).values()) <= {0.0}


class TestTwins:
    """What says the same is folded into the first, unless something that is known tells it apart."""

    @given(MEMORIES, st.integers(0, 9), st.booleans())
    def test_each_is_there_or_is_a_twin_of_one_that_says_the_same(
        self, memory: list[Document], limit: int, judging: bool
    ) -> None:
        def judge(document: Document) -> Trust | None:
            """A judge who takes out those below one heading, and tells apart by trust."""
            return None if document.headings[:1] == ("key",) else document.trust

        ranked = rank(candidates(memory), ASKED, known(memory))
        passing = [each.document for each in ranked if not judging or judge(each.document) is not None]
        found = folded(ranked, limit, judge if judging else anything)
        assert len(found) <= limit
        scores = [each.ranked.score for each in found]
        assert scores == sorted(scores, reverse=True)
        names = [name for each in found for name in (each.ranked.document.id, *each.twins)]
        assert len(found) == limit or sorted(names) == sorted(each.id for each in passing)
        by_id = {each.id: each for each in passing}
        for each in found:
            mine = each.ranked.document
            said = [by_id[name] for name in each.twins]
            assert all(same_text(other.content) == same_text(mine.content) for other in said)
            if judging:
                assert all(other.trust is mine.trust for other in said if other.kind is mine.kind)
            if mine.kind is Kind.TURN:
                assert all(other.kind is Kind.TURN for other in said)
        if len(found) < limit and not judging:
            texts = [(same_text(each.ranked.document.content)) for each in found]
            assert len(set(texts)) == len(texts)


class TestFilters:
    """An engine that filters by keys and span leaves out nothing that passes."""

    @given(DOCUMENTS, QUERIES)
    def test_what_passes_has_a_key_of_every_group_and_meets_the_days(
        self, document: Document, query: Query
    ) -> None:
        held, window, dates = set(keys(document)), days(query), span(document)
        in_days = window is None or (dates is not None and dates[0] <= window[1] and dates[1] >= window[0])
        proposed = (
            in_days and document.kind in query.kinds and all(held & set(group) for group in filters(query))
        )
        assert proposed or not admits(query, document)
        assert admits(query, document) or not proposed or len(document.dates) > 1
