"""One writer at a time, and a dead holder holds nothing."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from scriptorium import lock
from scriptorium.refused import Refused
from scriptorium_core.problem import Code

HOLD = """
import pathlib, sys
from scriptorium import lock
with lock.held(pathlib.Path(sys.argv[1])):
    print("held", flush=True)
    sys.stdin.read()
"""


def _holder(path: Path) -> subprocess.Popen[bytes]:
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}
    child = subprocess.Popen(
        [sys.executable, "-c", HOLD, str(path)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env=environment,
    )
    assert child.stdout is not None
    assert child.stdout.readline().strip() == b"held"
    return child


def test_a_second_writer_is_told_who_holds_the_lock(tmp_path: Path) -> None:
    path = tmp_path / "write.lock"
    with _holder(path) as child:
        with pytest.raises(Refused) as refusal, lock.held(path, timeout=0.05):
            pytest.fail("two writers hold one lock")
        problem = refusal.value.problems[0]
        assert problem.code is Code.CONCURRENT_UPDATE
        assert str(child.pid) in problem.message
        assert problem.remedy
        child.communicate()
    with lock.held(path, timeout=0):
        pass


def test_a_killed_holder_lets_go(tmp_path: Path) -> None:
    path = tmp_path / "write.lock"
    with _holder(path) as child:
        child.send_signal(signal.SIGKILL)
        child.wait()
    with lock.held(path, timeout=0):
        assert path.read_text() == f"{os.getpid()}\n"


def test_two_openings_in_one_process_exclude_each_other(tmp_path: Path) -> None:
    path = tmp_path / "write.lock"
    with lock.held(path), pytest.raises(Refused), lock.held(path, timeout=0):
        pytest.fail("two writers hold one lock")
    with lock.held(path, timeout=0):
        pass


def test_an_error_inside_the_block_lets_go(tmp_path: Path) -> None:
    path = tmp_path / "write.lock"
    with pytest.raises(ZeroDivisionError), lock.held(path):
        _ = 1 / 0
    with lock.held(path, timeout=0):
        pass


def test_a_disk_that_takes_no_lock_is_named(tmp_path: Path) -> None:
    with pytest.raises(Refused) as refusal, lock.held(tmp_path / "none" / "write.lock"):
        pytest.fail("a lock without a file")
    assert refusal.value.problems[0].path == "none/write.lock"
    assert refusal.value.problems[0].remedy
