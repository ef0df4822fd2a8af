"""What commits that no check saw have broken, and whether it is broken still.

Commits by another hand are looked at between the last one of ours and the commit that adopts them. That one
names in its trailers what they broke, and the index knows the trailers: so a memory in which nothing was
broken costs a question to the index, however long its history is.
"""

from collections.abc import Sequence
from itertools import pairwise

from attrs import evolve

from scriptorium_core.facts import Facts
from scriptorium_core.problem import Problem
from scriptorium_core.transaction.adopting import is_foreign
from scriptorium_core.transaction.breaches import BREACHES, Breach, breaches, stands
from scriptorium_core.tree import Tree

from ..history import History
from ..index import Queries

__all__ = ["broken", "commits_of", "new_breaches"]


def broken(history: History, queries: Queries, facts: Facts, head: str | None) -> tuple[Problem, ...]:
    """All that is broken still at `head`, whose facts these are; by place."""
    tops = list(queries.commits_naming(BREACHES))
    if head is not None and is_foreign(history.entry(head).trailers):
        tops.append(head)
    found: dict[tuple[str, str], Breach] = {}
    for breach in (breach for top in tops for breach in _located(history, facts, top)):
        first = found.get((breach.key, breach.name), breach)
        # It was as it was before the first commit that broke it; the newest one is to be named.
        found[breach.key, breach.name] = evolve(breach, before=first.before, branches=first.branches)
    tree = Tree(history.base(head))
    left = [each for each in found.values() if stands(each, tree, facts, _promoted(queries, each))]
    return tuple(sorted((each.problem for each in left), key=lambda problem: (problem.path, problem.line)))


def new_breaches(history: History, facts: Facts, raw: str | None, head: str | None) -> tuple[Breach, ...]:
    """What is broken in `raw`, which is to be adopted on `head`, against the last commit of ours."""
    line = _unseen(history, head)
    return _between(history, facts, line[0], raw) if line and raw is not None else ()


def commits_of(history: History, top: str) -> Sequence[str]:
    """The last commit of ours before `top`, and the commits from there to `top`; empty if there is none."""
    entry = history.entry(top)
    if is_foreign(entry.trailers):
        return _unseen(history, top)
    before = _unseen(history, entry.parents[0] if entry.parents else None)
    return (*before, top) if before else ()


def _unseen(history: History, top: str | None) -> Sequence[str]:
    """The last commit of ours at or before `top`, and those of another hand from there to `top`."""
    line: list[str] = []
    for entry in history.log(top) if top is not None else ():
        line.append(entry.commit)
        if not is_foreign(entry.trailers):
            return line[::-1]
    return ()


def _located(history: History, facts: Facts, top: str) -> tuple[Breach, ...]:
    """What was broken up to `top`, each named with the commit that did it."""
    line = commits_of(history, top)
    found = _between(history, facts, line[0], top) if line else ()
    if not found or len(line) == 2:
        return found
    steps = (each for pair in pairwise(line) for each in _between(history, facts, *pair))
    named = {(each.key, each.name): each.problem for each in steps}
    return tuple(evolve(each, problem=named.get((each.key, each.name), each.problem)) for each in found)


def _between(history: History, facts: Facts, old: str, new: str) -> tuple[Breach, ...]:
    paths = [change.path for change in history.changes(old, new)]
    return breaches(Tree(history.base(old)), Tree(history.base(new)), paths, facts, new)


def _promoted(queries: Queries, breach: Breach) -> tuple[str, ...]:
    """The message itself, if the owner has let it in."""
    named = breach.before is not None and any(
        each.name == "Promoted" for each in queries.mentions(breach.name)
    )
    return (breach.name,) if named else ()
