"""Fusing what the words say with what the meaning says, and the texts that are compared."""

from collections.abc import Mapping
from typing import Any

from scriptorium_core.recall import (
    Document,
    Kind,
    Nothing,
    Query,
    Reason,
    Similar,
    Spread,
    bag,
    fuse,
    passages,
    search,
)
from scriptorium_core.recall.fuse import is_similar
from scriptorium_core.recall.passages import LONGEST
from scriptorium_core.recall.ranking import Candidate, Ranked, Statistics
from scriptorium_core.sources import Trust
from scriptorium_core.when import When


def record(name: str, content: str = "") -> Document:
    return Document(name, Kind.RECORD, content or name, "topics/home.md")


def turn(order: int, content: str, **more: Any) -> Document:
    made = Document(f"m{order}", Kind.TURN, content, "sources/a.md", speaker="Bo", order=order)
    return made._replace(**more)


def similar(cosines: Mapping[str, float], least: float = 0.5) -> Similar:
    return Similar({(Kind.RECORD, name): cosine for name, cosine in cosines.items()}, {}, least)


def order(ranked: tuple[Ranked, ...]) -> list[str]:
    return [each.document.id for each in ranked]


def test_words_and_meaning_count_half_each() -> None:
    ranked = [Ranked(record("a"), 8.0, ("x",)), Ranked(record("b"), 4.0, ("x",))]
    fused = fuse(ranked, (), similar({"a": 0.2, "b": 0.4}))
    assert {each.document.id: each.score for each in fused} == {"a": 0.75, "b": 0.75}
    assert order(fused) == ["a", "b"]


def test_a_document_that_is_alike_is_found_without_a_word() -> None:
    fused = fuse((), [record("a"), record("b")], similar({"a": 0.5, "b": 0.49}))
    assert [(each.document.id, each.score, each.matched, each.similar) for each in fused] == [
        ("a", 0.5, (), True)
    ]


def test_what_the_model_does_not_know_or_finds_opposite_counts_by_its_words() -> None:
    ranked = [Ranked(record("a"), 8.0, ("x",)), Ranked(record("b"), 4.0, ("x",))]
    assert [each.score for each in fuse(ranked, (), similar({"b": -0.9}))] == [0.5, 0.25]


def test_of_many_documents_one_must_stand_out_to_be_alike() -> None:
    known = Similar({(Kind.RECORD, "a"): 0.6}, {Kind.RECORD: Spread(20, 0.5, 0.1)}, 0.5)
    assert not is_similar(known, record("a"))
    assert is_similar(known._replace(spread={Kind.RECORD: Spread(19, 0.5, 0.1)}), record("a"))
    assert is_similar(known._replace(cosines={(Kind.RECORD, "a"): 0.7}), record("a"))


def test_a_hit_says_that_it_is_similar_and_only_then() -> None:
    documents = [record("a", "keys of the house"), record("b", "the door")]
    held = {Kind.RECORD: Statistics(2, 3.0, {"key": 1})}
    candidates = [Candidate(each, bag(each)) for each in documents]
    hits = search(Query("keys"), candidates, ("key",), held, similar({"a": 0.1, "b": 0.9}))
    assert not isinstance(hits, Nothing)
    assert {hit.document.id: hit.reasons for hit in hits} == {"a": (Reason.TERMS,), "b": (Reason.SIMILAR,)}


def test_a_record_is_compared_as_it_is_and_a_turn_with_the_talk_around_it() -> None:
    turns = [turn(n, f"said {n}") for n in range(5)]
    texts = {document.id: text for document, text in passages((record("r", " Text. "), *turns))}
    assert texts["r"] == "Text."
    assert texts["m0"] == "Bo: said 0\nBo: said 1\nBo: said 2"
    assert texts["m2"] == "\n".join(f"Bo: said {n}" for n in range(5))


def test_a_window_ends_with_its_sitting_with_a_gap_and_with_trust() -> None:
    apart = (
        turn(0, "another day", dates=(When(2026, 1, 1),)),
        turn(1, "held", trust=Trust.PENDING),
        turn(2, "mine"),
        turn(9, "later"),
    )
    assert [text for _, text in passages(apart)] == ["Bo: another day", "Bo: held", "Bo: mine", "Bo: later"]


def test_a_long_text_is_looked_at_in_part() -> None:
    (_, text), (_, window) = passages((record("a", "x" * 9_000), turn(0, "y" * 9_000)))
    assert (len(text), len(window)) == (LONGEST, LONGEST // 4 + len("Bo: "))
