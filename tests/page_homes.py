"""A person who visits the page of a served home: comes in with the token, follows links, sends forms."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlencode

from attrs import frozen

from scriptorium.service import Service
from scriptorium.settings import Settings
from small_homes import NOW, create, request, told
from web_homes import Client, Reply, served

__all__ = ["Visitor", "filled", "visited"]


@frozen
class Visitor:
    """A browser without script: a client, and the cookie that it was given."""

    client: Client
    cookie: str

    def get(self, address: str, x_part: str = "") -> Reply:
        """A page below `/memory`."""
        given = {"authorization": "", "cookie": self.cookie} | ({"x_part": x_part} if x_part else {})
        return self.client.ask("GET", f"/memory{address}", None, **given)

    def text(self, address: str) -> str:
        """The HTML of a page that there is."""
        reply = self.get(address)
        assert reply.status == 200, (address, reply)
        assert reply.headers["content-type"] == "text/html; charset=utf-8"
        return reply.data.decode()

    def word(self) -> str:
        """The word of the forms."""
        found = re.search(r'name="word" value="(\w+)"', self.text("/settings"))
        assert found is not None
        return found[1]

    def send(self, address: str, *, word: str | None = None, **fields: str) -> Reply:
        """A form, as a page of ours sends it."""
        given = {**fields, "word": self.word() if word is None else word}
        body = urlencode(given).encode()
        headers = {"content_type": "application/x-www-form-urlencoded", "cookie": self.cookie}
        return self.client.ask("POST", f"/memory{address}", body, authorization="", **headers)


def filled(home: Path) -> None:
    """A home with a conversation, a core, topics in folders, dates of each kind, and a delivery."""
    told(home)
    with Service(home, settings=Settings(timezone="UTC"), moment=lambda: NOW) as service:
        service.write(force=True)
        service.remember("Always answer in British English.", topic="core")
        service.change(request(create("The spare key is under the pot."), create("The shed has no lock.")))
        more = (("予備の鍵は青いドアの裏です", "2025"), ("The boiler was serviced.", "2025-11-03"))
        for content, time in more:
            made = create(content, "topics/house/keys/door.md") | {"time": time}
            service.change(request(made))
        service.context("Where is the spare key?")


@contextmanager
def visited(home: Path, settings: str = 'timezone = "UTC"\n') -> Iterator[Visitor]:
    """Somebody who has come in by the address that was printed."""
    with served(home, settings) as client:
        reply = client.ask("GET", f"/memory?token={client.token}", authorization="")
        assert reply.status == 303
        yield Visitor(client, reply.headers["set-cookie"].partition(";")[0])
