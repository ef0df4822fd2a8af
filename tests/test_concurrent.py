"""Several processes at one memory: nothing is lost or doubled, and readers see whole commits only."""

import json
import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from scriptorium.lock import held
from scriptorium.refused import Refused
from scriptorium.workspace import Committed
from scriptorium_core.problem import Code
from scriptorium_core.writing.outcome import Failed, NothingDue, Wrote
from small_homes import committed, create, listed, opened, request, told, unsound, written

WRITES = 50

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork and SIGKILL")

PREPARE = "import sys; from pathlib import Path; from small_homes import *; root = Path(sys.argv[1])\n"
WRITE = """
with opened(root) as memory:
    for number in range(int(sys.argv[2])):
        name = sys.argv[3]
        topic = "topics/shared.md" if number % 2 else f"topics/{name}.md"
        done = memory.update(request(create(f"{name} says {number}.", topic), says=f"{name} {number}"))
        assert done.projected, done
        print(*done.report.created)
"""
READ = """
import json
seen = 0
with opened(root) as memory:
    while seen < int(sys.argv[2]):
        with memory.reading() as (revision, base):
            texts = [base.tree.get(path).decode() for path in base.tree.under("topics/")]
            records = sum(" ^" in line for text in texts for line in text.split("\\n"))
            assert records == len(base.facts.newest), (revision, records)
            recent = (base.tree.get("recent_events.jsonl") or b"").splitlines()
            assert [json.loads(line)["memory_id"] for line in recent] == [
                known.record.id for known in list(base.facts.newest)[:50]
            ][::-1]
            seen = records
print("seen", seen)
"""
HOLD = """
from scriptorium.lock import held
with opened(root) as memory, held(memory.layout.lock):
    print("held", flush=True)
    sys.stdin.read()
"""


def start(code: str, root: Path, *arguments: str) -> "subprocess.Popen[str]":
    environment = os.environ | {"PYTHONPATH": os.pathsep.join([*sys.path, str(Path(__file__).parent)])}
    command = [sys.executable, "-c", PREPARE + code, str(root), *arguments]
    pipe = subprocess.PIPE
    return subprocess.Popen(command, env=environment, text=True, stdin=pipe, stdout=pipe, stderr=pipe)


def ended(process: "subprocess.Popen[str]") -> list[str]:
    out, errors = process.communicate(timeout=300)
    assert process.returncode == 0, errors
    return out.split()


def test_two_processes_write_and_nothing_is_lost_while_a_third_one_reads(tmp_path: Path) -> None:
    root = tmp_path / "memory"
    opened(root).close()
    reader = start(READ, root, str(2 * WRITES))
    writers = [start(WRITE, root, str(WRITES), name) for name in ("Ada", "Bo")]
    ids = [block for writer in writers for block in ended(writer)]
    assert ended(reader) == ["seen", str(2 * WRITES)]
    assert len(set(ids)) == len(ids) == 2 * WRITES
    with opened(root) as memory, memory.reading() as (_, base):
        assert sorted(known.record.id for known in base.facts.newest) == sorted(ids)
        texts = [known.record.content for known in base.facts.newest]
        assert sorted(texts) == sorted(f"{name} says {n}." for name in ("Ada", "Bo") for n in range(WRITES))
        assert len(list(memory.history.log())) == 2 * WRITES
    assert list(unsound(tmp_path)) == []


def test_several_processes_that_open_a_new_directory_at_once_agree_on_it(tmp_path: Path) -> None:
    root = tmp_path / "memory"
    code = "with opened(root) as memory: print(memory.workspace, *written(memory, sys.argv[2]))"
    found = [ended(each) for each in [start(code, root, name) for name in ("One.", "Two.", "Three.")]]
    assert len({workspace for workspace, _ in found}) == 1
    assert len({block for _, block in found}) == 3
    assert list(unsound(tmp_path)) == []


def test_several_processes_that_take_a_directory_over_at_once_do_it_once(tmp_path: Path) -> None:
    with opened(tmp_path / "memory") as memory:
        written(memory, "One.", "Two.")
        before = committed(memory)
    for name in (".git", ".scriptorium"):
        shutil.rmtree(tmp_path / "memory" / name)
    code = "with opened(root) as memory: print(memory.revision)"
    found = [ended(each) for each in [start(code, tmp_path / "memory") for _ in range(3)]]
    assert len({revision for (revision,) in found}) == 1
    with opened(tmp_path / "memory") as memory:
        assert committed(memory)["topics/keys.md"] == before["topics/keys.md"]
    assert list(unsound(tmp_path)) == []


def test_a_writer_that_is_killed_while_it_holds_the_lock_holds_it_no_longer(tmp_path: Path) -> None:
    root = tmp_path / "memory"
    opened(root).close()
    holder = start(HOLD, root)
    assert holder.stdout
    assert holder.stdout.readline() == "held\n"
    with opened(root) as memory:
        with pytest.raises(Refused) as refused, held(memory.layout.lock, timeout=0):
            pass
        assert refused.value.problems[0].code is Code.CONCURRENT_UPDATE
        assert str(holder.pid) in refused.value.problems[0].message
        holder.send_signal(signal.SIGKILL)
        holder.communicate()
        assert isinstance(memory.update(request(create("One."))), Committed)
    assert list(unsound(tmp_path)) == []


def test_a_reader_opens_what_a_writer_has_not_projected_yet(tmp_path: Path) -> None:
    """Readers need the commit alone: they do not wait for the lock of the one who projects it."""
    root = tmp_path / "memory"
    with opened(root) as memory:
        written(memory, "One.")
        commit = memory.history.write(
            memory.revision, {"topics/two.md": b"# Two\n"}, "Two\n\nKind: edit\n", memory.moment()
        )
        with held(memory.layout.lock):
            assert memory.history.move(memory.revision, commit)
            with opened(root) as reader, reader.reading() as (revision, _):
                assert reader.notices == ()
                assert revision == commit
            assert not (root / "topics/two.md").exists()
        opened(root).close()
        assert (root / "topics/two.md").read_bytes() == b"# Two\n"


def test_two_passes_at_once_write_each_message_once(tmp_path: Path) -> None:
    told(tmp_path)
    opened(tmp_path / "memory").close()
    code = "import json\nprint(json.dumps([type(each).__name__ for each in listed(root)]))"
    names = [json.loads(" ".join(ended(each))) for each in [start(code, tmp_path) for _ in range(3)]]
    known = {Wrote.__name__, NothingDue.__name__, Failed.__name__}
    assert {name for each in names for name in each} <= known
    # Whoever had to wait too long comes again.
    assert all(isinstance(outcome, Wrote | NothingDue) for outcome in listed(tmp_path))
    with opened(tmp_path / "memory") as memory, memory.reading() as (_, base):
        assert len(base.facts.sources) == 6
        assert len(list(memory.history.log())) == 3
    assert list(unsound(tmp_path)) == []
