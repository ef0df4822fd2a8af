"""A home that is served on a port of this computer, and a client that changes nothing of what it is given."""

import http.client
import json
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from attrs import field, frozen

from scriptorium.clock import Moment
from scriptorium.serving import Services
from scriptorium.web.listening import bound
from scriptorium.web.server import Server
from small_homes import NOW

__all__ = ["API", "Client", "Reply", "served"]

API = "/api/memory"


@frozen
class Reply:
    """What a server answered."""

    status: int
    headers: Mapping[str, str]
    data: bytes

    @property
    def json(self) -> Any:
        """The object that it is."""
        assert self.headers["content-type"] == "application/json", self
        return json.loads(self.data)

    @property
    def code(self) -> str:
        """The code of an error, once its form is seen to be the one that all have."""
        body = self.json
        assert set(body) == {"ok", "error"}
        assert body["ok"] is False
        assert set(body["error"]) == {"code", "message", "path", "problems"}
        for problem in body["error"]["problems"]:
            assert set(problem) == {"code", "message", "path", "line", "remedy"}
        return str(body["error"]["code"])

    @property
    def problems(self) -> list[tuple[str, str]]:
        """Code and place of each problem."""
        return [(each["code"], each["path"]) for each in self.json["error"]["problems"]]


@frozen
class Client:
    """A client of one server; `token` empty sends none."""

    host: str
    port: int
    token: str = field(default="", repr=False)

    def ask(self, method: str, target: str, body: bytes | None = None, **headers: str) -> Reply:
        """One request on a connection of its own, its target and headers (`if_match`) as they are given."""
        given = {name.replace("_", "-"): value for name, value in headers.items()}
        if self.token and "authorization" not in given:
            given["authorization"] = f"Bearer {self.token}"
        connection = http.client.HTTPConnection(self.host, self.port, timeout=60)
        try:
            connection.putrequest(method, target, skip_host="host" in given, skip_accept_encoding=True)
            for name, value in given.items():
                connection.putheader(name, value)
            if body is not None and "content-length" not in given:
                connection.putheader("content-length", str(len(body)))
            connection.endheaders(body)
            answer = connection.getresponse()
            found = {name.lower(): value for name, value in answer.getheaders()}
            return Reply(answer.status, found, answer.read())
        finally:
            connection.close()

    def get(self, path: str, **headers: str) -> Reply:
        """GET below the API."""
        return self.ask("GET", f"{API}{path}", None, **headers)

    def send(self, method: str, path: str, value: object, **headers: str) -> Reply:
        """An object of JSON, below the API."""
        body = json.dumps(value).encode()
        return self.ask(method, f"{API}{path}", body, content_type="application/json", **headers)

    def post(self, path: str, value: object, **headers: str) -> Reply:
        """POST of an object."""
        return self.send("POST", path, value, **headers)


@contextmanager
def served(
    home: Path, settings: str = 'timezone = "UTC"\n', moment: Callable[[], Moment] = lambda: NOW
) -> Iterator[Client]:
    """The client of a server of a home, in a thread; both end with the block."""
    home.mkdir(parents=True, exist_ok=True)
    (home / "settings.toml").write_text(settings)
    server = Server(Services(home, moment=moment), bound("127.0.0.1", 0))
    begun = threading.Event()
    running = threading.Thread(target=server.run, args=(begun.set,))
    running.start()
    try:
        assert begun.wait(60)
        host, port = server.address.removeprefix("http://").split(":")
        yield Client(host, int(port), server.token)
    finally:
        server.end()
        running.join(90)
        assert not running.is_alive()
