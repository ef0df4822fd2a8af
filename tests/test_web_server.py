"""The server as a process: its address, its end by a signal, and fifty clients at once."""

import http.client
import json
import os
import re
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import pytest
from attrs import frozen

from scriptorium.service import Service
from web_homes import API, Client

ROOT = Path(__file__).resolve().parent.parent
CLIENTS = 50


@frozen
class Process:
    """A server that runs, and the first line that it printed in JSON."""

    child: "subprocess.Popen[str]"
    client: Client
    page: str

    def end(self, number: int = signal.SIGTERM) -> tuple[int, str]:
        """Its exit code after a signal, and what it still printed."""
        self.child.send_signal(number)
        out, err = self.child.communicate(timeout=90)
        return self.child.returncode, out + err


def command(home: Path, *more: str) -> list[str]:
    return [sys.executable, "-m", "scriptorium", "--home", str(home), *more]


def surroundings() -> dict[str, str]:
    paths = os.pathsep.join(str(ROOT / each) for each in ("core", "shell"))
    return {**os.environ, "PYTHONPATH": paths}


@contextmanager
def running(home: Path) -> Iterator[Process]:
    """`scriptorium serve` of a home, on a free port."""
    child = subprocess.Popen(
        command(home, "--json", "serve", "--port", "0"),
        env=surroundings(),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        assert child.stdout is not None
        lines = ""
        while not lines.rstrip().endswith("}"):
            line = child.stdout.readline()
            assert line, child.communicate()
            lines += line
        said = json.loads(lines)
        host, port = said["address"].removeprefix("http://").split(":")
        yield Process(child, Client(host, int(port), said["token"]), said["page"])
    finally:
        child.kill()
        child.communicate()


def kept(home: Path) -> set[str]:
    """The words of all records of a home."""
    with Service(home) as service:
        assert service.verify().holds
        return {row.record.content for row in service.recent(100_000).rows}


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_it_ends_by_a_signal_and_says_nothing_of_its_token(tmp_path: Path, number: int) -> None:
    with running(tmp_path / "home") as process:
        assert process.page.endswith(f"/memory?token={process.client.token}")
        target = process.page.partition(str(process.client.port))[2]
        opened = process.client.ask("GET", target, authorization="")
        # The token goes into a cookie at once, and out of the address.
        assert (opened.status, "token" in opened.headers["location"]) == (303, False)
        assert process.client.get("/nothing").status == 404
        code, rest = process.end(number)
    assert code == 0
    assert process.client.token not in rest
    assert "Traceback" not in rest


def test_the_address_is_printed_once_with_the_token_of_this_run(tmp_path: Path) -> None:
    tokens = set()
    for _ in range(2):
        child = subprocess.Popen(
            command(tmp_path, "serve", "--port", "0"), env=surroundings(), stdout=subprocess.PIPE, text=True
        )
        assert child.stdout is not None
        head = [child.stdout.readline() for _ in range(4)]
        (address,) = re.findall(r"http://127\.0\.0\.1:\d+/memory\?token=\S+", "".join(head))
        child.send_signal(signal.SIGTERM)
        rest = child.communicate(timeout=90)[0]
        token = address.partition("=")[2]
        assert "".join([*head, rest]).count(token) == 1
        assert rest.endswith("what was committed stays\n")
        tokens.add(token)
    assert len(tokens) == 2
    assert not [path for path in tmp_path.rglob("*") if path.is_file()]


def test_a_request_that_was_begun_is_answered_before_the_end(tmp_path: Path) -> None:
    body = json.dumps({"text": "The ferry leaves at nine."}).encode()
    with running(tmp_path / "home") as process:
        connection = http.client.HTTPConnection(process.client.host, process.client.port, timeout=60)
        connection.putrequest("POST", f"{API}/remember")
        connection.putheader("Authorization", f"Bearer {process.client.token}")
        connection.putheader("Content-Type", "application/json")
        connection.putheader("Content-Length", str(len(body)))
        connection.endheaders(body[:10])
        time.sleep(0.5)  # it has the head by now
        process.child.send_signal(signal.SIGTERM)
        time.sleep(0.5)
        connection.send(body[10:])
        answer = connection.getresponse()
        assert (answer.status, json.loads(answer.read())["known"]) == (200, False)
        with pytest.raises(ConnectionRefusedError):
            process.client.get("/status")
        assert process.child.wait(90) == 0
    assert kept(tmp_path / "home") == {"The ferry leaves at nine."}


def test_fifty_clients_at_once_lose_no_write_and_meet_no_fault(tmp_path: Path) -> None:
    def one(client: Client, number: int) -> Iterator[tuple[int, str]]:
        words = f"Client {number} settled the matter."
        yield client.post("/remember", {"text": words, "topic": f"clients/{number % 5}"}).status, words
        for target in (f"/search?q=client+{number}", "/core", "/recent?limit=5"):
            yield client.get(target).status, ""

    with running(tmp_path / "home") as process:
        process.client.post("/remember", {"text": "Be brief.", "topic": "core"})
        with ThreadPoolExecutor(CLIENTS) as pool:
            rounds = list(pool.map(lambda number: list(one(process.client, number)), range(CLIENTS)))
        code, said = process.end()
    found = [each for answers in rounds for each in answers]
    statuses = Counter(status for status, _ in found)
    assert set(statuses) <= {200, 409, 503}, statuses  # 409: the lock was waited for in vain
    assert statuses[200] > 0.9 * len(found), statuses
    acknowledged = {words for status, words in found if status == 200 and words}
    assert acknowledged <= kept(tmp_path / "home")
    assert (code, "Traceback" in said) == (0, False)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("--host", "0.0.0.0"), "tunnel"),
        (("--host", "example.org"), "tunnel"),
        (("--port", "70000"), "70000"),
    ],
)
def test_what_it_does_not_serve_on_is_said(tmp_path: Path, options: tuple[str, ...], words: str) -> None:
    done = subprocess.run(
        command(tmp_path, "serve", *options), env=surroundings(), capture_output=True, text=True, check=False
    )
    assert done.returncode == 2
    assert words in done.stderr


def test_without_the_extra_it_says_what_to_install(tmp_path: Path) -> None:
    (tmp_path / "fastapi.py").write_text("raise ModuleNotFoundError('no', name='fastapi')\n")
    paths = os.pathsep.join([str(tmp_path), surroundings()["PYTHONPATH"]])
    done = subprocess.run(
        command(tmp_path, "serve"),
        env={**surroundings(), "PYTHONPATH": paths},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2
    assert "scriptorium-memory[serve]" in done.stderr
