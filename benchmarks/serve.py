"""What `scriptorium serve` answers in a second, and how long one waits, beside reading the files with grep.

    python benchmarks/serve.py --records 10000 --clients 50 --seconds 60

First each route by one client; `grep` is how often grep over the topics would fit into the p50 of the route.
Then all clients at once, reading and writing (one request in ten writes), for so many seconds. Prints tables
and a line of JSON. Only the ratios of one run are comparable. At the end memory must be whole, no answer may
have been a fault of the program, and every write that was acknowledged must be there.
"""

import argparse
import http.client
import json
import os
import random
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from itertools import count
from pathlib import Path

from attrs import define, field
from generate import memory_of

from scriptorium.service import Service

API = "/api/memory"
SEARCHES = ("greenhouse heater", "oak oil inspection", "violin rehearsal harbour", "winter coat passport")
Row = dict[str, str | float | int]


@define
class Client:
    """One client with one connection, which it keeps."""

    address: str
    token: str
    connection: http.client.HTTPConnection = field(init=False)

    def __attrs_post_init__(self) -> None:
        self.connection = http.client.HTTPConnection(self.address, timeout=120)

    def ask(self, method: str, path: str, value: object = None) -> tuple[int, float, bytes]:
        """Status, seconds, body."""
        headers = {"Authorization": f"Bearer {self.token}", "Content-Type": "application/json"}
        body = None if value is None else json.dumps(value).encode()
        begin = time.perf_counter()
        self.connection.request(method, f"{API}{path}", body, headers)
        answer = self.connection.getresponse()
        data = answer.read()
        return answer.status, time.perf_counter() - begin, data


def main() -> None:
    """Measure, print tables, print JSON."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--records", type=int, default=10_000)
    parser.add_argument("--requests", type=int, default=200, help="of each route by one client")
    parser.add_argument("--clients", type=int, default=50)
    parser.add_argument("--seconds", type=float, default=60)
    options = parser.parse_args()
    home = Path(tempfile.mkdtemp(prefix="scriptorium-bench-"))
    try:
        memory_of(options.records, home / "memory").close()
        with Service(home) as service:
            service.index()
        with _server(home) as (address, token):
            rows = _alone(home, Client(address, token), options.requests)
            crowd, words = _together(address, token, options.clients, options.seconds)
        crowd["lost"] = len(words - _kept(home, len(words) + 100))
    finally:
        shutil.rmtree(home)
    _print(rows)
    _print([crowd])
    print(json.dumps({"benchmark": "serve", "records": options.records, "alone": rows, "together": crowd}))
    assert not crowd["lost"], "a write that was acknowledged is not there"
    assert not crowd["faults"], "an answer was a fault of the program"


@contextmanager
def _server(home: Path) -> Iterator[tuple[str, str]]:
    command = [sys.executable, "-m", "scriptorium", "--home", str(home), "--json", "serve", "--port", "0"]
    child = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        assert child.stdout is not None
        lines = ""
        while not lines.rstrip().endswith("}"):
            lines += child.stdout.readline()
        said = json.loads(lines)
        yield said["address"].removeprefix("http://"), said["token"]
        print(f"the server took {_resident(child.pid):.0f} MB", flush=True)
    finally:
        child.terminate()
        child.communicate()


def _resident(process: int) -> float:
    """Megabytes that a process holds, 0 where the system does not say."""
    path = Path(f"/proc/{process}/statm")
    return int(path.read_text().split()[1]) * os.sysconf("SC_PAGESIZE") / 1e6 if path.exists() else 0.0


def _alone(home: Path, client: Client, requests: int) -> list[Row]:
    grep = statistics.median(_grep(home, SEARCHES[number % 4].split()[0]) for number in range(20))
    numbers = count()
    routes: dict[str, Callable[[int], tuple[str, str, object]]] = {
        "search": lambda n: ("GET", f"/search?q={SEARCHES[n % 4].replace(' ', '+')}", None),
        "context": lambda n: ("GET", f"/context?q={SEARCHES[n % 4].replace(' ', '+')}", None),
        "record": lambda n: ("GET", f"/records/b{n * 37:07x}", None),
        "why": lambda n: ("GET", f"/why/b{n * 37:07x}", None),
        "topic": lambda n: ("GET", f"/topics/area-000/subject-{n % 40:05}.md", None),
        "topics": lambda n: ("GET", "/topics", None),
        "recent": lambda n: ("GET", "/recent", None),
        "timeline": lambda n: ("GET", f"/timeline/2021-{n % 12 + 1:02}-{n % 28 + 1:02}", None),
        "core": lambda n: ("GET", "/core", None),
        "history": lambda n: ("GET", "/history", None),
        "remember": lambda n: ("POST", "/remember", {"text": f"Matter {next(numbers)} is settled alone."}),
    }
    rows: list[Row] = []
    for name, asked in routes.items():
        several = max(requests // 4, 20) if name == "remember" else requests
        times = []
        for number in range(-5, several):  # the first five warm up
            status, took, data = client.ask(*asked(max(number, 0)))
            assert status == 200, (name, status, data)
            if number >= 0:
                times.append(took)
        rows.append({"route": name, **_figures(times), "grep": round(statistics.median(times) / grep, 2)})
    rows.append({"route": "(grep)", **_figures([grep] * 2), "grep": 1.0})
    return rows


def _grep(home: Path, word: str) -> float:
    begin = time.perf_counter()
    command = ["grep", "-r", "-i", "-F", word, str(home / "memory" / "topics")]
    subprocess.run(command, stdout=subprocess.DEVNULL, check=False)
    return time.perf_counter() - begin


def _together(address: str, token: str, clients: int, seconds: float) -> tuple[Row, set[str]]:
    """Everybody at once; what was acknowledged as written."""
    end = time.perf_counter() + seconds
    with ThreadPoolExecutor(clients) as pool:
        done = pool.map(lambda number: list(_one(Client(address, token), number, end)), range(clients))
        answers = [each for found in done for each in found]
    statuses = Counter(status for status, _, _ in answers)
    times = [took for _, took, words in answers if not words]
    writes = [took for _, took, words in answers if words]
    row: Row = {
        "clients": clients,
        **_figures(times),
        "per_second": round(len(answers) / seconds, 1),
        "writes": len(writes),
        "write_p99_ms": _figures(writes)["p99_ms"],
        "refused": statuses[409] + statuses[503],
        "faults": sum(number for status, number in statuses.items() if status not in (200, 409, 503)),
    }
    return row, {words for status, _, words in answers if words and status == 200}


def _one(client: Client, number: int, end: float) -> Iterator[tuple[int, float, str]]:
    chance = random.Random(number)
    for turn in count():
        if time.perf_counter() >= end:
            return
        words = f"Client {number} settled matter {turn}." if chance.random() < 0.1 else ""
        if words:
            value = {"text": words, "topic": f"clients/group-{number % 10}"}
            status, took, _ = client.ask("POST", "/remember", value)
        else:
            status, took, _ = client.ask("GET", _question(chance))
        yield status, took, words


def _question(chance: random.Random) -> str:
    block = f"b{chance.randrange(10_000):07x}"
    asked = chance.choice(SEARCHES).replace(" ", "+")
    return chance.choice(
        [f"/search?q={asked}", f"/records/{block}", f"/why/{block}", "/recent?limit=10", "/core"]
    )


def _kept(home: Path, most: int) -> set[str]:
    with Service(home) as service:
        assert service.verify().holds, "memory is not whole"
        return {row.record.content for row in service.recent(most).rows}


def _figures(times: list[float]) -> Row:
    if len(times) < 2:
        return {"requests": len(times), "per_second": 0.0, "p50_ms": 0.0, "p99_ms": 0.0}
    return {
        "requests": len(times),
        "per_second": round(len(times) / sum(times), 1),
        "p50_ms": round(statistics.median(times) * 1000, 2),
        "p99_ms": round(statistics.quantiles(times, n=100)[-1] * 1000, 2),
    }


def _print(rows: list[Row]) -> None:
    names = list(rows[0])
    print("  ".join(f"{name:>12}" for name in names))
    for row in rows:
        print(
            "  ".join(
                f"{row[name]:>12,}" if row[name] != str(row[name]) else f"{row[name]:>12}" for name in names
            )
        )
    print()


if __name__ == "__main__":
    main()
