"""Examples of the lines in which deliveries are kept."""

import json
from typing import Any

import pytest

from scriptorium_core.knowledge.offer import Left, Part, Reason, Shown
from scriptorium_core.knowledge.trace import Trace, decode_trace, encode_trace, newest, without_forgotten

TRACE = Trace(
    door="prompt",
    text="<memory-context>Tea.</memory-context>",
    tokens=9,
    budget=1_500,
    question="tea?",
    delivered=(Shown(Part("record"), "6c1f02aa", 0.5, False),),
    left_out=(Left(Part("record"), "77aa01bc", 0.25, Reason("budget")),),
)


def test_a_trace_is_read_back_as_it_was() -> None:
    assert decode_trace(encode_trace(TRACE)) == TRACE
    assert TRACE.considered == 2
    assert TRACE.names == {"6c1f02aa", "77aa01bc"}


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("text", 1),
        ("tokens", "9"),
        ("delivered", [{"part": "record", "id": "a", "score": "high", "shortened": False}]),
        ("delivered", [{"part": "nothing", "id": "a", "score": 1, "shortened": False}]),
        ("left_out", 7),
    ],
)
def test_a_line_with_something_else_in_a_field_is_no_trace(field: str, value: Any) -> None:
    fields = json.loads(encode_trace(TRACE)) | {field: value}
    assert decode_trace(json.dumps(fields).encode()) is None


def test_rubbish_is_no_trace() -> None:
    assert [decode_trace(line) for line in (b"", b"{}", b"[]", b"\xff", b"[" * 100_000)] == [None] * 5


def test_the_newest_lines_are_kept_as_far_as_they_fit() -> None:
    assert newest(b"1\n2\n3\nhalf", 2) == b"2\n3\n"
    large = b"x" * (3 * 1024 * 1024) + b"\n"
    assert newest(large + large + b"3\n", 3) == large + b"3\n"


def test_what_was_forgotten_since_is_withheld_with_its_words() -> None:
    (shown,) = without_forgotten([TRACE], {"77aa01bc": "2026-05-01"})
    assert (shown.text, shown.question, shown.withheld) == ("", "", True)
    assert without_forgotten([TRACE], {"other": "2026-05-01"}) == (TRACE,)
