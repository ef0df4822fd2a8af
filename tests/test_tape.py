"""Tapes: what they hold, how they are played, and what is wrong with a faulty one."""

import json

import pytest

from demo_play import DEMO, EMPTY, Batch, batches, commit, records, snapshot, whole
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
