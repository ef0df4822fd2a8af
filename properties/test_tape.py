"""Laws of tapes and batches: what is recorded is played, a line is a line, no text raises."""

import json

from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

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
from scriptorium_core.names import BlockId, SourceId, TopicPath
from scriptorium_core.sources.frame import Origin
from scriptorium_core.when import parse_when
from scriptorium_core.writing.batch import Said, batch_key, render_batch
from scriptorium_core.writing.harmless import harmless, plain_label, plain_title
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
from strategies import AWKWARD, awkward_texts, partial_dates, topic_paths

NAMES = ("", "api", "a\u2028b", '"\\', "李小龙")
CONTENTS = tuple(text for text in map(harmless, AWKWARD) if text)
LABELS = tuple(text for text in map(plain_label, AWKWARD) if text)
TITLES = tuple(text for text in map(plain_title, AWKWARD) if text)


def destinations() -> st.SearchStrategy[Destination]:
    headings = st.lists(st.sampled_from(TITLES), max_size=3).map(tuple)
    paths = topic_paths().map(TopicPath)
    ends = st.builds(Destination, paths, headings, st.sampled_from((Position.START, Position.END)))
    beside = st.sampled_from((Position.BEFORE, Position.AFTER))
    return ends | st.builds(Destination, paths, headings, beside, st.just(BlockId("anchor")))


def changes() -> st.SearchStrategy[Change]:
    """Any of the four operations, on ids that do not meet."""
    contents = st.sampled_from(CONTENTS)
    whens = st.none() | partial_dates().map(parse_when)
    labels = st.sampled_from(LABELS)
    uses = st.builds(SourceUse, st.sampled_from(("chat/s1/m1", "chat/s1/m2", "D1:2")), labels)
    sources = st.lists(uses, min_size=1, max_size=2, unique_by=lambda use: use.source).map(tuple)
    ids = st.text("abcdef0123456789", min_size=1, max_size=8).map(BlockId)
    several = st.lists(ids, min_size=1, max_size=3, unique=True).map(tuple)
    return st.one_of(
        st.builds(DeleteRecord, ids),
        st.builds(CreateRecord, contents, whens, sources, destinations()),
        st.builds(UpdateRecord, ids, contents, whens, sources, st.booleans()),
        st.builds(MoveRecords, several, destinations()),
    )


def deletions() -> st.SearchStrategy[Change]:
    """The plainest operation, where it does not matter which."""
    return st.sampled_from("abcdef").map(lambda name: DeleteRecord(BlockId(name)))


@st.composite
def tapes(draw: st.DrawFn, drawn_from: st.SearchStrategy[Change]) -> Tape:
    """A tape of up to three batches with messages of their own."""
    batches: list[Recorded] = []
    for number in range(draw(st.integers(0, 3))):
        refs = tuple(f"chat/s{number}/m{n}" for n in range(draw(st.integers(1, 2))))
        drawn = draw(st.lists(drawn_from, max_size=2))
        reason = "" if drawn else draw(st.sampled_from(("small talk", "line\u2028break", '"')))
        times = draw(st.sampled_from((1, 1, 40)))
        placed = tuple(evolve(c, place=f"memory_changes[{n}]") for n, c in enumerate(drawn * times))
        batches.append(Recorded(refs, placed, reason))
    return Tape(draw(st.sampled_from(NAMES)), tuple(batches), draw(st.sampled_from(NAMES)))


class TestATapeIsPlayedAsItWasRecorded:
    """Same session, same tape: the same changes."""

    @given(tapes(changes()))
    def test_a_tape_comes_back_from_its_text(self, tape: Tape) -> None:
        assert decode_tape(encode_tape(tape)) == (tape, ())

    @given(tapes(deletions()))
    def test_each_batch_is_played_with_its_changes_or_its_reason(self, tape: Tape) -> None:
        for batch in tape.batches:
            answer = Played(batch.changes) if batch.changes else Nothing(batch.nothing)
            assert play(tape, batch.refs) == answer

    @given(tapes(deletions()), st.integers(0, 3))
    def test_batches_that_are_written_together_are_played_together(self, tape: Tape, count: int) -> None:
        together = tape.batches[:count]
        answer = play(tape, [ref for batch in together for ref in batch.refs])
        played = answer.changes if isinstance(answer, Played) else ()
        assert [evolve(c, place="") for c in played] == [
            evolve(c, place="") for batch in together for c in batch.changes
        ]
        assert isinstance(answer, Missing) == (not together)

    @given(tapes(deletions()))
    def test_a_message_more_or_less_is_another_batch(self, tape: Tape) -> None:
        for batch in tape.batches:
            assert isinstance(play(tape, [*batch.refs, "chat/new/m1"]), Missing)
            assert isinstance(play(tape, batch.refs[1:]), Missing)


class TestATapeIsReadOrRefused:
    """Any text gives a tape and every fault with its line; nothing raises."""

    @given(awkward_texts() | st.text(), st.booleans())
    def test_any_text_can_be_decoded(self, text: str, headed: bool) -> None:
        head = '{"tape": 1, "writer": "api"}\n' if headed else ""
        tape, problems = decode_tape(head + text)
        lines = (head + text).split("\n")
        assert all(1 <= problem.line <= len(lines) for problem in problems)
        assert problems or (headed and tape == Tape("api"))

    @given(
        st.recursive(
            st.none() | st.booleans() | st.integers() | st.sampled_from(("create_record", "b-1", "x")),
            lambda inner: (
                st.lists(inner, max_size=3)
                | st.dictionaries(
                    st.sampled_from(("batch", "refs", "memory_changes", "op", "content")), inner
                )
            ),
            max_leaves=8,
        )
    )
    def test_a_line_of_the_wrong_shape_is_named(self, value: object) -> None:
        tape, problems = decode_tape('{"tape": 1, "writer": "api"}\n' + json.dumps(value))
        assert tape.batches == ()
        assert {problem.line for problem in problems} == {2}


class TestABatchIsLinesOfJson:
    """Content is data: it cannot end its line, and comes back as it was."""

    @given(st.lists(awkward_texts() | st.text(), max_size=4), st.sampled_from(("", "2026-03-02")))
    def test_every_message_comes_back_from_its_line(self, texts: list[str], at: str) -> None:
        items = [Said(SourceId(f"a/b/{n}"), "Bo", Origin.HUMAN, text, at) for n, text in enumerate(texts)]
        rows = [json.loads(line) for line in render_batch(items).splitlines() if line.startswith("{")]
        assert [(row["ref"], row["content"]) for row in rows] == [(i.source, i.text) for i in items]

    @given(st.lists(st.text(), unique=True), st.lists(st.text(), unique=True))
    def test_two_batches_have_two_keys(self, one: list[str], other: list[str]) -> None:
        assert (batch_key(one) == batch_key(other)) == (one == other)
