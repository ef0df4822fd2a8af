"""Laws of archives: what is appended comes back, nothing that stands there changes, no bytes raise."""

from collections.abc import Sequence

from hypothesis import given
from hypothesis import strategies as st

from scriptorium_core.sources import (
    Archived,
    Context,
    Frame,
    Provenance,
    Trust,
    append,
    append_context,
    label,
    promote,
    read_context,
    record_of,
    scan,
)
from scriptorium_core.sources.framing import OPENING
from source_strategies import ARCHIVE, CONTEXTS, contexts, frames
from strategies import AWKWARD

PATHS = (ARCHIVE, "sources/chat/s1.md", "sources/D1.md", "sources/%/_v2/%00.md", "topics/core.md", "")


def threads(smallest: int = 0) -> st.SearchStrategy[list[Frame]]:
    """Frames of one thread with different ids."""
    return st.lists(frames(), min_size=smallest, max_size=5, unique_by=lambda frame: frame.id)


def written(data: bytes | None, added: Sequence[Frame]) -> bytes:
    result = append(ARCHIVE, data, added)
    assert isinstance(result, bytes), result
    return result


def essence(frame: Frame) -> tuple[str, str, str, str, str, Provenance | None]:
    return frame.id, record_of(frame), frame.content, frame.at, label(frame), frame.provenance


def read(archived: Archived) -> tuple[str, str, str, str, str, Provenance | None]:
    return archived.id, archived.record, archived.text, archived.at, archived.label, archived.provenance


class TestAppendedFramesComeBack:
    """Content is verbatim: CR, trailing newlines and forged frames inside it are data."""

    @given(threads())
    def test_scan_gives_back_exactly_the_frames(self, thread: list[Frame]) -> None:
        archive = scan(ARCHIVE, written(None, thread))
        assert (archive.complete, archive.broken_at) == (True, 0)
        assert [read(archived) for archived in archive.frames] == [essence(frame) for frame in thread]

    @given(threads())
    def test_a_speaker_id_that_can_be_seen_comes_back(self, thread: list[Frame]) -> None:
        for frame, archived in zip(thread, scan(ARCHIVE, written(None, thread)).frames, strict=True):
            if frame.speaker_id and any(char.isprintable() and char != " " for char in frame.speaker_id):
                assert archived.speaker_id == frame.speaker_id

    @given(threads())
    def test_a_frame_is_trusted_unless_it_says_pending(self, thread: list[Frame]) -> None:
        for frame, archived in zip(thread, scan(ARCHIVE, written(None, thread)).frames, strict=True):
            assert archived.trusted == (frame.provenance is None or frame.provenance.trust is Trust.TRUSTED)

    @given(threads())
    def test_a_line_number_leads_to_the_record(self, thread: list[Frame]) -> None:
        data = written(None, thread)
        for archived in scan(ARCHIVE, data).frames:
            rest = "\n".join(data.decode().split("\n")[archived.line - 1 :])
            assert rest.startswith(archived.record + "\n")


class TestAppendingOnlyAdds:
    """Appending is idempotent by source id; existing bytes never change."""

    @given(threads(), threads(), st.booleans())
    def test_what_stands_is_a_prefix_of_what_comes(
        self, first: list[Frame], second: list[Frame], ended: bool
    ) -> None:
        data = written(None, first) + (b"\n" if ended and first else b"")
        known = {frame.id for frame in first}
        fresh = [frame for frame in second if frame.id not in known]
        grown = written(data, fresh)
        assert grown.startswith(data)
        assert [read(archived) for archived in scan(ARCHIVE, grown).frames] == [
            essence(frame) for frame in first + fresh
        ]

    @given(threads(), st.data())
    def test_in_several_steps_the_bytes_are_those_of_one(
        self, thread: list[Frame], data: st.DataObject
    ) -> None:
        cut = data.draw(st.integers(0, len(thread)))
        assert written(written(None, thread[:cut]), thread[cut:]) == written(None, thread)

    @given(threads(), st.data())
    def test_a_second_time_nothing_is_added(self, thread: list[Frame], data: st.DataObject) -> None:
        archive = written(None, thread)
        again = data.draw(st.lists(st.sampled_from(thread))) if thread else []
        assert written(archive, again) == archive

    @given(threads(1), st.data())
    def test_another_content_for_an_id_is_refused_with_all_else_that_is_wrong(
        self, thread: list[Frame], data: st.DataObject
    ) -> None:
        changed = data.draw(st.lists(st.sampled_from(thread), min_size=1, unique_by=lambda frame: frame.id))
        others = [Frame(frame.id, frame.role, frame.content + "x") for frame in changed]
        problems = append(ARCHIVE, written(None, thread), others)
        assert isinstance(problems, tuple)
        assert [problem.message.split(" is archived")[0] for problem in problems] == [f.id for f in others]


class TestReadingIsStrict:
    """The first malformed or truncated frame ends the file; earlier frames stay valid."""

    @given(threads(), st.data())
    def test_a_file_cut_anywhere_keeps_the_frames_before_the_cut(
        self, thread: list[Frame], data: st.DataObject
    ) -> None:
        whole = written(None, thread)
        cut = data.draw(st.integers(0, len(whole)))
        left, full = scan(ARCHIVE, whole[:cut]), scan(ARCHIVE, whole)
        assert left.frames == full.frames[: len(left.frames)]
        bounds = [len(written(None, thread[:count])) for count in range(len(thread) + 1)]
        kept = max((count for count, bound in enumerate(bounds) if bound <= cut), default=0)
        assert len(left.frames) == kept
        between = {bound + 1 for bound in bounds[1:]}
        assert left.complete == (cut in bounds or cut in between)
        assert (left.broken_at == 0) == left.complete

    @given(threads(1), st.data())
    def test_what_is_broken_is_never_appended_to(self, thread: list[Frame], data: st.DataObject) -> None:
        whole = written(None, thread)
        torn = whole[: data.draw(st.integers(0, len(whole) - 1))]
        result, archive = append(ARCHIVE, torn, thread), scan(ARCHIVE, torn)
        assert isinstance(result, bytes) == archive.complete
        if not isinstance(result, bytes):
            assert archive.broken_at in [problem.line for problem in result]

    @given(threads(1), st.data(), st.binary(min_size=1, max_size=3))
    def test_damage_leaves_what_stands_before_it(
        self, thread: list[Frame], data: st.DataObject, noise: bytes
    ) -> None:
        whole = written(None, thread)
        at = data.draw(st.integers(0, len(whole)))
        before = scan(ARCHIVE, whole[:at]).frames
        damaged = scan(ARCHIVE, whole[:at] + noise + whole[at:])
        # Noise right behind a frame belongs to the line that must be empty, so that frame may be lost.
        safe = before[:-1] if whole[:at].endswith(b"\n") else before
        assert damaged.frames[: len(safe)] == safe

    @given(
        st.sampled_from(PATHS),
        st.lists(st.binary(max_size=12) | st.sampled_from([text.encode() for text in AWKWARD]), max_size=6),
        st.booleans(),
    )
    def test_no_bytes_raise(self, path: str, pieces: list[bytes], headed: bool) -> None:
        archive = scan(path, OPENING.encode() * headed + b"\n".join(pieces))
        assert archive.path == path
        assert archive.complete == (archive.broken_at == 0)


class TestPromotion:
    """Existing bytes never change, with a recorded exception: promotion (pending to trusted)."""

    @given(threads(1), st.data())
    def test_only_the_trust_of_one_frame_differs(self, thread: list[Frame], data: st.DataObject) -> None:
        chosen = data.draw(st.sampled_from(thread))
        before = written(None, thread)
        after = promote(ARCHIVE, before, [chosen.id])
        assert isinstance(after, bytes)
        assert promote(ARCHIVE, after, [chosen.id]) == after
        for old, new in zip(scan(ARCHIVE, before).frames, scan(ARCHIVE, after).frames, strict=True):
            assert new.trusted == (old.trusted or old.id == chosen.id)
            assert (new.id, new.line, new.record, new.speaker_id) == (
                old.id,
                old.line,
                old.record,
                old.speaker_id,
            )


class TestContexts:
    """The context file is append-only, one line a frame."""

    @given(st.lists(contexts(), max_size=4, unique_by=lambda context: context.id), st.data())
    def test_contexts_come_back_and_are_added_once(self, drawn: list[Context], data: st.DataObject) -> None:
        cut = data.draw(st.integers(0, len(drawn)))
        first = append_context(CONTEXTS, None, drawn[:cut])
        assert isinstance(first, bytes)
        both = append_context(CONTEXTS, first, drawn)
        assert isinstance(both, bytes)
        assert both.startswith(first)
        assert read_context(CONTEXTS, both) == (tuple(drawn), ())
        assert append_context(CONTEXTS, both, drawn) == both

    @given(st.binary(max_size=40), st.lists(contexts(), max_size=3, unique_by=lambda context: context.id))
    def test_no_bytes_raise_and_none_hide_a_later_line(self, data: bytes, drawn: list[Context]) -> None:
        grown = append_context(CONTEXTS, data, drawn)
        assert isinstance(grown, bytes)
        assert grown.startswith(data)
        found, problems = read_context(CONTEXTS, grown)
        assert found == tuple(drawn)
        assert all(problem.path == CONTEXTS and problem.line for problem in problems)
