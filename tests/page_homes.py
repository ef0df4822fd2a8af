"""A person who visits the page of a served home: comes in with the token, follows links, sends forms."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

from attrs import frozen

from scriptorium.clock import Moment
from scriptorium.service import Service
from scriptorium.service.shown import TopicShown
from scriptorium.settings import Settings
from scriptorium.workspace import Committed
from small_homes import NOW, create, delete, git, request, told
from web_homes import Client, Reply, served

if TYPE_CHECKING:
    from browsers import Open

__all__ = ["Desk", "Visitor", "by_hand", "filled", "many_topics", "visited"]


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


@frozen
class Desk:
    """An open window, and another hand on the same home."""

    window: "Open"
    home: Path

    def committed(self, path: str = "topics/keys.md") -> str:
        """The text of a topic as it is now."""
        with self._service() as service:
            shown = service.show(path)
            assert isinstance(shown, TopicShown)
            return shown.text

    def change(self, old: str, new: str, path: str = "topics/keys.md") -> None:
        """Somebody else changes a topic."""
        before = self.committed(path)
        assert old in before
        self.write(before.replace(old, new), path)

    def write(self, text: str, path: str = "topics/keys.md") -> None:
        """Somebody else writes a topic."""
        self._change({"changes": [{"path": path, "action": "write", "content": text}]})

    def create(self, path: str, *contents: str) -> None:
        """Somebody else writes records."""
        self._change(request(*(create(content, path) for content in contents)))

    def drop(self, block: str) -> None:
        """Somebody else deletes a record."""
        self._change(request(delete(block)))

    def _change(self, asked: dict[str, Any]) -> None:
        with self._service() as service:
            assert isinstance(service.change(asked), Committed)
        # Who comes back to the page sees at once what has changed; who stays there, within three seconds.
        self.window.page.evaluate("dispatchEvent(new Event('focus'))")

    def _service(self) -> Service:
        return Service(self.home, settings=Settings(timezone="UTC"), moment=lambda: NOW)


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


def by_hand(home: Path, topics: Mapping[str, bytes]) -> None:
    """Topics that somebody commits with git, whatever stands in them."""
    for name, data in topics.items():
        (home / f"memory/topics/{name}.md").write_bytes(data)
    git(home / "memory", "add", "topics")
    git(home / "memory", "commit", "-q", "-m", "By hand")


def many_topics(home: Path, paths: Sequence[str]) -> None:
    """A home with many topics of one record each, which somebody has written by hand."""
    with Service(home, settings=Settings(timezone="UTC"), moment=lambda: NOW) as service:
        done = service.change(request(create("A fact of the garden.", paths[0])))
        assert isinstance(done, Committed)
        text = (home / "memory" / paths[0]).read_text()
        (block,) = re.findall(r" \^(\w{8})$", text, re.MULTILINE)
        for number, path in enumerate(paths[1:]):
            target = home / "memory" / path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(text.replace(block, f"{number:08}").replace("garden", f"garden {number}"))
        assert isinstance(service.adopt(), Committed)


@contextmanager
def visited(
    home: Path, settings: str = 'timezone = "UTC"\n', moment: Callable[[], Moment] = lambda: NOW
) -> Iterator[Visitor]:
    """Somebody who has come in by the address that was printed."""
    with served(home, settings, moment) as client:
        reply = client.ask("GET", f"/memory?token={client.token}", authorization="")
        assert reply.status == 303
        yield Visitor(client, reply.headers["set-cookie"].partition(";")[0])
