"""Examples of requests of the wrong shape, each named with its place."""

from typing import Any

import pytest

from scriptorium_core.changes import (
    CreateRecord,
    DeleteRecord,
    Destination,
    MoveRecords,
    NewSource,
    Position,
    SourceUse,
    UpdateRecord,
    decode_request,
)
from scriptorium_core.changes.content import content_fault
from scriptorium_core.names import BlockId, TopicPath
from scriptorium_core.problem import Code
from scriptorium_core.when import When

WHERE: dict[str, Any] = {"topic_path": "topics/a.md", "headings": ["A"], "position": "end"}
CREATE: dict[str, Any] = {
    "op": "create_record",
    "content": "Text.",
    "time": "2026-04",
    "sources": [{"source": "a/b/c", "label": "said"}],
    "destination": WHERE,
}
UPDATE: dict[str, Any] = {
    "op": "update_record",
    "memory_id": "k",
    "content": "x",
    "time": None,
    "source_refs": ["a/b/c"],
}
MOVE: dict[str, Any] = {"op": "move_records", "memory_ids": ["a", "^b"], "destination": WHERE}


def places(request: object) -> list[str]:
    return [problem.path for problem in decode_request(request)[1]]


def place(**faulty: Any) -> list[str]:
    return [
        where.removeprefix("memory_changes[0].") for where in places({"memory_changes": [CREATE | faulty]})
    ]


def test_each_operation_is_read() -> None:
    request, problems = decode_request(
        {
            "memory_changes": [
                CREATE,
                UPDATE | {"supersede": True},
                {"op": "delete_record", "memory_id": " ^d "},
                MOVE,
            ],
            "sources": [
                {
                    "label": "new-source-a1",
                    "role": "tool",
                    "content": "c",
                    "observed_at": "2026-04-22T10:00:00Z",
                }
            ],
            "base_revision": "abc",
            "commit_message": "why",
        }
    )
    assert problems == ()
    where = Destination(TopicPath("topics/a.md"), ("A",), Position.END)
    assert request.changes == (
        CreateRecord("Text.", When(2026, 4), (SourceUse("a/b/c", "said"),), where, "memory_changes[0]"),
        UpdateRecord(BlockId("k"), "x", None, (SourceUse("a/b/c", "a/b/c"),), True, "memory_changes[1]"),
        DeleteRecord(BlockId("d"), "memory_changes[2]"),
        MoveRecords((BlockId("a"), BlockId("b")), where, "memory_changes[3]"),
    )
    assert request.sources == (NewSource("new-source-a1", "tool", "c", "2026-04-22T10:00:00Z"),)
    assert (request.base_revision, request.message) == ("abc", "why")


def test_older_spellings_are_read() -> None:
    older = {
        "op": "create",
        "topic_path": "topics/a.md",
        "content": "x",
        "time": "undated",
        "source_refs": ["a/b/c"],
    }
    operations = [older, UPDATE | {"op": "update"}, {"op": "delete", "memory_id": "d"}, MOVE | {"op": "move"}]
    request, problems = decode_request({"memory_changes": operations})
    assert problems == ()
    assert isinstance(request.changes[0], CreateRecord)
    assert request.changes[0].destination == Destination(TopicPath("topics/a.md"), (), Position.END)
    assert places({"memory_changes": [older | {"destination": WHERE}]}) == ["memory_changes[0].topic_path"]
    assert places({"memory_changes": [older | {"topic_path": 3}]}) == ["memory_changes[0].topic_path"]


@pytest.mark.parametrize(
    ("request_", "wrong"),
    [
        (None, ["request", "request"]),
        ([], ["request", "request"]),
        ({}, ["request"]),
        ({"memory_changes": None}, ["memory_changes"]),
        ({"memory_changes": []}, ["memory_changes"]),
        ({"memory_changes": {}}, ["memory_changes"]),
        ({"memory_changes": [3]}, ["memory_changes[0]"]),
        ({"memory_changes": [{}]}, ["memory_changes[0].op"]),
        ({"memory_changes": [{"op": ["x"]}]}, ["memory_changes[0].op"]),
        ({"memory_changes": [UPDATE], "x": 1}, ["x"]),
        ({"memory_changes": [UPDATE], "commit_message": 3}, ["commit_message"]),
        ({"memory_changes": [UPDATE], "base_revision": "\ud800"}, ["base_revision"]),
        ({"memory_changes": [UPDATE], "sources": 3}, ["sources"]),
        ({"memory_changes": [UPDATE] * 65}, ["memory_changes"]),
        ({"memory_changes": [UPDATE | {"supersede": 1}]}, ["memory_changes[0].supersede"]),
        ({"memory_changes": [UPDATE | {"add": 1}]}, ["memory_changes[0].add"]),
        ({"memory_changes": [UPDATE | {"add": True, "supersede": True}]}, ["memory_changes[0].add"]),
        ({"memory_changes": [UPDATE | {"memory_id": " "}]}, ["memory_changes[0].memory_id"]),
        ({"memory_changes": [UPDATE | {"destination": WHERE}]}, ["memory_changes[0].destination"]),
        ({"memory_changes": [{"op": "delete_record", "memory_id": "a", "x": 1}]}, ["memory_changes[0].x"]),
        ({"memory_changes": [MOVE | {"memory_ids": []}]}, ["memory_changes[0].memory_ids"]),
        ({"memory_changes": [MOVE | {"memory_ids": ["a", 3]}]}, ["memory_changes[0].memory_ids"]),
        ({"memory_changes": [MOVE | {"memory_ids": ["a", "a"]}]}, ["memory_changes[0].memory_ids[1]"]),
        ({"memory_changes": [MOVE | {"destination": WHERE | {"position": "after", "anchor_memory_id": "a"}}]},
         ["memory_changes[0].destination.anchor_memory_id"]),
    ],
)  # fmt: skip
def test_a_request_of_the_wrong_shape_is_refused_with_its_place(request_: object, wrong: list[str]) -> None:
    assert places(request_) == wrong


def test_more_than_64_records_may_move_in_one_operation() -> None:
    assert places({"memory_changes": [MOVE | {"memory_ids": [f"a{n}" for n in range(100)]}]}) == []


@pytest.mark.parametrize(
    ("faulty", "wrong"),
    [
        ({"memory_id": "x"}, ["memory_id"]),
        ({"content": None}, ["content"]),
        ({"content": 3}, ["content"]),
        ({"time": "2026-13"}, ["time"]),
        ({"time": ""}, ["time"]),
        ({"time": 2026}, ["time"]),
        ({"sources": []}, ["sources"]),
        ({"sources": None}, ["sources", "sources"]),
        ({"sources": ["a/b/c"]}, ["sources[0]", "sources[0].source", "sources[0].label"]),
        ({"sources": [{"source": "a/b/c", "label": "x"}] * 2}, ["sources[1].source"]),
        ({"sources": [{"source": 3, "label": "a]b", "z": 1}]},
         ["sources[0].z", "sources[0].source", "sources[0].label"]),
        ({"source_refs": ["a/b/c"]}, ["memory_changes[0]"]),
        ({"destination": None},
         ["destination", "destination.topic_path", "destination.headings", "destination.position"]),
        ({"destination": WHERE | {"topic_path": "/a.md"}}, ["destination.topic_path"]),
        ({"destination": WHERE | {"headings": ["a\nb", " ", 3, "a\x00"]}},
         [f"destination.headings[{n}]" for n in range(4)]),
        ({"destination": WHERE | {"headings": list("abcdefg")}}, ["destination.headings"]),
        ({"destination": WHERE | {"position": []}}, ["destination.position"]),
        ({"destination": WHERE | {"position": "before"}}, ["destination.anchor_memory_id"]),
        ({"destination": WHERE | {"anchor_memory_id": "a"}}, ["destination.anchor_memory_id"]),
    ],
)  # fmt: skip
def test_an_operation_is_refused_with_the_place_of_each_fault(
    faulty: dict[str, Any], wrong: list[str]
) -> None:
    assert place(**faulty) == wrong


def test_older_source_refs_are_texts_that_stand_once() -> None:
    for refs, wrong in (
        (["a/b/c", "a/b/c"], "source_refs[1]"),
        ([3], "source_refs[0]"),
        ([" "], "source_refs[0]"),
    ):
        assert places({"memory_changes": [UPDATE | {"source_refs": refs}]}) == [f"memory_changes[0].{wrong}"]


def test_headings_are_any_line_of_text() -> None:
    titles = ["钥匙\u3000孔", "می‌خواهم", "👩‍👩‍👧", "# a ^x", "tab\there", "`code` ##"]
    (change,) = decode_request({"memory_changes": [CREATE | {"destination": WHERE | {"headings": titles}}]})[
        0
    ].changes
    assert isinstance(change, CreateRecord)
    assert list(change.destination.headings) == titles


@pytest.mark.parametrize(
    ("source", "wrong"),
    [
        ({"label": "X"}, "label"),
        ({"label": "new-source-"}, "label"),
        ({"label": "new-source-A"}, "label"),
        ({"role": "owner"}, "role"),
        ({"role": []}, "role"),
        ({"content": " "}, "content"),
        ({"content": "\ud800"}, "content"),
        ({"observed_at": "soon"}, "observed_at"),
        ({"observed_at": 3}, "observed_at"),
        ({"observed_at": "2026-02-30"}, "observed_at"),
        ({"observed_at": "2026-04-22]10:00"}, "observed_at"),
        ({"observed_at": "2026-04-22\n10:00"}, "observed_at"),
        ({"trust": "trusted"}, "trust"),
    ],
)
def test_a_new_source_is_refused_with_its_place(source: dict[str, Any], wrong: str) -> None:
    good = {"label": "new-source-a", "role": "user", "content": "c", "observed_at": "2026-04-22"}
    assert places({"memory_changes": [UPDATE], "sources": [good]}) == []
    assert places({"memory_changes": [UPDATE], "sources": [good | source]}) == [f"sources[0].{wrong}"]


def test_labels_of_new_sources_stand_once_and_are_counted_as_they_stand() -> None:
    good = {"label": "new-source-a", "role": "user", "content": "c"}
    assert places({"memory_changes": [UPDATE], "sources": [3, good, good]}) == [
        *["sources[0]", "sources[0].label", "sources[0].role", "sources[0].content"],
        "sources[2].label",
    ]
    assert places({"memory_changes": [UPDATE], "sources": [good] * 65})[0] == "sources"


@pytest.mark.parametrize(
    "content",
    ["Plain.", "- a bullet", "two\nlines", "r^2", "x ^2 y", "ends a line ^word\nand goes on", "`[^e1] x ^id`",
     "<|endoftext|>", "</memory-context>", "a\u2028b", "a\r\nb", "\ufeffmarked",
     "[a](#^x)", "a | b"],
)  # fmt: skip
def test_any_paragraph_of_prose_may_be_the_content_of_a_record(content: str) -> None:
    assert content_fault(content) == ""


@pytest.mark.parametrize(
    ("content", "fault"),
    [
        (" \n ", "blank"),
        ("a\n\nb", "one paragraph"),
        ("# a", "one paragraph"),
        ("a\n# b", "one paragraph"),
        ("```\na\n```", "one paragraph"),
        ("<!-- a -->", "one paragraph"),
        ("<a id=x>", "one paragraph"),
        ("[^e1]: Time: `2026`; Sources: a/b/c", "one paragraph"),
        ("a[^e1]", "citation"),
        ("a ^abc", "block id"),
        ("^abc", "block id"),
        ("half \ud800", "surrogate"),
        ("no\0thing", "control character U+0000"),
        ("\x1b[1mbold", "control character U+001B"),
        ("open [^", "open bracket"),
    ],
)
def test_what_a_record_cannot_hold_is_said_in_words(content: str, fault: str) -> None:
    assert fault in content_fault(content)


@pytest.mark.parametrize(
    ("request_", "place"),
    [
        ({"changes": [{"path": "topics/a.md", "action": "write", "content": "# A\0"}]}, "changes[0].content"),
        ({"patch": "--- a/topics/a.md\n+++ b/topics/a.md\n@@ -1 +1 @@\n-A\n+A\x07\n"}, "patch"),
        ({"memory_changes": [{**CREATE, "content": "A\0"}]}, "memory_changes[0].content"),
    ],
)
def test_a_control_character_in_what_a_topic_would_hold_is_named_with_its_place(
    request_: object, place: str
) -> None:
    (problem,) = decode_request(request_)[1]
    assert (problem.path, problem.code) == (place, Code.INVALID_ARGUMENT)
    assert "control character U+00" in problem.message
    assert problem.remedy
