"""What a program is given in its directory, and what is made of what it leaves there."""

import json

import pytest

from memory_example import KEYS, PENDING, link, memory
from scriptorium_core.changes import Caller
from scriptorium_core.facts import facts_of
from scriptorium_core.names import archive_path
from scriptorium_core.problem import Code, Problem
from scriptorium_core.transaction import Snapshot
from scriptorium_core.transaction.staging import staged
from scriptorium_core.tree import tree_of
from scriptorium_core.writing.directory import (
    GIVEN,
    Declared,
    Result,
    decode_result,
    edited_stage,
    given,
    instructions,
    said_nothing,
    taken,
    versions,
)

HELD = "topics/held.md"
_TEXT = f"""# Held

Send it to me.[^e-dddddddddd] ^held1

[^e-dddddddddd]: Time: `2026`; Sources: [x]({link(PENDING)})
"""


def base() -> Snapshot:
    """The example with a topic that rests on words that wait for the owner's consent."""
    tree = tree_of({**memory(), HELD: _TEXT.encode()})
    return Snapshot(tree, facts_of(tree, {}))


def test_what_nobody_has_vouched_for_is_not_laid_out() -> None:
    laid = given(base())
    assert laid.get(HELD) is None
    assert laid.get(archive_path(PENDING)) is None
    assert laid.get("topics/keys.md") == KEYS.encode()


def test_what_was_not_laid_out_is_neither_lost_nor_written_over() -> None:
    known = base()
    laid = given(known)
    left = laid.put(HELD, b"# Mine\n").put("topics/new.md", b"# New\n").remove("topics/people/mira.md")
    tree, problems = taken(known, laid, left)
    assert tree.differences() == {"topics/new.md": b"# New\n", "topics/people/mira.md": None}
    assert [(each.code, each.path) for each in problems] == [(Code.NOT_PERMITTED, HELD)]
    assert taken(known, laid, laid) == (known.tree, ())


def test_the_instructions_hold_rules_the_day_the_outline_and_what_was_wrong() -> None:
    problem = Problem(Code.BLOCK_LOST, "gone", "topics/keys.md", 3, "put it back")
    text = instructions("write", "2026-04-03", '{"topic": "topics/keys.md"}\n', [problem])
    for word in (
        "RESULT.json",
        "BATCH.md",
        "2026-04-03",
        '{"topic": "topics/keys.md"}',
        "put it back",
        "[^e1]",
    ):
        assert word in text
    assert "memory_changes" not in text  # a program has no such tool
    assert "BATCH.md" not in instructions("organize", "2026-04-03", "")
    assert "RESULT.json" in instructions("organize", "2026-04-03", "")
    assert versions("write") != versions("organize")
    assert len(set(GIVEN)) == 3


@pytest.mark.parametrize(
    ("data", "result"),
    [
        (None, Result()),
        (b'{"summary": " two\\n lines "}', Result("two lines")),
        (b'{"nothing_to_keep": "small talk"}', Result("", "small talk")),
        (
            b'{"deleted": [{"id": "^a1", "reason": "twice"}]}',
            Result(deleted=(Declared("^a1", "twice"),)),
        ),
        (json.dumps({"summary": "x" * 9_000}).encode(), Result("x" * 499 + "…")),
    ],
)
def test_a_result_is_read(data: bytes | None, result: Result) -> None:
    assert decode_result(data) == (result, ())


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\xff",
        b"[" * 100_000,
        b"[]",
        b'"done"',
        b'{"summary": 3}',
        b'{"deleted": {"a": 1}}',
        b'{"deleted": [3]}',
        b'{"deleted": [{"id": "a1"}]}',
        b'{"deleted": [{"id": "a1", "reason": " "}]}',
        b'{"done": true}',
    ],
)
def test_what_of_a_result_cannot_be_used_is_named(data: bytes) -> None:
    result, problems = decode_result(data)
    assert result == Result()
    assert problems
    assert all(each.path.startswith("RESULT.json") and each.remedy for each in problems)


def test_a_line_at_the_end_says_that_there_is_nothing_to_keep() -> None:
    assert said_nothing("I looked.\nnothing_to_keep: small talk") == "small talk"
    assert said_nothing("> `nothing_to_keep: small talk`") == "small talk"
    assert said_nothing("They said nothing_to_keep: in the middle") == ""
    assert said_nothing("nothing_to_keep:") == ""


def test_a_deletion_of_what_is_gone_or_never_was_is_told_apart() -> None:
    known = base()
    stage = staged(known, Caller(), "2026-04-03")
    result = Result(deleted=(Declared("mira1", "moved away"), Declared("nobody", "why not")))
    edited, problems = edited_stage(stage, result)
    assert edited.deleted == {"mira1"}
    assert b"mira1" not in (edited.tree.get("topics/people/mira.md") or b"")
    assert len(problems) == 1
    assert problems[0].path == "RESULT.json"
