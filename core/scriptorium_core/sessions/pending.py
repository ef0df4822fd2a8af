"""What of a conversation is still unwritten, and the batches in which it is written.

A node is done for a workspace when its metadata hold the workspace's id as a mark. Pending is a walk
from a tip towards the root that stops at the first marked node, so that it costs what is unwritten
and not what the session holds. The truth behind the marks is the archive: a node whose frame stands
there is never written again, only its mark is set. So is a node that is not talk.

All branches are written, each message once: the head's first, then the others. A node can be unmarked
below marked ones when a log brought it late; therefore a walk starts at every *end*, an unmarked
node with no unmarked node that follows it, and not at tips alone.
"""

from collections.abc import Callable, Iterable, Sequence

from attrs import evolve, frozen

from ..budget import Count, fill
from ..names import NodeId, SourceId, WorkspaceId
from ..sources.frame import Branch
from .evidence import source_of
from .graph import Get, Graph, Node, step
from .talk import said, talks

__all__ = [
    "MARK",
    "Batch",
    "Waiting",
    "batch",
    "ends",
    "is_marked",
    "mark",
    "over_branches",
    "pending",
    "taken",
    "unmarked",
]

MARK = "memory_written_scriptorium"
"""Metadata key of the mark; its value is the id of the workspace that has the node."""


@frozen
class Waiting:
    """An unmarked node; `write` is false where only the mark is missing."""

    node: Node
    branch: Branch
    write: bool


@frozen
class Batch:
    """The beginning of what waits: `write` goes to the writer, then all of `mark` is marked.

    `rest` waits for the next batch, `tokens` is the size of `write`, `reached` whether that is the goal.
    """

    write: tuple[Waiting, ...]
    mark: tuple[Node, ...]
    rest: tuple[Waiting, ...]
    tokens: int
    reached: bool


def is_marked(node: Node, workspace: WorkspaceId) -> bool:
    """Whether `node` is done for this workspace; another one's mark does not count."""
    return node.metadata.get(MARK) == workspace


def mark(node: Node, workspace: WorkspaceId) -> Node:
    """`node` with the mark of this workspace."""
    return evolve(node, metadata={**node.metadata, MARK: workspace})


def unmarked(
    get: Get, tip: NodeId, workspace: WorkspaceId, passed: Iterable[NodeId] = ()
) -> tuple[Node, ...]:
    """The nodes from the first marked one (or one in `passed`) to `tip`, oldest first."""
    stop = passed if isinstance(passed, set) else set(passed)
    found: list[Node] = []
    node = get(tip)
    while node is not None and node.id not in stop and not is_marked(node, workspace):
        found.append(node)
        node = step(node, get)
    return tuple(found[::-1])


def pending(
    get: Get,
    tip: NodeId,
    workspace: WorkspaceId,
    archived: Callable[[SourceId], bool],
    state: Branch = "live",
) -> tuple[Waiting, ...]:
    """What waits on the branch of `tip`, oldest first; `archived` says whether a source stands at HEAD."""
    return tuple(_waiting(node, state, archived) for node in unmarked(get, tip, workspace))


def over_branches(
    get: Get,
    live_tips: Sequence[NodeId],
    other_ends: Iterable[NodeId],
    workspace: WorkspaceId,
    archived: Callable[[SourceId], bool],
    state: Callable[[NodeId], Branch],
) -> tuple[Waiting, ...]:
    """What waits on all branches, each node once and after those above it.

    `live_tips` are the head and the nodes listed as live, in this order; `other_ends` all ends there
    are; `state` is asked only for nodes that no live tip reached.
    """
    passed: set[NodeId] = set()
    found: list[Waiting] = []
    for tip in live_tips:
        nodes = unmarked(get, tip, workspace, passed)
        passed.update(node.id for node in nodes)
        found.extend(_waiting(node, "live", archived) for node in nodes)
    for end in other_ends:
        nodes = unmarked(get, end, workspace, passed)
        passed.update(node.id for node in nodes)
        found.extend(_waiting(node, state(node.id), archived) for node in nodes)
    return tuple(found)


def ends(graph: Graph, workspace: WorkspaceId) -> tuple[NodeId, ...]:
    """The unmarked nodes that no unmarked node follows, in order of insertion."""
    open_nodes = [node for node in graph.nodes.values() if not is_marked(node, workspace)]
    followed = {above.id for node in open_nodes if (above := step(node, graph.get)) is not None}
    return tuple(node.id for node in open_nodes if node.id not in followed)


def batch(waiting: Sequence[Waiting], count: Count, goal: int) -> Batch:
    """The oldest nodes whose tokens reach `goal`, at least one if there is one to write.

    Nodes that only lack their mark are marked with the ones they stand between, never before: a mark
    says that all above it is done.
    """
    chosen = fill([item for item in waiting if item.write], lambda item: count(said(item.node.text)), goal)
    cut = _cut(waiting, len(chosen.kept))
    marks = tuple(item.node for item in waiting[:cut])
    return Batch(chosen.kept, marks, tuple(waiting[cut:]), chosen.used, chosen.used >= goal)


def taken(waiting: Sequence[Waiting], names: Sequence[str], count: Count) -> Batch | None:
    """The batch of exactly these messages (source ids), None if they are not what waits first any more."""
    write = tuple(item for item in waiting if item.write)[: len(names)]
    if not write or tuple(source_of(item.node) for item in write) != tuple(names):
        return None
    cut = _cut(waiting, len(write))
    marks = tuple(item.node for item in waiting[:cut])
    tokens = sum(count(said(item.node.text)) for item in write)
    return Batch(write, marks, tuple(waiting[cut:]), tokens, reached=True)


def _cut(waiting: Sequence[Waiting], written: int) -> int:
    """Where the beginning with `written` nodes to write ends, with the marks that follow at once."""
    left = written
    for index, item in enumerate(waiting):
        if item.write and left == 0:
            return index
        left -= item.write
    return len(waiting)


def _waiting(node: Node, state: Branch, archived: Callable[[SourceId], bool]) -> Waiting:
    return Waiting(node, state, talks(node.origin, node.text) and not archived(source_of(node)))
