"""Examples of texts that are too long for their place."""

from pathlib import Path

import pytest

from scriptorium_core.knowledge.shortening import shortened
from small_homes import create, request, service

FIRST = "The keys hang by the door, where they have always hung"


def cut(text: str, most: int) -> str | None:
    """A text in so many characters, without what points to the rest."""
    made = shortened(text, "more", lambda whole: len(whole) <= most + len(" … (more)"))
    return made.removesuffix(" … (more)") if made is not None else None


def test_a_sentence_is_the_best_end() -> None:
    assert cut(f"{FIRST}. {FIRST}, and so on. More.", 70) == f"{FIRST}."
    assert cut("玫瑰开花了。" * 20, 40) == "玫瑰开花了。" * 6


def test_within_a_sentence_it_ends_with_a_word_or_a_clause() -> None:
    assert cut(f"{FIRST} and will hang. More.", 58) == f"{FIRST} and"
    assert cut("花园的玫瑰需要浇水，" * 20, 45) == "花园的玫瑰需要浇水，" * 4


@pytest.mark.parametrize("text", ["x7" * 1_000, "花园的玫瑰需要浇水" * 100, "rose " + "x7" * 1_000])
def test_what_has_no_such_end_ends_with_a_character(text: str) -> None:
    assert cut(text, 45) == text[:45]


@pytest.mark.parametrize("character", ["e\u0301", "👩\u200d👧", "👍🏽", "❤\ufe0f"])
def test_a_character_of_several_parts_is_not_divided(character: str) -> None:
    parts = len(character)
    for most in range(45, 45 + parts):
        made = cut(character * 100, most)
        assert made is not None
        assert made == character * (most // parts)


def test_less_of_a_sentence_than_says_something_is_nothing() -> None:
    assert cut("x7" * 1_000, 39) is None
    assert cut("花园的玫瑰需要浇水" * 100, 19) is None
    assert cut("花园的玫瑰需要浇水" * 100, 20) is not None


@pytest.mark.parametrize(
    "text",
    [
        "花园的玫瑰需要浇水，" + "，".join(f"第{n}株在东墙边" for n in range(700)) + "。玫瑰开花了。",
        "花园的玫瑰需要浇水" + "".join(f"第{n}株在东墙边" for n in range(700)),
        "玫瑰 " + "x7" * 15_000,
    ],
)
def test_what_is_written_without_blanks_is_shortened_and_not_dropped(tmp_path: Path, text: str) -> None:
    with service(tmp_path) as made:
        block = made.change(request(create(text), says="好。")).report.created[0]  # type: ignore[union-attr]
        given = made.context("玫瑰", 300)
        assert next((each.id, each.shortened) for each in given.shown) == (block, True)
        assert f" … (`scriptorium show ^{block}`)" in given.text
        assert given.tokens <= 300
