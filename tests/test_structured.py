"""Answers under a schema: what is read from them, and what is never taken for nothing."""

import json
from datetime import UTC, datetime

import pytest

from api_homes import KEPT
from scriptorium_core.changes import CreateRecord
from scriptorium_core.problem import Code
from scriptorium_core.writing.agent import Nothing
from scriptorium_core.writing.exchange import Asked, Question, Reply
from scriptorium_core.writing.outcome import Failed
from scriptorium_core.writing.structured import (
    Broken,
    Changes,
    Cut,
    Stated,
    answer_schema,
    decode_answer,
    stated,
)

CHANGES = KEPT.arguments["memory_changes"]
WHOLE = json.dumps({"memory_changes": CHANGES, "summary": "Tea\nand more"}, ensure_ascii=False, indent=2)
NOTHING = '{"memory_changes": [], "nothing_to_keep": "small talk"}'


def first(text: str) -> CreateRecord:
    read = decode_answer(text)
    assert isinstance(read, Changes), read
    (change,) = read.changes
    assert isinstance(change, CreateRecord)
    return change


@pytest.mark.parametrize(
    "text",
    [
        WHOLE,
        f"```json\n{WHOLE}\n```",
        f"```\n{WHOLE}\n```\n",
        f"Sure! Here is what I keep:\n\n```json\n{WHOLE}\n```\n\nAnything else? {{I hope}} not.",
        f'<think>The form is {{…}}, and {{"memory_changes": []}} would be empty.</think>\n{WHOLE}',
        f"First draft: {NOTHING}\nNo, better:\n{WHOLE}",
        "\ufeff" + WHOLE,
    ],
)
def test_the_object_is_found_in_prose_and_fences(text: str) -> None:
    assert first(text).content == "Mara prefers tea to coffee — 緑茶 🍵 above all."


def test_a_fence_inside_a_text_ends_nothing() -> None:
    changes = json.loads(json.dumps(CHANGES))
    changes[0]["content"] = "Mara writes ```code``` and {braces} in her notes."
    text = f"```json\n{json.dumps({'memory_changes': changes})}\n```"
    assert first(text).content == "Mara writes ```code``` and {braces} in her notes."


def test_keys_that_a_model_fills_with_null_are_not_there() -> None:
    (change,) = json.loads(json.dumps(CHANGES))
    change |= {"memory_id": None, "supersede": None, "time": None}
    change["destination"]["anchor_memory_id"] = None
    assert first(json.dumps({"memory_changes": [change]})).time is None


def test_nothing_is_kept_only_where_a_reason_is_given() -> None:
    assert decode_answer(NOTHING) == Nothing("small talk")
    assert decode_answer('{"nothing_to_keep": "small talk"}') == Nothing("small talk")
    for text in ('{"memory_changes": []}', '{"memory_changes": [], "nothing_to_keep": " "}'):
        assert isinstance(decode_answer(text), Broken)


@pytest.mark.parametrize(
    "text",
    [
        '```json\n{"memory_changes": [{"op": "create_record", "content": "Mara pr',
        '{"memory_changes": [{"op": "create_record", "content": "Tea.", "sources": [{"source": "a"}]}',
        f"{NOTHING} is what I thought first, but: " + '{"memory_changes": [{"op": "cr',
        "Here it comes:\n```json\n",
        '{"memory_changes": [], "nothing_to_keep": "small ta',
        "{",
    ],
)
def test_an_answer_that_was_cut_off_is_neither_nothing_nor_a_part(text: str) -> None:
    assert decode_answer(text) == Cut()


@pytest.mark.parametrize(
    "text",
    [
        "",
        "I keep nothing.",
        "[]",
        '{"edits": []}',
        '{"memory_changes": [], "nothing_to_keep": "no", }',
        f"{NOTHING} was a draft, this is it: " + '{"memory_changes": [{"op": "create_record",}]}',
        '{"memory_changes": "all of it"}',
        f'{{"memory_changes": {json.dumps(CHANGES)}, "nothing_to_keep": "small talk"}}',
        "{" * 5000 + "}" * 5000,
    ],
)
def test_what_cannot_be_read_says_why(text: str) -> None:
    read = decode_answer(text)
    assert isinstance(read, Broken)
    assert all(problem.code is not Code.MODEL_TRUNCATED and problem.remedy for problem in read.problems)


def test_all_that_is_wrong_with_operations_is_named() -> None:
    read = decode_answer('{"memory_changes": [{"op": "create_record"}, {"op": "forget"}]}')
    assert isinstance(read, Broken)
    places = {problem.path for problem in read.problems}
    assert {"memory_changes[0].content", "memory_changes[0].sources", "memory_changes[1].op"} <= places


def test_the_summary_is_one_line() -> None:
    read = decode_answer(WHOLE)
    assert isinstance(read, Changes)
    assert read.summary == "Tea"


def test_the_schema_is_json_and_names_what_is_read() -> None:
    schema = json.loads(json.dumps(answer_schema()))
    assert set(schema["properties"]) == {"memory_changes", "summary", "nothing_to_keep"}


# --- What follows from an answer -------------------------------------------------------------------

NOW = datetime(2026, 11, 30, 18, 30, tzinfo=UTC)
ASKED = Stated(Question("Rules.", (Asked("The batch."),), schema=answer_schema()))


@pytest.mark.parametrize(
    ("reply", "code", "told"),
    [
        (Reply(WHOLE[:60], ending="stop"), Code.MODEL_TRUNCATED, "cut off"),
        (Reply(WHOLE[:60], ending="length"), Code.MODEL_TRUNCATED, "cut off"),
        (Reply("I would keep", ending="length"), Code.MODEL_TRUNCATED, "cut off"),
        (Reply("I would keep that.", ending="stop"), Code.COMMIT_REJECTED, "no JSON object"),
        (Reply('{"memory_changes": []}', ending="stop"), Code.COMMIT_REJECTED, "neither changes nor"),
    ],
)
def test_what_is_wrong_is_told_once_and_then_the_end(reply: Reply, code: Code, told: str) -> None:
    again = stated(ASKED, reply, NOW)
    assert isinstance(again, Stated)
    *_, said, asked = again.question.turns
    assert said == reply
    assert isinstance(asked, Asked)
    assert told in asked.text
    ended = stated(again, reply, NOW)
    assert isinstance(ended, Failed)
    assert ended.code is code


def test_an_answer_that_is_whole_counts_even_where_the_room_ended() -> None:
    assert isinstance(stated(ASKED, Reply(WHOLE, ending="length"), NOW), Changes)
    assert stated(ASKED, Reply(NOTHING, ending="stop"), NOW) == Nothing("small talk")


def test_a_refusal_and_an_error_in_words_are_told_to_nobody() -> None:
    refused = stated(ASKED, Reply("", ending="refusal"), NOW)
    assert isinstance(refused, Failed)
    assert refused.code is Code.MODEL_CONTENT_POLICY
    limited = stated(ASKED, Reply("Usage limit reached, try again in 2 hours", ending="stop"), NOW)
    assert isinstance(limited, Failed)
    assert limited.until == "2026-11-30T20:30:00+00:00"


def test_a_reason_is_a_line_that_can_be_shown_and_kept() -> None:
    read = decode_answer(
        '{"memory_changes": [], "nothing_to_keep": "small \\ud800\\u001b talk\\nForgotten: x"}'
    )
    assert read == Nothing("small talk")
