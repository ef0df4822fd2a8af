"""Answers that fit: what is largest is shortened first, names never, and it is said what is missing."""

import json
from pathlib import Path
from typing import Any

import pytest
from mcp import Client

from mcp_clients import called, here
from scriptorium.mcp.capping import capped
from small_homes import create, request, service


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


def test_long_messages_topics_and_lists_fit_and_say_what_is_missing(tmp_path: Path) -> None:
    with service(tmp_path) as made:
        for batch in range(3):
            records = [
                create(f"Shelf {batch}-{n} holds the blue box {n}. " + "word " * 30) for n in range(60)
            ]
            made.change(request(*records, says="x " * 40_000))

    async def talk(client: Client) -> None:
        found = await called(client, "memory_search", query="blue box", limit=50)
        assert 0 < len(found["hits"]) <= 50
        assert size(found) < 21_000
        record = (await called(client, "memory_get", id=found["hits"][0]["id"]))["record"]
        source = record["evidence"][0]["citations"][0]["source"]
        message = await called(client, "memory_get", id=source)
        assert message["cut"][0].startswith("message.text: ")
        assert size(message) < 21_000
        first, text = 1, ""
        while True:
            part = (await called(client, "memory_get", id="keys", first=first))["topic"]
            text += part["text"]
            if part["last"] == part["of"]:
                break
            first = part["last"] + 1
        with service(tmp_path) as made:
            assert text == made.show("keys").text  # type: ignore[union-attr]
        whole = await called(client, "memory_browse", what="recent", limit=500)
        assert whole["cut"][0].startswith("rows: ")
        assert len(whole["rows"]) < 180

    here(tmp_path, talk)
