"""What a person may mean who begins to type a name: topics, then records, each with what names it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from attrs import frozen

from scriptorium_core.problem import Code
from scriptorium_core.recall import Query
from scriptorium_core.recall.naming import named

from ..refused import Refused
from .shown import RecordShown

if TYPE_CHECKING:
    from .service import Service

__all__ = ["Ref", "refs"]

_BRIEF = 120


@frozen
class Ref:
    """A topic or a record: `ref` names it wherever a name is asked for, `title` is for people.

    `path` is the topic; a title is the topic's name, or the beginning of the record.
    """

    ref: str
    kind: Literal["topic", "record"]
    title: str
    path: str


def refs(service: Service, text: str, limit: int) -> tuple[Ref, ...]:
    """At most `limit` of them: the record of an id (`^id`), else topics by name, then records by words."""
    asked = text.strip()
    if asked.startswith("^"):
        return _identified(service, asked)
    paths = named((topic.path for topic in service.topics()), asked)[:limit]
    topics = tuple(Ref(path, "topic", _name(path), path) for path in paths)
    if not asked or len(topics) == limit:
        return topics
    hits = service.search(Query(asked, limit=limit - len(topics))).hits
    return topics + tuple(_record(hit.id, hit.content, hit.path) for hit in hits)


def _identified(service: Service, name: str) -> tuple[Ref, ...]:
    try:
        found = service.show(name)
    except Refused as refused:
        if refused.problems[0].code in (Code.MEMORY_NOT_FOUND, Code.FORGOTTEN):
            return ()
        raise
    if not isinstance(found, RecordShown):
        return ()
    return (_record(found.record.id, found.record.content, found.record.topic_path),)


def _record(block: str, content: str, path: str) -> Ref:
    return Ref(f"^{block}", "record", content[:_BRIEF], path)


def _name(path: str) -> str:
    return path.rpartition("/")[2].removesuffix(".md")
