"""Counting tokens in a memory: what was counted once is looked up, and no vocabulary is loaded for it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from functools import cache
from typing import TYPE_CHECKING

from .. import tokens
from ..index import Index

if TYPE_CHECKING:
    from scriptorium_core.budget import Count

    from ..index import Counts
    from ..layout import Layout

__all__ = ["counting"]


@contextmanager
def counting(layout: Layout) -> Iterator[Count]:
    """A counter that knows what it counted before; what is new is kept at the end.

    Where nothing is counted, nothing is opened and no package of a vocabulary is looked for.
    """
    with ExitStack() as opened:

        @cache
        def counts() -> Counts:
            index = Index.open(layout.facts)
            opened.callback(index.close)
            return index.counting(tokens.counter_name(), tokens.count)

        def count(text: str) -> int:
            return counts()(text)

        yield count
        if counts.cache_info().currsize:
            counts().keep()
