"""Laws of fusing words and meaning."""

from hypothesis import given
from hypothesis import strategies as st

from scriptorium_core.recall import Document, Kind, Nothing, Query, Similar, Spread, bag, fuse, search
from scriptorium_core.recall.fuse import is_similar
from scriptorium_core.recall.ranking import Candidate, Ranked, Statistics

NAMES = "abcdefgh"
SCORES = st.dictionaries(st.sampled_from(NAMES), st.floats(0.01, 100), max_size=8)
COSINES = st.dictionaries(st.sampled_from(NAMES), st.floats(-1, 1), max_size=8)
SPREADS = st.none() | st.builds(Spread, st.integers(1, 50), st.floats(0, 0.5), st.floats(0, 0.3))
LEAST = st.floats(0.05, 0.9)
# Scaling by a power of two rounds nothing.
FACTORS = st.integers(-8, 8).map(lambda power: 2.0**power)


def document(name: str) -> Document:
    return Document(name, Kind.RECORD, f"word {name}", "topics/a.md")


DOCUMENTS = tuple(map(document, NAMES))


def ranked(scores: dict[str, float]) -> list[Ranked]:
    return [Ranked(document(name), score, ("word",)) for name, score in scores.items()]


def known(cosines: dict[str, float], spread: Spread | None, least: float) -> Similar:
    by_name = {(Kind.RECORD, name): cosine for name, cosine in cosines.items()}
    return Similar(by_name, {Kind.RECORD: spread} if spread is not None else {}, least)


def places(scores: dict[str, float], similar: Similar) -> dict[str, int]:
    fused = fuse(ranked(scores), DOCUMENTS, similar)
    return {each.document.id: place for place, each in enumerate(fused)}


class TestUnion:
    """What is found is what either finds, and nothing else."""

    @given(SCORES, COSINES, SPREADS, LEAST)
    def test_every_ranked_document_and_every_similar_one_is_found_once(
        self, scores: dict[str, float], cosines: dict[str, float], spread: Spread | None, least: float
    ) -> None:
        similar = known(cosines, spread, least)
        fused = fuse(ranked(scores), DOCUMENTS, similar)
        found = [each.document.id for each in fused]
        assert len(set(found)) == len(found)
        assert set(found) == set(scores) | {each.id for each in DOCUMENTS if is_similar(similar, each)}
        assert all(each.similar == is_similar(similar, each.document) for each in fused)

    @given(COSINES, SPREADS, LEAST)
    def test_where_nothing_is_similar_and_no_word_occurs_nothing_is_found(
        self, cosines: dict[str, float], spread: Spread | None, least: float
    ) -> None:
        below = {name: min(cosine, least / 2) for name, cosine in cosines.items()}
        assert fuse((), DOCUMENTS, known(below, spread, least)) == ()


class TestOrder:
    """Scores fall from 1, are above nothing, and equal ones go by id."""

    @given(SCORES, COSINES, SPREADS, LEAST)
    def test_scores_lie_between_nothing_and_one(
        self, scores: dict[str, float], cosines: dict[str, float], spread: Spread | None, least: float
    ) -> None:
        fused = fuse(ranked(scores), DOCUMENTS, known(cosines, spread, least))
        assert [(-each.score, each.document.id) for each in fused] == sorted(
            (-each.score, each.document.id) for each in fused
        )
        assert all(0 < each.score <= 1 for each in fused)

    @given(SCORES, COSINES, LEAST, st.randoms(use_true_random=False))
    def test_the_order_in_which_documents_come_does_not_matter(
        self, scores: dict[str, float], cosines: dict[str, float], least: float, random: object
    ) -> None:
        similar, shuffled = known(cosines, None, least), list(DOCUMENTS)
        random.shuffle(shuffled)  # type: ignore[attr-defined]
        first = fuse(ranked(scores), DOCUMENTS, similar)
        assert fuse(reversed(ranked(scores)), shuffled, similar) == first

    @given(SCORES, COSINES, SPREADS, LEAST, FACTORS, FACTORS)
    def test_the_scale_of_scores_does_not_matter(
        self,
        scores: dict[str, float],
        cosines: dict[str, float],
        spread: Spread | None,
        least: float,
        words: float,
        meaning: float,
    ) -> None:
        larger = {name: score * words for name, score in scores.items()}
        wider = {name: cosine * meaning for name, cosine in cosines.items()}
        scaled = spread and Spread(spread.documents, spread.mean * meaning, spread.deviation * meaning)
        first = places(scores, known(cosines, spread, least))
        assert places(larger, known(wider, scaled, least * meaning)) == first


class TestMonotone:
    """Who says more, or means more, never falls."""

    @given(SCORES.filter(bool), COSINES, LEAST, st.floats(0, 100), st.data())
    def test_more_words_never_lower_a_document(
        self,
        scores: dict[str, float],
        cosines: dict[str, float],
        least: float,
        more: float,
        data: st.DataObject,
    ) -> None:
        name = data.draw(st.sampled_from(sorted(scores)))
        similar = known(cosines, None, least)
        before = places(scores, similar)[name]
        assert places(scores | {name: scores[name] + more}, similar)[name] <= before

    @given(SCORES.filter(bool), COSINES, LEAST, st.floats(0, 1), st.data())
    def test_more_likeness_never_lowers_a_document(
        self,
        scores: dict[str, float],
        cosines: dict[str, float],
        least: float,
        more: float,
        data: st.DataObject,
    ) -> None:
        name = data.draw(st.sampled_from(sorted(scores)))
        before = places(scores, known(cosines, None, least))[name]
        raised = cosines | {name: min(1.0, max(cosines.get(name, 0.0), 0.0) + more)}
        assert places(scores, known(raised, None, least))[name] <= before


class TestWithout:
    """Without a model, nothing is changed."""

    @given(SCORES)
    def test_where_nothing_is_known_of_meanings_the_order_is_that_of_the_words(
        self, scores: dict[str, float]
    ) -> None:
        by_words = sorted(scores, key=lambda name: (-scores[name], name))
        fused = places(scores, known({}, None, 0.5))
        assert sorted(fused, key=lambda name: fused[name]) == by_words

    @given(st.lists(st.sampled_from(DOCUMENTS), max_size=6))
    def test_a_search_without_meanings_is_a_search_by_words(self, documents: list[Document]) -> None:
        candidates = [Candidate(each, bag(each)) for each in documents]
        held = {Kind.RECORD: Statistics(len(documents), 4.0, {"word": len(documents)})}
        plain = search(Query("word"), candidates, ("word",), held)
        nothing = search(Query("word"), candidates, ("word",), held, Similar({}, {}, 0.5))
        if isinstance(plain, Nothing) or isinstance(nothing, Nothing):
            assert plain == nothing
        else:
            assert [hit._replace(score=0.0) for hit in plain] == [hit._replace(score=0.0) for hit in nothing]
