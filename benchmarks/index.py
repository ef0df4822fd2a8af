"""What the index of facts costs: the first build, one topic that changes, and opening in a new process.

    python benchmarks/index.py --records 1000,100000

Each memory has as many archived messages as records, and 100 records a topic.
"""

import argparse
import json
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from hashlib import sha1
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT / part) for part in ("core", "shell", "tests")]

from histories import Change, DictHistory  # noqa: E402
from scriptorium.index import Index  # noqa: E402
from scriptorium_core.names import anchor  # noqa: E402

PER_TOPIC = 100
_COLD = """
import sys, time
sys.path[:0] = {paths!r}
start = time.perf_counter()
import scriptorium.index
imported = time.perf_counter()
from pathlib import Path
index = scriptorium.index.Index.open(Path({path!r}))
opened = time.perf_counter()
assert index.facts().records[{block!r}].record.content
print(imported - start, opened - imported, time.perf_counter() - opened)
"""


class OneChange(DictHistory):
    """A history that knows what its last commit changed, as a comparison of git trees would."""

    changed: tuple[str, ...] = ()

    def commit(self, parent: str, files: Mapping[str, bytes], path: str, created: tuple[str, ...]) -> str:
        """A commit that changed the file at `path`."""
        self.changed = (path,)
        return self.add(parent, files, created)

    def changes(self, old: str | None, new: str | None) -> Iterator[Change]:
        """The differing paths."""
        if old is None or new is None:
            return super().changes(old, new)
        digests = (sha1(b"blob " + self.commits[new].files[path]).hexdigest() for path in self.changed)
        return (Change(path, None, digest) for path, digest in zip(self.changed, digests, strict=True))


def topic(number: int, records: int) -> bytes:
    """A topic of `records` records, each with its own definition, a fifth of them with a link."""
    lines = [f"# Topic {number}\n"]
    for place in range(records):
        block = _block(number, place)
        link = f" See [it](t{number}.md#^{_block(number, place - 1)})." if place % 5 == 4 else ""
        source = f"chat/s{number}/m{place}"
        lines.append(
            f"\nIn week {place} the group of {number} met at the harbour and agreed on the route.{link}"
            f"[^e-{block}] ^{block}\n\n[^e-{block}]: Time: `2026-{place % 12 + 1:02}-{place % 28 + 1:02}`; "
            f"Sources: [turn {place}](../sources/chat/_v2/s{number}.md#{anchor(source)})\n"
        )
    return "".join(lines).encode()


def archive(number: int, frames: int) -> bytes:
    """An archive of `frames` short messages."""
    parts = ["<!-- openprogram-source-archive:v2 -->\n"]
    for place in range(frames):
        source = f"chat/s{number}/m{place}"
        parts.append(
            f'\n<a id="{anchor(source)}"></a>\n<!-- source-id:{source} -->\n<!-- record-lines:1 -->\n'
            f"[2026-03-01] Bo: We meet at the harbour in week {place} and take the long route.\n"
        )
    return "".join(parts).encode()


def measure(records: int, repeats: int = 30) -> dict[str, float]:
    """The figures for a memory of `records` records; times in milliseconds."""
    history, files = OneChange(), dict(_files(records))
    topics = records // PER_TOPIC
    head = history.add(
        None, files, tuple(_block(n, place) for n in range(topics) for place in range(PER_TOPIC))
    )
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "index.sqlite3"
        index = Index.open(path)
        built = _seconds(index, history, head)
        updates: list[float] = []
        for turn in range(repeats):
            number, place = turn % topics, PER_TOPIC + turn // topics
            name = f"topics/t{number}.md"
            files[name] = topic(number, place + 1)
            head = history.commit(head, files, name, (_block(number, place),))
            updates.append(_seconds(index, history, head))
        index.close()
        cold = [_cold(path) for _ in range(5)]
        size = path.stat().st_size
    opening = zip(("import_ms", "open_ms", "lookup_ms"), zip(*cold, strict=True), strict=True)
    return {
        "records": records,
        "build_records_per_second": records / built,
        "bytes_per_record": size / records,
        "update_p50_ms": 1e3 * statistics.median(updates),
        **{name: 1e3 * statistics.median(times) for name, times in opening},
    }


def main() -> None:
    """Print a table, then JSON."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--records", default="1000,100000")
    results = [measure(int(size)) for size in parser.parse_args().records.split(",")]
    for name in results[0]:
        print(f"{name:28}" + "".join(f"{result[name]:14.2f}" for result in results))
    print(json.dumps(results))


def _seconds(index: Index, history: DictHistory, head: str) -> float:
    start = time.perf_counter()
    index.follow(history, head)
    return time.perf_counter() - start


def _files(records: int) -> Iterator[tuple[str, bytes]]:
    for number in range(records // PER_TOPIC):
        yield f"topics/t{number}.md", topic(number, PER_TOPIC)
        yield f"sources/chat/_v2/s{number}.md", archive(number, PER_TOPIC)


def _cold(path: Path) -> tuple[float, ...]:
    paths = [str(ROOT / "core"), str(ROOT / "shell")]
    code = _COLD.format(paths=paths, path=str(path), block=_block(0, 7))
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return tuple(map(float, done.stdout.split()))


def _block(number: int, place: int) -> str:
    return sha1(f"{number} {place}".encode()).hexdigest()[:8]


if __name__ == "__main__":
    main()
