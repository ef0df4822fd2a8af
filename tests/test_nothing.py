"""Nothing relevant is an empty answer with its reason, also where a word occurs that most documents hold."""

from collections import Counter

from scriptorium_core.recall import (
    Candidate,
    Document,
    Hit,
    Kind,
    Query,
    Similar,
    Statistics,
    Why,
    bag,
    narrow,
)
from scriptorium_core.recall.ranking import MANY, tells_apart
from scriptorium_core.recall.search import Nothing, search, wanted

CAROL = [Document(f"c{n:02}", Kind.RECORD, f"Carol said word{n}.", "topics/a.md") for n in range(MANY)]


def asked(text: str, documents: list[Document], similar: Similar | None = None) -> tuple[Hit, ...] | Nothing:
    candidates = [Candidate(each, bag(each)) for each in documents]
    frequency = Counter(term for each in candidates for term in set(each.terms))
    known = {Kind.RECORD: Statistics(len(documents), 4.0, frequency)}
    query = Query(text)
    terms = wanted(query)
    assert not isinstance(terms, Nothing)
    return search(query, candidates, narrow(terms, known.values()), known, similar)


def test_a_word_that_most_documents_hold_is_no_hit_beside_words_that_none_holds() -> None:
    nothing = asked("What does Carol think of chromodynamics?", CAROL)
    assert isinstance(nothing, Nothing)
    assert nothing.why is Why.ONLY_COMMON_WORDS
    assert "nothing holds think, chromodynam; and carol is in more than half" in nothing.message


def test_alone_it_is_what_is_asked_for() -> None:
    hits = asked("Carol", CAROL)
    assert not isinstance(hits, Nothing)
    assert len(hits) == 10


def test_beside_a_word_that_occurs_nothing_is_lost() -> None:
    hits = asked("Did Carol say word7 of chromodynamics?", CAROL)
    assert not isinstance(hits, Nothing)
    assert hits[0].document.id == "c07"
    assert len(hits) == 10


def test_of_few_documents_every_word_counts() -> None:
    hits = asked("Carol chromodynamics", CAROL[:3])
    assert not isinstance(hits, Nothing)
    assert len(hits) == 3


def test_half_of_the_documents_are_not_most_of_them() -> None:
    known = Statistics(MANY, 4.0, {"carol": MANY // 2, "said": MANY // 2 + 1})
    assert tells_apart("carol", known)
    assert not tells_apart("said", known)
    assert not tells_apart("absent", known)
    assert tells_apart("said", known._replace(documents=MANY - 1))


def test_by_its_meaning_a_document_is_found_all_the_same() -> None:
    similar = Similar({(Kind.RECORD, "c03"): 0.9}, {}, 0.5)
    hits = asked("What does Carol think of chromodynamics?", CAROL, similar)
    assert not isinstance(hits, Nothing)
    assert [hit.document.id for hit in hits] == ["c03"]
