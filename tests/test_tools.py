"""The tools of a writer: what they show, what they change, and how they refuse."""

import json
from typing import Any

import pytest
from attrs import evolve

from memory_example import KEYS, MIRA, S1, S2, link, memory, snapshot
from operations import create, delete, update
from scriptorium_core.changes import Caller
from scriptorium_core.names import SourceId
from scriptorium_core.sources.frame import Origin
from scriptorium_core.transaction import Prepared, Rules, prepare
from scriptorium_core.transaction.staging import edit_of
from scriptorium_core.writing.batch import Said
from scriptorium_core.writing.looking import HELD
from scriptorium_core.writing.tools import TOOLS, Desk, Done, call, desk_for

KEYS_PATH, MIRA_PATH = "topics/keys.md", "topics/people/mira.md"
SAID = Said(SourceId("chat/s9/m1"), "Bo", Origin.HUMAN, "The key hangs in the hall.", "2026-03-02T10:00:00Z")


@pytest.fixture
def desk() -> Desk:
    return desk_for(snapshot(memory()), Caller(), "2026-11-01", [SAID])


def did(desk: Desk, tool: str, **arguments: Any) -> tuple[Desk, str]:
    after, told = call(desk, tool, arguments)
    assert after.refused == desk.refused, told
    return after, told


def refused(desk: Desk, tool: str, arguments: object) -> str:
    after, told = call(desk, tool, arguments)
    assert after == evolve(desk, refused=desk.refused + 1)
    assert told.startswith("refused, nothing was changed:\n")
    return told.partition("\n")[2]


def citing(source: str, content: str = "The key hangs in the hall.") -> dict[str, Any]:
    """A record that cites a message."""
    return create(content) | {"sources": [{"source": source, "label": "Bo"}]}


def held() -> Desk:
    """A desk on the example, of which everything that cites S2 waits for consent."""
    base = snapshot(memory())
    sources = {name: source._replace(trusted=source.id != S2) for name, source in base.facts.sources.items()}
    return desk_for(evolve(base, facts=base.facts._replace(sources=sources)), Caller(), "2026-11-01")


def test_every_tool_has_a_description_and_a_schema_that_json_can_hold() -> None:
    assert [tool.name for tool in TOOLS] == [
        "list",
        "read",
        "search",
        "write",
        "edit",
        "move",
        "delete_records",
        "apply_changes",
        "finish",
    ]
    for tool in TOOLS:
        schema = json.loads(json.dumps(tool.schema))
        assert schema["type"] == "object"
        assert set(schema["required"]) <= set(schema["properties"])
        assert tool.description.endswith(".")


def test_topics_are_listed_read_and_searched(desk: Desk) -> None:
    assert did(desk, "list")[1] == f"{KEYS_PATH}\n{MIRA_PATH}"
    assert did(desk, "list", prefix="topics/people/")[1] == MIRA_PATH
    assert did(desk, "list", prefix="topics/none")[1] == "there is no topic"
    assert did(desk, "read", path=KEYS_PATH)[1] == KEYS
    assert did(desk, "read", path=KEYS_PATH, first=99)[1] == "[there is no line 99: the topic has 11]"
    assert did(desk, "search", text="MARA HAS")[1].startswith(f"{KEYS_PATH}:3: Mara has the key.")
    assert did(desk, "search", text="nowhere")[1] == did(desk, "search", text=" ")[1] == "nothing was found"


def test_archives_and_other_files_are_not_shown(desk: Desk) -> None:
    assert "topics stand below topics/" in did(desk, "list", prefix="sources/")[1]
    assert "READ_ONLY_PATH" in refused(desk, "read", {"path": "sources/chat/_v2/s1.md"})
    assert "PATH_OUTSIDE_WORKSPACE" in refused(desk, "read", {"path": "topics/../../etc/passwd"})
    assert "MEMORY_NOT_FOUND" in refused(desk, "read", {"path": "topics/none.md"})


def test_a_long_text_is_cut_and_says_where_to_read_on(desk: Desk) -> None:
    text = "".join(f"Line {number} {'x' * 90}\n" for number in range(1, 401)) + "y" * 9_000 + "\n"
    long, _ = did(desk, "write", path="topics/long.md", content=text)
    told, seen = did(long, "read", path="topics/long.md")[1], 0
    lines: list[str] = []
    while "[cut: " in told.rpartition("\n")[2]:
        assert len(told) < 17_000
        lines += told.rpartition("\n\n")[0].split("\n")
        seen = int(told.rpartition("first=")[2].rstrip("]"))
        told = did(long, "read", path="topics/long.md", first=seen)[1]
    lines += told.rstrip("\n").split("\n")
    assert lines[:400] == text.split("\n")[:400]
    assert lines[400] == "y" * 4_000 + " [cut: 5001 more characters]"
    assert "and more; search for something rarer" in did(long, "search", text="line")[1]


def test_many_topics_are_listed_as_far_as_a_result_goes(desk: Desk) -> None:
    for number in range(310):
        desk, _ = did(desk, "write", path=f"topics/n{number:03}.md", content="x\n")
    assert did(desk, "list", prefix="topics/n")[1].endswith(
        "topics/n299.md\n… and 10 more; give a longer prefix"
    )


def test_what_is_held_is_not_shown_nor_written_over() -> None:
    desk = held()
    told = did(desk, "read", path=KEYS_PATH)[1]
    assert HELD in told
    assert len(told.split("\n")) == len(KEYS.split("\n"))
    hidden = [line for line in KEYS.split("\n") if line not in told.split("\n")]
    assert any("[seen](" in line for line in hidden), "the label of a citation may be another's words"
    for line in hidden:
        assert did(desk, "search", text=line)[1] == "nothing was found"
    assert "NOT_PERMITTED" in refused(desk, "write", {"path": KEYS_PATH, "content": told})


def test_a_writer_edits_moves_deletes_and_applies_in_one_go(desk: Desk) -> None:
    desk, _ = did(desk, "edit", path=KEYS_PATH, old="## Spare", new="## Door")
    desk, _ = did(desk, "move", old=MIRA_PATH, new="topics/mira.md")
    desk, told = did(desk, "delete_records", ids=["^mira1"], reason="said twice")
    assert told == "deleted: ^mira1"
    desk, told = did(desk, "apply_changes", memory_changes=[citing("chat/s9/m1")])
    assert told == "carried out: 1 of 1 operations"
    desk, _ = did(desk, "finish", summary="Keep where the key hangs")
    assert desk.done == Done("Keep where the key hangs")
    assert desk.stage.deleted == {"mira1"}
    assert ("Reason", "mira1: said twice") in desk.stage.reasons
    assert "chat/s9/m1" in (desk.stage.tree.get(KEYS_PATH) or b"").decode()


def test_the_messages_of_the_batch_can_be_cited_and_no_others_made_up(desk: Desk) -> None:
    told = refused(desk, "apply_changes", {"memory_changes": [citing("chat/s9/m2")]})
    assert "MISSING_SOURCE" in told
    told = refused(desk, "apply_changes", {"memory_changes": [create("x")], "sources": []})
    assert "'sources' is not taken" in told


def test_what_cannot_be_done_is_told_by_its_code_and_leaves_the_stage(desk: Desk) -> None:
    assert "PATCH_CONFLICT" in refused(desk, "edit", {"path": KEYS_PATH, "old": "nowhere", "new": ""})
    assert "PATCH_CONFLICT" in refused(desk, "move", {"old": KEYS_PATH, "new": MIRA_PATH})
    assert "MEMORY_NOT_FOUND" in refused(desk, "delete_records", {"ids": ["none"], "reason": "why"})
    assert "INVALID_ARGUMENT" in refused(desk, "delete_records", {"ids": ["mira1"], "reason": " "})
    assert "READ_ONLY_PATH" in refused(desk, "write", {"path": "core.md", "content": "x"})
    wrong = {"memory_changes": [delete(f"no{number}") for number in range(30)]}
    assert "… and 10 more" in refused(desk, "apply_changes", wrong)


@pytest.mark.parametrize(
    ("tool", "arguments", "words"),
    [
        ("fly", {}, "there is no tool 'fly'"),
        ("read", {}, "path: is missing"),
        ("read", {"path": 7}, "path: must be a text"),
        ("read", {"path": KEYS_PATH, "first": 0}, "first: must be a whole number"),
        ("read", {"path": KEYS_PATH, "first": True}, "first: must be a whole number"),
        ("read", {"path": KEYS_PATH, "last": 9}, "'last' is not taken"),
        ("read", {"path": "topics/a\ud800.md"}, "no file can hold"),
        ("read", ["topics/keys.md"], "must be an object"),
        ("read", '{"path": ', "not JSON"),
        ("read", "[" * 100_000, "not JSON"),
        ("read", {1: "x"}, "not JSON"),
        ("read", {"path": {1, 2}}, "not JSON"),
        ("write", {"path": KEYS_PATH, "content": "x" * 400_001}, "at most 400000 are taken"),
        ("delete_records", {"ids": "key1", "reason": "x"}, "ids: must be a list"),
        ("delete_records", {"ids": [1], "reason": "x"}, "ids: must hold texts"),
        ("apply_changes", {}, "memory_changes: is missing"),
        ("apply_changes", {"memory_changes": []}, "there is no operation in it"),
        ("apply_changes", {"memory_changes": [[[[[[[[[[[[[[1]]]]]]]]]]]]]]}, "too large"),
        ("finish", {}, "summary: is missing"),
        ("finish", {"summary": "done"}, "nothing was changed"),
        ("finish", {"nothing_to_keep": "yes"}, "must be true or false"),
        ("finish", {"nothing_to_keep": True}, "reason: is missing"),
    ],
)
def test_misuse_is_told_in_words(desk: Desk, tool: str, arguments: object, words: str) -> None:
    told = refused(desk, tool, arguments)
    assert words in told
    assert told.startswith("INVALID_ARGUMENT")


def test_a_topic_does_not_grow_without_end(desk: Desk) -> None:
    text, grown = "x" * 399_990, "end"
    desk, _ = did(desk, "write", path="topics/big.md", content=grown)
    for _ in range(4):
        desk, _ = did(desk, "edit", path="topics/big.md", old=grown, new=f"{text}\n{grown}")
    told = refused(desk, "edit", {"path": "topics/big.md", "old": grown, "new": text})
    assert "the topic would be too long" in told


def test_arguments_may_come_as_text(desk: Desk) -> None:
    assert call(desk, "read", json.dumps({"path": KEYS_PATH})) == (desk, KEYS)
    assert call(desk, "list", "") == call(desk, "list", None) == call(desk, "list", {})


def test_nothing_to_keep_is_said_only_of_topics_that_are_as_they_were(desk: Desk) -> None:
    done, _ = did(desk, "finish", nothing_to_keep=True, reason="small talk")
    assert done.done == Done(nothing="small talk")
    assert "finished" in refused(done, "list", {})
    changed, _ = did(desk, "write", path="topics/new.md", content="x\n")
    assert "topics were changed" in refused(changed, "finish", {"nothing_to_keep": True, "reason": "none"})


def test_what_the_tools_made_passes_the_checks_of_a_transaction() -> None:
    desk = desk_for(snapshot(memory()), Caller(), "2026-11-01")
    text = f"Oats.[^e1]\n\n[^e1]: Time: `2026`; Sources: [said]({link(S1)})\n"
    desk, _ = did(desk, "write", path="topics/food.md", content=text)
    desk, _ = did(desk, "apply_changes", memory_changes=[update("key1", "Bo has the key.")])
    prepared = prepare(desk.stage.base, edit_of(desk.stage, "write"), Rules(Caller(), len))
    assert isinstance(prepared, Prepared)
    assert prepared.report.updated == ("key1",)
    assert prepared.report.topics == ("topics/food.md", KEYS_PATH)
    assert MIRA.encode() == prepared.tree.get(MIRA_PATH)
