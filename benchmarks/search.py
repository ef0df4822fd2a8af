"""What searching costs at 1,000 to 1,000,000 records: the index, a new process, warm answers, memory.

    python benchmarks/search.py                                # 1,000, 10,000 and 100,000 records
    python benchmarks/search.py --records 1000000              # takes a quarter of an hour and 2 GB of disk
    python benchmarks/search.py --home FOLDER                  # a home that is there

Prints tables and a line of JSON each. A memory has as many archived messages as records; each is written once
in English and once, at a tenth of the size, in Chinese, Japanese and Korean. `build` is the first search of
memories whose facts are known, in documents (records and messages) a second; `follow` the first search after
ten records were saved one by one. Warm queries are asked by one process that does nothing else: `p50`, `p99`
and `most` in milliseconds, `cpu` of the processor, `memory` its greatest size in MB. New processes are
measured as `cold.py` does it.
"""

import argparse
import json
import random
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

from cold import PATHS, measured, row, show, tasks
from generate import Say, memory_of, sentence

from scriptorium.service import Service
from scriptorium_core.recall import Query

ENGLISH = {
    "one common word": ["violin", "backup", "harbour", "saffron"],
    "two words": ["saffron recipe", "dentist invoice", "query latency", "larch deck"],
    "a rare word": ["number {n}", "{n}"],
    "a question": [
        "When was the violin rehearsal at the harbour settled?",
        "what about the greenhouse heater number {n}",
    ],
    "a date": ["2021-03-14", "backup March 2021"],
    "no such word": ["zeppelin", "quagga umbrella"],
    "only common words": ["the", "what is it about"],
    "signs": ["100%_done", '"', "NEAR(*)"],
}
CJK = {
    "one character": ["备", "鍵", "말"],
    "two characters": ["设备", "会議", "여행"],
    "more characters": ["しりとり", "끝말잇기", "网络存储设备", "図書館の鍵"],
    "with a number": ["设备 {n}", "会議 {n}"],
}
_CJK_PARTS = (
    "网络存储设备", "会議の予定", "図書館の鍵", "しりとり", "끝말잇기", "여행 계획", "数据备份", "小提琴排练",
    "温室の暖房", "牙医预约", "자전거 수리", "港口渡轮", "旅券の更新", "서버 점검",
)  # fmt: skip
_ASK = PATHS + (
    "import json, resource, time\n"
    "from pathlib import Path\n"
    "from scriptorium.service import Service\n"
    "from scriptorium_core.recall import Query\n"
    "service, times = Service(Path({home!r})), []\n"
    "for kind, text in [(None, 'warm up'), *json.loads(sys.stdin.read())]:\n"
    "    begin, used = time.perf_counter(), time.process_time()\n"
    "    service.search(Query(text))\n"
    "    waited, used = time.perf_counter() - begin, time.process_time() - used\n"
    "    times.append((kind, 1000 * waited, 1000 * used))\n"
    "status = Path('/proc/self/status')\n"
    "lines = status.read_text().splitlines() if status.exists() else []\n"
    # What `getrusage` gives is at least what the process that started this one had.
    "most = [int(line.split()[1]) for line in lines if line.startswith('VmHWM')]\n"
    "most = most or [resource.getrusage(resource.RUSAGE_SELF).ru_maxrss]\n"
    "print(json.dumps([times[1:], most[0] / 1024]))\n"
)

Figures = dict[str, str | float]


def main() -> None:
    """Measure, print tables and JSON."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--records", default="1000,10000,100000", help="sizes, separated by commas")
    parser.add_argument("--queries", type=int, default=600, help="warm queries of each memory")
    parser.add_argument("--rounds", type=int, default=7, help="runs of each new process")
    parser.add_argument("--home", type=Path, help="a home to search instead of memories made for this")
    options = parser.parse_args()
    folder = Path(tempfile.mkdtemp(prefix="scriptorium-bench-"))
    try:
        homes = {str(options.home): options.home} if options.home else {}
        sizes = [] if options.home else [int(size) for size in options.records.split(",")]
        made: list[Figures] = []
        warm: list[Figures] = []
        for size in sizes:
            home, figures = _built(size, folder / str(size))
            made.append(figures)
            homes[f"{size:,}"] = home
        for name, home in homes.items():
            warm += _warm(name, home, ENGLISH, options.queries)
        for size in sizes:
            cjk, figures = _built(max(size // 10, 1000), folder / f"cjk-{size}", _cjk)
            made.append({**figures, "task": f"{figures['task']} CJK"})
            warm += _warm(f"{figures['task']} CJK", cjk, CJK, options.queries)
        if made:
            show("search, building", made)
        show("search, warm", warm)
        samples = measured(tasks(homes), options.rounds, folder / "bytecode")
        show("search, new process", [row(*each, samples["bare interpreter"]) for each in samples.items()])
    finally:
        shutil.rmtree(folder)


def _built(size: int, home: Path, say: Say = sentence) -> tuple[Path, Figures]:
    """A home with a memory, and what its index cost."""
    (home / "memory").mkdir(parents=True)
    memory_of(size, home / "memory", say).close()
    with Service(home) as service:
        built = _seconds(service, "first")
        for number in range(10):
            service.remember(f"Newly saved is the zither of {number}.")
        followed = _seconds(service, "zither")
        runtime = service.memory().layout.fulltext.parent
    figures: Figures = {
        "task": f"{size:,}",
        "build_s": round(built, 2),
        "documents/s": round(2 * size / built),
        "follow_ms": round(1000 * followed, 1),
        "fulltext_MB": round(_megabytes(runtime / "fulltext"), 1),
        "facts_MB": round(sum(map(_megabytes, runtime.glob("index.sqlite3*"))), 1),
    }
    return home, figures


def _warm(name: str, home: Path, kinds: Mapping[str, Sequence[str]], queries: int) -> list[Figures]:
    """How long a process waits for its answers that asks one after the other."""
    chance = random.Random(7)
    each = max(queries // len(kinds), 1)
    asked = [
        (kind, chance.choice(texts).format(n=chance.randrange(1000)))
        for kind, texts in kinds.items()
        for _ in range(each)
    ]
    chance.shuffle(asked)
    done = subprocess.run(
        [sys.executable, "-c", _ASK.format(home=str(home))],
        input=json.dumps(asked),
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    times, memory = json.loads(done.stdout)
    rows = [
        _row(f"{name}, {kind}", [each[1:] for each in times if each[0] == kind], memory) for kind in kinds
    ]
    return [*rows, _row(f"{name}, all", [each[1:] for each in times], memory)]


def _row(name: str, found: list[list[float]], memory: float) -> Figures:
    times, used = (sorted(part) for part in zip(*found, strict=True))
    cuts, cpu = (statistics.quantiles(each, n=100, method="inclusive") for each in (times, used))
    return {
        "task": name,
        "queries": len(times),
        "p50_ms": round(cuts[49], 2),
        "p99_ms": round(cuts[98], 2),
        "most_ms": round(times[-1], 2),
        "cpu_p50_ms": round(cpu[49], 2),
        "cpu_p99_ms": round(cpu[98], 2),
        "memory_MB": round(memory),
    }


def _seconds(service: Service, text: str) -> float:
    begin = time.perf_counter()
    service.search(Query(text))
    return time.perf_counter() - begin


def _megabytes(path: Path) -> float:
    files = [path] if path.is_file() else [each for each in path.rglob("*") if each.is_file()]
    return sum(each.stat().st_size for each in files) / 1e6


def _cjk(number: int) -> str:
    parts = [_CJK_PARTS[(number * 5 + place * place * 3) % len(_CJK_PARTS)] for place in range(4)]
    return f"{'、'.join(parts)} {number}。"


if __name__ == "__main__":
    main()
