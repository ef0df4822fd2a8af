"""The resident block as it holds in one project, read from files, so that a host waits for nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scriptorium_core.budget import estimate
from scriptorium_core.facts.scopes import holds_in, scopes_of
from scriptorium_core.names import TopicPath
from scriptorium_core.topics import parse_topic
from scriptorium_core.views.core import CORE_VIEW, core_view

from ..index import Index

if TYPE_CHECKING:
    from scriptorium_core.facts import Facts
    from scriptorium_core.topics.records import Record

    from ..layout import Layout

__all__ = ["core_in"]


def core_in(layout: Layout, core: str, directory: str) -> str:
    """The text of `core.md` without what holds in other projects alone; all of it without a directory.

    What the index does not know yet is left out: where it holds cannot be told.
    """
    if not directory or not core.strip():
        return core
    if not layout.index.is_file():
        return ""
    index = Index.open(layout.index)
    try:
        with index.snapshot() as facts:
            topic, _ = parse_topic(TopicPath(CORE_VIEW), core.encode("utf-8", "surrogatepass"))
            whole = len(core.encode("utf-8", "surrogatepass")) + 1_000
            return core_view(
                topic, lambda _: True, estimate, whole, lambda record: _holds(facts, record, directory)
            ).text
    finally:
        index.close()


def _holds(facts: Facts, record: Record, directory: str) -> bool:
    named = (facts.places.get(cited.place) for cited in record.sources)
    known = [facts.sources.get(name) if name is not None else None for name in named]
    sources = [source for source in known if source is not None]
    return len(sources) == len(known) and holds_in(scopes_of(sources), directory)
