"""When writing fails: it is waited out, given up or stopped for the day, and `status` says which."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from cli_example import run, run_json
from kept_homes import MINUTE, Clock, Failing, Log, events, home, unwritten, using
from scriptorium import Memory
from scriptorium.lock import held
from scriptorium.service import Service
from scriptorium.service.runtime import publish
from scriptorium_core.problem import Code
from scriptorium_core.writing.explaining import explain
from scriptorium_core.writing.outcome import Failed, NothingToKeep, fail
from trips import a_talk

LONG = "I prefer trains to planes, always. " * 2_000


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def service(tmp_path: Path, clock: Clock) -> Iterator[Service]:
    with home(tmp_path, clock) as made:
        yield made


@pytest.fixture
def log(tmp_path: Path, service: Service, clock: Clock) -> Log:
    return Log(tmp_path / "logs", clock)


# --- Failures ------------------------------------------------------------------------------------

CODES = [code for code in Code if code.startswith(("MODEL_", "WRITER_"))]


@pytest.mark.parametrize("code", CODES)
def test_however_a_writer_fails_status_says_so_in_words(service: Service, log: Log, code: Code) -> None:
    """bc-089: the messages stay unwritten, and whether it is tried again is said."""
    log.says(LONG)
    with using(Failing(fail(code, "as the provider says"))):
        (done,) = service.keep_once().passes
    assert isinstance(done.outcomes[-1], Failed)
    assert unwritten(service) == {"trip": 1}
    status = service.status()
    failure = status.last.failure
    assert failure is not None
    assert (failure.code, failure.session, failure.message) == (code, "native/trip", "as the provider says")
    assert (failure.words, failure.remedy) == (explain(code).words, explain(code).remedy)
    assert status.health == "degraded"
    told = [event["reason"] for event in events(service)]
    assert told == ([] if failure.retryable else [f"{code}: as the provider says"])


def test_a_failure_is_waited_out_and_then_tried_again(service: Service, log: Log, clock: Clock) -> None:
    log.says(LONG)
    timeout = fail(Code.MODEL_TIMEOUT)
    writer = Failing(timeout, timeout)
    with using(writer):
        assert service.keep_once().stopped is not None
        clock.now += 29
        assert service.keep_once().passes == ()
        clock.now += 1
        service.keep_once()
        clock.now += 59
        assert service.keep_once().passes == ()
        clock.now += 1
        (done,) = service.keep_once().passes
    assert isinstance(done.outcomes[-1], NothingToKeep)
    assert len(writer.asked) == 3
    assert service.status().health == "ok"


def test_a_rate_limit_is_kept_until_the_provider_lifts_it(service: Service, log: Log, clock: Clock) -> None:
    log.says(LONG)
    until = "2026-04-03T21:00:00+00:00"
    with using(Failing(fail(Code.MODEL_RATE_LIMIT, until=until))):
        service.keep_once()
        stopped = service.status().outlook.stopped
        assert stopped is not None
        assert (stopped.until, stopped.code) == (until, "MODEL_RATE_LIMIT")
        clock.now += 9 * 60 * MINUTE - 1
        assert service.keep_once().passes == ()
        clock.now += 1
        assert service.keep_once().passes


def test_what_is_given_up_is_published_once_and_tried_again_when_something_new_is_said(
    service: Service, log: Log
) -> None:
    log.says(LONG)
    writer = Failing(fail(Code.COMMIT_REJECTED, "two problems"))
    with using(writer):
        service.keep_once()
        service.keep_once()
        assert len(writer.asked) == 1
        (event,) = events(service)
        assert (event["event"], event["ok"], event["session"]) == (
            "memory.ingest_ended",
            False,
            "native/trip",
        )
        log.says("One more thing.")
        service.keep_once()
    assert len(writer.asked) == 2
    assert unwritten(service)["trip"] <= 1


def test_a_writer_that_breaks_in_the_middle_keeps_no_other_session_waiting(
    service: Service, log: Log, clock: Clock, tmp_path: Path
) -> None:
    log.says(LONG)
    Log(tmp_path / "logs", clock, "other").says(LONG)
    writer = Failing(ZeroDivisionError("by zero"))
    with using(writer):
        (first,) = service.keep_once().passes
        assert isinstance(first.outcomes[-1], Failed)
        assert first.outcomes[-1].code is Code.WRITER_FAILURE_UNKNOWN
        assert first.outcomes[-1].message == "the failing writer broke off: ZeroDivisionError: by zero"
        clock.now += 30
        passes = service.keep_once().passes
    assert passes[0].session != first.session
    assert unwritten(service) == {"trip": 0, "other": 0}


def test_a_key_that_is_not_accepted_is_asked_about_once_and_not_for_every_session(
    service: Service, log: Log, clock: Clock, tmp_path: Path
) -> None:
    for name in ("trip", "b", "c", "d"):
        Log(tmp_path / "logs", clock, name).says(LONG)
    writer = Failing(fail(Code.MODEL_AUTHENTICATION))
    with using(writer):
        service.keep_once()
        clock.now += 59 * MINUTE
        service.keep_once()
        assert len(writer.asked) == 1
        clock.now += MINUTE
        service.keep_once()
        service.keep_once()
    assert set(unwritten(service).values()) == {0}


def test_the_recorded_writer_has_no_tape_here_and_says_so(tmp_path: Path, clock: Clock) -> None:
    with home(tmp_path, clock, writer="recorded") as service:
        Log(tmp_path / "logs", clock).says(LONG)
        service.keep_once()
        failure = service.status().last.failure
        assert failure is not None
        assert failure.code == Code.WRITER_PRECONDITION_FAILED
        assert "tape" in failure.message


def test_while_another_pass_runs_the_keeper_waits_for_its_turn(
    service: Service, log: Log, clock: Clock
) -> None:
    log.says(LONG)
    service.memory(make=True)
    with held(service.root / ".scriptorium" / "pass.lock"):
        (done,) = service.keep_once().passes
    assert isinstance(done.outcomes[-1], Failed)
    assert done.outcomes[-1].code is Code.CONCURRENT_UPDATE
    clock.now += 30
    assert unwritten(service) == {"trip": 1}
    service.keep_once()
    assert unwritten(service) == {"trip": 0}


def test_only_the_newest_events_are_kept(service: Service) -> None:
    layout = service.memory(make=True).layout
    for number in range(6):
        publish(layout, json.dumps({"number": number, "reason": "x" * 60_000}) + "\n")
    found = events(service)
    assert found[-1]["number"] == 5
    assert found[0]["number"] != 0


# --- The day's tokens ----------------------------------------------------------------------------


def test_the_tokens_of_a_day_are_spent_and_it_goes_on_the_next_day(tmp_path: Path, clock: Clock) -> None:
    with home(tmp_path, clock, daily_tokens=8_000, batch_tokens=8_000) as service:
        log = Log(tmp_path / "logs", clock)
        for number in range(4):
            log.says(f"I prefer train {number}. " * 1_500)
        (done,) = service.keep_once().passes
        assert len(done.outcomes) == 1
        assert unwritten(service) == {"trip": 3}
        assert service.keep_once().passes == ()
        outlook = service.status().outlook
        assert outlook.stopped is not None
        assert (outlook.stopped.until, outlook.stopped.code) == ("2026-04-04T00:00:00+00:00", "")
        assert outlook.cap == 8_000 <= outlook.offered
        assert "tokens of the day are spent" in outlook.stopped.words
        clock.now += 12 * 60 * MINUTE
        assert len(service.keep_once().passes) == 1
        assert unwritten(service) == {"trip": 2}


# --- Status --------------------------------------------------------------------------------------


def test_status_says_what_would_run_and_when(service: Service, log: Log, clock: Clock) -> None:
    log.says("I prefer trains to planes, always.")
    service.keep_once()
    outlook = service.status().outlook
    assert outlook.due == ()
    (waits,) = outlook.waits
    assert (waits.session, waits.at) == ("native/trip", "2026-04-03T12:30:00+00:00")
    assert outlook.next_at == "2026-04-03T12:05:00+00:00"
    clock.now += 30 * MINUTE
    assert [each.session for each in service.status().outlook.due] == ["native/trip"]
    service.keep_once()
    after = service.status().outlook
    assert (after.due, after.waits) == ((), ())
    assert after.organize_at == "2026-04-05T03:00:00+00:00"


def test_what_waits_for_longer_than_a_day_is_shown_with_its_reason(
    service: Service, log: Log, clock: Clock
) -> None:
    """bc-088."""
    log.says(LONG)
    with using(Failing(fail(Code.MODEL_CONTENT_POLICY))):
        service.keep_once()
    clock.now += 24 * 60 * MINUTE + 1
    (late,) = service.status().outlook.overdue
    assert late.session == "native/trip"
    assert late.reason.startswith("MODEL_CONTENT_POLICY: ")
    assert late.remedy == explain(Code.MODEL_CONTENT_POLICY).remedy


def test_what_nobody_keeps_is_shown_as_that(service: Service, log: Log, clock: Clock) -> None:
    log.says("I prefer trains to planes, always.")
    service.keep_once()
    clock.now += 25 * 60 * MINUTE
    assert [late.reason for late in service.status().outlook.overdue] == ["no keeper runs, and no hook asks"]


def test_status_is_short_for_people_and_whole_for_programs(tmp_path: Path) -> None:
    a_talk(tmp_path)
    assert run("--home", tmp_path, "import", tmp_path / "trip.jsonl").code == 0
    assert run("--home", tmp_path, "init").code == 0
    out = run("--home", tmp_path, "--clock", "2026-03-01T12:00:00Z", "status").out
    assert "keeper     does not run (`scriptorium keep`)" in out
    assert "due        native/trip: now: the conversation has been idle" in out
    assert "agents     none has asked for memory yet" in out
    answer = run_json("--home", tmp_path, "status")
    assert answer["outlook"]["due"][0]["session"] == "native/trip"
    assert answer["outlook"]["keeper"]["process"] == ""
    assert answer["health"] == "degraded"


def test_what_has_waited_for_a_day_is_said_once(tmp_path: Path) -> None:
    a_talk(tmp_path)
    assert run("--home", tmp_path, "import", tmp_path / "trip.jsonl").code == 0
    assert run("--home", tmp_path, "init").code == 0
    out = run("--home", tmp_path, "--clock", "2027-01-01T00:00:00Z", "status").out
    (line,) = [line for line in out.splitlines() if "native/trip" in line]
    assert line.startswith("overdue    native/trip, since ")


def test_write_says_in_words_what_a_code_means_and_what_to_do(tmp_path: Path) -> None:
    a_talk(tmp_path)
    (tmp_path / "tape.jsonl").write_text('{"tape": 1, "writer": "api"}\n')
    assert run("--home", tmp_path, "import", tmp_path / "trip.jsonl").code == 0
    ran = run("--home", tmp_path, "replay", tmp_path / "tape.jsonl")
    told = explain(Code.WRITER_PRECONDITION_FAILED)
    assert f"failed: WRITER_PRECONDITION_FAILED (trying again does not help): {told.words}" in ran.out
    (problem,) = run_json("--home", tmp_path, "replay", tmp_path / "tape.jsonl")["error"]["problems"]
    assert problem["message"].startswith(told.words)
    assert problem["remedy"] == told.remedy.replace("`scriptorium ", f"`scriptorium --home {tmp_path} ")


def test_a_library_keeps_as_well(tmp_path: Path) -> None:
    a_talk(tmp_path)
    with Memory.open(tmp_path / "memory") as memory:
        memory.import_paths([tmp_path / "trip.jsonl"])
        assert [each.session for each in memory.keep_once().passes] == ["native/trip"]
