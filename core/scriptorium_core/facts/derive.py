"""All facts of a memory directory from scratch, as dictionaries: what every index must agree with."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from types import MappingProxyType
from typing import TypeVar

from ..names import BlockId, TopicPath
from ..problem import Problem
from ..topics.records import Record
from ..tree import Tree
from .clashes import id_clash, name_clash
from .model import Event, Facts, Known, SourceFact, TopicFact
from .rows import (
    ArchiveRows,
    ContextRows,
    Rows,
    TopicRows,
    contributes,
    events_of,
    file_facts,
    keys_of,
    places_of,
    shard_of,
    with_contexts,
)

__all__ = ["facts_of"]

_T = TypeVar("_T")
_NO_ORDER: Mapping[str, int] = MappingProxyType({})
_NONE_FORGOTTEN: Mapping[str, str] = MappingProxyType({})


def facts_of(
    tree: Tree, order: Mapping[str, int] = _NO_ORDER, forgotten: Mapping[str, str] = _NONE_FORGOTTEN
) -> Facts:
    """The facts of `tree`; `order` and `forgotten` are what the history says (`chronicle`)."""
    rows = tuple(_rows(tree))
    topics = tuple(found for found in rows if isinstance(found, TopicRows))
    records = tuple(record for topic in topics for record in topic.records)
    backlinks = _grouped((link, record.id) for record in records for link in record.links)
    sources = _sources(rows)
    return Facts(
        records={
            block: Known(record, order.get(block, -1)) for block, record in _first_by_id(records).items()
        },
        topics=_topics(topics),
        spellings=_grouped((topic.spelling, topic.path) for topic in topics),
        evidence=_grouped((cite, topic.path) for topic in topics for cite in topic.evidence),
        backlinks=backlinks,
        citing=_grouped((place, record.id) for record in records for place in places_of(record)),
        sources={source.id: source for source in reversed(sources)},
        places={source.place: source.id for source in sources},
        archives={found.path: found.archive for found in rows if isinstance(found, ArchiveRows)},
        days=_days(records),
        shards=_shards(records, backlinks),
        newest=_newest(records, order),
        forgotten=forgotten,
        next_order=max(order.values(), default=-1) + 1,
        broken=_broken(rows),
        created=order,
        asked=_grouped((key, record.id) for record in records for key in keys_of(record)),
    )


def _rows(tree: Tree) -> Iterator[Rows]:
    for prefix in ("sources/", "topics/"):
        for path in tree.under(prefix):
            data = tree.get(path) if contributes(path) else None
            found = file_facts(path, data) if data is not None else None
            if found is not None:
                yield found


def _known(record: Record, order: Mapping[str, int]) -> Known:
    return Known(record, order.get(record.id, -1))


def _first_by_id(records: tuple[Record, ...]) -> Mapping[str, Record]:
    first: dict[str, Record] = {}
    for record in records:
        for block in record.ids:
            first.setdefault(block, record)
    return first


def _newest(records: tuple[Record, ...], order: Mapping[str, int]) -> tuple[Known, ...]:
    """Newest first; those that no commit names last, by path and place, in which they come."""
    return tuple(sorted((_known(record, order) for record in records), key=lambda known: -known.order))


def _grouped(pairs: Iterable[tuple[str, _T]]) -> Mapping[str, tuple[_T, ...]]:
    """Key to its values, sorted, each once."""
    found: defaultdict[str, set[_T]] = defaultdict(set)
    for key, value in pairs:
        found[key].add(value)
    return {key: tuple(sorted(values, key=str)) for key, values in found.items()}


def _days(records: tuple[Record, ...]) -> Mapping[str, tuple[Event, ...]]:
    days: defaultdict[str, list[Event]] = defaultdict(list)
    for record in records:
        for event in events_of(record):
            days[event.day].append(event)
    return {day: tuple(events) for day, events in days.items()}


def _shards(
    records: tuple[Record, ...], backlinks: Mapping[str, tuple[BlockId, ...]]
) -> Mapping[str, tuple[BlockId, ...]]:
    linked = (record for record in records if record.links or any(block in backlinks for block in record.ids))
    return _grouped((shard_of(block), record.id) for record in linked for block in record.ids)


def _topics(topics: tuple[TopicRows, ...]) -> Mapping[str, TopicFact]:
    first: dict[str, TopicRows] = {}
    for topic in topics:
        first.setdefault(topic.key, topic)
    wrong = _wrong(topics)
    return {key: TopicFact(topic.path, _ids(topic), wrong[topic.path]) for key, topic in first.items()}


def _broken(rows: tuple[Rows, ...]) -> Mapping[str, tuple[Problem, ...]]:
    topics = _wrong(tuple(found for found in rows if isinstance(found, TopicRows)))
    contexts = ((found.path, found.problems) for found in rows if isinstance(found, ContextRows))
    return {path: problems for path, problems in (*topics.items(), *contexts) if problems}


def _wrong(topics: tuple[TopicRows, ...]) -> Mapping[TopicPath, tuple[Problem, ...]]:
    """What is wrong in each topic, on its own and beside the others."""
    names: dict[str, TopicPath] = {}
    owners: dict[BlockId, TopicPath] = {}
    for topic in topics:
        names.setdefault(topic.key, topic.path)
        for block in _ids(topic):
            owners.setdefault(block, topic.path)
    return {topic.path: (*topic.problems, *_clashes(topic, names, owners)) for topic in topics}


def _clashes(
    topic: TopicRows, names: Mapping[str, TopicPath], owners: Mapping[BlockId, TopicPath]
) -> Iterator[Problem]:
    if names[topic.key] != topic.path:
        yield name_clash(topic.path, names[topic.key])
    for record in topic.records:
        for block in record.ids:
            if owners[block] != topic.path:
                yield id_clash(topic.path, record.lines[0], block, owners[block])


def _ids(topic: TopicRows) -> tuple[BlockId, ...]:
    return tuple(block for record in topic.records for block in record.ids)


def _sources(rows: tuple[Rows, ...]) -> tuple[SourceFact, ...]:
    """All messages with their contexts, those of version 2 before older ones, by path."""
    contexts = {line.id: line for found in rows if isinstance(found, ContextRows) for line in found.contexts}
    archives = sorted((r for r in rows if isinstance(r, ArchiveRows)), key=lambda r: (r.older, r.path))
    return tuple(source for found in archives for source in with_contexts(found, contexts))
