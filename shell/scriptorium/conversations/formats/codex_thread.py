"""A Codex thread as its file tells it so far: who it is, where its talk stands, what was said before.

Codex gives its messages no ids. The id of a message is a hash of the id before it, the role and the
words, and the chain begins at the id of the oldest thread that the file names, so that a fork's copies
have the ids of their originals, whatever time they were stamped with.
"""

import re
from array import array
from bisect import bisect_left
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from hashlib import sha256
from heapq import merge
from typing import Any

import orjson
from attrs import asdict, define, evolve, field, frozen

__all__ = ["History", "Seen", "Thread", "begun", "chained_id", "digest", "kin", "seconds", "thread_of"]

_UUID = re.compile(r"(?<![0-9a-f])[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}(?![0-9a-f])")
_NEWEST = 65536
_UNPAIRED = 16
_MOMENTS = 2.0  # seconds in which a fork's copies are written


def _texts(values: Iterable[str]) -> tuple[str, ...]:
    return tuple(values)


@frozen
class Thread:
    """What is known of a thread at one place of its file; kept as JSON where an import stops.

    `session` is its id, `root` the thread at which the chain of ids begins, `kin` the threads whose
    header the file holds or names; `link` is how it came from another thread. `headed` is whether its
    own header was seen, `created` when the file was begun, `copying` whether what stands here can be a
    copy of an older thread, `spoken` whether its talk has begun, `linked` whether `link` was told.
    `tip` is the last message of the talk, "" before the first; `replay` the same in a history that is
    written once more, None where none is; `latest` the latest time of the talk. `left_out` says why
    nothing is taken. `unpaired` are the last messages that came in only one of their two forms.
    """

    session: str = ""
    root: str = ""
    kin: tuple[str, ...] = field(default=(), converter=_texts)
    link: tuple[str, ...] = field(default=(), converter=_texts)
    headed: bool = False
    created: float | None = None
    copying: bool = False
    spoken: bool = False
    linked: bool = False
    left_out: str = ""
    title: str = ""
    cwd: str = ""
    model: str = ""
    tip: str = ""
    replay: str | None = None
    latest: float = 0.0
    unpaired: tuple[str, ...] = field(default=(), converter=_texts)

    @property
    def is_spawned(self) -> bool:
        """Whether an agent began the thread, so that it is an agent that speaks in the user's role."""
        return self.link[:1] == ("spawned_by",)

    def is_copy(self, stamp: float | None) -> bool:
        """Whether a message of this time was copied when the file was begun: it is older, or of that moment.

        A thread that an agent began can hold its task alone: what it says in its first moments is a
        copy only where the file names an older thread.
        """
        if not self.copying or stamp is None or self.created is None:
            return False
        is_alone = self.is_spawned and len(self.kin) < 2
        return stamp < self.created + (0 if is_alone else _MOMENTS)

    def is_restamped(self, stamp: float | None) -> bool:
        """Whether a message has the time of the moment at which it was copied, which says nothing."""
        return self.is_copy(stamp) and stamp is not None and stamp >= (self.created or 0)

    def dumped(self) -> str:
        """This as JSON."""
        return orjson.dumps(asdict(self, recurse=False)).decode()

    def paired(self, form: str, role: str, words: str) -> "tuple[Thread, bool]":
        """Note a message in one form, `item` or `event`; whether it came in the other one shortly before."""
        said = f"{role} {digest(words):x}"
        other = f"{'event' if form == 'item' else 'item'} {said}"
        if other in self.unpaired:
            at = self.unpaired.index(other)
            return evolve(self, unpaired=self.unpaired[:at] + self.unpaired[at + 1 :]), True
        noted = (*self.unpaired, f"{form} {said}")
        return evolve(self, unpaired=noted[-_UNPAIRED:]), False


@define
class Seen:
    """A set of digests in eight bytes each: most in one sorted array, the newest in a set."""

    sorted: "array[int]" = field(factory=lambda: array("Q"))
    newest: set[int] = field(factory=set)

    def add(self, value: int) -> None:
        """Add a digest."""
        self.newest.add(value)
        if len(self.newest) >= _NEWEST:
            self.sorted = array("Q", merge(self.sorted, sorted(self.newest)))
            self.newest = set()

    def __contains__(self, value: int) -> bool:
        at = bisect_left(self.sorted, value)
        return value in self.newest or (at < len(self.sorted) and self.sorted[at] == value)


@define
class History:
    """What a file said from its start.

    `before` and `replayed` hold the message before each turn of a user on the path of the talk, and of
    a history that is written once more: what a rollback goes back to.
    """

    said: Seen = field(factory=Seen)
    ids: Seen = field(factory=Seen)
    before: list[str] = field(factory=list)
    replayed: list[str] = field(factory=list)


def begun(file_name: str) -> Thread:
    """The thread that a file's name gives: the last id is its own, one before it that of its root."""
    found = _UUID.findall(file_name) if file_name.startswith("rollout-") else []
    if not found:
        return Thread()
    own, root = found[-1], found[0]
    link = ("forked_from", root) if root != own else ()
    return Thread(own, root, (root,), link, copying=bool(link))


def thread_of(state: str) -> Thread:
    """The thread that `dumped` gave."""
    return Thread(**orjson.loads(state))


def kin(thread: Thread, header: Mapping[str, Any], stamp: float | None) -> Thread:
    """`thread` after one of the headers that stand before its talk: its own, then those of its ancestors."""
    name, forked = _name(header.get("id")), _name(header.get("forked_from_id"))
    named = tuple(each for each in (name, forked) if each and each not in thread.kin)
    thread = evolve(thread, kin=thread.kin + named)
    if not thread.headed:
        own = evolve(thread, headed=True, session=thread.session or name, created=stamp)
        return _own(own, name, forked, header)
    if not name or name == thread.session:
        return thread
    return evolve(thread, root=thread.root if thread.is_spawned else forked or name, copying=True)


def _own(thread: Thread, name: str, forked: str, header: Mapping[str, Any]) -> Thread:
    cwd = header.get("cwd")
    thread = evolve(thread, cwd=cwd if isinstance(cwd, str) else "")
    if (parent := _parent(header.get("source"))) is not None:
        return evolve(thread, root=thread.session, link=("spawned_by", parent), copying=True)
    # A fork can keep the id of its root in its header: its own is then in the name of the file alone.
    other = forked or name
    link = ("forked_from", other) if other and other != thread.session else thread.link
    return evolve(thread, root=other or thread.root, link=link, copying=bool(link))


def _parent(source: object) -> str | None:
    """The thread whose agent began one with this source, "" where it is not named; None if no agent did."""
    match source:
        case {"subagent": {"thread_spawn": {"parent_thread_id": str(parent)}}}:
            return parent
        case {"subagent": _}:
            return ""
        case _:
            return None


def chained_id(before: str, role: str, text: str) -> str:
    """The id of a message after another one, or after the id of the thread at which the chain begins."""
    return "m-" + sha256(f"{before}\n{role}\n{text}".encode()).hexdigest()[:32]


def digest(*parts: str) -> int:
    """64 bits of what parts of a record say."""
    counted = "".join(f"{len(part)}:{part}" for part in parts)
    return int.from_bytes(sha256(counted.encode()).digest()[:8], "big")


def seconds(at: str) -> float | None:
    """A time of ISO 8601 in seconds since 1970; a time without a zone is UTC."""
    if not at:
        return None
    found = datetime.fromisoformat(at)
    return (found if found.tzinfo else found.replace(tzinfo=UTC)).timestamp()


def _name(value: object) -> str:
    return value if isinstance(value, str) else ""
