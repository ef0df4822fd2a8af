"""How long the first view of the page takes at a size of memory, beside the smallest answer of the server.

    python benchmarks/page.py --records 1000,10000

`times` is the median of the list of topics (which is what one sees first) by that of an answer without
memory; only the ratios of one run are comparable. Prints a line of JSON for each size.
"""

import argparse
import http.client
import json
import statistics
import tempfile
import threading
import time
from collections.abc import Callable
from pathlib import Path

from generate import memory_of

from scriptorium.serving import Services
from scriptorium.web.listening import bound
from scriptorium.web.server import Server

ROUNDS = 15


def main() -> None:
    """Measure each size, and print what came of it."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--records", default="1000,10000", help="sizes, separated by commas")
    for size in map(int, parser.parse_args().records.split(",")):
        print(json.dumps(measured(size)))


def measured(records: int) -> dict[str, float | int]:
    """The medians of one size, in milliseconds."""
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        memory_of(records, home / "memory").close()
        server = Server(Services(home), bound("127.0.0.1", 0))
        begun = threading.Event()
        running = threading.Thread(target=server.run, args=(begun.set,))
        running.start()
        try:
            begun.wait(60)
            least = _median(lambda: _asked(server, "/memory/assets/icon.svg"))
            first = _median(lambda: _asked(server, "/memory/topics"))
        finally:
            server.end()
            running.join()
    return {"records": records, "first_view_ms": first, "least_ms": least, "times": round(first / least, 1)}


def _median(work: Callable[[], None]) -> float:
    times = list[float]()
    for _ in range(ROUNDS):
        begin = time.perf_counter()
        work()
        times.append(time.perf_counter() - begin)
    return round(statistics.median(times) * 1000, 2)


def _asked(server: Server, path: str) -> None:
    connection = http.client.HTTPConnection(server.address.removeprefix("http://"), timeout=120)
    connection.request("GET", path, headers={"Authorization": f"Bearer {server.token}"})
    answer = connection.getresponse()
    answer.read()
    connection.close()
    assert answer.status == 200, answer.status


if __name__ == "__main__":
    main()
