"""Tapes: what they hold, how they are played, and what is wrong with a faulty one."""

import json

import pytest
from attrs import evolve

from demo_play import DEMO, EMPTY, Batch, batches, commit, records, snapshot, whole
from memory_example import memory as example_memory
from memory_example import snapshot as example_snapshot
from scriptorium_core.changes import Caller
from scriptorium_core.changes.model import (
    Change,
    CreateRecord,
    DeleteRecord,
    Destination,
    MoveRecords,
    Position,
    SourceUse,
    UpdateRecord,
)
from scriptorium_core.names import CORE_TOPIC, BlockId, TopicPath
from scriptorium_core.problem import Code, Problem
from scriptorium_core.topics.model import Record
from scriptorium_core.transaction.staging import Stage, staged
from scriptorium_core.when import When
from scriptorium_core.writing.batch import batch_key
from scriptorium_core.writing.tape import (
    Missing,
    Nothing,
    Played,
    Recorded,
    Tape,
    decode_tape,
    encode_tape,
    play,
)
from scriptorium_core.writing.taped import Taped, TopicText, laid_on, taped
from scriptorium_core.writing.used import Used, together, used_trailers

HEAD = '{"tape": 1, "writer": "api"}'
KEYS = TopicPath("topics/keys.md")


def created(number: int, place: int = 0) -> CreateRecord:
    use = SourceUse("chat/s1/m1", "Mara, 2026-03-02")
    there = Destination(KEYS, ("Keys",), Position.END)
    return CreateRecord(f"Fact {number}.", When(2026, 3), (use,), there, f"memory_changes[{place}]")


def line(refs: list[str], **fields: object) -> str:
    return json.dumps({"batch": batch_key(refs), "refs": refs, **fields})


def demo_tape() -> Tape:
    tape, problems = decode_tape((DEMO / "demo.tape.jsonl").read_text("utf-8"))
    assert problems == ()
    return tape


def played(tape: Tape, batch: Batch) -> tuple[Change, ...]:
    answer = play(tape, batch.refs)
    assert isinstance(answer, Played), answer
    return answer.changes


def faults(*lines: str) -> list[tuple[int, str, str]]:
    _, problems = decode_tape("\n".join(lines))
    assert all(problem.code is Code.INVALID_ARGUMENT for problem in problems)
    return [(problem.line, problem.path, problem.message) for problem in problems]


def test_every_operation_goes_onto_a_tape_and_comes_back() -> None:
    use = SourceUse("chat/s1/m1", "Mara")
    changes: tuple[Change, ...] = (
        created(0),
        UpdateRecord(BlockId("a1"), "Text.", None, (use,), True, "memory_changes[1]"),
        UpdateRecord(BlockId("a2"), "Text\u2028more.", When(2026), (use,), False, "memory_changes[2]"),
        DeleteRecord(BlockId("a3"), "memory_changes[3]"),
        MoveRecords(
            (BlockId("a4"), BlockId("a5")),
            Destination(KEYS, (), Position.AFTER, BlockId("a6")),
            "memory_changes[4]",
        ),
    )
    tape = Tape(
        "api", (Recorded(("chat/s1/m1",), changes), Recorded(("chat/s1/m2",), (), "small\x85talk")), "s"
    )
    text = encode_tape(tape)
    assert len(text.splitlines()) == 3
    assert decode_tape(text) == (tape, ())


def test_a_batch_of_many_changes_goes_on_in_the_next_lines() -> None:
    changes = tuple(created(number, number) for number in range(150))
    tape = Tape("extractive", (Recorded(("a/b/1",), changes), Recorded(("a/b/2",), changes[:1])))
    text = encode_tape(tape)
    assert [len(json.loads(row).get("memory_changes", [])) for row in text.splitlines()] == [0, 64, 64, 22, 1]
    assert decode_tape(text) == (tape, ())


def test_a_batch_is_played_alone_or_together_with_others() -> None:
    one, two = Recorded(("a/b/1", "a/b/2"), (created(1),)), Recorded(("a/b/3",), (created(2),))
    empty, silent = Recorded(("a/b/4",), (), "small talk"), Recorded(("a/b/5",), (), "thanks")
    tape = Tape("api", (one, two, empty, silent))
    assert play(tape, ["a/b/3"]) == Played((created(2),))
    assert play(tape, ["a/b/1", "a/b/2", "a/b/3", "a/b/4"]) == Played((created(1, 0), created(2, 1)))
    assert play(tape, ["a/b/4", "a/b/5"]) == Nothing("small talk; thanks")


@pytest.mark.parametrize(
    "refs", [["a/b/1"], ["a/b/2", "a/b/1", "a/b/9"], ["a/b/9"], [], ["a/b/1", "a/b/2", "a/b/2"]]
)
def test_a_batch_that_was_not_recorded_is_missing(refs: list[str]) -> None:
    tape = Tape("api", (Recorded(("a/b/1", "a/b/2"), (created(1),)),))
    assert play(tape, refs) == Missing(batch_key(refs))


def test_an_empty_tape_is_a_fault() -> None:
    assert faults("", "  ") == [(1, "", "the tape is empty")]


@pytest.mark.parametrize(
    ("head", "path", "message"),
    [
        ("{", "", "the line is not JSON"),
        ("[" * 100_000, "", "the line is not JSON"),
        ("[]", "", "must be an object"),
        ('{"tape": 2, "writer": "api"}', "tape", 'a tape begins with {"tape": 1, "writer": …}'),
        ('{"tape": 1, "writer": 5}', "writer", "must be a text"),
        ('{"tape": 1, "session": 5}', "session", "must be a text"),
        ('{"tape": 1, "model": "x"}', "model", "'model' is not a known key"),
    ],
)
def test_a_faulty_head_is_named(head: str, path: str, message: str) -> None:
    assert faults("", head) == [(2, path, message)]


@pytest.mark.parametrize(
    ("row", "path", "message"),
    [
        ("{", "", "the line is not JSON"),
        ('{"refs": []}', "batch", "the key of the batch is missing"),
        ('{"batch": "b-1", "nothing_to_keep": "x"}', "refs", "must be a list of source ids"),
        (
            '{"batch": "b-1", "refs": ["a", 1], "nothing_to_keep": "x"}',
            "refs",
            "must be a list of source ids",
        ),
        ('{"batch": "b-1", "refs": "a", "nothing_to_keep": "x"}', "refs", "must be a list of source ids"),
        (
            '{"batch": "b-1", "refs": ["a/b/1"], "nothing_to_keep": "x"}',
            "batch",
            f"the refs give the key {batch_key(['a/b/1'])}",
        ),
        (line(["a/b/1"]), "", "a line holds one of memory_changes, changes, nothing_to_keep"),
        (
            line(["a/b/1"], memory_changes=[], nothing_to_keep="x"),
            "",
            "a line holds one of memory_changes, changes, nothing_to_keep",
        ),
        (line(["a/b/1"], nothing_to_keep=" "), "nothing_to_keep", "must say why"),
        (line(["a/b/1"], nothing_to_keep=3), "nothing_to_keep", "must say why"),
        (line(["a/b/1"], memory_changes=[{}]), "memory_changes[0].op", "the operation is missing"),
    ],
)
def test_a_faulty_batch_is_named_with_its_line(row: str, path: str, message: str) -> None:
    assert faults(HEAD, row) == [(2, path, message)]


def test_all_faults_come_at_once_and_what_is_sound_is_read() -> None:
    refs = ["a/b/1"]
    sound = line(refs, nothing_to_keep="small talk")
    tape, problems = decode_tape("\n".join(["{}", "{", sound, sound, "[]"]))
    assert [problem.line for problem in problems] == [1, 2, 4, 5]
    assert problems[2] == Problem(
        Code.INVALID_ARGUMENT,
        f"{batch_key(refs)} stands on the tape twice",
        "batch",
        4,
        "take one of the two lines out",
    )
    assert tape.batches == (Recorded(("a/b/1",), (), "small talk"),)


def test_only_changes_go_on_and_only_right_after_their_batch() -> None:
    refs = ["a/b/1"]
    recorded = json.loads(encode_tape(Tape("api", (Recorded(tuple(refs), (created(1),)),))).splitlines()[1])
    first = json.dumps(recorded)
    more = json.dumps({"batch": batch_key(refs), "memory_changes": recorded["memory_changes"]})
    silent = json.dumps({"batch": batch_key(refs), "nothing_to_keep": "x"})
    assert faults(HEAD, first, more) == []
    assert faults(HEAD, more) == [(2, "refs", "must be a list of source ids")]
    assert faults(HEAD, first, silent) == [(3, "nothing_to_keep", "the batch has changes already")]
    assert faults(HEAD, line(refs, nothing_to_keep="x"), more) == [
        (3, "refs", "must be a list of source ids")
    ]


def find(written: tuple[Record, ...], words: str) -> Record:
    (found,) = [record for record in written if words in record.content]
    return found


def test_the_tape_of_the_demo_is_accepted_for_the_whole_conversation() -> None:
    tape, batch = demo_tape(), whole()
    changes = played(tape, batch)
    written = records(commit(EMPTY, changes, batch))
    assert len(written) == len(changes) == 10
    assert {record.path for record in written} == {
        "topics/core.md",
        "topics/people/ines.md",
        "topics/trips/porto.md",
    }
    assert [r.content for r in written if r.path == CORE_TOPIC][
        1
    ] == "Give Mara prices in euros, never in pounds."


def test_the_tape_of_the_demo_links_its_records() -> None:
    written = records(commit(EMPTY, played(demo_tape(), whole()), whole()))
    birthday, stay = find(written, "turns forty"), find(written, "They stay at")
    assert find(written, "Mara takes").links == (birthday.id,)
    assert find(written, "Hotel Azul").links == (stay.id,)


def test_the_tape_of_the_demo_covers_each_branch_and_gives_the_same_records() -> None:
    tape, (live, aside) = demo_tape(), batches()
    base = snapshot(commit(EMPTY, played(tape, live), live))
    written = records(commit(base, played(tape, aside), aside))
    together = records(commit(EMPTY, played(tape, whole()), whole()))
    assert [record.content for record in written] == [record.content for record in together]
    assert dict(find(written, "Hotel Azul").evidence[0].fields) == {"Branch": "porto@m7"}
    assert find(written, "Hotel Azul").headings == ("Porto, May 2026", "Not pursued")
    assert [record.id for record in written if record.evidence[0].fields] == [find(written, "Hotel Azul").id]


# --- Edits of whole topics -----------------------------------------------------------------------

EDIT = Taped(
    (TopicText(KEYS, "9f86d081884c7d65", "# Keys\r\n\x85\u2028"), TopicText(CORE_TOPIC, "", None)),
    (BlockId("a1"),),
    ("a1: said twice",),
)
CHANGE = {"path": KEYS, "was": "", "content": "x"}


def test_an_edit_goes_onto_a_tape_with_its_summary_and_what_it_cost() -> None:
    batch = Recorded(("a/b/1",), edit=EDIT, summary="Keep it", used=Used("m-1", 12, 3))
    nothing = Recorded(("a/b/2",), nothing="small talk", used=Used("m-1", 5, 1))
    many = tuple(created(number, number) for number in range(65))
    operations = Recorded(("a/b/3",), many, summary="Many", used=Used("m-1", 7, 2))
    tape = Tape("api", (batch, nothing, operations), "s", "write/1-00000000")
    assert decode_tape(encode_tape(tape)) == (tape, ())
    assert play(tape, ["a/b/1"]) == Played((), EDIT, "Keep it", Used("m-1", 12, 3))
    assert play(tape, ["a/b/2"]) == Nothing("small talk", Used("m-1", 5, 1))


def test_a_tape_keeps_no_price_and_no_number_of_calls() -> None:
    tape = Tape("api", (Recorded(("a/b/1",), edit=EDIT, used=Used("m-1", 12, 3, 4, 0.5)),))
    (batch,) = decode_tape(encode_tape(tape))[0].batches
    assert batch.used == Used("m-1", 12, 3, 0, None)


def test_batches_of_edits_are_played_one_by_one_alone() -> None:
    tape = Tape("api", (Recorded(("a/b/1",), edit=EDIT), Recorded(("a/b/2",), (created(0),))))
    assert isinstance(play(tape, ["a/b/1", "a/b/2"]), Missing)
    assert isinstance(play(tape, ["a/b/1"]), Played)


def test_what_several_batches_cost_is_added_up_where_they_are_played_together() -> None:
    one = Recorded(("a/b/1",), (created(0),), summary="One", used=Used("m-1", 5, 1))
    two = Recorded(("a/b/2",), (created(1),), summary="Two", used=Used("m-1", 7, 2))
    answer = play(Tape("api", (one, two)), ["a/b/1", "a/b/2"])
    assert isinstance(answer, Played)
    assert (answer.summary, answer.used) == ("One; Two", Used("m-1", 12, 3))


@pytest.mark.parametrize(
    ("fields", "path", "message"),
    [
        ({"changes": []}, "changes", "there is no topic in it"),
        ({"changes": {}}, "changes", "must be a list"),
        ({"changes": [7]}, "changes[0]", "must be an object"),
        ({"changes": [CHANGE | {"path": "core.md"}]}, "changes[0].path", "must be the path of a topic"),
        ({"changes": [CHANGE | {"was": None}]}, "changes[0].was", "must be the digest"),
        ({"changes": [{"path": KEYS, "was": ""}]}, "changes[0].content", "must be the whole text"),
        ({"changes": [CHANGE | {"content": "\ud800"}]}, "changes[0].content", "must be the whole text"),
        ({"changes": [CHANGE], "deleted": [1]}, "deleted[0]", "must be a text"),
        ({"changes": [CHANGE], "used": 7}, "used", "must be an object"),
        ({"changes": [CHANGE], "used": {"tokens_in": -1}}, "used", "tokens must be whole numbers"),
        ({"changes": [CHANGE], "used": {"model": 1}}, "used.model", "must be a text"),
        ({"changes": [CHANGE], "summary": 1}, "summary", "must be a text"),
        ({"changes": [CHANGE], "nothing_to_keep": "x"}, "", "a line holds one of"),
    ],
)
def test_a_faulty_edit_is_named_with_its_place(fields: dict[str, object], path: str, message: str) -> None:
    found = faults(HEAD, line(["a/b/1"], **fields))
    assert any((row[0], row[1]) == (2, path) and row[2].startswith(message) for row in found), found


@pytest.mark.parametrize("fields", [{"changes": [CHANGE]}, {"nothing_to_keep": "x"}])
def test_a_batch_of_operations_does_not_go_on_with_something_else(fields: dict[str, object]) -> None:
    first = encode_tape(Tape("api", (Recorded(("a/b/1",), (created(0),)),))).splitlines()[1]
    ((number, _, message),) = faults(HEAD, first, json.dumps({"batch": batch_key(["a/b/1"]), **fields}))
    assert (number, message) == (3, "the batch has changes already")


def test_an_edit_is_laid_only_on_the_texts_over_which_it_was_made() -> None:
    base = example_snapshot(example_memory())
    stage = staged(base, Caller(), "2026-11-01")
    keys = (base.tree.get(KEYS) or b"").decode()
    tree = stage.tree.put(KEYS, keys.replace("Mara", "Bo").encode()).remove("topics/people/mira.md")
    gone, why = frozenset([BlockId("mira1")]), (("Reason", "old"),)
    edit = taped(evolve(stage, tree=tree, deleted=gone, reasons=why))
    laid = laid_on(stage, edit)
    assert isinstance(laid, Stage)
    assert laid.tree.differences() == tree.differences()
    assert laid.deleted == {"mira1"}
    assert laid.reasons == (("Reason", "old"),)
    other = staged(example_snapshot(example_memory(keys=keys + "\n")), Caller(), "2026-11-01")
    problems = laid_on(other, edit)
    assert isinstance(problems, tuple)
    assert [(each.code, each.path) for each in problems] == [
        (Code.WRITER_PRECONDITION_FAILED, KEYS),
        (Code.WRITER_PRECONDITION_FAILED, "topics/people/mira.md"),
    ]


# --- What it costs -------------------------------------------------------------------------------


def test_the_price_of_two_answers_is_known_only_if_both_are() -> None:
    paid, unknown, free = Used("m", 10, 1, 1, 0.5), Used("m", 10, 1, 2), Used()
    assert together(paid, paid) == Used("m", 20, 2, 2, 1.0)
    assert together(paid, unknown) == together(unknown, paid) == Used("m", 20, 2, 3, None)
    assert together(paid, free) == together(free, paid) == paid
    assert together(Used("m", 10, 1), Used("n", 5, 1)) == Used("n", 15, 2)


def test_the_trailers_name_model_and_tokens_of_a_writer_that_asked_one() -> None:
    assert used_trailers(Used("m", 10, 1, 1)) == (("Model", "m"), ("Tokens", "10/1"))
    assert used_trailers(Used()) == (("Model", ""), ("Tokens", ""))
    assert len(used_trailers(Used("m" * 500))[0][1]) == 100
