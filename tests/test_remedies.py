"""Whatever is wrong with a request is said with its place, and with what to do about it."""

import ast
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from scriptorium_core.budget import estimate
from scriptorium_core.changes import Caller, bring, carry_out, decode_request
from scriptorium_core.facts import facts_of
from scriptorium_core.names import SourceId
from scriptorium_core.problem import Problem
from scriptorium_core.sources import Context, Frame, Origin, Provenance, Trust, append, append_context
from scriptorium_core.transaction import Edit, Prepared, Rejected, Rules, Snapshot, prepare
from scriptorium_core.tree import tree_of
from scriptorium_core.writing.tape import decode_tape

CORE = Path(__file__).parents[1] / "core" / "scriptorium_core"
ARCHIVE = "sources/chat/_v2/s1.md"
WHERE: dict[str, Any] = {"topic_path": "topics/a.md", "headings": ["A"], "position": "end"}
SAID = [{"source": "chat/s1/m1", "label": "said"}]
CREATE: dict[str, Any] = {
    "op": "create_record",
    "content": "Text.",
    "time": "2026-04",
    "sources": SAID,
    "destination": WHERE,
}
UPDATE: dict[str, Any] = {"op": "update_record", "memory_id": "a1", "content": "x", "time": None}
UPDATE["sources"] = SAID
DELETE: dict[str, Any] = {"op": "delete_record", "memory_id": "a1"}
MOVE: dict[str, Any] = {"op": "move_records", "memory_ids": ["a1"], "destination": WHERE}
NEW: dict[str, Any] = {"label": "new-source-a", "role": "user", "content": "c"}
PATCH = "--- a/topics/a.md\n+++ b/topics/a.md\n@@ -1 +1 @@\n-# A\n+# B\n"
RUBBISH: tuple[object, ...] = (None, 3, "", " ", [], {}, [3], [None], {"x": 1}, "\ud800", True)


def base() -> Snapshot:
    trusted = Provenance("owner/local", "owner", None, Trust.TRUSTED)
    held = Provenance("owner/local", "unknown", None, Trust.PENDING)
    said = [
        Frame(SourceId(f"chat/s1/{name}"), "user", "Text.", "2026-04-01", None, "", made)
        for name, made in (("m1", trusted), ("m2", held), ("m3", trusted))
    ]
    archive = append(ARCHIVE, None, said)
    assert isinstance(archive, bytes)
    note = "Time: `2026-04-01`; Sources: chat/s1/m1\n"
    topics = {
        "topics/a.md": f"# A\n\nOne.[^e-1] ^a1\n\n[Two](#^a1).[^e-1] ^old ^a2\n\n[^e-1]: {note}",
        "topics/broken.md": "# Broken\n\nnot cited\n",
        "topics/legacy.md": f"Three.[^mem_1]\n\n[^mem_1]: {note}",
        "topics/b.md": f"[One](a.md#^a1).[^e-1] ^b1\n\n[^e-1]: {note.replace('m1', 'm3')}",
    }
    tree = tree_of({path: text.encode() for path, text in topics.items()} | {ARCHIVE: archive})
    return Snapshot(tree, facts_of(tree, {}, {"gone": "2026-04-02", "chat/s1/m3": "2026-04-02"}))


BASE = base()


def operations() -> Iterator[Mapping[str, Any]]:
    """Each operation with rubbish in each of its fields, and with each of them missing."""
    for good in (CREATE, UPDATE, DELETE, MOVE):
        for key in (*good, "memory_id", "memory_ids", "supersede", "source_refs", "extra"):
            yield from ({**good, key: bad} for bad in RUBBISH)
            yield {name: value for name, value in good.items() if name != key}
    for key in (*WHERE, "anchor_memory_id"):
        yield from ({**CREATE, "destination": {**WHERE, key: bad}} for bad in (*RUBBISH, "before", "/x"))
    for key in ("source", "label"):
        yield from (
            {**CREATE, "sources": [{**SAID[0], key: bad}]} for bad in (*RUBBISH, "a]b", "new-source-x")
        )
    contents = ("a\n\nb", "# a", "a[^e1]", "a ^b", "open [^", "[x](#^zz)", "[x](topics/b.md)", "[x](#^gone)")
    yield from ({**CREATE, "content": content} for content in contents)
    yield from ({**CREATE, "sources": [{"source": f"chat/s1/{m}", "label": "x"}]} for m in ("m2", "m3", "m9"))
    yield from ({**DELETE, "memory_id": block} for block in ("a1", "gone", "nobody", "mem_1"))
    yield {**UPDATE, "memory_id": "mem_1", "supersede": True}
    yield {**MOVE, "memory_ids": ["old"]}
    beside = {**WHERE, "position": "after", "anchor_memory_id": "b1"}
    yield from (
        {**CREATE, "destination": each} for each in (beside, {**WHERE, "topic_path": "topics/broken.md"})
    )
    yield {**CREATE, "destination": {**WHERE, "topic_path": "topics/A.md"}}
    yield {**CREATE, "destination": {**WHERE, "topic_path": "topics/core.md"}, "sources": SAID * 2}


def bad_requests() -> Iterator[object]:
    yield from RUBBISH
    for key in (
        "memory_changes",
        "changes",
        "patch",
        "deleted",
        "sources",
        "base_revision",
        "commit_message",
    ):
        yield from ({key: bad} for bad in RUBBISH)
        yield from ({"memory_changes": [DELETE], key: bad} for bad in RUBBISH)
    yield from ({"memory_changes": [operation]} for operation in operations())
    for key in (*NEW, "observed_at", "extra"):
        yield from ({"memory_changes": [CREATE], "sources": [{**NEW, key: bad}]} for bad in RUBBISH)
    yield {"memory_changes": [DELETE] * 65, "sources": [NEW, NEW]}
    yield from ({"memory_changes": [DELETE, other]} for other in (DELETE, UPDATE, MOVE))
    yield {"memory_changes": [DELETE], "changes": [], "patch": PATCH, "deleted": ["a1"]}
    for key in ("path", "action", "content", "extra"):
        topic = {"path": "topics/a.md", "action": "write", "content": "# A\n"}
        yield from ({"changes": [{**topic, key: bad}]} for bad in (*RUBBISH, "delete", "topics/../x", "text"))
    yield {"changes": [{"path": "topics/none.md", "action": "delete"}], "deleted": ["a1", 3]}
    yield from (
        {"patch": text} for text in (PATCH, PATCH + "stray\n", PATCH.replace("# A", "# C"), PATCH * 2)
    )
    yield {"patch": PATCH.replace("b/topics/a", "b/topics/c")}


def problems_of(raw: object, caller: Caller) -> tuple[Problem, ...]:
    request, problems = decode_request(raw)
    if problems:
        return problems
    brought = bring(request.sources, caller)
    applied = carry_out(BASE.tree, BASE.facts, request, brought.places, "2026-11-01")
    if isinstance(applied, tuple):
        return applied
    edit = Edit(applied.tree, applied.deleted, brought.frames, brought.contexts)
    outcome = prepare(BASE, edit, Rules(caller, estimate))
    return outcome.problems if isinstance(outcome, Rejected) else ()


def assert_helpful(problems: tuple[Problem, ...], of: object) -> None:
    for problem in problems:
        assert problem.path, (problem, of)
        assert problem.remedy, (problem, of)
        assert problem.message, (problem, of)


@pytest.mark.parametrize("caller", [Caller(), Caller.paired("bo"), Caller.unknown("eve")], ids=str)
def test_every_problem_of_a_request_has_a_place_and_a_remedy(caller: Caller) -> None:
    seen: set[tuple[str, str]] = set()
    for raw in bad_requests():
        problems = problems_of(raw, caller)
        assert_helpful(problems, raw)
        seen |= {(problem.code, problem.remedy) for problem in problems}
    assert len({code for code, _ in seen}) >= 8
    assert len(seen) >= 40


def test_what_is_wrong_with_a_request_as_a_whole_has_the_place_request() -> None:
    bad: tuple[object, ...] = (None, 3, {})
    assert {problem.path for raw in bad for problem in decode_request(raw)[1]} == {"request"}


def test_a_remedy_says_what_to_do_and_not_only_that_something_is_wrong() -> None:
    (problem,) = decode_request({"memory_changes": [{**CREATE, "content": "a\n\nb"}]})[1]
    assert problem.path == "memory_changes[0].content"
    assert problem.remedy.startswith("write it as one paragraph, or as several records")
    (problem,) = decode_request({"memory_changes": [{**CREATE, "sources": []}]})[1]
    assert "source id" in problem.remedy
    (problem,) = decode_request({"memory_changes": [{**DELETE, "content": "x"}]})[1]
    assert problem.remedy == "known: op, memory_id"


def test_so_has_every_problem_of_an_edit_that_archives_what_it_must_not() -> None:
    gone = Frame(SourceId("chat/s1/m3"), "user", "Other.", "", None, "", None)
    new = Frame(SourceId("chat/s2/gone"), "user", "x", "[", None, "", None)
    facts = facts_of(BASE.tree, {}, {"chat/s2/gone": "2026-04-02", "chat/s1/m3": "2026-04-02"})
    edit = Edit(BASE.tree, frames=(gone, new), promoted=(SourceId("chat/s1/m3"), SourceId("x/y/z")))
    outcome = prepare(Snapshot(BASE.tree, facts), edit, Rules(Caller(), estimate))
    assert not isinstance(outcome, Prepared)
    assert len(outcome.problems) >= 4
    assert_helpful(outcome.problems, edit)
    stray = Context(SourceId("chat/s2/m1"), Origin.HUMAN, "s2", "m1")  # type: ignore[arg-type]
    problems = append_context("sources/chat/_v2/s1.jsonl", None, [stray])
    assert not isinstance(problems, bytes)
    assert_helpful(problems, stray)


@pytest.mark.parametrize(
    "text", ["", "x", "3\n", '{"tape": 2}\n', '{"tape": 1, "writer": 3}\nx\n{"batch": 1}\n']
)
def test_every_problem_of_a_tape_has_a_line_and_a_remedy(text: str) -> None:
    problems = decode_tape(text)[1]
    assert problems
    assert all(problem.line and problem.remedy for problem in problems)


def test_the_core_makes_no_problem_without_a_remedy() -> None:
    bare: list[str] = []
    for path in sorted(CORE.rglob("*.py")):
        for call in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id == "Problem":
                starred = any(isinstance(arg, ast.Starred) for arg in call.args)
                named = any(keyword.arg in ("remedy", None) for keyword in call.keywords)
                if not (starred or named or len(call.args) >= 5):
                    bare.append(f"{path.relative_to(CORE)}:{call.lineno}")
    assert bare == []
