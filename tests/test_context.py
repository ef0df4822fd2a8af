"""Examples of the context file beside an archive."""

import pytest

from scriptorium_core.names import NodeId, SessionId, SourceId
from scriptorium_core.problem import Code
from scriptorium_core.sources import Context, Origin, append_context, encode_context, read_context
from scriptorium_core.sources.context import branches_in

PATH = "sources/chat/_v2/s1.jsonl"
ONE = Context(SourceId("chat/s1/m1"), Origin.HUMAN, SessionId("s1"), NodeId("m1"))
TWO = Context(
    SourceId("chat/s1/m2"),
    Origin.ASSISTANT,
    SessionId("s1"),
    NodeId("m2"),
    NodeId("m1"),
    "abandoned",
    "/srv/名 \u2028",
    "2026-04-22T10:21:00Z",
)
LINE = (
    b'{"id":"chat/s1/m1","origin":"human","session":"s1","node":"m1",'
    b'"parent":null,"branch":"live","scope":null,"at":""}\n'
)


def appended(*contexts: Context, data: bytes | None = None) -> bytes:
    result = append_context(PATH, data, contexts)
    assert isinstance(result, bytes)
    return result


def test_a_line_has_its_keys_in_order() -> None:
    assert encode_context(ONE).encode() == LINE


def test_contexts_come_back_in_order() -> None:
    assert read_context(PATH, appended(ONE, TWO)) == ((ONE, TWO), ())


def test_an_id_that_stands_already_is_not_added_again() -> None:
    data = appended(ONE, TWO, ONE)
    assert appended(TWO, ONE, data=data) == data
    assert appended(data=None) == b""


def test_the_last_line_of_an_id_says_its_branch() -> None:
    gone = ONE._replace(branch="abandoned")
    data = appended(gone, data=appended(ONE, TWO))
    assert data == appended(ONE, TWO) + LINE.replace(b"live", b"abandoned")
    assert read_context(PATH, data) == ((gone, TWO), ())
    assert appended(gone, data=data) == data
    assert read_context(PATH, appended(ONE, data=data)) == ((ONE, TWO), ())


def test_a_later_line_that_changes_more_than_the_branch_is_a_fault_and_not_read() -> None:
    data = appended(ONE, TWO)
    other = LINE.replace(b"human", b"agent").replace(b"live", b"abandoned")
    contexts, problems = read_context(PATH, data + other)
    assert contexts == (ONE, TWO)
    assert [(problem.code, problem.line) for problem in problems] == [(Code.SOURCES_CHANGED, 3)]
    assert "chat/s1/m1" in problems[0].message
    assert appended(ONE._replace(origin=Origin.AGENT), data=data) == data


def test_unknown_keys_and_absent_optional_ones_are_read() -> None:
    line = b'{"later":[1],"node":"m1","session":"s1","origin":"human","branch":"live","id":"chat/s1/m1"}'
    assert read_context(PATH, line) == ((ONE,), ())


def test_a_last_line_without_its_lf_is_ended_before_more_is_added() -> None:
    torn = LINE + b'{"id":"chat/s1/m'
    grown = appended(TWO, data=torn)
    assert grown == torn + b"\n" + encode_context(TWO).encode()
    contexts, problems = read_context(PATH, grown)
    assert contexts == (ONE, TWO)
    assert [(problem.code, problem.path, problem.line) for problem in problems] == [
        (Code.SOURCES_CHANGED, PATH, 2)
    ]


@pytest.mark.parametrize(
    ("line", "fault"),
    [
        (b"\xff", "UTF-8"),
        (b"[" * 100_000, "JSON"),
        (b"[]", "object"),
        (LINE.replace(b"m1", b"\\ud800"), "JSON"),
        (LINE.replace(b"chat/s1", b"chat/s2"), "id"),
        (LINE.replace(b'"chat/s1/m1"', b'"m1"'), "id"),
        (LINE.replace(b'"human"', b'["human"]'), "origin"),
        (LINE.replace(b'"s1"', b"1"), "session"),
        (LINE.replace(b'"node":"m1",', b""), "node"),
        (LINE.replace(b'"parent":null', b'"parent":1'), "parent"),
        (LINE.replace(b'"live"', b'"dead"'), "branch"),
        (LINE.replace(b'"scope":null', b'"scope":{}'), "scope"),
        (LINE.replace(b'"at":""', b'"at":0'), "at"),
    ],
)
def test_a_malformed_line_is_reported_and_hides_no_other(line: bytes, fault: str) -> None:
    data = encode_context(TWO).encode() + b"\n" + line.rstrip() + b"\n" + LINE
    contexts, problems = read_context(PATH, data)
    assert contexts == (TWO, ONE)
    assert [problem.line for problem in problems] == [3]
    assert fault in problems[0].message
    assert problems[0].remedy


def test_contexts_that_cannot_be_read_back_are_refused_all_at_once() -> None:
    elsewhere = Context(SourceId("chat/s2/m1"), Origin.HUMAN, SessionId("s2"), NodeId("m1"))
    unpaired = Context(SourceId("chat/s1/m3"), Origin.HUMAN, SessionId("\ud800"), NodeId("m3"))
    problems = append_context(PATH, LINE, [elsewhere, ONE, unpaired])
    assert not isinstance(problems, bytes)
    assert [problem.code for problem in problems] == [Code.INVALID_ARGUMENT] * 2
    assert "chat/s2/m1" in problems[0].message


def test_the_branches_of_a_message_are_told_line_by_line() -> None:
    given_up = ONE._replace(branch="abandoned")
    data = appended(ONE, TWO) + b"\nno line of ours\n" + encode_context(given_up).encode()
    assert branches_in(PATH, data) == {ONE.id: ("live", "abandoned"), TWO.id: ("abandoned",)}
    assert branches_in(PATH, b"") == {}
