"""The keeper: what grows is taken in, what is due is written, and no failure stops it or is hidden."""

import os
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path
from unittest import mock

import pytest

from cli_example import child, run, run_json, surroundings
from kept_homes import MINUTE, NOON, Clock, Log, home, unwritten
from scriptorium.keeper import keep
from scriptorium.lock import held
from scriptorium.refused import Refused
from scriptorium.service import Service
from scriptorium.service.keeping import Round
from scriptorium.service.runtime import keeper_lock, take_requests
from scriptorium_core.problem import Code
from scriptorium_core.writing.outcome import Wrote
from trips import a_talk

LONG = "I prefer trains to planes, always. " * 2_000


class Enough(Exception):
    """The example has seen what it wanted to see."""


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


# --- What is taken in and written ----------------------------------------------------------------


def test_a_log_that_grows_is_taken_in_and_written_when_it_has_been_idle(
    service: Service, log: Log, clock: Clock
) -> None:
    log.says("I prefer trains to planes, always.")
    assert service.keep_once().passes == ()
    assert unwritten(service) == {"trip": 1}
    clock.now += 29 * MINUTE
    log.says("I live in Porto now.")
    clock.now += 29 * MINUTE
    assert service.keep_once().passes == ()
    clock.now += MINUTE
    (done,) = service.keep_once().passes
    assert isinstance(done.outcomes[-1], Wrote)
    assert unwritten(service) == {"trip": 0}


def test_a_whole_batch_is_written_while_the_conversation_goes_on(service: Service, log: Log) -> None:
    log.says(LONG)
    assert [each.session for each in service.keep_once().passes] == ["native/trip"]


def test_without_a_switch_nothing_is_taken_in_whatever_programs_keep(tmp_path: Path, clock: Clock) -> None:
    """bc-063."""
    folder = tmp_path / ".claude" / "projects" / "p"
    folder.mkdir(parents=True)
    a_talk(folder)
    with mock.patch.dict(os.environ, {"HOME": str(tmp_path)}), home(tmp_path, clock, watch=[]) as service:
        clock.now += 30 * 24 * 60 * MINUTE
        done = service.keep_once()
        assert (done.reports, done.passes, service.sessions()) == ((), (), ())
        assert service.status().revision is None
        assert "watches no logs" in run("--home", service.home, "status").out


def test_programs_are_watched_by_their_names(tmp_path: Path, clock: Clock) -> None:
    folder = tmp_path / ".claude" / "projects" / "p"
    folder.mkdir(parents=True)
    a_talk(folder)
    surroundings = {"HOME": str(tmp_path), "CODEX_HOME": str(tmp_path / "none")}
    with (
        mock.patch.dict(os.environ, surroundings),
        home(tmp_path, clock, watch=["claude-code", "codex"]) as service,
    ):
        done = service.keep_once()
        assert unwritten(service) == {"trip": 0}
        assert ["codex" in fault.message for fault in done.faults] == [True]


def test_a_second_round_with_no_new_talk_makes_no_commit(service: Service, log: Log, clock: Clock) -> None:
    """bc-018."""
    log.says("I prefer trains to planes, always.")
    clock.now += 30 * MINUTE
    service.keep_once()
    head = service.memory().revision
    clock.now += 24 * 60 * MINUTE
    assert service.keep_once().passes == ()
    assert service.memory().revision == head


def test_the_branch_that_the_head_left_is_written_and_the_new_one_waits(service: Service, log: Log) -> None:
    first = log.says("I plan a trip to Porto.")
    log.says("I prefer a hotel by the harbour.", first)
    service.keep_once()
    assert unwritten(service) == {"trip": 2}
    log.says("I prefer a guest house in the old town.", first)
    (done,) = service.keep_once().passes
    assert isinstance(done.outcomes[-1], Wrote)
    assert unwritten(service) == {"trip": 1}
    (waits,) = service.status().outlook.waits
    assert waits.session == "native/trip"
    turns = {
        source: service.show(f"native/trip/{source}").turn.branch  # type: ignore[union-attr]
        for source in ("m1", "m2")
    }
    assert turns == {"m1": "live", "m2": "abandoned"}


def test_one_log_that_cannot_be_read_stops_no_other_and_is_shown(
    service: Service, log: Log, clock: Clock, tmp_path: Path
) -> None:
    log.says("I prefer trains to planes, always.")
    with mock.patch("scriptorium.service.keeping.import_places", side_effect=RuntimeError("torn")):
        assert [fault.message for fault in service.keep_once().faults] == ["RuntimeError: torn"]
    scan = service.status().outlook.keeper.scan_failed
    assert scan is not None
    assert "RuntimeError: torn" in scan.words
    assert service.status().health == "degraded"
    clock.now += 30 * MINUTE
    assert service.keep_once().passes
    assert service.status().health == "ok"


# --- The loop ------------------------------------------------------------------------------------


def looped(service: Service, clock: Clock, *jumps: int) -> list[int]:
    """The times of the rounds of a keeper, whose waits are of two seconds or of the next jump."""
    rounds: list[int] = []
    left = list(jumps)

    def pause(seconds: float) -> None:
        if rounds and not left:
            raise Enough
        clock.now += left.pop(0) or int(seconds)

    with pytest.raises(Enough):
        keep(service, lambda _: rounds.append(clock.now), pause=pause)
    return [when - NOON for when in rounds]


def test_a_keeper_that_waits_looks_again_when_the_next_thing_is_due(
    service: Service, log: Log, clock: Clock
) -> None:
    assert looped(service, clock, *[0] * 320) == [0, 300, 600]


def test_a_laptop_that_wakes_makes_one_round_at_once_and_no_burst(
    service: Service, log: Log, clock: Clock
) -> None:
    hours = 8 * 60 * MINUTE
    log.says("I prefer trains to planes, always.")
    assert looped(service, clock, 0, 0, hours, *[0] * 100) == [0, hours + 4]
    assert unwritten(service) == {"trip": 0}


def test_a_clock_that_is_set_back_stops_nothing(service: Service, log: Log, clock: Clock) -> None:
    hours = 8 * 60 * MINUTE
    assert looped(service, clock, 0, -hours, *[0] * 155) == [0, 2 - hours, 302 - hours]


def test_a_round_that_fails_is_told_and_tried_again_later(service: Service, clock: Clock) -> None:
    told: list[Round] = []

    def hear(done: Round) -> None:
        told.append(done)
        if len(told) == 4:
            raise Enough

    def pause(seconds: float) -> None:
        clock.now += int(seconds)

    troubles = [RuntimeError("odd"), Refused(), OSError("gone"), RuntimeError("odd")]
    with (
        mock.patch("scriptorium.keeper.one_round", side_effect=troubles),
        pytest.raises(Enough),
    ):
        keep(service, hear, pause=pause)
    assert clock.now == NOON + 30 + 60 + 120
    assert told[0].faults[0].message == "RuntimeError: odd"


def test_a_second_keeper_says_so_and_ends(service: Service) -> None:
    """bc-052: the lock is the kernel's; the number in the file says who holds it."""
    layout = service.memory(make=True).layout
    keeper_lock(layout).write_text("999999\n")
    with held(keeper_lock(layout)):
        with pytest.raises(Refused) as refused:
            service.keep_once()
        problem = refused.value.problems[0]
        assert (problem.code, problem.path) == (Code.CONCURRENT_UPDATE, "keeper.lock")
        assert str(os.getpid()) in problem.message
        assert service.status().outlook.keeper.process == f"process {os.getpid()}"
        assert run("--home", service.home, "keep", "--once").code == 5
        assert "a keeper runs already" in run("--home", service.home, "keep").err
    assert service.keep_once().passes == ()


@pytest.mark.parametrize("ending", [signal.SIGTERM, signal.SIGINT])
def test_a_keeper_ends_at_once_and_cleanly(tmp_path: Path, ending: signal.Signals) -> None:
    words = child("--home", tmp_path / "home", "keep")
    keeper = subprocess.Popen(
        words, env=surroundings(), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    try:
        assert keeper.stdout is not None
        assert keeper.stdout.readline().startswith("keeping ")
        kept = run_json("--home", tmp_path / "home", "status")["outlook"]["keeper"]
        assert kept["process"] == f"process {keeper.pid}"
        keeper.send_signal(ending)
        out, err = keeper.communicate(timeout=30)
    finally:
        keeper.kill()
    assert (keeper.returncode, err) == (0, "")
    assert out == "ended; what was committed stays\n"
    assert run_json("--home", tmp_path / "home", "status")["outlook"]["keeper"]["process"] == ""


def test_keep_once_says_what_it_did(tmp_path: Path) -> None:
    (tmp_path / "logs").mkdir()
    a_talk(tmp_path / "logs")
    (tmp_path / "settings.toml").write_text(f'watch = ["{tmp_path / "logs"}"]\n')
    ran = run("--home", tmp_path, "keep", "--once")
    assert ran.code == 0, ran.err
    assert "6 new turns" in ran.out
    assert "native/trip: wrote 3 records" in ran.out
    assert run("--home", tmp_path, "keep", "--once").out == "nothing was due\n"
    assert run_json("--home", tmp_path, "keep", "--once")["passes"] == []


@pytest.mark.parametrize(
    "line",
    [
        'watch = "claude-code"',
        "watch = [3]",
        'organize_at = "25:00"',
        "idle_minutes = 0",
        "daily_tokens = -1",
    ],
)
def test_a_setting_that_cannot_be_used_is_named(tmp_path: Path, line: str) -> None:
    (tmp_path / "settings.toml").write_text(line + "\n")
    error = run_json("--home", tmp_path, "keep", "--once")["error"]
    assert error["code"] == Code.INVALID_ARGUMENT
    assert line.split(maxsplit=1)[0] in error["message"]
    assert error["problems"][0]["remedy"]


def test_requests_that_cannot_be_read_are_gone(service: Service) -> None:
    layout = service.memory(make=True).layout
    folder = layout.runtime / "requests"
    folder.mkdir()
    (folder / "a.json").write_text("no json")
    assert take_requests(layout) == ()
    assert not folder.exists()
