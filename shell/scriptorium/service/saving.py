"""Saving a whole topic by compare-and-set; where somebody was faster, the two texts are taken together."""

from __future__ import annotations

from typing import TYPE_CHECKING

from attrs import frozen

from scriptorium_core.markdown.spans import line_ending
from scriptorium_core.names import TopicPath
from scriptorium_core.problem import Code, Problem
from scriptorium_core.topics import Topic, parse_topic, render_topic
from scriptorium_core.topics.merge import Clash, merge
from scriptorium_core.transaction import Rejected
from scriptorium_core.tree import Tree

from .shaping import lines_of

if TYPE_CHECKING:
    from ..workspace import Committed, Memory
    from .service import Service
    from .shown import RecordLine

__all__ = ["Met", "Unsaved", "merged_texts", "save", "text_at"]

_BASE = "base_revision"


@frozen
class Unsaved:
    """What is in the way of saving; `vanished` are records that the text does not hold any more."""

    problems: tuple[Problem, ...]
    vanished: tuple[RecordLine, ...] = ()


@frozen
class Met:
    """Somebody was faster: the text now, at `revision`, and both together, record by record.

    `merged` is None where both changed the same; `clashes` say where.
    """

    revision: str | None
    theirs: str
    merged: str | None
    clashes: tuple[Clash, ...] = ()


def save(
    service: Service, path: TopicPath, text: str, base: str, delete: bool = False
) -> Committed | Unsaved | Met:
    """Write the text of a topic that was read at the revision `base` (empty: before the first commit).

    `delete` says that records which the text leaves out are left out on purpose.
    """
    memory = service.memory(make=True)
    before = text_at(memory, base or None, path)
    # A browser sends every line end as CRLF.
    content = text.replace("\r\n", "\n").replace("\n", line_ending(before or "", "\n"))
    vanished = _vanished(memory, path, before, content)
    action = "write" if content.strip() else "delete"
    change = {"path": path, "action": action} | ({"content": content} if content.strip() else {})
    deleted = [line.id for line in vanished] if delete else []
    result = service.change({"changes": [change], "deleted": deleted, _BASE: base})
    if not isinstance(result, Rejected):
        return result
    if any(each.code is Code.CONCURRENT_UPDATE and each.path == _BASE for each in result.problems):
        return _met(memory, path, before, content)
    return Unsaved(tuple(_named(each) for each in result.problems), vanished)


def merged_texts(path: TopicPath, base: str, mine: str, theirs: str) -> str | tuple[Clash, ...]:
    """The text `mine` with what `theirs` changed of `base`, or every place where the two meet."""
    found = merge(*(_topic(path, each) for each in (base, mine, theirs)))
    return render_topic(found).decode("utf-8", "replace") if isinstance(found, Topic) else found


def text_at(memory: Memory, revision: str | None, path: TopicPath) -> str | None:
    """The text of a topic as of a commit; None where there is none, or no such commit."""
    try:
        data = Tree(memory.history.base(revision)).get(path)
    except KeyError:
        return None
    return None if data is None else data.decode("utf-8", "replace")


def _met(memory: Memory, path: TopicPath, before: str | None, mine: str) -> Met:
    with memory.reading() as (revision, base):
        theirs = (base.tree.get(path) or b"").decode("utf-8", "replace")
    found = merged_texts(path, before or "", mine, theirs)
    return Met(revision, theirs, found) if isinstance(found, str) else Met(revision, theirs, None, found)


def _vanished(memory: Memory, path: TopicPath, before: str | None, after: str) -> tuple[RecordLine, ...]:
    kept = set(_topic(path, after).ids)
    with memory.reading() as (_, base):
        gone = [block for block in _topic(path, before or "").ids if block not in kept]
        return tuple(line for line in lines_of(base.facts, gone) if line.topic_path == path)


def _topic(path: TopicPath, text: str) -> Topic:
    return parse_topic(path, text.encode("utf-8", "replace"))[0] if text else Topic(path, (), (), {})


def _named(problem: Problem) -> Problem:
    return problem._replace(path=problem.path.removeprefix("changes[0]."))
