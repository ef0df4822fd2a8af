"""Batches taken and handed in at the doors: the command line, the library, and two processes at once."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from agent_homes import keep, talks
from cli_example import run, run_json
from scriptorium import Memory
from scriptorium.service.leased import Offered
from scriptorium_core.writing.outcome import Wrote
from small_homes import unsound

TEA = ("I prefer tea to coffee.", "I drink it without sugar.")
ASK = """
import json, sys
from pathlib import Path
from agent_homes import agent
from kept_homes import Clock
from scriptorium.plain import plain
home, name = Path(sys.argv[1]), sys.argv[2]
with agent(home, Clock(), name) as service:
    print("ready", flush=True)
    sys.stdin.readline()
    print(json.dumps(plain(service.pending())), flush=True)
"""
HAND_IN = """
import json, sys
from pathlib import Path
from agent_homes import agent, keep
from kept_homes import Clock
from scriptorium.plain import plain
home, name, batch, ref = Path(sys.argv[1]), *sys.argv[2:]
with agent(home, Clock(), name) as service:
    print("ready", flush=True)
    sys.stdin.readline()
    print(json.dumps(plain(service.hand_in(batch, [keep(ref)]))), flush=True)
"""


def at_once(code: str, *calls: tuple[object, ...]) -> list[dict[str, Any]]:
    """What processes answer that are let go at the same moment."""
    path = os.pathsep.join([*sys.path, str(Path(__file__).parent)])
    started = [
        subprocess.Popen(
            [sys.executable, "-c", code, *map(str, call)],
            env=os.environ | {"PYTHONPATH": path},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        for call in calls
    ]
    for each in started:
        assert each.stdout is not None
        assert each.stdout.readline() == "ready\n"
    for each in started:
        assert each.stdin is not None
        each.stdin.write("go\n")
        each.stdin.flush()
    answers = [each.communicate(timeout=120)[0] for each in started]
    assert [each.returncode for each in started] == [0] * len(calls)
    return [json.loads(answer) for answer in answers]


def test_the_commands_take_a_batch_and_hand_it_in(tmp_path: Path) -> None:
    talks(tmp_path, s1=TEA, s2=TEA)
    given = run_json("--home", tmp_path, "pending", "s1")["offered"]
    assert (given["session"], given["refs"]) == ("chat/s1", ["chat/s1/s1.0", "chat/s1/s1.1"])
    told = run("--home", tmp_path, "pending").out
    assert given["batch"] in told
    assert "==== messages ====" in told
    assert "I prefer tea" in told
    assert f"the agent owner has {given['batch']}" in run("--home", tmp_path, "status").out

    wrong = tmp_path / "wrong.json"
    wrong.write_text(json.dumps({"memory_changes": [keep("chat/s1/nobody")]}))
    refused = run("--home", tmp_path, "hand-in", given["batch"], wrong)
    assert refused.code == 3
    assert "1 attempt left" in refused.out
    assert "MISSING_SOURCE" in refused.err

    right = tmp_path / "right.json"
    right.write_text(json.dumps({"memory_changes": [keep(*given["refs"])], "summary": "Tea"}))
    tape = tmp_path / "tape.jsonl"
    done = run_json("--home", tmp_path, "hand-in", given["batch"], right, "--record", tape)
    assert (done["ok"], done["outcome"]["outcome"], done["commit"]) == (
        True,
        "Wrote",
        done["outcome"]["commit"],
    )
    assert tape.read_text().count("\n") == 2
    again = run("--home", tmp_path, "hand-in", given["batch"], right)
    assert (again.code, "is written already" in again.out) == (0, True)
    assert list(unsound(tmp_path)) == []


def test_what_has_no_form_is_refused_with_its_keys(tmp_path: Path) -> None:
    talks(tmp_path, s1=TEA)
    batch = run_json("--home", tmp_path, "pending")["offered"]["batch"]
    file = tmp_path / "x.json"
    for text in ("[]", '{"why": 1}', "{}", '{"patch": "a", "changes": []}'):
        file.write_text(text)
        done = run("--home", tmp_path, "hand-in", batch, file)
        assert done.code == 2, done
        assert "INVALID_ARGUMENT" in done.err
    file.write_text('{"nothing_to_keep": "x"}')
    unknown = run("--home", tmp_path, "hand-in", "b-1", file)
    assert unknown.code == 5


def test_a_pass_by_hand_says_who_has_what_waits_and_may_take_it_over(tmp_path: Path) -> None:
    talks(tmp_path, s1=TEA)
    assert "no batch: less than a batch" in run("--home", tmp_path, "pending", "--due").out
    given = run_json("--home", tmp_path, "pending")["offered"]
    left = run("--home", tmp_path, "write", "--force")
    assert left.code == 5
    assert "the agent owner has taken a batch of it, until" in left.out
    assert run("--home", tmp_path, "write").code == 0
    waits = run("--home", tmp_path, "write", "--force", "--take-over", "--writer", "agent").out
    assert "waits for an agent" in waits
    assert "wrote" in run("--home", tmp_path, "write", "--force", "--take-over").out
    file = tmp_path / "late.json"
    file.write_text('{"nothing_to_keep": "late"}')
    assert "is written already" in run("--home", tmp_path, "hand-in", given["batch"], file).out
    assert "no batch: nothing is unwritten" in run("--home", tmp_path, "pending").out


def test_the_keeper_says_that_conversations_wait_for_an_agent(tmp_path: Path) -> None:
    talks(tmp_path, s1=TEA)
    (tmp_path / "settings.toml").write_text('writer = "agent"\n')
    assert "1 conversation waiting for an agent" in run("--home", tmp_path, "keep", "--once").out
    assert "it waits for an agent" in run("--home", tmp_path, "status").out


def test_the_library_has_the_pair(tmp_path: Path) -> None:
    talks(tmp_path, s1=TEA)
    with Memory.open(tmp_path / "memory") as memory:
        given = memory.pending()
        assert isinstance(given, Offered)
        done = memory.hand_in(given.batch, [keep(*given.refs)], summary="Tea")
        assert isinstance(done.outcome, Wrote)
        assert memory.search("tea").hits


def test_two_processes_that_ask_at_once_get_different_batches(tmp_path: Path) -> None:
    talks(tmp_path, s1=TEA, s2=TEA)
    first, second = at_once(ASK, (tmp_path, "agent"), (tmp_path, "librarian"))
    assert {first["session"], second["session"]} == {"chat/s1", "chat/s2"}
    assert first["batch"] != second["batch"]


def test_of_two_that_hand_in_the_same_batch_at_once_one_writes(tmp_path: Path) -> None:
    talks(tmp_path, s1=TEA)
    given = run_json("--home", tmp_path, "pending", "--clock", "2026-04-03T12:00:00+00:00")["offered"]
    call = (tmp_path, "owner", given["batch"], given["refs"][0])
    done = at_once(HAND_IN, call, call)
    assert sorted(each["already"] for each in done) == [False, True]
    assert len({each["commit"] for each in done}) == 1
    log = run_json("--home", tmp_path, "log")["log"]
    assert [entry["kind"] for entry in log] == ["write"]
