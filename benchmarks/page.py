"""How long the first view of the page takes at a size of memory, beside the smallest answer of the server.

    python benchmarks/page.py --records 1000,10000

`first_view_ms` is the median of the list of topics, which is what one sees first, `after_change_ms` that of
the first one after a commit, when the list is made anew; `times` is the first by an answer without memory.
Only the ratios of one run are comparable. Prints a line of JSON for each size.
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
from scriptorium.web.pages.shipped import version
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
            least = _median(lambda: _asked(server, f"/memory/assets/{version()}/icon.svg"))
            first = _median(lambda: _asked(server, "/memory/topics"))
            changed = _median(lambda: _asked(server, "/memory/topics"), lambda: _remembered(server))
        finally:
            server.end()
            running.join()
    views = {"first_view_ms": first, "after_change_ms": changed, "least_ms": least}
    return {"records": records, **views, "times": round(first / least, 1)}


def _median(work: Callable[[], None], before: Callable[[], None] = lambda: None) -> float:
    """The median of some rounds in milliseconds, without what is done before each."""
    times = list[float]()
    for _ in range(ROUNDS):
        before()
        begin = time.perf_counter()
        work()
        times.append(time.perf_counter() - begin)
    return round(statistics.median(times) * 1000, 2)


def _remembered(server: Server) -> None:
    body = json.dumps({"text": f"At {time.time_ns()} nothing was new."}).encode()
    _asked(server, "/api/memory/remember", body)


def _asked(server: Server, path: str, body: bytes | None = None) -> None:
    connection = http.client.HTTPConnection(server.address.removeprefix("http://"), timeout=120)
    headers = {"Authorization": f"Bearer {server.token}", "Content-Type": "application/json"}
    connection.request("GET" if body is None else "POST", path, body, headers)
    answer = connection.getresponse()
    answer.read()
    connection.close()
    assert answer.status == 200, answer.status


if __name__ == "__main__":
    main()
