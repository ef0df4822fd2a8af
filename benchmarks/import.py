"""How fast logs are imported, and in how much memory, for each format.

    python benchmarks/import.py --mib 128
    python benchmarks/import.py --gib 2

Prints a table and a line of JSON. Each log is made for this and read by a process of its own into a new
store: `mib_s` is its size by the wall time of that process less that of one which reads nothing, `peak_mib`
the most memory that the process had. `--gib` makes one Codex rollout of that size instead, in which one block
stands 400 times; it is imported at once, and once more by a process that is interrupted on its way and
started again, and both must come to the same messages.
"""

import argparse
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from attrs import frozen
from logs import LOGS, block_of

ROOT = Path(__file__).resolve().parents[1]
MIB = 1024 * 1024
BLOCKS = 400
CODE = """
import json, sys
from hashlib import sha256
sys.path[:0] = {paths!r}
from pathlib import Path
from scriptorium.conversations.importing import import_path
from scriptorium.conversations.store import open_store
log, store, form = sys.argv[1:]
steps = []
def progress(done, total):
    steps.append(done)
    print("step", done, total, flush=True)
with open_store(Path(store)) as opened:
    if log:
        report = import_path(opened, Path(log), form, progress=progress)
        assert not report.problems, report.problems
        (session, *_) = opened.sessions()
        found = sha256(str(session.head).encode())
        for node in opened.nodes(session):
            found.update(f"{{node.id}} {{node.parent}} {{node.at}}".encode())
        counts = [len(steps), report.turns_new, report.turns_known, dict(report.skipped)]
        print(json.dumps([*counts, found.hexdigest()]))
"""


@frozen
class Run:
    """What one process took: seconds, MiB at most, and what it said last; -2 is what an interrupt leaves."""

    wall: float
    cpu: float
    peak: float
    code: int
    said: str


def main() -> None:
    """Measure, print a table, print JSON."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--mib", type=int, default=64, help="the size of each log")
    parser.add_argument("--gib", type=float, help="one Codex rollout of this size, of one block 400 times")
    parser.add_argument("--formats", default=",".join(LOGS), help="names, separated by commas")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="scriptorium-bench-") as folder:
        if options.gib:
            rows = _repeated(Path(folder), int(options.gib * 1024 * MIB))
        else:
            idle = _run(Path(folder) / "idle.sqlite3", "", "").wall
            rows = [_format(Path(folder), name, options.mib, idle) for name in options.formats.split(",")]
    _print(rows)


def _format(folder: Path, name: str, mib: int, idle: float) -> dict[str, object]:
    file_name, write = LOGS[name]
    log = folder / name / file_name
    log.parent.mkdir()
    with log.open("wb") as target:
        write(mib, target)
    run = _run(folder / f"{name}.sqlite3", str(log), name)
    _, turns, *_ = json.loads(run.said)
    size = log.stat().st_size / MIB
    log.unlink()
    return _row(name, size, run, turns, idle)


def _repeated(folder: Path, size: int) -> list[dict[str, object]]:
    name, write = LOGS["codex"]
    log = folder / name
    with log.open("wb") as target:
        write(0, target)
        block = folder / "block"
        with block.open("w+b") as part:
            block_of(part, size // BLOCKS)
            for _ in range(BLOCKS):
                part.seek(0)
                target.write(part.read())
    mib = log.stat().st_size / MIB
    idle = _run(folder / "idle.sqlite3", "", "").wall
    once = _run(folder / "once.sqlite3", str(log), "codex")
    stopped = [_run(folder / "often.sqlite3", str(log), "codex", stop_at=part / 3) for part in (1, 2)]
    assert [run.code for run in stopped] == [-signal.SIGINT] * 2, stopped
    again = _run(folder / "often.sqlite3", str(log), "codex")
    steps, turns, known, skipped, found = json.loads(once.said)
    assert (known, skipped) == (0, {}), once.said
    assert json.loads(again.said)[-1] == found, "an interrupted import must come to the same messages"
    print(f"{steps} steps of progress, {turns} turns; the interrupted import came to the same messages")
    return [
        _row("codex, one block 400 times", mib, once, turns, idle),
        *(_row(f"  interrupted at {part}/3", mib / 3, run, 0, idle) for part, run in enumerate(stopped, 1)),
        _row("  gone on to the end", mib / 3, again, json.loads(again.said)[1], idle),
    ]


def _run(store: Path, log: str, form: str, stop_at: float = 2.0) -> Run:
    """A process that imports a log; it is interrupted where that part of it is done."""
    paths = [str(ROOT / part) for part in ("core", "shell")]
    begin = time.perf_counter()
    process = subprocess.Popen(
        [sys.executable, "-c", CODE.format(paths=paths), log, str(store), form],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL if stop_at < 1 else None,
        text=True,
    )
    assert process.stdout
    said = ""
    for line in process.stdout:
        said = line
        if line.startswith("step "):
            done, total = map(int, line.split()[1:])
            if done >= stop_at * total:
                process.send_signal(signal.SIGINT)
                break
    process.stdout.close()
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if stop_at >= 1 and process.returncode:
        raise SystemExit(f"the import of {log} failed")
    wall = time.perf_counter() - begin
    return Run(wall, used.ru_utime + used.ru_stime, used.ru_maxrss / 1024, process.returncode, said)


def _row(name: str, mib: float, run: Run, turns: int, idle: float) -> dict[str, object]:
    return {
        "log": name,
        "mib": round(mib, 1),
        "turns": turns,
        "wall_s": round(run.wall, 2),
        "cpu_s": round(run.cpu, 2),
        "mib_s": round(mib / max(run.wall - idle, 0.001), 1),
        "peak_mib": round(run.peak, 1),
    }


def _print(rows: list[dict[str, object]]) -> None:
    names = list(rows[0])
    print(f"{names[0]:<30}" + "".join(f"{name:>11}" for name in names[1:]))
    for row in rows:
        print(f"{row['log']:<30}" + "".join(f"{row[name]:>11,}" for name in names[1:]))
    print(json.dumps({"benchmark": "import", "rows": rows}))


if __name__ == "__main__":
    main()
