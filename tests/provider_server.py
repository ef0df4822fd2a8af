"""A server that stands for a provider of models: it answers as it was told, and keeps what it was asked."""

import json
import socket
import struct
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from attrs import Factory, define, frozen

__all__ = ["Answer", "Asked", "Played", "played"]


@frozen
class Answer:
    """What the server sends: with `breaks` the connection is reset behind the pieces, else it ends.

    After each piece it waits for `pause` seconds, or until the server is closed.
    """

    pieces: tuple[bytes, ...] = ()
    status: int = 200
    kind: str = "text/event-stream"
    headers: Mapping[str, str] = {}
    breaks: bool = False
    pause: float = 0.0


@frozen
class Asked:
    """What was sent to the server."""

    path: str
    headers: Mapping[str, str]
    body: Any


@define
class Played:
    """The address of the server, and what it was asked so far; the last answer is given again and again."""

    answers: Sequence[Answer]
    asked: list[Asked] = Factory(list)
    address: str = ""
    closing: threading.Event = Factory(threading.Event)

    def next(self) -> Answer:
        return self.answers[min(len(self.asked), len(self.answers)) - 1]


@contextmanager
def played(*answers: Answer) -> Iterator[Played]:
    """A server on a free port of this computer, closed when the block ends."""
    play = Played(answers)

    class Handler(BaseHTTPRequestHandler):
        """One request."""

        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers.get("content-length", 0)))
            play.asked.append(Asked(self.path, dict(self.headers), json.loads(body)))
            self._send(play.next())

        do_GET = do_POST

        def _send(self, answer: Answer) -> None:
            self.send_response(answer.status)
            self.send_header("content-type", answer.kind)
            for name, value in answer.headers.items():
                self.send_header(name, value)
            self.send_header("connection", "close")
            self.end_headers()
            for piece in answer.pieces:
                try:
                    self.wfile.write(piece)
                    self.wfile.flush()
                except OSError:
                    return
                play.closing.wait(answer.pause)
            if answer.breaks:
                self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                self.connection.close()

        def log_message(self, *_: object) -> None:
            return

    class Server(ThreadingHTTPServer):
        daemon_threads = True

        def handle_error(self, *_: object) -> None:
            return

    server = Server(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    play.address = f"http://127.0.0.1:{server.server_address[1]}"
    try:
        yield play
    finally:
        play.closing.set()
        server.shutdown()
        server.server_close()
        thread.join()
