"""Homes whose memory is written by agents that take batches and hand them in."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from kept_homes import Clock
from scriptorium.conversations.store import open_store
from scriptorium.service import Service
from scriptorium.service.leased import HandedIn, Offered, Unoffered
from scriptorium.settings import Settings
from scriptorium_core.names import NodeId
from scriptorium_core.policy import Actor
from scriptorium_core.problem import Code
from scriptorium_core.sessions.graph import Node
from scriptorium_core.writing.outcome import Failed, Wrote
from small_homes import said

__all__ = [
    "MINUTES",
    "agent",
    "failed",
    "keep",
    "offered",
    "talks",
    "topic",
    "unoffered",
    "unwritten",
    "wrote",
]

MINUTES = 600
"""The seconds that a lease lasts."""

_WHEN = "2026-03-01T10:00:00+00:00"


def agent(home: Path, clock: Clock, name: str = "agent", **settings: Any) -> Service:
    """The service of a home as an actor asks it."""
    return Service(home, settings=Settings(**settings), moment=clock, actor=Actor(name))


def talks(home: Path, **sessions: Sequence[str]) -> None:
    """Bring conversations into the store: each with what its owner said, a turn after the other."""
    home.mkdir(parents=True, exist_ok=True)
    with open_store(home / "sessions.sqlite3") as store:
        for name, turns in sessions.items():
            session = store.ensure("chat", name, _WHEN)
            nodes = _nodes(name, turns)
            store.add(session, nodes, _WHEN)
            store.set_head(session, NodeId(nodes[-1].id), _WHEN)


def _nodes(session: str, turns: Sequence[str]) -> Sequence[Node]:
    # A message that stands under the same id in two sessions is one of a fork.
    names = [f"{session}.{number}" for number in range(len(turns))]
    return [said(*row) for row in zip(names, [None, *names], turns, strict=False)]


def offered(service: Service, session: str = "", **more: Any) -> Offered:
    """The batch that an agent is given; there must be one."""
    found = service.pending(session, **more)
    assert isinstance(found, Offered), found
    return found


def unoffered(service: Service, session: str = "", **more: Any) -> Unoffered:
    """Why an agent is given none."""
    found = service.pending(session, **more)
    assert isinstance(found, Unoffered), found
    return found


def keep(*refs: str, content: str = "Mara drinks tea.", path: str = "topics/tea.md") -> dict[str, Any]:
    """The operation that makes one record of some messages."""
    return {
        "op": "create_record",
        "content": content,
        "time": "2026-03-01",
        "sources": [{"source": ref, "label": "Owner, 2026-03-01"} for ref in refs],
        "destination": {"topic_path": path, "headings": ["Tea"], "position": "end"},
    }


def topic(ref: str, words: str = "Mara drinks tea.") -> str:
    """A whole topic with one record of a message."""
    return f"# Tea\n\n{words}[^e1]\n\n[^e1]: Time: `2026-03-01`; Sources: [Owner, 2026-03-01]({ref})\n"


def wrote(done: HandedIn) -> Wrote:
    """What a hand-in wrote; it must have."""
    assert isinstance(done.outcome, Wrote), done
    assert done.commit == done.outcome.commit
    assert not done.already
    assert done.attempts == 0
    return done.outcome


def failed(done: HandedIn, code: Code, *, attempts: int) -> Failed:
    """How a hand-in failed, with so many attempts left."""
    assert isinstance(done.outcome, Failed), done
    assert (done.outcome.code, done.attempts) == (code, attempts)
    assert done.commit == ""
    return done.outcome


def unwritten(service: Service) -> int:
    """How many messages carry no mark."""
    return sum(each.pending for each in service.sessions())
