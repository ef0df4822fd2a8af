"""How a search came to its answer."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from functools import partial
from typing import TYPE_CHECKING

from attrs import evolve, frozen

from scriptorium_core import recall
from scriptorium_core.problem import Problem
from scriptorium_core.recall import Nothing, Query
from scriptorium_core.recall.explain import Explanation, explained, unfiltered

from .assessing import day_of
from .found import Found
from .searching import Ready, answer_and_hits, empty, passes, ready
from .using import troubles

if TYPE_CHECKING:
    from .place import Place

__all__ = ["Explained", "explain", "explained_in"]


@frozen
class Explained:
    """An answer as `search` gives it, and how it came about."""

    revision: str | None
    found: Found
    explanation: Explanation
    notices: tuple[Problem, ...] = ()


def explain(service: Place, query: Query, progress: Callable[[int, int], None] | None) -> Explained:
    """The answer to a query at the present commit, with its explanation."""
    with ready(service, progress) as seen:
        done = explained_in(seen, query, day_of(service))
    return evolve(done, notices=tuple(dict.fromkeys((*done.notices, *troubles(service)))))


def explained_in(seen: Ready, query: Query, now: date) -> Explained:
    """The answer with its explanation, at the commit that `seen` stands for, assessed on the day `now`."""
    asked = recall.wanted(query)
    if seen.fulltext is None or seen.revision is None:
        nothing = asked if isinstance(asked, Nothing) else empty()
        found = Found(None, None, nothing=nothing)
        return Explained(None, found, explained(query, (), (), {}, nothing))
    found, hits = answer_and_hits(seen.revision, seen.facts, seen.fulltext, query, seen.notices, now)
    wanted = () if isinstance(asked, Nothing) else asked
    statistics, terms = seen.fulltext.statistics(query, wanted)
    # With the filters too: behind many others that they take away, the hits would not be among the first.
    queries = () if isinstance(asked, Nothing) else (unfiltered(query), query)
    candidates, similar = seen.fulltext.looked_at(queries, terms)
    may = partial(passes, seen.facts)
    how = explained(query, candidates, terms, statistics, found.nothing or hits, similar, may)
    return Explained(seen.revision, found, how, found.notices)
