"""How fast a memory is sealed, proved and unsealed, beside `tar` and a plain copy of the same folder.

    python benchmarks/seal.py --records 20000

Prints a table and a line of JSON. MB are of the memory directory without its indexes (what `tar` and the copy
take). The second sealing follows one new record, the third nothing; a memory of a tenth of the size shows
that they follow the change and not the memory.
"""

import argparse
import json
import os
import shutil
import subprocess
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from generate import memory_of

from scriptorium.service import Service

Row = dict[str, Any]


def main() -> None:
    """Measure, print a table, print JSON."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--records", type=int, default=20_000, help="records of the larger memory")
    parser.add_argument("--commits", type=int, default=30, help="commits of single records")
    options = parser.parse_args()
    folder = Path(tempfile.mkdtemp(prefix="scriptorium-bench-"))
    try:
        rows = [
            row
            for size in (options.records // 10, options.records)
            for row in _measured(size, options.commits, folder / str(size))
        ]
    finally:
        shutil.rmtree(folder)
    print(f"{'records':>9}  {'what':<28} {'seconds':>8} {'MB/s':>8}  objects")
    for row in rows:
        names = f"{row['records']:>9,}  {row['what']:<28}"
        print(f"{names} {row['seconds']:>8.2f} {row['mb_s']:>8.1f}  {row['objects']}")
    print(json.dumps({"benchmark": "seal", "rows": rows}))


def _measured(size: int, commits: int, folder: Path) -> list[Row]:
    home, library = folder / "home", folder / "library"
    memory_of(size, home / "memory").close()
    rows = list[Row]()
    with Service(home) as service:
        for number in range(commits):
            service.remember(f"Word {number} was said on purpose.", topic="words")
        while not service.whole().history.consolidate(force=True, wait=True):
            time.sleep(0.1)  # one that runs already: packs would go while they are copied
        bytes_ = _bytes(home / "memory")

        def note(what: str, call: Callable[[], int]) -> None:
            begin = time.perf_counter()
            objects = call()
            took = time.perf_counter() - begin
            row: Row = {"records": size, "mb": bytes_ / 1e6, "what": what, "seconds": took}
            rows.append(row | {"mb_s": bytes_ / 1e6 / took, "objects": objects})

        tar, plain = folder / "plain.tar", folder / "plain"
        note("tar, then sync", lambda: _tarred(home / "memory", tar))
        note("plain copy, then sync", lambda: _copied(home / "memory", plain))
        note("seal, first", lambda: service.seal(str(library)).new_objects)
        service.remember("One word more.", topic="words")
        note("seal, one record later", lambda: service.seal(str(library)).new_objects)
        note("seal, nothing new", lambda: service.seal(str(library)).new_objects)
        note("verify", lambda: service.prove(str(library)).objects)
        note("copy", lambda: service.copy_sealed(str(library), str(folder / "copy")).objects)
        note("unseal", lambda: service.unseal(str(library), folder / "new").objects)
    return rows


def _bytes(memory: Path) -> int:
    return sum(path.stat().st_size for path in _kept(memory))


def _kept(memory: Path) -> list[Path]:
    runtime = memory / ".scriptorium"
    return [p for p in memory.rglob("*") if p.is_file() and not p.is_relative_to(runtime)]


def _tarred(memory: Path, target: Path) -> int:
    subprocess.run(["tar", "--exclude=.scriptorium", "-cf", target, "-C", memory, "."], check=True)
    _sync(target)
    return 1


def _copied(memory: Path, target: Path) -> int:
    shutil.copytree(memory, target, ignore=shutil.ignore_patterns(".scriptorium"))
    files = _kept(target)
    for path in files:
        _sync(path)
    return len(files)


def _sync(path: Path) -> None:
    descriptor = os.open(path, os.O_RDONLY)
    os.fsync(descriptor)
    os.close(descriptor)


if __name__ == "__main__":
    main()
