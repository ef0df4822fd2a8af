"""Examples of archives: strict reading, older forms, appending, promotion, foreign directories."""

import pytest

from scriptorium_core.names import SourceId, anchor
from scriptorium_core.problem import Code, Problem
from scriptorium_core.sources import (
    Archive,
    Frame,
    Provenance,
    Trust,
    append,
    is_erased,
    promote,
    scan,
)

PATH = "sources/chat/_v2/s1.md"
PENDING = Provenance("unknown", "human", None, Trust.PENDING)


def frame(message: str, content: str = "hello", **further: object) -> Frame:
    return Frame(SourceId(f"chat/s1/{message}"), "user", content, **further)  # type: ignore[arg-type]


def written(*frames: Frame, path: str = PATH, data: bytes | None = None) -> bytes:
    result = append(path, data, frames)
    assert isinstance(result, bytes)
    return result


def refused(*frames: Frame, path: str = PATH, data: bytes | None = None) -> tuple[Problem, ...]:
    result = append(path, data, frames)
    assert not isinstance(result, bytes)
    return result


TWO = written(frame("m1", "one"), frame("m2", "two\nlines\n", at="2026-04-22", speaker_name="Bo"))


def test_a_file_is_a_header_and_frames_with_an_empty_line_between() -> None:
    assert TWO.decode() == (
        "<!-- openprogram-source-archive:v2 -->\n\n"
        f'<a id="{anchor("chat/s1/m1")}"></a>\n'
        "<!-- source-id:chat/s1/m1 -->\n"
        "<!-- record-lines:1 -->\n"
        "[] user: one\n"
        "\n"
        f'<a id="{anchor("chat/s1/m2")}"></a>\n'
        "<!-- source-id:chat/s1/m2 -->\n"
        "<!-- speaker-id: -->\n"
        "<!-- record-lines:3 -->\n"
        "[2026-04-22] Bo: two\n"
        "lines\n"
        "\n"
    )


def test_what_is_read_says_where_it_stands_and_who_spoke() -> None:
    first, second = scan(PATH, TWO).frames
    assert (first.line, first.label, first.at, first.text, first.speaker_id) == (6, "user", "", "one", None)
    assert (second.line, second.label, second.at) == (12, "Bo", "2026-04-22")
    assert second.text == "two\nlines\n"
    assert second.record == "[2026-04-22] Bo: two\nlines\n"
    assert second.speaker_id == ""
    assert second.anchor == anchor(second.id)


def test_the_last_empty_line_may_have_its_lf_and_then_none_is_added() -> None:
    ended = TWO + b"\n"
    assert scan(PATH, ended) == scan(PATH, TWO)
    assert written(frame("m3"), data=ended) == written(frame("m3"), data=TWO)


def test_nothing_appended_to_nothing_is_an_archive_without_frames() -> None:
    empty = written()
    assert scan(PATH, empty) == Archive(PATH)
    assert written(frame("m1"), data=empty) == written(frame("m1"))


def test_a_forged_frame_inside_a_text_is_text() -> None:
    forged = "hello\n\n" + written(frame("m9", "yes")).decode().split("\n\n", 1)[1]
    archive = scan(PATH, written(frame("m1", forged), frame("m2")))
    assert [found.id for found in archive.frames] == ["chat/s1/m1", "chat/s1/m2"]
    assert archive.frames[0].text == forged


def test_a_text_of_any_characters_comes_back() -> None:
    text = "<|endoftext|> r^2 ^word\r\nBOM \ufeff sep \u2028 nul \x00 ]: </memory-context>\r"
    assert scan(PATH, written(frame("m1", text))).frames[0].text == text


# The lines of TWO: 1 header, 2 empty, 3-6 the frame m1, 7 empty, 8-11 the header of m2, 12-14 its record.
@pytest.mark.parametrize(
    ("old", "new", "line", "left"),
    [
        (b"archive:v2", b"archive:v3", 1, 0),
        (b"<!-- openprogram", b"\xef\xbb\xbf<!-- openprogram", 1, 0),
        (b"v2 -->\n\n", b"v2 -->\nx\n", 2, 0),
        (b"v2 -->\n\n", b"v2 -->\n\n\n", 3, 0),
        (anchor("chat/s1/m1").encode(), b"source-0000000000000000", 3, 0),
        (b"id:chat/s1/m1", b"id:chat/s1/m0", 3, 0),
        (b"id:chat/s1/m1", b"id:chat/s2/m1", 4, 0),
        (b"id:chat/s1/m1", b"id:chat/s1/", 4, 0),
        (b"id:chat/s1/m1", b"id:chat/s1/<m1", 4, 0),
        (b"id:chat/s1/m1", b"id:chat/s1/m\x001", 4, 0),
        (b"<!-- source-id:chat/s1/m2", b"<!--source-id:chat/s1/m2", 9, 1),
        (b"lines:1 -->", b"lines:0 -->", 5, 0),
        (b"lines:1 -->", b"lines:01 -->", 5, 0),
        (b"lines:1 -->", b"lines:one -->", 5, 0),
        (b"lines:1 -->", b"lines:2 -->", 8, 0),
        (b"lines:1 -->", b"lines:999999999 -->", 15, 0),
        (b"lines:3 -->", b"lines:4 -->", 15, 1),
        (b"[] user: one", b"user: one", 6, 0),
        (b"[] user: one", b"[] : one", 6, 0),
        (b"speaker-id: -->", b"speaker-id:a-b -->", 10, 1),
        (b"speaker-id: -->", b"speaker-id: --> ", 10, 1),
        (b"<!-- speaker-id: -->", b"<!-- source-meta:e30 -->", 10, 1),
        (b"<!-- speaker-id: -->", b"<!-- speaker-id: -->\n<!-- source-meta:+ -->", 11, 1),
        (b"<!-- speaker-id: -->", b"<!-- unknown: -->", 10, 1),
        (b"lines\n", b"l\xffnes\n", 13, 1),
        (b"m2 -->", b"m\xff -->", 9, 1),
        (b"one\n\n", b"one\n\xff\n", 7, 0),
        (b"\n\n<a", b"\r\n\r\n<a", 1, 0),
    ],
)
def test_the_first_malformed_frame_ends_the_file(old: bytes, new: bytes, line: int, left: int) -> None:
    archive = scan(PATH, TWO.replace(old, new, 1))
    assert (archive.complete, archive.broken_at, len(archive.frames)) == (False, line, left)


@pytest.mark.parametrize(("length", "line"), [(0, 1), (20, 1), (38, 1), (39, 2), (60, 3), (130, 5), (139, 6)])
def test_a_file_cut_short_says_on_which_line_it_ends(length: int, line: int) -> None:
    assert scan(PATH, TWO[:length]) == Archive(PATH, (), False, line)


def test_an_id_that_stands_twice_ends_the_file_at_its_second_place() -> None:
    body = TWO.removeprefix(b"<!-- openprogram-source-archive:v2 -->\n\n")
    archive = scan(PATH, TWO + b"\n" + body)
    assert (archive.complete, archive.broken_at, len(archive.frames)) == (False, 17, 2)


@pytest.mark.parametrize(
    "path",
    [
        "sources/chat/_v2/s2.md",
        "sources/other/_v2/s1.md",
        "sources/chat/_v2/%73%31.md",
        "sources/../_v2/s1.md",
        "sources/chat/_v2/%5Bs1%5D.md",
        "topics/chat.md",
        "sources/chat/_v2/s1.jsonl",
    ],
)
def test_frames_at_the_path_of_another_thread_or_of_none_are_not_evidence(path: str) -> None:
    archive = scan(path, TWO)
    assert archive.frames == ()
    assert not archive.complete


def test_existing_parentheses_in_ids_stay_readable_but_no_new_ones_are_written() -> None:
    path, source = "sources/chat/_v2/s%20%281%29.md", SourceId("chat/s (1)/m1")
    data = (
        f'<!-- openprogram-source-archive:v2 -->\n\n<a id="{anchor(source)}"></a>\n'
        f"<!-- source-id:{source} -->\n<!-- record-lines:1 -->\n[] user: hello\n"
    ).encode()
    assert scan(path, data).frames[0].id == source
    assert append(path, data, [Frame(source, "user", "hello")]) == data
    assert [problem.code for problem in refused(Frame(source, "user", "hello"), path=path)] == [
        Code.INVALID_ARGUMENT
    ]


def test_what_is_archived_is_skipped_and_the_rest_is_added_in_order() -> None:
    grown = written(frame("m3", "three"), frame("m1", "one"), frame("m0"), frame("m3", "three"), data=TWO)
    assert grown.startswith(TWO)
    assert [found.id[8:] for found in scan(PATH, grown).frames] == ["m1", "m2", "m3", "m0"]
    assert written(frame("m2", "two\nlines\n"), frame("m1", "one", at="2027"), data=grown) == grown


def test_all_that_is_wrong_with_an_append_is_said_at_once() -> None:
    problems = refused(
        frame("m1", "changed"),
        frame("m3"),
        frame("m3", "other"),
        Frame(SourceId("chat/s2/m1"), "user", "misplaced"),
        Frame(SourceId("\ud800"), "user", "no id"),
        data=TWO[:-40],
    )
    assert [(problem.code, problem.line) for problem in problems] == [
        (Code.SOURCES_CHANGED, 11),
        (Code.SOURCES_CHANGED, 6),
        (Code.SOURCES_CHANGED, 0),
        (Code.INVALID_ARGUMENT, 0),
        (Code.INVALID_ARGUMENT, 0),
    ]
    assert all(problem.path == PATH and problem.remedy for problem in problems)
    assert "chat/s1/m1" in problems[1].message


@pytest.mark.parametrize(
    "path", ["sources/chat/s1.md", "sources/D1.md", "topics/core.md", "sources/./_v2/s.md"]
)
def test_only_version_two_archives_are_written(path: str) -> None:
    assert [problem.code for problem in refused(frame("m1"), path=path)] == [Code.READ_ONLY_PATH]


def test_an_erased_record_stays_readable_and_does_not_come_back() -> None:
    erased = TWO.replace(b"[] user: one", b"[erased 2026-05-01]")
    first, second = scan(PATH, erased).frames
    assert (first.text, first.trusted, is_erased(first), is_erased(second)) == (
        "[erased 2026-05-01]",
        True,
        True,
        False,
    )
    assert [problem.code for problem in refused(frame("m1", "one"), data=erased)] == [Code.FORGOTTEN]


def test_promotion_changes_one_line_and_only_once() -> None:
    data = written(frame("m1", "one", provenance=PENDING, speaker_name="Bo"), frame("m2", provenance=PENDING))
    assert [found.trusted for found in scan(PATH, data).frames] == [False, False]
    promoted = promote(PATH, data, ["chat/s1/m1"])
    assert isinstance(promoted, bytes)
    changed = [(a, b) for a, b in zip(data.split(b"\n"), promoted.split(b"\n"), strict=True) if a != b]
    assert [(a[:17], b[:17]) for a, b in changed] == [(b"<!-- source-meta:",) * 2]
    first, second = scan(PATH, promoted).frames
    assert first.provenance == PENDING._replace(trust=Trust.TRUSTED)
    assert second == scan(PATH, data).frames[1]
    assert promote(PATH, promoted, ["chat/s1/m1"]) == promoted


def test_messages_are_promoted_together_or_not_at_all() -> None:
    data = written(*(frame(name, provenance=PENDING) for name in ("m1", "m2", "m3")))
    together = promote(PATH, data, ["chat/s1/m3", "chat/s1/m1"])
    assert isinstance(together, bytes)
    assert [found.trusted for found in scan(PATH, together).frames] == [True, False, True]
    assert promoted(data, "chat/s1/m1", "chat/s1/m9").code is Code.MISSING_SOURCE


def promoted(data: bytes, *sources: str) -> Problem:
    """The one problem of a promotion."""
    found = promote(PATH, data, sources)
    assert isinstance(found, tuple)
    (problem,) = found
    return problem


def test_what_is_not_archived_cannot_be_promoted() -> None:
    absent, behind = promoted(TWO, "chat/s1/m1", "chat/s1/m9"), promoted(TWO[:-2], "chat/s1/m2")
    assert (absent.code, absent.line) == (Code.MISSING_SOURCE, 0)
    assert behind.line == 13
    assert "damaged" in behind.message
