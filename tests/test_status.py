"""How a memory stands: what is waiting, what is broken, what a pass would do, and how the last one ended."""

import json
from pathlib import Path

import pytest

from scriptorium.history.objects import Objects
from scriptorium.service import Service
from scriptorium.settings import Settings
from scriptorium_core.problem import Code
from scriptorium_core.writing.explaining import explain
from scriptorium_core.writing.outcome import Failed, NothingDue, NothingToKeep, Wrote, fail
from scriptorium_core.writing.status import FailedAt, Tried, WriterStatus, after, decode_status, encode_status
from trips import a_talk, ask, create, unpacked, written

OWNER = "topics/people/owner.md"
TEA = (
    {"id": "t1", "role": "user", "text": "I prefer green tea."},
    {"id": "t2", "role": "assistant", "text": "Green tea it is."},
    {"id": "t3", "role": "user", "text": "Never with sugar."},
)


def test_numbers_of_what_is_held_and_what_waits(tmp_path: Path) -> None:
    with written(tmp_path) as service:
        service.import_paths([a_talk(tmp_path, *TEA, session="second")])
        status = service.status()
        assert (status.topics, status.records, status.sources, status.sessions) == (1, 3, 6, 2)
        assert status.pending == 3
        assert [summary.session.id for summary in status.waiting] == ["second"]
        assert status.revision == service.memory().revision
        assert status.workspace.startswith("w-")
        assert (status.quarantined, status.drafts, status.notices) == ((), (), ())
        assert status.counter


def test_a_pass_would_write_what_reaches_a_batch(tmp_path: Path) -> None:
    long = {"id": "m1", "role": "user", "text": "I prefer trains. " * 3000}
    with written(tmp_path, Settings(batch_tokens=8_000)) as service:
        service.import_paths(
            [a_talk(tmp_path, *TEA, session="short"), a_talk(tmp_path, long, session="long")]
        )
        following = service.status().next
        assert following.writer == "extractive"
        assert following.due == ("native/long",)
        assert following.below == ("native/short",)


def test_a_hand_edit_and_a_broken_topic_are_told(tmp_path: Path) -> None:
    with written(tmp_path) as service:
        (service.root / OWNER).write_text("# Half\n\nNot finished.\n")
        found = service.status()
        assert found.drafts == (OWNER,)
        assert [(fault.path, fault.line) for fault in found.unsound] == [(OWNER, 3)]
    folder = tmp_path / "other" / "memory" / "topics"
    folder.mkdir(parents=True)
    (folder / "half.md").write_text("# Half\n\nNot finished.\n")
    with Service(tmp_path / "other", settings=Settings()) as service:
        (problem, *_) = service.status().quarantined
        assert (problem.code, problem.path, problem.line) == (
            Code.INVALID_TOPIC_FORMAT,
            "topics/half.md",
            3,
        )
        assert problem.remedy


def test_how_the_last_pass_ended_is_kept_in_the_runtime_folder(tmp_path: Path) -> None:
    with written(tmp_path) as service:
        last = service.status().last
        assert (last.outcome, last.success_at, last.failure) == ("success", "2026-04-03T12:00:00+00:00", None)
        kept = json.loads((service.root / ".scriptorium" / "writer-status.json").read_text())
        assert kept == {
            "version": 1,
            "last_outcome": "success",
            "last_success_at": "2026-04-03T12:00:00+00:00",
            "last_failure": None,
            "failures": 0,
            "offered": {"day": "2026-04-03", "tokens": kept["offered"]["tokens"]},
            "written": {
                "batches": 1,
                "tokens": kept["offered"]["tokens"],
                "since": "2026-04-03T12:00:00+00:00",
                "organized_at": None,
            },
            "tried": {},
        }
        assert kept["offered"]["tokens"] > 0


def test_a_failed_pass_is_kept_beside_the_last_good_one(tmp_path: Path) -> None:
    tape = tmp_path / "tape.jsonl"
    tape.write_text('{"tape": 1, "writer": "api"}\n')
    with written(tmp_path) as service:
        service.import_paths([a_talk(tmp_path, *TEA, session="second")])
        service.replay(tape)
        last = service.status().last
        assert last.outcome == "failure"
        assert last.success_at
        assert last.failure is not None
        assert last.failure.code == Code.WRITER_PRECONDITION_FAILED
        assert not last.failure.retryable


def test_the_status_of_the_other_program_is_read(tmp_path: Path) -> None:
    with Service(memory=unpacked("rich", tmp_path), settings=Settings()) as service:
        last = service.status().last
        assert last.failure is not None
        assert (last.outcome, last.failure.code) == ("failure", "COMMIT_REJECTED")


@pytest.mark.parametrize(
    "data",
    [
        None,
        b"",
        b"no json",
        b"[]",
        b'{"last_failure": 3, "last_outcome": []}',
        b'{"failures": -1, "offered": 3, "written": {"batches": true}, "tried": {"a": 3}}',
        b"[" * 100_000,
    ],
)
def test_a_status_that_cannot_be_read_is_none(data: bytes | None) -> None:
    assert decode_status(data).success_at == ""
    assert decode_status(data).outcome == ""


def test_a_status_is_read_back_as_it_was_written() -> None:
    for status in (
        WriterStatus(),
        WriterStatus("success", "2026-04-03T12:00:00+00:00"),
        WriterStatus("failure", "", FailedAt("2026-04-03", "MODEL_TIMEOUT", True)),
        WriterStatus(
            "failure",
            "t1",
            FailedAt("t2", "MODEL_RATE_LIMIT", True, "at 9pm", "chat/s1", "t3"),
            3,
            "2026-04-03",
            900,
            4,
            800,
            "t0",
            "t-1",
            {"chat/s1": Tried("3/m3", "t2", 3, "MODEL_RATE_LIMIT", True)},
        ),
    ):
        assert decode_status(encode_status(status)) == status


def test_only_a_pass_that_did_something_changes_the_status() -> None:
    good = after(WriterStatus(), Wrote("c"), "t1")
    assert good == WriterStatus("success", "t1", batches=1, since="t1")
    assert after(good, NothingDue(), "t2") == good
    kept = after(good, NothingToKeep("small talk"), "t2")
    assert kept == WriterStatus("success", "t2", batches=2, since="t1")
    failed = after(good, fail(Code.MODEL_TIMEOUT), "t2", "chat/s1", "3/m3")
    told = FailedAt("t2", "MODEL_TIMEOUT", True, session="chat/s1")
    tried = {"chat/s1": Tried("3/m3", "t2", 1, "MODEL_TIMEOUT", True)}
    assert failed == WriterStatus("failure", "t1", told, 1, batches=1, since="t1", tried=tried)
    well = after(failed, Wrote("c"), "t3", "chat/s1")
    assert (well.failure, well.failures, well.tried) == (failed.failure, 0, {})


def test_tokens_count_for_their_day_also_those_of_a_pass_that_failed() -> None:
    first = after(WriterStatus(), Wrote("c", tokens=700), "2026-04-03T23:59:00+02:00")
    lost = Failed(Code.MODEL_TIMEOUT, True, tokens=50)
    second = after(first, lost, "2026-04-03T23:59:30+02:00")
    assert (second.offered_on("2026-04-03"), second.tokens) == (750, 700)
    third = after(second, NothingToKeep("small talk", tokens=5), "2026-04-04T00:00:10+02:00")
    assert (third.offered_on("2026-04-04"), third.offered_on("2026-04-03")) == (5, 0)


def test_a_success_frees_the_sessions_that_failed_because_of_the_writer_and_no_others() -> None:
    known = WriterStatus()
    for name, code in (("a", Code.MODEL_AUTHENTICATION), ("b", Code.COMMIT_REJECTED)):
        known = after(known, fail(code), "t1", name, "1/m1")
    assert known.failures == 0
    assert set(after(known, Wrote("c"), "t2", "c").tried) == {"b"}


@pytest.mark.parametrize("code", [*Code, "OF_A_LATER_VERSION"])
def test_every_code_is_explained_in_words_with_what_to_do(code: str) -> None:
    told = explain(code)
    assert told.words
    assert told.remedy
    assert code not in told.words


def test_status_asks_for_no_vocabulary_and_reads_no_topic(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with written(tmp_path) as service:
        ask(service, create("One more."))
        head = service.status().revision or ""
        read = Objects.read

        def message(objects: Objects, identifier: bytes) -> bytes:
            assert identifier == head.encode(), "only what the newest commit says of itself is read"
            return read(objects, identifier)

        monkeypatch.setattr("scriptorium.history.objects.Objects.read", message)
        monkeypatch.setattr("scriptorium.tokens.count", None)
        assert service.status().records == 4
