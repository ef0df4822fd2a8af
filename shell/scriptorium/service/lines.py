"""Topics by their lines, as an agent may see them: the lines that hold a text, and parts of a topic."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from typing import TYPE_CHECKING

from attrs import frozen

from scriptorium_core.facts import TopicFact
from scriptorium_core.knowledge.gate import assessed
from scriptorium_core.knowledge.lines import Line, hits_in, lines_for
from scriptorium_core.names import TopicPath, path_key, topic_prefix
from scriptorium_core.problem import Code, Problem

from ..refused import Refused
from .shaping import lines_of

if TYPE_CHECKING:
    from scriptorium_core.facts import Facts
    from scriptorium_core.knowledge.assess import Assessment

    from ..workspace import Memory
    from .place import Place
    from .shown import RecordLine

__all__ = ["Excerpt", "Grepped", "TextLine", "excerpt", "grep"]

Progress = Callable[[int, int], None]

_LONGEST = 1_000
_MOST = 1_000


@frozen
class TextLine:
    """A line of a topic in which the text stands, and the id of the record that it is of, if of any.

    `assessment` says how far that record may be relied on at the time of the answer. Of a line that defines
    evidence, `evidence_of` is the first record that rests on it.
    """

    path: str
    line: int
    text: str
    record: str
    assessment: Assessment | None = None
    evidence_of: str = ""


@frozen
class Grepped:
    """The lines in which a text stands, by topic and line; `more` says that there are others."""

    revision: str | None
    text: str
    hits: tuple[TextLine, ...]
    more: bool = False


@frozen
class Excerpt:
    """Lines `first` to `last` of the `of` lines of a topic, and the records that stand in them."""

    revision: str | None
    path: str
    first: int
    last: int
    of: int
    text: str
    records: tuple[RecordLine, ...]


def grep(
    memory: Memory,
    text: str,
    topic: str,
    ignore_case: bool,
    limit: int,
    day: date,
    progress: Progress | None,
) -> Grepped:
    """The first `limit` lines in which a text stands, their records assessed on a day."""
    _see_it_can_be_found(text, limit)
    prefix = topic_prefix(topic)
    hits: list[TextLine] = []
    with memory.reading(progress or (lambda done, total: None)) as (revision, base):
        there = (path for path, _ in memory.index.queries.topics(prefix))
        paths = [path for path in there if path_key(path) in base.facts.topics]
        for number, path in enumerate(paths):
            if progress is not None:
                progress(number, len(paths))
            for line in hits_in(base.facts, path, base.tree.get(path) or b"", text, ignore_case):
                hits.append(_told(base.facts, path, line, day))
            if len(hits) > limit:
                break
    return Grepped(revision, text, tuple(hits[:limit]), len(hits) > limit)


def excerpt(service: Place, path: str, first: int, room: int) -> Excerpt:
    """Lines of a topic from `first` on."""
    from .reading import find

    memory = service.memory()
    with memory.reading() as (revision, base):
        found = find(memory, base.facts, path)
        if not isinstance(found, TopicFact):
            raise Refused(_no_topic(path))
        if found.problems:
            raise Refused(*found.problems)
        lines = lines_for(base.facts, TopicPath(found.path), base.tree.get(found.path) or b"")
        if not lines:
            raise Refused(_no_topic(path))
        if not 1 <= first <= len(lines):
            raise Refused(_no_line(first, len(lines)))
        taken: list[Line] = []
        size = 0
        for line in lines[first - 1 :]:
            size += len(line.text) + 1
            if taken and size > room:
                break
            taken.append(line)
        records = lines_of(base.facts, dict.fromkeys(line.record for line in taken if line.record))
        text = "".join(f"{line.text}\n" for line in taken)
        return Excerpt(revision, found.path, first, taken[-1].number, len(lines), text, records)


def _told(facts: Facts, path: str, line: Line, day: date) -> TextLine:
    known = facts.records.get(line.record or "")
    found = assessed(facts, known.record, day) if known is not None else None
    return TextLine(path, line.number, line.text, line.record or "", found, line.evidence_of or "")


def _see_it_can_be_found(text: str, limit: int) -> None:
    problems: list[Problem] = []
    if not text.strip() or "\n" in text or len(text) > _LONGEST:
        message = f"the text must be 1 to {_LONGEST:,} characters on one line, and not all blank"
        problems.append(Problem(Code.INVALID_ARGUMENT, message, "text", remedy="give the exact words"))
    if not 1 <= limit <= _MOST:
        message = f"the limit must be 1 to {_MOST:,}"
        problems.append(Problem(Code.INVALID_ARGUMENT, message, "limit", remedy="give a smaller number"))
    if problems:
        raise Refused(*problems)


def _no_topic(path: str) -> Problem:
    # The words of what is not there at all: that something is held is nobody's business.
    message = f"there is no record, topic or message {path.strip()!r}"
    return Problem(
        Code.MEMORY_NOT_FOUND, message, path.strip(), remedy="search for its words, or list the topics"
    )


def _no_line(first: int, of: int) -> Problem:
    message = f"there is no line {first}: the topic has {of}"
    return Problem(Code.INVALID_ARGUMENT, message, "first", remedy=f"give 1 to {of}")
