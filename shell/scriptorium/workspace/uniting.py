"""Another history of this memory taken in: the branch goes on to it, or one commit unites the two.

All that is asked of the other history before (names, laws, what was erased) was asked already, but for the
laws that need to know what is archived by now. The lock is held only here.
"""

from collections.abc import Callable

from attrs import evolve, frozen

from scriptorium_core.facts.once import claims_in, retold
from scriptorium_core.names import BlockId
from scriptorium_core.problem import Code, Problem
from scriptorium_core.syncing import Node, Relation, Side, Standing, Tidings, relation, tidings_of, united
from scriptorium_core.syncing.arrived import arrived
from scriptorium_core.syncing.incoming import broken
from scriptorium_core.syncing.order import Head, in_order
from scriptorium_core.trailers import format_message
from scriptorium_core.transaction import Rejected, Report, Rules
from scriptorium_core.transaction.adopting import is_foreign
from scriptorium_core.tree import Tree

from .. import files
from ..history import Entry, History, Projection
from ..lock import held
from ..refused import Refused
from . import drafts
from .memory import Memory
from .projecting import projected

__all__ = ["Taken", "look", "paths_between", "relation_of", "take", "tidings_between"]

_ATTEMPTS = 5


@frozen
class Taken:
    """What became of the memory: `standing` is how it stood to the other history before.

    `revision` is HEAD now. `alternatives` are the pairs of records that are two texts of one; `kept` files
    of no record that both changed.
    """

    standing: Standing
    revision: str | None
    report: Report
    alternatives: tuple[tuple[BlockId, BlockId], ...] = ()
    kept: tuple[str, ...] = ()
    projected: bool = True
    drafts: tuple[str, ...] = ()
    problems: tuple[Problem, ...] = ()


def look(history: History) -> Callable[[str], Node]:
    """How the commits of a history are seen by what compares two of them."""

    def node(commit: str) -> Node:
        try:
            found = history.entry(commit)
        except KeyError:
            return Node(0)
        return Node(found.when.seconds, found.parents)

    return node


def relation_of(history: History, head: str | None, theirs: str) -> Relation:
    """How HEAD stands to another commit."""
    return relation(head, theirs, look(history))


def tidings_between(history: History, commits: tuple[str, ...]) -> Tidings:
    """What some commits say that they did, the oldest first."""
    told = [(commit, history.entry(commit).trailers) for commit in commits]
    made = ((commit, each) for commit, trailers in told for each in claims_in(trailers))
    return evolve(tidings_of(trailers for _, trailers in told), requests=retold(made))


def paths_between(history: History, old: str | None, new: str) -> frozenset[str]:
    """The files that differ between two commits."""
    return frozenset(change.path for change in history.changes(old, new))


def take(memory: Memory, theirs: str, rules: Rules, dry: bool = False) -> Taken | Rejected:
    """Take in the history that ends in `theirs`, whose objects are here; Rejected with what is in the way.

    With `dry` it is worked out what would be done, and nothing is changed.
    A person's draft in a file that changes is adopted first; where it does not pass, nothing is done.
    """
    for _ in range(_ATTEMPTS):
        if not dry and (problems := _adopted(memory, theirs)):
            return Rejected(problems)
        with files.explained(memory.layout.root), held(memory.layout.lock):
            result = _attempt(memory, theirs, rules, dry)
        if result is not None:
            return result
    raise Refused(_overtaken())


def _attempt(memory: Memory, theirs: str, rules: Rules, dry: bool) -> Taken | Rejected | None:
    """One try on the present HEAD; None if somebody who takes no lock moved it."""
    if not dry:
        memory.settle()
    head = memory.revision
    found = relation_of(memory.history, head, theirs)
    if found.standing in (Standing.SAME, Standing.AHEAD):
        return Taken(found.standing, head, Report())
    if not found.bases and head is not None:
        return Rejected((_unrelated(),))
    done = _fast_forward if found.standing is Standing.BEHIND else _merge
    return done(memory, head, theirs, found, rules, dry)


def _adopted(memory: Memory, theirs: str) -> tuple[Problem, ...]:
    """Adopt the drafts in the topics that change; why some cannot be."""
    head = memory.revision
    base = next(iter(relation_of(memory.history, head, theirs).bases), head)
    paths = tuple(p for p in sorted(paths_between(memory.history, base, theirs)) if p.startswith("topics/"))
    waiting = memory.history.drafts(paths) if head is not None and paths else ()
    if not waiting:
        return ()
    result = memory.adopt(waiting)
    return (*drafts.in_the_way(waiting), *result.problems) if isinstance(result, Rejected) else ()


def _fast_forward(
    memory: Memory, head: str | None, theirs: str, found: Relation, rules: Rules, dry: bool
) -> Taken | Rejected | None:
    history = memory.history
    made = tidings_between(history, found.only_two)
    tail = _unseen(history, theirs)
    memory.index.follow(history, theirs)
    with memory.indexed() as (_, base):
        trees = Tree(history.base(head)), Tree(history.base(theirs))
        problems = broken(*trees, paths_between(history, head, theirs), base.facts, theirs, made)
    problems = tuple(each for each in problems if each.code is not Code.NOT_PERMITTED or not tail)
    if problems:
        return Rejected(problems)
    report = arrived(*trees, paths_between(history, head, theirs))
    if dry:
        return Taken(found.standing, head, report)
    with history.installing(head, theirs) as commit:
        if commit is None:
            return None
        done = projected(memory.layout, history)
    memory.settle()
    return _taken(found, memory.revision, report, done)


def _merge(
    memory: Memory, head: str | None, theirs: str, found: Relation, rules: Rules, dry: bool
) -> Taken | Rejected | None:
    assert head is not None
    history, base = memory.history, found.bases[0]
    heads = [_head(history.entry(commit)) for commit in (head, theirs)]
    first, second = in_order(*heads)
    only = {head: found.only_one, theirs: found.only_two}
    sides = [
        Side(
            Tree(history.base(each.commit)),
            paths_between(history, base, each.commit),
            tidings_between(history, only[each.commit]),
        )
        for each in (first, second)
    ]
    memory.index.follow(history, first.commit)
    with memory.indexed() as (_, snapshot):
        outcome = united(Tree(history.base(base)), snapshot.facts, sides[0], sides[1], rules)
        if isinstance(outcome, Rejected):
            return outcome
        differences = outcome.prepared.tree.differences()
        own, new = Tree(history.base(head)), outcome.prepared.tree
        changed = {*paths_between(history, head, first.commit), *differences}
        report = arrived(own, new, changed)
    prepared = outcome.prepared
    if dry:
        return Taken(found.standing, head, report, outcome.alternatives, outcome.kept)
    if memory.before_commit is not None:
        memory.before_commit(prepared)
    message = format_message(prepared.subject, prepared.trailers)
    # Not the present: whoever unites these two makes the same commit.
    when = max((history.entry(c).when for c in (head, theirs)), key=lambda when: (when.seconds, when.offset))
    commit = history.write(first.commit, differences, message, when, (second.commit,))
    with history.installing(head, commit) as installed:
        if installed is None:
            return None
        done = projected(memory.layout, history)
    taken = _taken(found, commit, report, done)
    return evolve(taken, alternatives=outcome.alternatives, kept=outcome.kept)


def _taken(found: Relation, revision: str | None, report: Report, done: Projection) -> Taken:
    told = done.problems + done.aside
    return Taken(found.standing, revision, report, (), (), done.done, done.drafts, told)


def _head(entry: Entry) -> Head:
    return Head(entry.commit, entry.when.seconds, is_foreign(entry.trailers))


def _unseen(history: History, theirs: str) -> bool:
    """Whether another hand made the newest commit there: what it broke is named when it is adopted here."""
    return is_foreign(history.entry(theirs).trailers)


def _unrelated() -> Problem:
    message = "the other history has no commit in common with this one"
    return Problem(Code.COMMIT_REJECTED, message, remedy="sync with a copy of this very memory")


def _overtaken() -> Problem:
    message = "the history was moved by another program at every attempt"
    remedy = "stop the program that commits to this repository, then try again"
    return Problem(Code.CONCURRENT_UPDATE, message, ".git", remedy=remedy)
