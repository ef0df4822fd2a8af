"""Words that are saved, and messages that are held, through the library and the command line."""

import sys
from difflib import unified_diff
from io import BytesIO, TextIOWrapper
from pathlib import Path
from typing import Any
from unittest import mock

import pytest

from cli_example import run, run_json
from scriptorium import Memory, Refused
from scriptorium.clock import Moment
from scriptorium.history import History
from scriptorium.index import Index
from scriptorium.service import Service
from scriptorium.service.model import Row
from scriptorium.service.trust import Remembered
from scriptorium.workspace import Committed
from scriptorium_core.changes import Caller
from scriptorium_core.problem import Code, Problem
from scriptorium_core.recall import Query
from scriptorium_core.transaction import Rejected
from trips import ask, at_noon, create, written

STRANGER, FRIEND = Caller.unknown("tg/9", "Zed \x1b[31m"), Caller.paired("tg/1", "Mira")


def tell(
    service: Service, words: str, caller: Caller = STRANGER, record: str | None = None
) -> Committed | Rejected:
    """Somebody says words and has them, or what is to be remembered of them, as a record."""
    said = {"label": "new-source-1", "role": "user", "content": words, "observed_at": "2001-01-01"}
    request = {"sources": [said], "memory_changes": [create(record or words, source="new-source-1")]}
    return service.change(request, caller)


def found(service: Service, words: str) -> list[str]:
    return [hit.content for hit in service.search(Query(words)).hits]


def source_of(result: Committed | Rejected) -> str:
    assert isinstance(result, Committed), result
    return result.report.archived[0]


def test_what_an_unknown_speaker_says_is_found_once_it_is_let_in(tmp_path: Path) -> None:
    with written(tmp_path) as service:
        source = source_of(tell(service, "Wombats dig at dusk."))
        assert found(service, "wombats") == []
        waits = service.held()
        assert (waits.of, waits.size, len(waits.messages)) == (1, 20, 1)
        (message,) = waits.messages
        assert (message.turn.source, message.received) == (source, "2026-04-03T12:00:00+00:00")
        assert [record.content for record in message.records] == ["Wombats dig at dusk."]
        promoted = service.promote([source])
        assert isinstance(promoted, Committed)
        assert promoted.report.promoted == (source,)
        assert found(service, "wombats") == ["Wombats dig at dusk."]
        assert service.held().messages == ()
        assert [(each.kind, each.trailers) for each in service.log(1)] == [
            ("promote", (("Kind", "promote"), ("Promoted", source)))
        ]
        again = service.promote([source])
        assert isinstance(again, Committed)
        assert (again.unchanged, again.revision) == (True, promoted.revision)
        assert service.verify().holds


def test_a_record_names_what_it_waits_for(tmp_path: Path) -> None:
    with written(tmp_path) as service:
        result = tell(service, "Wombats dig at dusk.")
        assert isinstance(result, Committed)
        promoted = service.promote([f"^{result.report.created[0]}"])
        assert isinstance(promoted, Committed)
        assert promoted.report.promoted == result.report.archived


def test_only_the_owner_sees_and_lets_in_what_is_held(tmp_path: Path) -> None:
    with written(tmp_path) as service:
        source = source_of(tell(service, "Wombats dig at dusk."))
        for caller in (STRANGER, FRIEND):
            refused = service.promote([source], caller=caller)
            assert isinstance(refused, Rejected)
            assert refused.problems[0].code is Code.NOT_PERMITTED
            with pytest.raises(Refused):
                service.held(caller=caller)
            words = service.remember("Mine.", caller=caller)
            assert isinstance(words, Rejected)
        assert service.held().of == 1


def test_the_quota_of_unknown_speakers_survives_a_restart_and_ends_with_the_hour(tmp_path: Path) -> None:
    words = [f"Wombat number {number}." for number in range(600)]
    now = at_noon().seconds
    with written(tmp_path) as service:
        for start in range(0, 600, 60):
            part = words[start : start + 60]
            sources = [{"label": f"new-source-{n}", "role": "user", "content": w} for n, w in enumerate(part)]
            changes = [create(w, source=f"new-source-{n}") for n, w in enumerate(part)]
            request = {"sources": sources, "memory_changes": changes}
            assert isinstance(service.change(request, STRANGER), Committed)
    with Service(service.home, moment=at_noon) as again:
        refused = tell(again, "One more.", Caller.unknown("tg/10", "Another name"))
        assert isinstance(refused, Rejected)
        (problem,) = refused.problems
        assert problem.code is Code.NOT_PERMITTED
        assert "0 are left" in problem.message
        assert "2026-04-03T13:00:00+00:00" in problem.remedy
        assert isinstance(tell(again, "One more.", FRIEND), Committed)
    with Service(service.home, moment=lambda: Moment(now + 3601)) as later:
        assert isinstance(tell(later, "One more."), Committed)


def test_a_message_of_an_unknown_speaker_has_a_size(tmp_path: Path) -> None:
    with written(tmp_path) as service:
        large = tell(service, "ä" * 32_769)
        assert isinstance(large, Rejected)
        assert "65,536 bytes" in large.problems[0].message


def test_the_same_words_are_known_after_their_record_was_corrected_moved_and_deleted(tmp_path: Path) -> None:
    with written(tmp_path) as service:
        first = service.remember("The boiler is from 2019.")
        assert isinstance(first, Remembered)
        block = first.records[0].id
        place = {"topic_path": "topics/house.md", "headings": ["House"], "position": "end"}
        corrected = {"content": "The boiler is from 2020.", "time": None, "source_refs": ["native/trip/m1"]}
        for change in (
            {"op": "move_records", "memory_ids": [block], "destination": place},
            {"op": "update_record", "memory_id": block, **corrected},
            {"op": "delete_record", "memory_id": block},
        ):
            ask(service, change)
            again = service.remember("The boiler is from 2019.", topic="core")
            assert isinstance(again, Remembered)
            assert (again.known, again.source, again.at) == (True, first.source, first.at)
            assert again.committed.unchanged
        assert isinstance(again, Remembered)
        assert again.records == ()


def test_the_library_saves_and_lets_in(tmp_path: Path) -> None:
    with Memory.open(tmp_path / "memory", moment=at_noon) as memory:
        saved = memory.remember("Speak Dutch.", topic="core")
        assert isinstance(saved, Remembered)
        assert "Speak Dutch." in memory.core().text
        assert [group.fields for group in memory.show(saved.records[0].id).groups] == [  # type: ignore[union-attr]
            (("Status", "verified 0.95"),)
        ]
        assert memory.held().of == 0
        assert isinstance(memory.promote("nowhere"), Rejected)


def test_words_that_are_saved_are_said_to_be_so_though_the_index_cannot_follow(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    service = written(tmp_path)
    before, follow = service.memory().revision, Index.follow

    def full(index: Index, history: History, head: str | None, *rest: Any) -> None:
        if head != before:
            raise Refused(Problem(Code.DISK_FAILED, "the disk is full", "index.sqlite3", remedy="free some"))
        follow(index, history, head, *rest)

    monkeypatch.setattr(Index, "follow", full)
    saved = service.remember("The kettle is blue.")
    assert isinstance(saved, Remembered), saved
    assert saved.committed.revision == service.memory().revision != before
    assert [problem.message for problem in saved.committed.problems] == ["the disk is full"]
    monkeypatch.undo()
    again = service.remember("The kettle is blue.")
    assert isinstance(again, Remembered)
    assert (again.known, again.source, len(again.records)) == (True, saved.source, 1)


def test_remember_on_the_command_line(tmp_path: Path) -> None:
    home = ("--home", tmp_path / "home")
    saved = run_json("remember", "Oats,\n\nand tea.", "--topic", "food", *home)
    assert (saved["known"], [record["topic_path"] for record in saved["records"]]) == (
        False,
        ["topics/food.md"] * 2,
    )
    assert "committed" in run("remember", "--core", "Speak Dutch.", *home).out
    again = run("remember", "Speak Dutch.", *home)
    assert again.out.startswith("known since ")
    assert "topics/core.md" in again.out
    assert run("remember", "x", "--core", "--topic", "food", *home).code == 2
    assert run("remember", " ", *home).code == 2


def test_words_that_are_no_unicode_are_refused_and_nothing_is_kept(tmp_path: Path) -> None:
    home = ("--home", tmp_path / "home")
    run("remember", "Oats.", *home)
    before = run_json("log", *home)
    for words in (
        ("remember", "half \udcff"),
        ("remember", "half \ud800"),
        ("remember", "Oats.", "--ask", "W\udce4re?"),
        ("correct", "Oats.", "Hafer f\udcfcr mich."),
        ("append", "Oats.", "f\udcfcr mich"),
        ("ask", "W\udce4re?", "--keep"),
    ):
        ran = run(*words, *home)
        assert (ran.code, ran.out, "is no UTF-8" in ran.err) == (2, "", True), words
    assert run_json("log", *home) == before


@pytest.mark.parametrize("errors", ["strict", "surrogateescape"])
def test_a_stream_that_is_no_unicode_is_refused(tmp_path: Path, errors: str) -> None:
    given = TextIOWrapper(BytesIO("Käse".encode("latin-1")), "utf-8", errors)
    with mock.patch.object(sys, "stdin", given):
        ran = run("--home", tmp_path, "remember", "-")
    assert (ran.code, "place 2 is no UTF-8" in ran.err) == (2, True)
    assert not (tmp_path / "memory").exists()


def test_promote_on_the_command_line_shows_what_is_held_and_steers_no_terminal(tmp_path: Path) -> None:
    with written(tmp_path) as service:
        source = source_of(tell(service, "Wombats \x1b[2J dig." + " deep" * 200, record="Wombats dig deep."))
        tell(service, "Wombats sleep.")
        home = ("--home", service.home)
    listed = run("promote", "--list", *home)
    assert listed.out.startswith("2 of 2 messages held")
    assert "\x1b" not in listed.out
    assert {"said 2001-01-01", "received 2026-04-03 12:00"} <= {
        part.strip() for line in listed.out.splitlines() for part in line.split(",")
    }
    assert max(map(len, listed.out.splitlines())) < 330
    assert len(run_json("promote", "--list", "--limit", 1, *home)["messages"]) == 1
    assert run("promote", *home).code == run("promote", source, "--list", *home).code == 2
    assert "let in 1 message" in run("promote", source, *home).out
    assert "let in before" in run("promote", source, *home).out
    assert run("promote", "nowhere", *home).code == 3
    assert "1 of 1 message held" in run("promote", "--list", *home).out


def test_recent_and_timeline_mark_what_waits(tmp_path: Path) -> None:
    with written(tmp_path) as service:
        source = source_of(tell(service, "Wombats dig."))
        ask(service, create("The first note."))
        assert [row.trusted for row in service.recent().rows[:2]] == [True, False]
        rows = {row.quote: row.trusted for day in service.timeline().days for row in _rows(service, day.date)}
        assert (rows["Wombats dig."], rows["The first note."]) == (False, True)
        home = ("--home", service.home)
        for command in (("recent",), ("timeline", "2026")):
            marked = [words for words in run(*command, *home).out.split("\n\n") if "[pending]" in words]
            assert [words.splitlines()[0] for words in marked] == ["Wombats dig."]
        service.promote([source])
        assert "[pending]" not in run("recent", *home).out


def _rows(service: Service, day: str) -> tuple[Row, ...]:
    return service.timeline(day).rows


def test_whole_topics_and_patches_of_others_only_add_as_well(tmp_path: Path) -> None:
    with written(tmp_path) as service:
        ask(service, create("The first note."))
        path = "topics/notes.md"
        text = (service.root / path).read_text()
        said = [{"label": "new-source-1", "role": "user", "content": "Wombats dig."}]
        added = "\nWombats dig.[^e1]\n\n[^e1]: Time: `2026`; Sources: [said](new-source-1)\n"
        for caller in (FRIEND, STRANGER):
            spoilt = text.replace("first", "last") + added
            for request in (
                {"changes": [{"path": path, "action": "write", "content": spoilt}]},
                {"changes": [{"path": path, "action": "delete"}]},
                {"patch": _patch(path, text, spoilt)},
            ):
                refused = service.change({**request, "sources": said}, caller)
                assert isinstance(refused, Rejected)
                assert Code.APPEND_ONLY_REQUIRED in {problem.code for problem in refused.problems}
        stranger = service.change({"patch": _patch(path, text, text + added), "sources": said}, STRANGER)
        assert isinstance(stranger, Committed)
        assert found(service, "wombats") == []
        write = {"path": path, "action": "write", "content": (service.root / path).read_text() + added}
        assert isinstance(service.change({"changes": [write], "sources": said}, FRIEND), Committed)
        assert found(service, "wombats") == ["Wombats dig."]


def _patch(path: str, old: str, new: str) -> str:
    before, after = (text.splitlines(keepends=True) for text in (old, new))
    return "".join(unified_diff(before, after, f"a/{path}", f"b/{path}"))
