"""The format `openai`: the dialects of its rows, trees, and lists that are sent again and again."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from scriptorium.conversations.formats.openai import OPENAI
from scriptorium.conversations.formats.openai_rows import Message, message_of
from scriptorium.conversations.importing import import_path
from scriptorium.conversations.items import Sample
from scriptorium.conversations.store import Session, Store, open_store
from scriptorium.conversations.unwritten import waiting
from scriptorium_core.names import WorkspaceId
from scriptorium_core.sessions.graph import Node
from scriptorium_core.sources.frame import Origin

FIXTURES = Path(__file__).parent / "fixtures" / "openai"


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with open_store(tmp_path / "sessions.sqlite3") as opened:
        yield opened


@pytest.fixture
def log(tmp_path: Path) -> Path:
    return tmp_path / "log"


def only(store: Store) -> tuple[Session, list[Node]]:
    (session,) = store.sessions()
    return session, list(store.nodes(session))


def talk(store: Store) -> dict[str, str]:
    session, _ = only(store)
    found = waiting(store, session, WorkspaceId("w-1"), lambda _: False)
    return {item.node.text: item.branch for item in found}


def message(row: object) -> Message:
    found = message_of(row)
    assert isinstance(found, Message)
    return found


DIALECTS: list[dict[str, Any]] = [
    {"role": "user", "content": "hi"},
    {"role": "user", "content": [{"type": "text", "text": "hi"}]},
    {"role": "user", "content": {"content_type": "text", "parts": ["hi"]}},
    {"role": "user", "text": "hi"},
    {"role": "user", "parts": [{"text": "hi"}]},
    {"role": "user", "content": None, "text": "hi"},
    {"type": "user", "message": {"content": "hi"}},
    {"role": "user", "message": {"content": [{"type": "text", "text": "hi"}]}},
    {"type": "message", "message": {"role": "user", "content": "hi"}},
    {"type": "x", "payload": {"type": "message", "role": "user", "content": [{"text": "hi"}]}},
    {"payload": {"message": {"role": "user", "content": "hi"}}},
    {"from": "user", "value": "hi"},
    {"sender": "user", "message": "hi"},
    {"author": {"role": "user"}, "content": {"parts": ["hi"]}},
]  # fmt: skip


@pytest.mark.parametrize("row", DIALECTS)
@pytest.mark.parametrize("shape", ["list", "object", "lines"])
def test_every_dialect_says_the_same(store: Store, log: Path, row: dict[str, Any], shape: str) -> None:
    rows = [row, {"role": "assistant", "content": "hello"}]
    lines = "".join(json.dumps(each) + "\n" for each in rows)
    log.write_text(
        {"list": json.dumps(rows), "object": json.dumps({"messages": rows}), "lines": lines}[shape]
    )
    report = import_path(store, log, "openai")
    assert (report.turns_new, report.skipped) == (2, {})
    found = only(store)[1]
    assert [(node.origin, node.text) for node in found] == [(Origin.HUMAN, "hi"), (Origin.ASSISTANT, "hello")]
    assert message(row).role == "user"


def test_dialects_that_say_the_same_are_one_message(store: Store, log: Path, tmp_path: Path) -> None:
    log.write_text(json.dumps([DIALECTS[0]]))
    import_path(store, log)
    for number, row in enumerate(DIALECTS[1:]):
        other = tmp_path / f"{number}.json"
        other.write_text(json.dumps([row]))
        assert import_path(store, other, "openai").turns_known == 1


@pytest.mark.parametrize(
    ("row", "origin", "tools"),
    [
        ({"role": "assistant", "content": None, "tool_calls": [{"id": "c1"}]}, Origin.TOOL, ("c1",)),
        ({"role": "assistant", "content": "Wait.", "tool_calls": [{"id": "c1"}]}, Origin.ASSISTANT, ("c1",)),
        ({"role": "assistant", "content": None, "function_call": {"name": "f"}}, Origin.TOOL, ("f",)),
        ({"role": "tool", "tool_call_id": "c1", "content": "KEY=1"}, Origin.TOOL, ("c1",)),
        ({"role": "function", "name": "f", "content": "KEY=1"}, Origin.TOOL, ()),
        ({"type": "function_call", "call_id": "c1", "name": "f", "arguments": "{}"}, Origin.TOOL, ("c1",)),
        ({"type": "function_call_output", "call_id": "c1", "output": "KEY=1"}, Origin.TOOL, ("c1",)),
        (
            {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "c1", "content": "KEY=1"}]},
            Origin.TOOL, ("c1",),
        ),
        ({"role": "assistant", "content": [{"type": "tool_use", "id": "c1"}]}, Origin.TOOL, ("c1",)),
        ({"role": "developer", "content": "KEY=1"}, Origin.HARNESS, ()),
        ({"role": "User", "content": "hi"}, Origin.HUMAN, ()),
        ({"from": "gpt", "value": "hi"}, Origin.ASSISTANT, ()),
        ({"role": "model", "parts": [{"text": "hi"}]}, Origin.ASSISTANT, ()),
    ],
)  # fmt: skip
def test_who_speaks_is_told_from_what_the_row_brings(
    store: Store, log: Path, row: dict[str, Any], origin: Origin, tools: tuple[str, ...]
) -> None:
    """bc-074: what a tool gave, and what a program was told, has its place and no words."""
    assert (message(row).origin, message(row).tools) == (origin, tools)
    log.write_text(json.dumps([{"role": "user", "content": "go"}, row]))
    import_path(store, log, "openai")
    assert "KEY" not in only(store)[1][1].text


def test_thoughts_are_passed_over(store: Store, log: Path) -> None:
    thought = {"type": "reasoning", "summary": [], "encrypted_content": "x"}
    spoken = [
        {"type": "thinking", "thinking": "hm"},
        {"type": "reasoning", "text": "hm"},
        {"type": "text", "text": "yes"},
    ]
    log.write_text(json.dumps([DIALECTS[0], thought, {"role": "assistant", "content": spoken}]))
    report = import_path(store, log)
    assert report.skipped == {}
    assert [node.text for node in only(store)[1]] == ["hi", "yes"]


def test_parts_that_are_objects_are_named_and_the_turn_is_kept(store: Store, log: Path) -> None:
    """bc-016: an attachment is noted, nothing raises, no turn is lost."""
    parts: list[object] = [
        {"content_type": "image_asset_pointer", "asset_pointer": "file-service://a"}, "Which white is this?",
        {"type": "file", "file": {"filename": "a.pdf"}}, {"type": "image"}, 7, None, {"type": 3},
    ]  # fmt: skip
    log.write_text(json.dumps([{"role": "user", "content": parts}]))
    import_path(store, log)
    assert only(store)[1][0].text == "[image: file-service://a]\nWhich white is this?\n[file: a.pdf]\n[image]"


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("timestamp", "2026-01-01T00:00:00+00:00"), ("created_at", 1767225600), ("createdAt", 1767225600000),
        ("ts", "1767225600"), ("date", 1767225600000000),
    ],
)  # fmt: skip
def test_times_are_read_in_every_unit_also_from_around_a_message(key: str, value: object) -> None:
    """bc-032."""
    expected = "2026-01-01T00:00:00+00:00"
    assert message({"role": "user", "content": "hi", key: value}).at == expected
    assert message({"type": "x", key: value, "payload": {"role": "user", "content": "hi"}}).at == expected


def test_snapshots_of_one_conversation_share_what_they_share_and_fork_where_they_differ(store: Store) -> None:
    import_path(store, FIXTURES / "snapshots.jsonl")
    session, found = only(store)
    assert (session.id, session.title, len(found)) == ("trip", "Trip", 7)
    assert [node.text for node in found].count("ok") == 3
    assert talk(store)["At 7:40, from platform 3."] == "live"
    assert talk(store)["ok"] == "abandoned"
    assert import_path(store, FIXTURES / "snapshots.jsonl", again=True).turns_new == 0


def test_rows_that_name_their_parents_are_a_tree(store: Store) -> None:
    """bc-013: an answer that was regenerated is abandoned; it does not read as if both had been said."""
    report = import_path(store, FIXTURES / "tree.jsonl", "openai")
    assert (report.format, report.branches, report.gaps) == ("openai", 2, 0)
    assert talk(store) == {
        "Which port?": "live", "Use port 80.": "abandoned", "Use port 8080.": "live", "Fine.": "live",
    }  # fmt: skip
    found = only(store)[1]
    assert [node.at[:19] for node in found] == [f"2026-01-01T00:00:0{second}" for second in range(4)]
    assert found[1].metadata == {"id": "n2", "model": "m"}


def test_a_tree_is_the_same_when_it_comes_line_by_line(store: Store, log: Path) -> None:
    lines = (FIXTURES / "tree.jsonl").read_text().splitlines(keepends=True)
    for count in range(1, 5):
        log.write_text("".join(lines[:count]))
        import_path(store, log, "openai")
    assert talk(store)["Use port 80."] == "abandoned"
    assert only(store)[0].turns == 4


@pytest.mark.parametrize(
    "value",
    [
        [{"from": "human", "value": "hi"}],
        {"conversations": [{"from": "human", "value": "hi"}, {"from": "gpt", "value": "hello"}]},
        {"type": "user", "message": {"content": "hi"}},
        {"payload": {"role": "user", "content": "hi"}},
        {"items": [{"type": "function_call", "call_id": "c"}]},
        {"messages": []},
    ],
)
def test_lists_in_other_words_are_recognised(value: object) -> None:
    assert OPENAI.recognises(Sample(value, json.dumps(value), Path("log")))


@pytest.mark.parametrize(
    "value",
    [
        {"role": "admin", "content": "x"}, {"items": [1, 2]}, {"type": "function", "function": {"name": "f"}},
        [{"role": "user"}], {"from": "a@b.example", "text": "hi"}, {"type": "user"}, [], {"conversation": {}},
    ],
)  # fmt: skip
def test_other_documents_are_not_taken_for_lists(value: object) -> None:
    assert not OPENAI.recognises(Sample(value, json.dumps(value), Path("log")))
