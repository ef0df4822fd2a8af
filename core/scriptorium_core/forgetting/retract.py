"""Retracting: what is forgotten leaves the present memory in one commit, and its ids get tombstones there.

    Forget 1 record

    Kind: forget
    Reason: said in confidence
    Forgotten: 6c1f02aa native/trip/m1

`Forgotten` names block ids and source ids. From there every index knows them, also one that is built from
scratch, and nothing of them comes back: no id is allocated again, no message is cited or archived again.
"""

from collections.abc import Iterable, Iterator

from ..changes.model import Caller
from ..facts.model import Facts
from ..names import BlockId, TopicPath
from ..problem import Code, Problem
from ..sources.frame import Tier
from ..topics.parse import parse_topic
from ..topics.render import render_topic
from ..trailers import id_trailers
from ..transaction.model import Edit, Rejected, Snapshot
from ..tree import Tree
from .model import Scope, Targets
from .topic import lessened

__all__ = ["retract"]


def retract(
    base: Snapshot, scope: Scope, caller: Caller, unlink: bool, reason: str = "", erase: bool = False
) -> Edit | Rejected:
    """The edit that takes the scope out of the memory, or all reasons why it cannot be taken out.

    Where other records link to what goes, nothing happens unless `unlink` says that these links become
    plain text. With `erase` the commit says that the history is to be rewritten as well.
    """
    problems = (*_entitled(caller), *_linked(base.facts, scope, unlink), *_broken(base.facts, scope))
    if problems:
        return Rejected(problems)
    tree = base.tree
    for path in _paths(base.facts, scope):
        tree = _edited(tree, path, scope.targets)
    gone = scope.targets.ids | _vanished(base.tree, tree)
    kind, subject = ("erase", "Erase") if erase else ("forget", "Forget")
    named = id_trailers("Forgotten", (*sorted(gone), *sorted(scope.targets.sources)))
    trailers = (("Reason", reason), *named)
    return Edit(tree, gone, kind=kind, subject=f"{subject} {_count(scope)}", trailers=trailers)


def _edited(tree: Tree, path: TopicPath, targets: Targets) -> Tree:
    left = lessened(parse_topic(path, tree.get(path) or b"")[0], targets).topic
    return tree.remove(path) if left is None else tree.put(path, render_topic(left))


def _vanished(before: Tree, after: Tree) -> frozenset[BlockId]:
    """Ids that went with a citation: in the older form of a record the citations are its ids."""
    gone = set[BlockId]()
    for path, data in after.differences().items():
        old = parse_topic(TopicPath(path), before.get(path) or b"")[0].ids
        gone |= {*old} - {*parse_topic(TopicPath(path), data or b"")[0].ids}
    return frozenset(gone)


def _paths(facts: Facts, scope: Scope) -> Iterator[TopicPath]:
    """The topics that change: of what goes, of what loses a citation, of what links to it."""
    blocks = (*sorted(scope.targets.ids), *scope.losing, *scope.linking)
    found = {known.record.path for block in blocks if (known := facts.records.get(block)) is not None}
    yield from sorted(found)


def _entitled(caller: Caller) -> Iterator[Problem]:
    if caller.tier is not Tier.OWNER:
        message = "only the owner forgets"
        yield Problem(Code.NOT_PERMITTED, message, remedy="ask the owner of the memory")


def _linked(facts: Facts, scope: Scope, unlink: bool) -> Iterator[Problem]:
    for block in scope.linking if not unlink else ():
        record = facts.records[block].record
        lost = ", ".join(f"^{link}" for link in record.links if link in scope.targets.ids)
        yield Problem(
            Code.LINK_DANGLING,
            f"^{block} links to {lost}, which would be nowhere",
            record.path,
            record.lines[0],
            "unlink turns such links into plain text, or forget that record too",
        )


def _broken(facts: Facts, scope: Scope) -> Iterator[Problem]:
    """A quarantined topic is not written: what stands in it has to be mended first."""
    for path in _paths(facts, scope):
        faults: Iterable[Problem] = facts.broken.get(path, ())
        for fault in list(faults)[:1]:
            message = f"{path} is quarantined: {fault.message}"
            remedy = f"mend line {fault.line} of {path} first"
            yield Problem(Code.INVALID_TOPIC_FORMAT, message, path, fault.line, remedy)


def _count(scope: Scope) -> str:
    ids, sources = len(scope.targets.ids), len(scope.targets.sources)
    found = ((ids, "id"), (sources, "message"))
    return " and ".join(f"{number} {word}{'s' * (number != 1)}" for number, word in found if number)
