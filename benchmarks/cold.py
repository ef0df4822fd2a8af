"""What a new process costs: starting, `--help`, a hook, opening a memory at rest, and searching it.

    python benchmarks/cold.py --records 1000,100000

Prints a table and a line of JSON. Each task runs in a process of its own, in turns with all the others and
with a bare interpreter, so that whatever else the machine does falls on all alike. `wall` and `cpu` are
medians in milliseconds, `beyond` is wall less that of the bare interpreter, `beyond_cpu` the same of CPU,
`bare` the ratio to it. Bytecode is kept, as it is where a package is installed.
Building the memory and the first search, which builds the full text index, are given for each size.
"""

import argparse
import json
import os
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path

from generate import memory_of

from scriptorium.service import Service
from scriptorium_core.recall import Query

ROOT = Path(__file__).resolve().parents[1]
PATHS = f"import sys; sys.path[:0] = {[str(ROOT / part) for part in ('core', 'shell')]!r}; "
WORDS = "saffron violin number 77"
SEARCH = (
    "from pathlib import Path; from scriptorium.service import Service; "
    "from scriptorium_core.recall import Query; "
    f"assert Service(Path({{home!r}})).search(Query({WORDS!r}, limit=5)).hits"
)
OPEN = (
    "from pathlib import Path; from scriptorium.service import Service; "
    "assert Service(Path({home!r})).memory().revision"
)
CLI = "sys.argv = {argv!r}; from scriptorium.cli import main; main()"
PROMPT = json.dumps({"session_id": "bench", "prompt": WORDS, "cwd": "/"}).encode()

__all__ = ["PATHS", "Sample", "measured", "row", "show", "tasks"]

Sample = tuple[float, float]  # wall and CPU seconds


def main() -> None:
    """Measure, print a table, print JSON."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--records", default="1000,100000", help="sizes, separated by commas")
    parser.add_argument("--rounds", type=int, default=11, help="runs of each task")
    parser.add_argument("--home", type=Path, help="a home to search instead of memories made for this")
    options = parser.parse_args()
    folder = Path(tempfile.mkdtemp(prefix="scriptorium-bench-"))
    try:
        homes = (
            {str(options.home): options.home}
            if options.home
            else {f"{size:,}": _built(size, folder) for size in map(int, options.records.split(","))}
        )
        samples = measured(tasks(homes), options.rounds, folder / "bytecode")
    finally:
        shutil.rmtree(folder)
    show("cold", [row(name, found, samples["bare interpreter"]) for name, found in samples.items()])


def _built(size: int, folder: Path) -> Path:
    home = folder / str(size)
    (home / "memory").mkdir(parents=True)
    begin = time.perf_counter()
    memory_of(size, home / "memory").close()
    built = time.perf_counter()
    with Service(home) as service:
        assert service.search(Query(WORDS)).hits
    print(
        f"{size:,} records: built in {built - begin:.1f} s, first search (builds the full text index) in "
        f"{time.perf_counter() - built:.1f} s",
        flush=True,
    )
    return home


def tasks(homes: Mapping[str, Path]) -> Mapping[str, str]:
    """Each task by name, as the code of its process."""
    tasks = {
        "bare interpreter": "",
        "import scriptorium": PATHS + "import scriptorium",
        "--help": PATHS + CLI.format(argv=["scriptorium", "--help"]),
        "search --help": PATHS + CLI.format(argv=["scriptorium", "search", "--help"]),
    }
    for name, home in homes.items():
        asked = ["scriptorium", "--home", str(home), "search", WORDS]
        prompt = ["scriptorium", "--home", str(home), "hook", "prompt"]
        tasks[f"open, {name}"] = PATHS + OPEN.format(home=str(home))
        tasks[f"search, {name}"] = PATHS + SEARCH.format(home=str(home))
        tasks[f"command search, {name}"] = PATHS + CLI.format(argv=asked)
        tasks[f"hook prompt, {name}"] = PATHS + CLI.format(argv=prompt)
    return tasks


def measured(tasks: Mapping[str, str], rounds: int, bytecode: Path) -> Mapping[str, list[Sample]]:
    """Wall and CPU time of each task in processes of its own; the folder keeps their bytecode."""
    surroundings = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    surroundings["PYTHONPYCACHEPREFIX"] = str(bytecode)
    samples: dict[str, list[Sample]] = {name: [] for name in tasks}
    for turn in range(-1, rounds):  # the first turn warms the caches
        for name, code in tasks.items():
            sample = _run(code, surroundings)
            if turn >= 0:
                samples[name].append(sample)
    return samples


def row(name: str, found: list[Sample], bare: list[Sample]) -> dict[str, str | float]:
    """A task beside a bare interpreter, in milliseconds."""
    wall, cpu = (statistics.median(part) * 1000 for part in zip(*found, strict=True))
    floor, least = (statistics.median(part) * 1000 for part in zip(*bare, strict=True))
    return {
        "task": name,
        "wall_ms": round(wall, 1),
        "cpu_ms": round(cpu, 1),
        "least_ms": round(min(sample[0] for sample in found) * 1000, 1),
        "beyond_ms": round(wall - floor, 1),
        "beyond_cpu": round(cpu - least, 1),
        "bare": round(wall / floor, 2),
    }


def show(benchmark: str, rows: list[dict[str, str | float]]) -> None:
    """A table, then a line of JSON."""
    names, widest = list(rows[0]), max(len(str(each["task"])) for each in rows) + 2
    print(f"{names[0]:<{widest}}" + "".join(f"{name:>13}" for name in names[1:]))
    for each in rows:
        print(f"{each['task']:<{widest}}" + "".join(f"{each[name]:>13,}" for name in names[1:]))
    print(json.dumps({"benchmark": benchmark, "rows": rows}))


def _run(code: str, surroundings: Mapping[str, str]) -> Sample:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    begin = time.perf_counter()
    command = [sys.executable, "-c", code]
    subprocess.run(command, input=PROMPT, stdout=subprocess.DEVNULL, check=True, env=surroundings)
    wall = time.perf_counter() - begin
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return wall, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


if __name__ == "__main__":
    main()
