"""Answers that fit: what is largest is shortened first, names never, and it is said what is missing."""

import json
from typing import Any

import pytest

from scriptorium.mcp.capping import capped


def size(answer: Any) -> int:
    return len(json.dumps(answer, ensure_ascii=False, separators=(",", ":")))


def test_what_fits_stays_as_it_is() -> None:
    answer = {"ok": True, "hits": [{"id": "^6c1f02aa", "text": "short"}]}
    assert capped(answer) is answer


def test_a_long_list_loses_its_end() -> None:
    answer = {"ok": True, "rows": [{"id": f"^{n:08x}", "text": "word " * 20} for n in range(500)]}
    made = capped(answer, 5_000)
    assert size(made) <= 5_000
    assert made["rows"] == answer["rows"][: len(made["rows"])]  # type: ignore[index]
    assert made["cut"] == [f"rows: {len(made['rows'])} of 500 entries"]
    assert len(made["rows"]) > 10


def test_a_long_text_loses_its_end_and_what_stands_beside_it_stays() -> None:
    answer = {
        "record": {"id": "^6c1f02aa", "text": "long " * 5_000, "links": ["^1", "^2"]},
        "revision": "9b1d",
    }
    made = capped(answer, 3_000)
    assert size(made) <= 3_000
    assert made["record"]["links"] == ["^1", "^2"]
    assert made["record"]["text"].endswith("…")
    (note,) = made["cut"]
    assert note.startswith("record.text: ")
    assert note.endswith("of 25,000 characters")


def test_many_long_texts_are_all_kept_in_part() -> None:
    answer = {"hits": [{"id": f"^{n}", "text": "x" * 9_000} for n in range(4)]}
    made = capped(answer, 8_000)
    assert [hit["id"] for hit in made["hits"]] == ["^0", "^1", "^2", "^3"]
    assert all(len(hit["text"]) > 500 for hit in made["hits"])
    assert len(made["cut"]) == 4


@pytest.mark.parametrize("text", ["鍵" * 100_000, "\n" * 100_000, '"' * 100_000, "\ud7ff" * 9_000])
def test_any_text_fits(text: str) -> None:
    assert size(capped({"a": [text] * 5, "b": {"c": text}}, 4_000)) <= 4_100


def test_what_fell_away_with_its_list_is_not_told_of_twice() -> None:
    answer = {"rows": [{"text": "y" * 400, "more": ["z" * 100] * 50} for _ in range(100)]}
    made = capped(answer, 4_000)
    assert size(made) <= 4_000
    for note in made["cut"]:
        place = note.partition(":")[0]
        assert place == "rows" or int(place.split("[")[1].split("]")[0]) < len(made["rows"])


def test_names_alone_are_never_cut() -> None:
    answer = {f"topic-{n}": "topics/people/mira.md" for n in range(1_000)}
    made = capped(answer, 1_000)
    assert {name: made[name] for name in answer} == answer
