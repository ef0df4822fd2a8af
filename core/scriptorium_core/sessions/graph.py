"""One session as a graph: nodes with parents, and the branches that run through it.

A node names its parent. Where the parent was never written, the node that stood before it in the
log (`after`) bridges the gap, so that what lies above is not lost. Following `step` from any node
ends at a root: a link that would close a circle is cut when the node is placed (`settle`).

A branch is the path from a tip to the root. The nodes on the path of the session's head, or of a
node that the session lists as live, are live; all others were abandoned by an edit, a retry or a
rewind. If no head is known, neither is the state.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from hashlib import sha256

from attrs import evolve, field, frozen

from ..names import NodeId, SessionId
from ..sources.frame import Branch, Origin
from .talk import talks

__all__ = [
    "CUT",
    "Get",
    "Graph",
    "Link",
    "Node",
    "branch",
    "branch_states",
    "gaps",
    "graph_of",
    "has_gap",
    "message_key",
    "raw_parent",
    "settle",
    "step",
    "tips",
    "tips_of",
    "walk",
]

CUT = "cut_parent"
"""Metadata key: the parent that a node named and that was cut, because it closed a circle."""


def _no_metadata() -> Mapping[str, str]:
    return {}


@frozen
class Node:
    """One message of a conversation, as its log gave it.

    `id` never changes between imports. `session` is the session in which the message was first seen:
    a copy in a fork keeps it, and with it its identity. `at` is ISO 8601 as given, empty if unknown.
    `after` is the node that stood before this one in the log. `chained` says that the id is a hash of
    the words of the whole path from the root of a named session: it alone tells a copy, whose time the
    copying program may have changed. `unique` says that no other message anywhere has this id: a copy keeps
    it, though the copying program may hang it below another parent.
    """

    id: NodeId
    session: SessionId
    provider: str
    parent: NodeId | None
    role: str
    origin: Origin
    text: str
    at: str = ""
    speaker_id: str | None = None
    speaker_name: str = ""
    scope: str | None = None
    metadata: Mapping[str, str] = field(factory=_no_metadata, hash=False)
    after: NodeId | None = None
    chained: bool = field(default=False, eq=False)
    unique: bool = field(default=False, eq=False)


Get = Callable[[NodeId], Node | None]
"""The node of an id, None if the session does not hold it; how much is loaded is the caller's choice."""


@frozen
class Link:
    """A node without its text: what stands above it, and whether it is talk."""

    node: NodeId
    above: NodeId | None
    talks: bool


@frozen
class Graph:
    """A whole session in the order of insertion; `live` are nodes listed as live beside the head."""

    nodes: Mapping[NodeId, Node] = field(hash=False)
    head: NodeId | None = None
    live: frozenset[NodeId] = frozenset()

    def get(self, node: NodeId) -> Node | None:
        """The node of this id, None if there is none."""
        return self.nodes.get(node)


def graph_of(nodes: Iterable[Node], head: NodeId | None = None, live: Iterable[NodeId] = ()) -> Graph:
    """A graph of nodes in the order of their log; of each id the first is kept, circles are cut."""
    placed: dict[NodeId, Node] = {}
    wanted: set[NodeId] = set()
    last: NodeId | None = None
    for node in nodes:
        if node.id in placed:
            continue
        kept = node if node.after else evolve(node, after=last)
        if kept.id in wanted or kept.parent == kept.id:
            kept = settle(kept, placed.get)
        placed[kept.id] = kept
        if kept.parent:
            wanted.add(kept.parent)
        last = kept.id
    return Graph(placed, head, frozenset(live))


def settle(node: Node, get: Get) -> Node:
    """`node` as it may be added to the nodes of `get`: without the link that would close a circle.

    Needed only where a node of `get` already names this one as its parent, or it names itself.
    """
    before = step(node, get)
    closes = before is not None and any(above.parent == node.id for above in walk(before, get))
    if node.parent == node.id or (closes and before is not None and before.id == node.parent):
        return evolve(node, parent=None, metadata={**node.metadata, CUT: node.parent or ""})
    return evolve(node, after=None) if closes else node


def raw_parent(node: Node) -> str:
    """The parent that the log names, also where the link was cut; empty for a root."""
    return node.metadata.get(CUT, node.parent or "")


def step(node: Node, get: Get) -> Node | None:
    """The node above: the parent, or what stood before in the log if the parent was never written."""
    if node.parent is None:
        return None
    above = get(node.parent)
    if above is None and node.after is not None:
        return get(node.after)
    return above


def walk(node: Node, get: Get) -> Iterator[Node]:
    """`node` and all above it, up to the root."""
    here: Node | None = node
    while here is not None:
        yield here
        here = step(here, get)


def has_gap(node: Node, get: Get) -> bool:
    """Whether the parent that `node` names is missing, or was cut."""
    return CUT in node.metadata or (node.parent is not None and get(node.parent) is None)


def gaps(graph: Graph) -> tuple[Node, ...]:
    """The nodes whose parent is missing or was cut, in order of insertion."""
    return tuple(node for node in graph.nodes.values() if has_gap(node, graph.get))


def branch(graph: Graph, tip: NodeId) -> tuple[Node, ...]:
    """The path to `tip`, root first; empty if the tip is not there."""
    node = graph.get(tip)
    return tuple(walk(node, graph.get))[::-1] if node else ()


def tips(graph: Graph) -> tuple[Node, ...]:
    """The last message of each branch, in order of insertion (`tips_of`)."""
    links = [_link(node, graph.get) for node in graph.nodes.values()]
    return tuple(graph.nodes[tip] for tip in tips_of(links))


def tips_of(links: Iterable[Link]) -> tuple[NodeId, ...]:
    """The tips among nodes of which only the links are known, in the order given.

    Tool calls and harness records that hang below a message make no branch of their own: a tip is
    a message of talk with no talk below it, or the leaf of a path on which nobody spoke.
    """
    known = {link.node: link for link in links}
    above_any = {link.above for link in known.values()}
    above_talk: set[NodeId] = set()
    for link in known.values():
        above = link.above if link.talks else None
        while above is not None and above in known and above not in above_talk:
            above_talk.add(above)
            above = known[above].above
    ends = {
        _last_talk(link, known).node for link in known.values() if link.node not in above_any
    } - above_talk
    return tuple(node for node in known if node in ends)


def branch_states(graph: Graph) -> Mapping[NodeId, Branch]:
    """For each node whether it is live, abandoned, or (with no head in the graph) unknown."""
    starts = [node for node in (graph.head, *graph.live) if node is not None and node in graph.nodes]
    on_path: set[NodeId] = set()
    for start in starts:
        _raise_above(graph.nodes[start], graph.get, on_path)
    other: Branch = "abandoned" if graph.head in graph.nodes else "unknown"
    return {node: "live" if node in on_path else other for node in graph.nodes}


def message_key(node: Node) -> int:
    """What a message shares with its copies in other sessions, as a signed integer of 64 bits.

    A fork copies the messages before it: provider, id, parent, role and text stay. A time need not,
    but two that are known and differ are two messages; that is for the caller to compare. Nor need the
    parent stay where the id is `unique`.
    """
    above = "" if node.unique else raw_parent(node)
    parts = (node.provider, node.id, above, node.role, node.text)
    counted = "".join(f"{len(part)}:{part}" for part in parts)
    return int.from_bytes(sha256(counted.encode("utf-8", "surrogatepass")).digest()[:8], "big", signed=True)


def _raise_above(node: Node | None, get: Get, seen: set[NodeId]) -> None:
    """Add `node` and all above it to `seen`, stopping where that was done before."""
    while node is not None and node.id not in seen:
        seen.add(node.id)
        node = step(node, get)


def _link(node: Node, get: Get) -> Link:
    above = step(node, get)
    return Link(node.id, above.id if above else None, talks(node.origin, node.text))


def _last_talk(leaf: Link, known: Mapping[NodeId, Link]) -> Link:
    link: Link | None = leaf
    while link is not None and not link.talks:
        link = known.get(link.above) if link.above is not None else None
    return link or leaf
