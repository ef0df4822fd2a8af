"""The resident block as it holds in one project today, read from files, so that a host waits for nothing."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, NamedTuple

from scriptorium_core.budget import estimate
from scriptorium_core.facts.scopes import holds_in, scopes_of
from scriptorium_core.knowledge.gate import assessed, assessed_alone, barred, doubts
from scriptorium_core.names import BlockId, TopicPath
from scriptorium_core.topics import parse_topic
from scriptorium_core.views.core import CORE_VIEW, core_view

if TYPE_CHECKING:
    from collections.abc import Callable, Generator
    from datetime import date

    from scriptorium_core.facts import Facts
    from scriptorium_core.knowledge.assess import Assessment
    from scriptorium_core.topics.records import Record

    from ..layout import Layout

__all__ = ["Resident", "core_in"]


class Resident(NamedTuple):
    """The resident block as a reader is given it, and the ids of the records in it."""

    text: str = ""
    shown: tuple[BlockId, ...] = ()


def core_in(layout: Layout, core: str, directory: str, now: date, limit: int) -> Resident:
    """The text of `core.md` without what holds in other projects alone, or may not be relied on at `now`.

    What may be relied on only after a check is marked. The text has no more than `limit` tokens, or as many
    as it has already. With a directory, what the index does not know yet is left out: where it holds cannot
    be told. Without one the text alone is asked, and nothing is opened.
    """
    if not core.strip():
        return Resident(core)
    if not directory:
        return _given(core, limit, lambda record: assessed_alone(record, now), lambda record: True)
    if not layout.facts.is_file():
        return Resident()
    with _facts(layout) as facts:
        return _given(
            core,
            limit,
            lambda record: assessed(facts, record, now),
            lambda record: _holds(facts, record, directory),
        )


def _given(
    core: str, limit: int, assess: Callable[[Record], Assessment], holds: Callable[[Record], bool]
) -> Resident:
    topic, _ = parse_topic(TopicPath(CORE_VIEW), core.encode("utf-8", "surrogatepass"))
    known = {record.id: assess(record) for record in topic.records}

    def meant(record: Record) -> bool:
        return barred(known[record.id]) is None and holds(record)

    def mark(record: Record) -> str:
        return doubts(record, known[record.id])

    view = core_view(topic, lambda _: True, estimate, max(limit, estimate(core)), meant, mark)
    shown = frozenset(view.shown)
    return Resident(view.text, tuple(record.id for record in topic.records if record.id in shown))


@contextmanager
def _facts(layout: Layout) -> Generator[Facts]:
    from ..index import Index

    index = Index.open(layout.facts)
    try:
        with index.snapshot() as facts:
            yield facts
    finally:
        index.close()


def _holds(facts: Facts, record: Record, directory: str) -> bool:
    named = (facts.places.get(cited.place) for cited in record.sources)
    known = [facts.sources.get(name) if name is not None else None for name in named]
    sources = [source for source in known if source is not None]
    return len(sources) == len(known) and holds_in(scopes_of(sources), directory)
