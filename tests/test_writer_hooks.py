"""Hooks in a session in which a writer of ours works: nothing is given, and nothing of it enters."""

import json
import os
from collections.abc import Iterator
from pathlib import Path
from unittest import mock

import pytest

from kept_homes import Clock, Log, home
from scriptorium.service import Service


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def service(tmp_path: Path, clock: Clock) -> Iterator[Service]:
    # No pass is begun in the background by the examples of this process.
    with home(tmp_path, clock, watch=[]) as made, mock.patch("scriptorium.service.hooking._begin"):
        yield made


def call(session: str, path: Path | None = None) -> bytes:
    """What a host gives."""
    named = {"transcript_path": str(path)} if path else {}
    return json.dumps({"session_id": session, "cwd": "/"} | named).encode()


def test_a_session_of_our_own_writer_gets_no_memory_and_never_enters(
    service: Service, clock: Clock, tmp_path: Path
) -> None:
    """bc-018: by its id alone; what merely quotes it enters."""
    service.change({"memory_changes": []})
    log = Log(tmp_path, clock, "writing")
    log.says("I prefer trains to planes, always.")
    log.path.write_text(log.path.read_text().replace('{"session"', '{"provider": "claude-code", "session"'))
    run_of_a_writer = {"SCRIPTORIUM_WRITER_RUN": "-", "CLAUDE_CODE_SESSION_ID": "writing"}
    with mock.patch.dict(os.environ, run_of_a_writer):
        assert service.hook("session-start", call("writing")).text == ""
        service.hook("session-end", call("writing", log.path))
        done = service.keep_once()
    assert done.passes == ()
    assert [each.excluded for report in done.reports for each in [report]] == [
        {"claude-code/writing": "a writer of memory ran in it"}
    ]


def test_a_session_of_our_own_writer_is_known_where_its_agent_does_not_say_it(
    service: Service, clock: Clock, tmp_path: Path
) -> None:
    """The keeper that takes the request up runs elsewhere: the request itself says whose session it is."""
    service.change({"memory_changes": []})
    log = Log(tmp_path, clock, "writing")
    log.says("I prefer trains to planes, always.")
    with mock.patch.dict(os.environ, {"SCRIPTORIUM_WRITER_RUN": "codex/outer"}):
        service.hook("turn", call("writing", log.path))
        service.hook("turn", call("outer"))
    done = service.keep_once(scan=False)
    assert [report.excluded for report in done.reports] == [
        {"native/writing": "a writer of memory ran in it"}
    ]
    assert ["outer" in fault.message for fault in done.faults] == [True], "a person's own session is not one"
