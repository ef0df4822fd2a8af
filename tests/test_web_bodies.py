"""Bodies are bounded in size, depth and time, and what goes wrong inside the program tells nothing."""

import asyncio
import logging
import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from starlette.types import Message, Receive, Scope, Send

from scriptorium.refused import Refused
from scriptorium.service import Service
from scriptorium.web import bodies, protocol
from scriptorium.web.access import LOOPBACK, Access
from scriptorium.web.guard import Guard
from scriptorium.web.listening import bound
from web_homes import API, Client, served

JSON = {"content_type": "application/json"}
TARGET = f"{API}/changes"
POST = f"POST {TARGET} HTTP/1.1\r\nAUTH\r\nContent-Type: application/json\r\n"


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Client]:
    with served(tmp_path_factory.mktemp("home")) as found:
        yield found


def raw(client: Client, head: str, *chunks: bytes) -> bytes:
    """What comes back for bytes as they are, until the server closes."""
    head = head.replace("AUTH", f"Host: 127.0.0.1\r\nAuthorization: Bearer {client.token}")
    with socket.create_connection((client.host, client.port), timeout=30) as connection:
        connection.sendall(head.encode())
        got = b""
        try:
            for chunk in chunks:
                connection.sendall(chunk)
        except OSError:
            pass  # it does not read what is too much
        while piece := _read(connection):
            got += piece
    return got


def _read(connection: socket.socket) -> bytes:
    try:
        return connection.recv(65536)
    except ConnectionResetError:
        return b""


# --- What is no body ---------------------------------------------------------------------------------


def nested(depth: int) -> bytes:
    return b'{"a":' + b"[" * (depth - 1) + b"]" * (depth - 1) + b"}"


@pytest.mark.parametrize(
    "body",
    [
        b"", b"{", b"[]", b"null", b'"x"', b"\xff", b'{"a": NaN}', b'{"a": "\\ud800"}', b"{} {}",
        b'{"a": 1,}', nested(33), nested(1_000), nested(100_000), b'{"a":' * 50_000 + b"1" + b"}" * 50_000,
    ],
)  # fmt: skip
def test_what_is_no_object_of_json_or_nested_too_deep_is_refused(client: Client, body: bytes) -> None:
    reply = client.ask("POST", TARGET, body, **JSON)
    assert (reply.status, reply.code) == (400, "BAD_REQUEST")


def test_what_is_nested_no_deeper_than_is_allowed_is_read(client: Client) -> None:
    reply = client.ask("POST", TARGET, nested(32), **JSON)
    assert (reply.status, reply.code) == (400, "INVALID_ARGUMENT")


@pytest.mark.parametrize(
    "kind", ["", "text/plain", "application/x-www-form-urlencoded", "multipart/form-data"]
)
def test_what_a_form_could_send_is_refused(client: Client, kind: str) -> None:
    reply = client.ask("POST", TARGET, b"{}", content_type=kind)
    assert (reply.status, reply.code) == (415, "UNSUPPORTED_MEDIA_TYPE")


# --- What is too much, or too slow --------------------------------------------------------------------


def test_a_body_that_is_announced_as_too_large_is_not_read(client: Client) -> None:
    for size in (bodies.LONGEST + 1, 10**12, 10**19):
        head = f"{POST}Content-Length: {size}\r\n\r\n"
        assert b"413" in raw(client, head).split(b"\r\n")[0]


def test_a_body_that_turns_out_too_large_is_not_read_to_its_end(client: Client) -> None:
    head = f"{POST}Transfer-Encoding: chunked\r\n\r\n"
    mebibyte = b"100000\r\n" + b" " * (1 << 20) + b"\r\n"
    got = raw(client, head, *([mebibyte] * 12))
    assert not got or b"413" in got.split(b"\r\n")[0]  # a client that still sends may see the connection end
    assert client.get("/openapi.json").status == 200


def test_a_body_that_comes_too_slowly_is_given_up(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bodies, "_SECONDS", 0.3)
    head = f"{POST}Content-Length: 9\r\n\r\n"
    got = raw(client, head, b"{")
    assert b"408" in got.split(b"\r\n")[0]
    assert b"REQUEST_TIMEOUT" in got


def test_a_head_that_comes_too_slowly_ends_the_connection(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(protocol, "_HEAD_SECONDS", 0.3)
    assert raw(client, "GET /memory HTTP/1.1\r\nHo") == b""
    assert raw(client, "") == b""


def test_a_reader_who_does_not_read_is_let_go(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(protocol, "_READ_SECONDS", 0.3)
    with socket.socket() as connection:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        connection.settimeout(30)
        connection.connect((client.host, client.port))
        auth = f"Host: localhost\r\nAuthorization: Bearer {client.token}"
        head = f"GET {API}/openapi.json HTTP/1.1\r\n{auth}\r\n\r\n"
        ended = False
        for _ in range(2_000):
            try:
                connection.sendall(head.encode() * 20)
            except OSError:
                ended = True
                break
        assert ended


def test_there_are_no_more_connections_than_so_many(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(protocol, "_CONNECTIONS", 0)
    assert raw(client, "GET /memory HTTP/1.1\r\nAUTH\r\n\r\n") == b""


def test_what_is_no_http_gets_an_error_of_the_usual_form(client: Client) -> None:
    for head in (
        "GET\r\n\r\n",
        "\x00\x01\x02\r\n\r\n",
        "GET / HTTP/1.1\r\n\r\n",
        "GET / HTTP/1.1\r\nAUTH\r\nHost: x\r\n\r\n",
    ):
        got = raw(client, head)
        assert got.startswith((b"HTTP/1.1 400", b"HTTP/1.1 421"))
        assert b'{"ok":false,"error":{"code":' in got


# --- What goes wrong ----------------------------------------------------------------------------------


def test_a_fault_of_the_program_tells_nothing_of_what_was_asked(
    client: Client, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    words = "the words of a secret"

    def broken(*_: Any) -> None:
        raise ZeroDivisionError(words)

    monkeypatch.setattr(Service, "search", broken)
    with caplog.at_level(logging.DEBUG):
        reply = client.get("/search?q=secret")
    assert (reply.status, reply.code) == (500, "PROGRAM_FAULT")
    assert b"secret" not in reply.data
    assert "ZeroDivisionError" in caplog.text
    assert "secret" not in caplog.text
    assert client.token not in caplog.text


def test_no_more_requests_run_at_once_than_so_many(tmp_path: Path) -> None:
    async def stands_still(scope: Scope, receive: Receive, send: Send) -> None:
        await asyncio.sleep(60)

    sent: list[Message] = []

    async def send(message: Message) -> None:
        sent.append(message)

    async def nothing() -> Message:
        return {"type": "http.disconnect"}

    async def twice() -> None:
        guard = Guard(stands_still, Access(tmp_path, "t"), LOOPBACK, 1)
        scope = {
            "type": "http", "method": "GET", "path": "/memory", "query_string": b"",
            "headers": [(b"host", b"localhost")],
        }  # fmt: skip
        first = asyncio.create_task(guard(scope, nothing, send))
        await asyncio.sleep(0)
        await guard(scope, nothing, send)
        first.cancel()

    asyncio.run(twice())
    assert sent[0]["status"] == 503
    assert b"BUSY" in sent[1]["body"]


@pytest.mark.parametrize("host", ["0.0.0.0", "192.168.1.5", "::", "example.org", ""])
def test_nothing_is_served_to_other_computers(host: str) -> None:
    with pytest.raises(Refused, match="tunnel"):
        bound(host, 0)


def test_a_port_that_is_taken_is_said() -> None:
    with bound("127.0.0.1", 0) as taken, pytest.raises(Refused, match="give another --port"):
        bound("127.0.0.1", taken.getsockname()[1])
