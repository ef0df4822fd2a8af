"""The format `transcript`: a conversation written down as text or Markdown, a speaker and what they say.

Mara: My train is at 7:40.          a line that names a speaker begins a turn (`transcript_lines`);
Assistant: I will remind you.       what follows belongs to it, up to the next one
## 2026-05-02                       a day: what is said from here on has it, and `[12:03]` becomes a time

The text is read twice. First, who speaks: the words for a user and an assistant, whom the front matter names
under `participants`, and every name that begins more than one line; but not such a name where an assistant
answers a user and the lines have no times: an answer has lines such as `Pros: …`. Then the turns.

Text is written by hand and has no ids: they are a chain, a hash of the id before it, who speaks and what. A
turn that has grown by the next import is another one, and what it was stays behind on a branch of its own.

Front matter may hold `title`, `date`, `participants` and `session`, which names the session; else the title,
the date and the first turn do.
"""

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from hashlib import sha256
from itertools import chain
from typing import BinaryIO

from attrs import define, evolve, field, frozen

from scriptorium_core.names import NodeId, SessionId
from scriptorium_core.sessions.graph import Node
from scriptorium_core.sources.frame import Origin

from ..items import BLANK, Item, Key, Passed, Replaced, Sample, Skipped, Source, Turn
from ..moments import moment
from ..records import LONGEST
from .transcript_lines import Line, Manner, front_matter, known_name, lines_of, person

__all__ = ["ENOUGH", "TRANSCRIPT", "Transcript"]

ENOUGH = 3
"""How many turns a text must have to be taken for a transcript that nobody called one."""

_PROVIDER = "transcript"
_NAMES = 10_000
_BEFORE = "text before the first speaker"
_MARKS = ("#", "-", "=", "*")
_RULE = re.compile(r"\s*([-*_=])(?:\s*\1){2,}\s*")


class Transcript:
    """The importer of transcripts."""

    name = "transcript"

    def recognises(self, sample: Sample) -> bool:
        """A text that begins with a speaker, where several speak: an assistant, or those whom it names.

        Any Markdown file has lines with colons, and logs of programs have times and names, too: what is less
        certain than this is read on request alone.
        """
        return self.turns(sample) >= ENOUGH

    def turns(self, sample: Sample) -> int:
        """How many turns begin in a text that is a transcript if they are enough; 0 where it is none."""
        if (
            isinstance(sample.value, list)
            or sample.start.lstrip(BLANK).startswith("{")
            or "\0" in sample.start
        ):
            return 0
        head, texts = _Head.of(iter(sample.start.splitlines(keepends=True)))
        lines = list(lines_of(texts, head.lines + 1))
        cast = _Cast.of(head, lines)
        names = [line.name for line in lines if cast.speaks(line)]
        if len(set(names)) < 2 or not cast.speaks(_opening(cast, lines)):
            return 0
        who = {person(name) for name in names}
        # A document may have a heading `Assistant`; it has hardly one `User`, too.
        is_answered = "assistant" in who and (cast.manner != "heading" or "owner" in who)
        return len(names) if is_answered or head.participants.issuperset(names) else 0

    def read(self, source: Source) -> Iterator[Item]:
        """The turns of a transcript in order, from its start: names may have come since."""
        size = source.file.seek(0, 2)
        if source.position >= size:
            return
        head, texts = _Head.of(_texts(source.file))
        cast = _Cast.of(head, lines_of(texts, head.lines + 1))
        head, texts = _Head.of(_texts(source.file))
        teller = _Teller(head, source.session)
        line = None
        for line in lines_of(texts, head.lines + 1):
            yield from teller.line(line, cast.speaks(line))
        yield from teller.finish()
        yield Passed(size, line.number if line else head.lines)


def _opening(cast: "_Cast", lines: list[Line]) -> Line:
    """The first line that is no heading, no date and no rule, or that somebody speaks."""
    for line in lines:
        if cast.speaks(line):
            return line
        if line.text.strip() and not (line.date or line.title or _RULE.fullmatch(line.text)):
            return line
    return Line(0, "")


def _texts(file: BinaryIO) -> Iterator[str]:
    file.seek(0)
    while data := file.readline(LONGEST):
        yield data.decode(errors="replace")


@frozen
class _Head:
    """What the front matter says, and how many lines it has."""

    title: str = ""
    date: str = ""
    session: str = ""
    participants: frozenset[str] = frozenset()
    lines: int = 0

    @classmethod
    def of(cls, texts: Iterator[str]) -> "tuple[_Head, Iterator[str]]":
        """The head of a text, and the lines behind it."""
        found, read, count = front_matter(texts)
        title, date, session = (found.get(key, "") for key in ("title", "date", "session"))
        named = found.get("participants", ())
        people = named if isinstance(named, tuple) else named.split(",")
        head = cls(
            title if isinstance(title, str) else "",
            moment(date),
            session if isinstance(session, str) else "",
            frozenset(name.strip() for name in people),
            count,
        )
        return head, chain(read, texts)


@frozen
class _Cast:
    """Who speaks in a transcript, and in which manner that is said."""

    names: frozenset[str] = frozenset()
    manner: Manner | None = None

    @classmethod
    def of(cls, head: _Head, lines: Iterable[Line]) -> "_Cast":
        """The cast of a transcript. Its manner is that of its first line by somebody who is certain."""
        counts: Counter[tuple[Manner, str]] = Counter()
        certain: Manner | None = None
        for line in lines:
            if line.manner is None:
                continue
            if line.name in head.participants or person(line.name) != "other":
                certain = certain or line.manner
            if len(counts) < _NAMES or (line.manner, line.name) in counts:
                counts[line.manner, line.name] += 1
        often = {name: count for name, count in counts.items() if count > 1 and known_name(name[1], name[0])}
        manner = certain or max(often, key=lambda name: often[name], default=(None, ""))[0]
        roles = {person(name) for how, name in counts if how == manner}
        repeated = {name for how, name in often if how == manner}
        is_of_two = {"owner", "assistant"} <= roles and manner != "stamped"
        return cls((frozenset() if is_of_two else frozenset(repeated)) | head.participants, manner)

    def speaks(self, line: Line) -> bool:
        """Whether somebody begins to speak here."""
        is_somebody = line.name in self.names or person(line.name) != "other"
        return line.manner is not None and line.manner == self.manner and is_somebody


@define
class _Teller:
    """A transcript on its way: the turn that is being read, and what stands above it."""

    head: _Head
    named: str
    title: str = ""
    date: str = ""
    key: Key | None = None
    above: NodeId | None = None
    begun: Line | None = None
    said: list[str] = field(factory=list)
    dated: list[Line] = field(factory=list)
    at: str = ""
    elapsed: bool | None = None

    def __attrs_post_init__(self) -> None:
        self.title, self.date = self.head.title, self.head.date

    def line(self, line: Line, speaks: bool) -> Iterator[Item]:
        if "\ufffd" in line.text:
            yield Replaced(line.number)
        if speaks:
            yield from self.end()
            self.date = next((waiting.date for waiting in reversed(self.dated) if waiting.date), self.date)
            self.begun, self.said, self.dated = line, [line.said], []
            self.at = self._moment(line.time)
        elif self._may_be_day(line) or (self.dated and not line.text.strip()):
            self.dated.append(line)
        elif self.begun:
            # A date alone is a day if somebody speaks behind it; else it was said.
            self.said += [*(waiting.text for waiting in self.dated), line.text]
            self.dated = []
        elif line.title:
            self.title = self.title or line.title
        elif line.text.strip() and not _RULE.fullmatch(line.text):
            yield Skipped(_BEFORE, line.number)

    def finish(self) -> Iterator[Turn]:
        """The last turn, with a date that ends the text and is no heading."""
        if self.dated and not self.dated[0].text.startswith(_MARKS):
            self.said += [waiting.text for waiting in self.dated]
        return self.end()

    def end(self) -> Iterator[Turn]:
        """The turn that is over."""
        begun, self.begun = self.begun, None
        if begun is None:
            return
        while self.said and (not self.said[-1].strip() or _RULE.fullmatch(self.said[-1])):
            self.said.pop()
        text = "\n".join(self.said).strip("\n")
        root = json.dumps([self.head.session or self.title, self.head.date])
        chained = json.dumps([self.above or root, begun.name.casefold(), text])
        node = NodeId("t-" + sha256(chained.encode()).hexdigest()[:32])
        if self.key is None:
            name = self.head.session or self.named or "c-" + node.removeprefix("t-")
            self.key = Key(_PROVIDER, name, self.title)
        yield Turn(self.key, self._node(node, begun, text), begun.number)
        self.above = node

    def _node(self, node: NodeId, begun: Line, text: str) -> Node:
        assert self.key is not None
        who = person(begun.name)
        made = Node(
            id=node,
            session=SessionId(self.key.id),
            provider=_PROVIDER,
            parent=self.above,
            role="assistant" if who == "assistant" else "user",
            origin=Origin.ASSISTANT if who == "assistant" else Origin.HUMAN,
            text=text,
            at=self.at,
        )
        if who != "other":
            return made
        return evolve(made, speaker_name=begun.name, metadata={"speaker_kind": "human"})

    def _may_be_day(self, line: Line) -> bool:
        """Whether a line heads a day: a heading, or a date behind an empty line; not all that was said."""
        if not line.date or not self.begun:
            return bool(line.date)
        stands_alone = line.text.startswith(_MARKS) or not self.said[-1].strip()
        return stands_alone and any(text.strip() for text in self.said)

    def _moment(self, time: str) -> str:
        """The time of a turn: a stamp alone is one where the day is known and stamps do not count from 0."""
        if len(time) > len("12:03:00"):
            return moment(time)
        if time and self.elapsed is None:
            self.elapsed = time.startswith(("00:0", "0:0"))
        if not time or self.elapsed or len(self.date) != len("2026-05-02"):
            return self.date
        return moment(f"{self.date}T{time.zfill(5) if len(time) < 6 else time.zfill(8)}") or self.date


TRANSCRIPT = Transcript()
