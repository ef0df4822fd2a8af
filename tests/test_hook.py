"""A hook: it answers at once, never fails a conversation, and what went wrong is shown by `status`."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from unittest import mock

import pytest

from cli_example import child, fresh_home, in_a_process, run, run_json, surroundings
from kept_homes import Clock, Log, events, home, unwritten
from scriptorium import Memory
from scriptorium.clock import pause
from scriptorium.lock import held
from scriptorium.service import Service
from scriptorium.service.runtime import keeper_lock, requests_left
from scriptorium_core.problem import Code
from scriptorium_core.sessions.talk import said
from scriptorium_core.writing.calls import Event
from trips import a_talk

EVENTS = tuple(Event)
HEAVY = "click dulwich sqlite3 tantivy toktok detect_secrets".split()


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def service(tmp_path: Path, clock: Clock) -> Iterator[Service]:
    with home(tmp_path, clock, watch=[]) as made:
        yield made


@pytest.fixture(autouse=True)
def begun() -> Iterator[mock.Mock]:
    """No pass is begun in the background by the examples of this process."""
    with mock.patch("scriptorium.service.hooking._begin") as begin:
        yield begin


def call(path: Path | None = None, session: str = "trip", **more: object) -> bytes:
    """What a host gives."""
    named = {"transcript_path": str(path)} if path else {}
    return json.dumps({"session_id": session, "cwd": "/", "hook_event_name": "Stop"} | named | more).encode()


# --- Writing after a turn ------------------------------------------------------------------------


def test_a_turn_leaves_a_request_and_begins_a_pass_that_takes_the_log_in(
    service: Service, clock: Clock, tmp_path: Path, begun: mock.Mock
) -> None:
    log = Log(tmp_path, clock)
    log.says("I prefer trains to planes, always.")
    assert service.hook("turn", call(log.path)).fault == ""
    begun.assert_called_once()
    layout = service.memory().layout
    assert requests_left(layout) == 1
    done = service.keep_once(scan=False)
    assert [report.turns_new for report in done.reports] == [1]
    assert done.passes == (), "less than a batch is not written after a turn"
    assert requests_left(layout) == 0


def test_the_end_of_a_session_writes_all_of_it(service: Service, clock: Clock, tmp_path: Path) -> None:
    log = Log(tmp_path, clock)
    log.says("I prefer trains to planes, always.")
    service.hook("turn", call(log.path))
    service.hook("session-end", call(log.path, reason="clear"))
    assert [each.session for each in service.keep_once().passes] == ["native/trip"]
    assert unwritten(service) == {"trip": 0}


def test_a_session_is_known_by_its_log_where_the_host_gives_no_id(
    service: Service, clock: Clock, tmp_path: Path
) -> None:
    log = Log(tmp_path, clock)
    log.says("I prefer trains to planes, always.")
    service.hook("session-end", call(log.path, session=""))
    assert len(service.keep_once().passes) == 1


def test_the_same_request_again_is_one(service: Service, tmp_path: Path) -> None:
    for _ in range(5):
        service.hook("turn", call(tmp_path / "trip.jsonl"))
    assert requests_left(service.memory().layout) == 1


def test_while_a_keeper_runs_the_request_is_left_to_it(service: Service, begun: mock.Mock) -> None:
    layout = service.memory(make=True).layout
    with held(keeper_lock(layout)):
        service.hook("turn", call())
    begun.assert_not_called()
    assert requests_left(layout) == 1


def test_what_is_asked_for_while_a_round_runs_is_taken_up_before_the_keeper_ends(
    service: Service, clock: Clock, tmp_path: Path, begun: mock.Mock
) -> None:
    log = Log(tmp_path, clock)
    log.says("I prefer trains to planes, always.")
    service.hook("turn", call(log.path))
    again = Log(tmp_path, clock, "later")
    again.says("I live in Porto.")

    def round_with_a_call(*given: object, **named: object) -> Iterator[object]:
        from scriptorium.conversations.importing import import_places

        if not again.turns[1:]:
            again.says("And I like it.")
            service.hook("session-end", call(again.path, session="later"))
        return import_places(*given, **named)  # type: ignore[arg-type]

    with mock.patch("scriptorium.service.keeping.import_places", round_with_a_call):
        done = service.keep_once()
    assert begun.call_count == 1
    assert [each.session for each in done.passes] == ["native/later"]
    assert requests_left(service.memory().layout) == 0


def test_a_call_that_names_nothing_is_told_and_published(service: Service) -> None:
    service.hook("turn", b"")
    (fault,) = service.keep_once().faults
    assert fault.code is Code.MISSING_SESSION_ID
    (event,) = events(service)
    assert event["reason"] == "MISSING_SESSION_ID: turn named no session and no log"
    failed = service.status().outlook.hook_failed
    assert failed is not None
    assert "MISSING_SESSION_ID: turn named no session and no log (nothing to do if" in failed.words
    assert service.status().last.failure is None, "no conversation waits because of it"
    service.hook("turn", call())
    assert service.status().outlook.hook_failed is None


def test_messages_in_the_form_of_a_provider_are_taken_in_without_ids_too(service: Service) -> None:
    said = [{"role": "user", "content": "I live in Porto."}, {"role": "assistant", "content": "Noted."}]
    for count in (1, 2, 2):
        assert service.hook("turn", call(messages=said[:count])).fault == ""
        service.keep_once(scan=False)
    assert unwritten(service) == {"trip": 2}
    assert service.status().outlook.hook_failed is None


def test_messages_that_cannot_be_read_are_told_and_the_others_taken(service: Service) -> None:
    said = [{"role": "user", "content": "I live in Porto."}, {"role": "user", "body": "And I like it."}]
    answer = service.hook("turn", call(messages=said))
    assert "message 2 says nothing" in answer.fault
    service.keep_once(scan=False)
    assert unwritten(service) == {"trip": 1}
    failed = service.status().outlook.hook_failed
    assert failed is not None
    assert failed.words == f"turn: {answer.fault}"


def test_where_no_message_can_be_read_that_is_what_is_told(service: Service) -> None:
    service.hook("session-end", call(session="m1", messages=["I live in Porto."]))
    assert service.keep_once().faults == ()
    failed = service.status().outlook.hook_failed
    assert failed is not None
    assert "message 1 is no object" in failed.words


def test_a_session_of_which_there_is_no_log_is_told(service: Service, tmp_path: Path) -> None:
    service.hook("turn", call(tmp_path / "nowhere.jsonl", session="strange"))
    (fault,) = service.keep_once().faults
    assert fault.code is Code.SESSION_NODES_UNAVAILABLE
    failed = service.status().outlook.hook_failed
    assert failed is not None
    assert "strange" in failed.words
    assert service.status().last.failure is None


# --- The beginning of a session ------------------------------------------------------------------


def test_a_session_begins_with_the_core_and_its_revision(tmp_path: Path) -> None:
    """bc-087, bc-088."""
    with Service(fresh_home(tmp_path)) as service:
        text = service.hook("session-start", call(session="abc")).text
        assert "Mara prefers trains to planes" in text
        assert f'revision="{service.memory().revision}"' in text
        assert said(f"{text}Good morning!") == "Good morning!"
        injected = service.status().outlook.injected
        assert injected is not None
        assert (injected.session, injected.why_not, injected.revision) == (
            "abc",
            "",
            service.memory().revision,
        )
        assert injected.tokens > 50
        service.remember("Mara never flies.", topic="core")
        assert "Mara never flies." in service.hook("session-start", call()).text


def test_why_a_session_was_given_nothing_is_said(tmp_path: Path, service: Service) -> None:
    """bc-088."""
    assert service.hook("session-start", call()).text == ""
    assert not service.root.exists(), "asking makes no memory"
    service.memory(make=True)
    assert service.hook("session-start", call()).text == ""
    injected = service.status().outlook.injected
    assert injected is not None
    assert "no core yet" in injected.why_not
    (service.root / "core.md").write_text("<!-- core: 0 of 2 records -->\n")
    service.hook("session-start", call())
    injected = service.status().outlook.injected
    assert injected is not None
    assert "no record of the core may be shown" in injected.why_not


# --- Nothing fails -------------------------------------------------------------------------------


@pytest.mark.parametrize("event", [*EVENTS, "nonsense", ""])
@pytest.mark.parametrize("data", [b"", b"no json", b"[]", b'{"session_id": 3}', b"\xff\xfe", b"[" * 99_999])
def test_whatever_comes_in_the_answer_is_not_an_error(service: Service, event: str, data: bytes) -> None:
    answer = service.hook(event, data)
    assert answer.text == ""
    assert (answer.fault == "") == (event in EVENTS)


def test_a_hook_that_failed_is_shown_until_one_goes_well(service: Service) -> None:
    service.memory(make=True)
    with mock.patch("scriptorium.service.hooking.leave_request", side_effect=OSError("disk full")):
        assert service.hook("turn", call()).fault == "disk full"
    failed = service.status().outlook.hook_failed
    assert failed is not None
    assert failed.words == "turn: disk full"
    assert service.status().health == "degraded"
    service.hook("turn", call())
    assert service.status().outlook.hook_failed is None


def test_where_memory_is_switched_off_a_hook_does_nothing(tmp_path: Path, clock: Clock) -> None:
    with home(tmp_path, clock, watch=[], backend="none") as service:
        for event in EVENTS:
            assert (service.hook(event, call()).text, service.root.exists()) == ("", False)


def test_the_exit_code_is_0_whatever_is_wrong(tmp_path: Path) -> None:
    (tmp_path / "settings.toml").write_text("nonsense = 3\n")
    for words in (
        ("hook", "turn"),
        ("hook", "nope"),
        ("hook",),
        ("hook", "turn", "--nope"),
        ("hook", "a", "b"),
    ):
        ran = in_a_process("--home", tmp_path, *words, input="{}")
        assert (ran.code, ran.out) == (0, "")
        assert ran.err
        assert "Traceback" not in ran.err


def test_a_reader_that_has_left_and_a_host_that_says_nothing_do_no_harm(tmp_path: Path) -> None:
    made = fresh_home(tmp_path)
    reading, writing = os.pipe()
    os.close(reading)
    silent, open_end = os.pipe()
    try:
        done = subprocess.run(
            child("--home", made, "hook", "session-start"),
            env=surroundings(),
            stdin=silent,
            stdout=writing,
            stderr=subprocess.PIPE,
            timeout=60,
            check=False,
        )
    finally:
        for descriptor in (writing, silent, open_end):
            os.close(descriptor)
    assert (done.returncode, done.stderr) == (0, b"")


def test_a_hook_loads_nothing_that_takes_long(tmp_path: Path) -> None:
    made = fresh_home(tmp_path)
    code = f"""
import sys
from scriptorium.cli import main
for event in {[*map(str, EVENTS)]!r}:
    with open({str(made / "memory" / ".scriptorium" / "keeper.lock")!r}, "a") as lock:
        import fcntl
        fcntl.flock(lock, fcntl.LOCK_EX)
        assert main(["--home", {str(made)!r}, "hook", event]) == 0
print([name for name in {HEAVY!r} if name in sys.modules], file=sys.stderr)
"""
    done = subprocess.run(
        [sys.executable, "-c", code],
        env=surroundings(),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stderr.strip() == "[]"


@pytest.mark.parametrize("name", ["keeper.lock", "pass.lock", "write.lock", "status.lock"])
@pytest.mark.parametrize("event", EVENTS)
def test_no_lock_is_waited_for(tmp_path: Path, name: str, event: Event) -> None:
    """Not for one: what is kept for `status` is let go of after a fiftieth of a second."""
    waited = [0.0]
    with Service(fresh_home(tmp_path)) as service, held(service.root / ".scriptorium" / name):
        with (
            mock.patch("scriptorium.lock.monotonic", side_effect=lambda: sum(waited)),
            mock.patch("scriptorium.lock.pause", side_effect=waited.append),
        ):
            answer = service.hook(event, call())
        assert (answer.fault, bool(answer.text)) == ("", event is Event.SESSION_START)
    assert sum(waited) < 0.1


def test_a_pass_in_the_background_writes_what_a_hook_asked_for(tmp_path: Path, clock: Clock) -> None:
    log = a_talk(tmp_path)
    made = tmp_path / "home"
    ran = in_a_process("--home", made, "hook", "session-end", input=call(log).decode())
    assert (ran.code, ran.out, ran.err) == (0, "", "")
    with Service(made) as service:
        layout = service.memory(make=True).layout
        # The pass that was begun takes the request up, and holds the lock while it works.
        for _ in range(1_200):
            if not requests_left(layout):
                break
            pause(0.05)
        with held(keeper_lock(layout), 60):
            assert unwritten(service) == {"trip": 0}


# --- Words and forms -----------------------------------------------------------------------------


def test_hook_has_help_and_answers_with_the_other_options_too(tmp_path: Path) -> None:
    assert "session-start" in run("hook", "--help").out
    made = fresh_home(tmp_path)
    assert "<memory-context" in run("--home", made, "--json", "hook", "session-start").out
    assert run_json("--home", made, "status")["outlook"]["injected"]["session"] == ""


def test_the_library_answers_hooks(tmp_path: Path) -> None:
    with Memory.open(fresh_home(tmp_path) / "memory") as memory:
        assert "Mara" in memory.hook("session-start").text
