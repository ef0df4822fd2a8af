"""How long a durable `create_record` takes in memories of different sizes, beside plain writing and syncing.

    python benchmarks/transaction.py --records 1000,10000,100000

Prints a table and a line of JSON. Only the ratios of one run are comparable: `size` is the p50 against
that of the smallest memory, `plain` the p50 against writing and syncing the same changed files.
"""

import argparse
import json
import os
import shutil
import statistics
import tempfile
import time
from pathlib import Path

from generate import memory_of, source_of

from scriptorium.workspace import Committed, Memory

Row = dict[str, float | int]


def main() -> None:
    """Measure, print a table, print JSON."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--records", default="1000,10000,100000", help="sizes, separated by commas")
    parser.add_argument("--transactions", type=int, default=60, help="measured transactions a round")
    parser.add_argument("--rounds", type=int, default=3, help="the sizes take turns this often")
    options = parser.parse_args()
    sizes = sorted(int(size) for size in options.records.split(","))
    folder = Path(tempfile.mkdtemp(prefix="scriptorium-bench-"))
    try:
        memories = {size: _built(size, folder / str(size)) for size in sizes}
        times: dict[int, list[tuple[float, float]]] = {size: [] for size in sizes}
        for turn in range(options.rounds):
            for size in sizes:
                times[size] += _measured(memories[size][0], size, options.transactions, turn)
        rows = [_row(size, times[size], memories[size][1]) for size in sizes]
    finally:
        shutil.rmtree(folder)
    smallest = rows[0]["p50_ms"]
    for row in rows:
        row["size"] = round(row["p50_ms"] / smallest, 2)
    _print(rows)


def _built(size: int, root: Path) -> tuple[Memory, float]:
    begin = time.perf_counter()
    memory = memory_of(size, root)
    seconds = time.perf_counter() - begin
    print(f"built {size:,} records in {seconds:.1f} s", flush=True)
    return memory, seconds


def _measured(memory: Memory, size: int, transactions: int, turn: int) -> list[tuple[float, float]]:
    """Pairs of seconds: a transaction, and plain writing and syncing of the files it changed."""
    pairs: list[tuple[float, float]] = []
    for number in range(-5, transactions):  # the first five warm up
        ordinal = turn * (transactions + 5) + number + 5
        before = memory.revision
        begin = time.perf_counter()
        result = memory.update(_request(size, ordinal))
        took = time.perf_counter() - begin
        assert isinstance(result, Committed), result
        plain = _plain(memory, before, result.revision)
        if number >= 0:
            pairs.append((took, plain))
    return pairs


def _request(size: int, ordinal: int) -> dict[str, object]:
    record = (ordinal * 7919) % size
    topic = record // 50
    return {
        "memory_changes": [
            {
                "op": "create_record",
                "content": f"A new fact, number {ordinal}, was settled in a memory of {size} records.",
                "time": f"2026-{ordinal % 12 + 1:02}-{ordinal % 28 + 1:02}",
                "sources": [{"source": source_of(record), "label": f"message {record}"}],
                "destination": {
                    "topic_path": f"topics/area-{topic // 40:03}/subject-{topic:05}.md",
                    "headings": [f"Subject {topic}"],
                    "position": "end",
                },
            }
        ]
    }


def _plain(memory: Memory, before: str | None, after: str) -> float:
    """Seconds to write and sync the files that differ between two commits, with plain system calls."""
    changes = memory.history.changes(before, after)
    changed = [memory.history.blob(change.new) for change in changes if change.new]
    with tempfile.TemporaryDirectory(dir=memory.layout.runtime) as folder:
        begin = time.perf_counter()
        for number, data in enumerate(changed):
            descriptor = os.open(f"{folder}/{number}", os.O_WRONLY | os.O_CREAT, 0o600)
            os.write(descriptor, data)
            os.fsync(descriptor)
            os.close(descriptor)
        return time.perf_counter() - begin


def _row(size: int, pairs: list[tuple[float, float]], built: float) -> Row:
    took, plain = [a for a, _ in pairs], [b for _, b in pairs]
    p50, floor = statistics.median(took), statistics.median(plain)
    return {
        "records": size,
        "p50_ms": round(p50 * 1000, 2),
        "p95_ms": round(statistics.quantiles(took, n=20)[-1] * 1000, 2),
        "plain_p50_ms": round(floor * 1000, 2),
        "plain": round(p50 / floor, 2),
        "build_records_s": round(size / built),
    }


def _print(rows: list[Row]) -> None:
    names = list(rows[0])
    print("  ".join(f"{name:>15}" for name in names))
    for row in rows:
        print("  ".join(f"{row[name]:>15,}" for name in names))
    print(json.dumps({"benchmark": "transaction", "rows": rows}))


if __name__ == "__main__":
    main()
