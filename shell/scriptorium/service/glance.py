"""Reading a memory at rest: HEAD, working tree and index agree, so that nothing has to be finished first.

Opening a memory loads all that could finish what a killed process began, and all that writes. A question to a
memory at rest needs its facts alone: that is what makes a search in a new process quick.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, NamedTuple

from .. import files
from ..history.refs import head
from ..index import Index, Queries
from ..layout import Layout, locate

if TYPE_CHECKING:
    from scriptorium_core.facts import Facts

    from .place import Place

__all__ = ["Glance", "glance"]


class Glance(NamedTuple):
    """The facts of the present commit, for as long as the block lasts."""

    layout: Layout
    revision: str
    facts: Facts
    queries: Queries


@contextmanager
def glance(service: Place) -> Iterator[Glance | None]:
    """The memory of a service if it is at rest, else None. Raises Refused where there is no memory."""
    layout = locate(service.root)
    revision = head(layout) if (layout.git / "HEAD").is_file() and layout.facts.is_file() else None
    if (
        revision is None
        or layout.erasing.exists()
        or not layout.staging.is_dir()
        or _projected(layout) != revision
    ):
        yield None
        return
    index = _opened(service, layout)
    with index.snapshot() as facts:
        yield Glance(layout, revision, facts, index.queries) if index.commit == revision else None


def _opened(service: Place, layout: Layout) -> Index:
    """The index as the last glance opened it, unless another file stands in its place since."""
    known = service.glanced
    if known is not None and known.path == layout.facts and known.stands():
        return known
    if known is not None:
        known.close()
    service.glanced = Index.open(layout.facts)
    return service.glanced


def _projected(layout: Layout) -> str:
    return (files.read(layout.projected, layout.root) or b"").decode("ascii", "replace").strip()
