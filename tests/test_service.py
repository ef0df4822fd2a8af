"""The service: reading, conversations, passes and changes, as every door gets them."""

import subprocess
import sys
from pathlib import Path

import pytest

from scriptorium.refused import Refused
from scriptorium.service import Service
from scriptorium.service.model import RecordShown, SourceShown, TopicShown
from scriptorium.settings import Settings
from scriptorium_core.problem import Code
from scriptorium_core.transaction import Rejected
from scriptorium_core.writing.outcome import NothingDue, Wrote
from trips import TRAINS, a_talk, ask, at_noon, create, written

OWNER = "topics/people/owner.md"


def _refused(question: object) -> Code:
    with pytest.raises(Refused) as refused:
        question()  # type: ignore[operator]
    (problem,) = refused.value.problems
    assert problem.message
    assert problem.remedy
    return problem.code


def test_a_home_is_made_once(tmp_path: Path) -> None:
    with Service(tmp_path / "home", settings=Settings()) as service:
        first, second = service.init(), service.init()
    assert (first.created, second.created) == (True, False)
    assert first.workspace == second.workspace
    assert first.revision is None


def test_a_memory_that_is_named_alone_has_the_folder_around_it_as_home(tmp_path: Path) -> None:
    with Service(memory=tmp_path / "here" / "notes", settings=Settings()) as service:
        assert service.init().home == tmp_path / "here"
        assert service.sessions_path == tmp_path / "here" / "sessions.sqlite3"


def test_reading_makes_no_directory(tmp_path: Path) -> None:
    service = Service(tmp_path / "home", settings=Settings())
    assert _refused(service.topics) is Code.MEMORY_NOT_FOUND
    assert service.sessions() == ()
    assert not (tmp_path / "home").exists()


def test_memory_that_is_switched_off_makes_no_directory_and_says_so(tmp_path: Path) -> None:
    service = Service(tmp_path / "home", settings=Settings(backend="none"))
    assert _refused(service.init) is Code.NOT_PERMITTED
    assert not (tmp_path / "home").exists()


def test_what_a_conversation_holds_is_written_once(tmp_path: Path) -> None:
    with written(tmp_path) as service:
        assert [summary.pending for summary in service.sessions()] == [0]
        (done,) = service.write(force=True)
        assert done.session == "native/trip"
        assert done.outcomes == (NothingDue(0, 0),)
        (topic,) = service.topics()
        assert (topic.path, topic.records) == (OWNER, 3)


def test_before_anything_is_written_all_of_a_conversation_is_unwritten(tmp_path: Path) -> None:
    with Service(tmp_path / "home", settings=Settings()) as service:
        (report,) = service.import_paths([a_talk(tmp_path)])
        assert report.turns_new == 6
        assert [summary.pending for summary in service.sessions()] == [6]
        assert service.status().revision is None


def test_a_dry_run_brings_nothing_in(tmp_path: Path) -> None:
    with Service(tmp_path / "home", settings=Settings()) as service:
        (report,) = service.import_paths([a_talk(tmp_path)], dry_run=True)
        assert report.turns_new == 6
        assert service.sessions() == ()


def test_without_force_less_than_a_batch_waits(tmp_path: Path) -> None:
    with Service(tmp_path / "home", settings=Settings()) as service:
        service.import_paths([a_talk(tmp_path)])
        (done,) = service.write()
        (outcome,) = done.outcomes
        assert isinstance(outcome, NothingDue)
        assert outcome.waiting > 0
        assert service.topics() == ()


def test_one_conversation_is_written_by_its_name(tmp_path: Path) -> None:
    with Service(tmp_path / "home", settings=Settings()) as service:
        service.import_paths([a_talk(tmp_path)])
        assert _refused(lambda: service.write(["nobody"])) is Code.SESSION_NODES_UNAVAILABLE
        assert [done.session for done in service.write(["trip"], force=True)] == ["native/trip"]


def test_a_writer_that_there_is_not_writes_nothing(tmp_path: Path) -> None:
    with Service(tmp_path / "home", settings=Settings()) as service:
        assert _refused(lambda: service.write(force=True)) is Code.SESSION_NODES_UNAVAILABLE
        assert not service.root.exists()
        service.import_paths([a_talk(tmp_path)])
        assert _refused(lambda: service.write(writer="ghost")) is Code.INVALID_ARGUMENT
        assert service.status().revision is None


def test_the_same_tape_session_and_clock_give_the_same_commit(tmp_path: Path) -> None:
    tape = tmp_path / "tape.jsonl"
    with Service(tmp_path / "made", settings=Settings(), moment=at_noon) as service:
        service.import_paths([a_talk(tmp_path)])
        service.write(force=True, record=tape)
        records = [row.record for row in service.recent().rows]
    revisions = []
    for name in ("one", "two"):
        with Service(tmp_path / name, settings=Settings(), moment=at_noon) as service:
            service.import_paths([a_talk(tmp_path)])
            (done,) = service.replay(tape)
            (outcome, *_) = done.outcomes
            assert isinstance(outcome, Wrote)
            revisions.append(outcome.commit)
            assert [row.record for row in service.recent().rows] == records
    assert revisions[0] == revisions[1]


@pytest.mark.parametrize("sign", ["", "^"])
def test_a_record_is_shown_by_its_id(tmp_path: Path, sign: str) -> None:
    with written(tmp_path) as service:
        name = service.recent(1).rows[0].record.id
        shown = service.show(sign + name)
        assert isinstance(shown, RecordShown)
        assert shown.record.id == name
        (group,) = shown.groups
        (citation,) = group.citations
        assert citation.turn is not None
        assert citation.turn.text == shown.record.content == group.quote


@pytest.mark.parametrize("name", ["people/owner", "people/owner.md", OWNER, "topics/People/Owner.md"])
def test_a_topic_is_shown_by_its_path(tmp_path: Path, name: str) -> None:
    with written(tmp_path) as service:
        shown = service.show(name)
        assert isinstance(shown, TopicShown)
        assert shown.path == OWNER
        assert len(shown.records) == 3
        assert all(record.content in shown.text for record in shown.records)


def test_a_message_is_shown_by_its_id_and_by_its_place(tmp_path: Path) -> None:
    with written(tmp_path) as service:
        shown = service.show(TRAINS)
        assert isinstance(shown, SourceShown)
        assert shown.turn.text == "I prefer trains to planes, always."
        assert [record.content for record in shown.cited_by] == [shown.turn.text]
        assert service.show(shown.turn.place) == shown


def test_what_is_not_there_is_refused_in_words(tmp_path: Path) -> None:
    with written(tmp_path) as service:
        for name in ("0000aaaa", "nowhere.md", "native/trip/m99", "", "\ud800", "../etc/passwd"):
            assert _refused(lambda name=name: service.show(name)) is Code.MEMORY_NOT_FOUND


def test_what_was_forgotten_says_when(tmp_path: Path) -> None:
    with written(tmp_path) as service:
        record = service.recent(1).rows[0].record
        memory = service.memory()
        text = service.show(OWNER)
        assert isinstance(text, TopicShown)
        kept = text.text[: text.text.index("### On an abandoned")].rstrip().encode() + b"\n"
        message = f"Forget\n\nKind: forget\nForgotten: {record.id}\n"
        commit = memory.history.write(memory.revision, {OWNER: kept}, message, at_noon())
        assert memory.history.move(memory.revision, commit)
        with pytest.raises(Refused) as refused:
            service.show(record.id)
        (problem,) = refused.value.problems
        assert problem.code is Code.FORGOTTEN
        assert "2026-04-03" in problem.message


def test_topics_are_listed_below_a_prefix(tmp_path: Path) -> None:
    with written(tmp_path) as service:
        ask(service, create("The key hangs by the door.", "topics/house/keys.md"))
        assert [line.path for line in service.topics("house")] == ["topics/house/keys.md"]
        assert [line.path for line in service.topics("topics/people/")] == [OWNER]
        assert [line.path for line in service.topics()] == ["topics/house/keys.md", OWNER]


def test_the_resident_block_says_what_it_leaves_out(tmp_path: Path) -> None:
    with written(tmp_path, Settings(core_tokens=120)) as service:
        assert service.core().text == ""
        ask(
            service,
            create("Always answer in British English.", "topics/core.md"),
            create(f"Never {'really ' * 300}forget.", "topics/core.md"),
        )
        core = service.core()
        assert "British English" in core.text
        assert (len(core.shown), len(core.omitted), core.of) == (1, 1, 2)
        assert core.tokens <= core.budget == 120
        assert (service.root / "core.md").read_text() == core.text


def test_the_timeline_holds_the_dates_at_and_below_the_one_asked_for(tmp_path: Path) -> None:
    with written(tmp_path) as service:
        ask(service, create("The roof was mended.", time="2026-03"), create("A good year.", time="2026"))
        assert [day.date for day in service.timeline().days] == ["2026", "2026-03", "2026-03-01"]
        march = service.timeline("2026-03")
        assert [(day.date, day.records) for day in march.days] == [("2026-03", 1), ("2026-03-01", 3)]
        assert [row.sources for row in march.rows if row.date == "2026-03"] == [(TRAINS,)]
        assert service.timeline("2027").rows == ()
        assert _refused(lambda: service.timeline("2026-13")) is Code.INVALID_ARGUMENT


def test_the_newest_records_come_first(tmp_path: Path) -> None:
    with written(tmp_path) as service:
        ask(service, create("The very newest."))
        rows = service.recent(2).rows
        assert rows[0].record.content == "The very newest."
        assert rows[0].sources == (TRAINS,)
        assert rows[0].order > rows[1].order
        assert service.recent(0).rows == ()


def test_the_log_tells_each_commit_and_what_kind_it_is(tmp_path: Path) -> None:
    with written(tmp_path) as service:
        ask(service, create("One more."))
        log = service.log(2)
        assert [entry.kind for entry in log] == ["edit", "write"]
        assert log[0].at == "2026-04-03T12:00:00+00:00"
        assert log[0].commit == service.memory().revision


def test_an_empty_memory_answers_everything(tmp_path: Path) -> None:
    with Service(tmp_path / "home", settings=Settings()) as service:
        service.init()
        assert service.topics() == ()
        assert service.log() == ()
        assert service.recent().rows == ()
        assert service.timeline().days == ()
        assert service.core().of == 0


def test_a_change_that_is_rejected_changes_nothing(tmp_path: Path) -> None:
    with written(tmp_path) as service:
        before = service.memory().revision
        result = service.change({"memory_changes": [create("Unfounded.", source="native/trip/m99")]})
        assert isinstance(result, Rejected)
        assert service.memory().revision == before


def test_a_hand_edit_is_adopted_when_asked(tmp_path: Path) -> None:
    with written(tmp_path) as service:
        path = service.root / OWNER
        path.write_text(path.read_text().replace("trains to planes", "trains to all planes"))
        service.adopt()
        assert service.log(1)[0].kind == "adopt"
        assert any("all planes" in row.record.content for row in service.recent().rows)


def test_the_doors_can_load_the_service_without_what_writes() -> None:
    heavy = ("dulwich", "tantivy", "sqlite3", "scriptorium_core.transaction")
    code = f"import sys, scriptorium.service; print([name for name in {heavy} if name in sys.modules])"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, env=_path()
    )
    assert done.stdout.strip() == "[]"


def _path() -> dict[str, str]:
    root = Path(__file__).resolve().parents[1]
    return {"PYTHONPATH": f"{root / 'core'}:{root / 'shell'}"}
