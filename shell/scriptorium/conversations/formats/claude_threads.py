"""How far the sessions of one of Claude Code's logs have come: what is remembered from record to record.

It is small whatever the log holds, and is written down as text, so that a log that is read bit by bit
gives what it gives at once.
"""

import json
from typing import Any, TypeVar

from attrs import asdict, define, field

__all__ = ["Reading", "Thread", "reading_of"]

_T = TypeVar("_T")
_THREADS = 32
_REMEMBERED = 128


@define
class Thread:
    """One session: `tip` is its head and `time` the head's, `hang` what the harness wrote below it.

    `last` is the record that came last, `fork` the session and the node of the last copied one; `copied` the
    same where the log does not say that it is a copy.
    """

    tip: str = ""
    hang: str = ""
    last: str = ""
    time: str = ""
    title: str = ""
    rank: int = 0
    fork: tuple[str, str] = ("", "")
    copied: tuple[str, str] = ("", "")

    def goes_on(self, node: str, parent: str, time: str, speaks: bool) -> bool:
        """Whether the head moves to `node`; times are text that sorts, empty where they are unknown."""
        below = bool(parent) and parent in (self.tip, self.hang)
        self.last = node
        if not speaks:
            self.hang = node if below else self.hang
            return False
        if self.tip and not below and "" < time < self.time:
            return False
        self.tip, self.hang, self.time = node, "", max(time, self.time)
        return True

    def call(self, rank: int, title: str) -> None:
        """Take a title, unless one of a higher rank is known."""
        if title and rank >= self.rank:
            self.rank, self.title = rank, title

    def holds(self, node: str) -> bool:
        """Whether `node` is known to stand here; only the last ones are."""
        return bool(node) and node in (self.tip, self.hang, self.last)


@define
class Reading:
    """All sessions of a log: `session` came last; `waiting` go on from a node that is not there yet.

    `sent` maps what a person sent below which parent to its node, `sides` nodes of sub-agents without an
    id to the first node of theirs, `summaries` nodes that have not come yet to the title they give.
    """

    session: str = ""
    threads: dict[str, Thread] = field(factory=dict)
    sent: dict[str, str] = field(factory=dict)
    sides: dict[str, str] = field(factory=dict)
    waiting: dict[str, str] = field(factory=dict)
    summaries: dict[str, str] = field(factory=dict)

    def thread(self, session: str) -> Thread:
        """The thread of a session, begun where it is new."""
        if session not in self.threads:
            _remember(self.threads, session, Thread(), _THREADS)
        return self.threads[session]

    def first_sent(self, what: str, node: str) -> str:
        """The node under which `what` was sent before; `node` where it is new."""
        return self.sent.get(what) or _remember(self.sent, what, node)

    def side(self, node: str, parent: str) -> str:
        """The first node of the sub-agent to which `node` belongs."""
        known = self.sides.get(node) or self.sides.get(parent)
        return _remember(self.sides, node, known or node)

    def summarise(self, node: str, title: str) -> None:
        """Keep the title for the session in which `node` will come."""
        _remember(self.summaries, node, title)

    def wait(self, session: str, node: str) -> None:
        """Keep in mind that a session goes on from a node of another one that is not there yet."""
        _remember(self.waiting, session, node)

    def above(self, node: str) -> str:
        """The session of this log that holds `node`, or else the one that came last."""
        return next((name for name, thread in self.threads.items() if thread.holds(node)), self.session)

    def state(self) -> str:
        """All of it as text."""
        return json.dumps(asdict(self), ensure_ascii=False, separators=(",", ":"))


def reading_of(state: str) -> Reading:
    """The reading that left this state; a new one for an empty state."""
    if not state:
        return Reading()
    found: dict[str, Any] = json.loads(state)
    threads = {
        name: Thread(
            **{**thread, "fork": tuple(thread["fork"]), "copied": tuple(thread.get("copied", ("", "")))}
        )
        for name, thread in found.pop("threads").items()
    }
    return Reading(threads=threads, **found)


def _remember(known: dict[str, _T], key: str, value: _T, most: int = _REMEMBERED) -> _T:
    """Put something in, and let go of the oldest where there are too many."""
    known[key] = value
    while len(known) > most:
        del known[next(iter(known))]
    return value
