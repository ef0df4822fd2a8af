"""Small invented conversations for the examples about sessions."""

from collections.abc import Iterable

from scriptorium_core.names import NodeId, SessionId
from scriptorium_core.sessions.graph import Graph, Node, graph_of
from scriptorium_core.sources.frame import Origin

__all__ = ["graph", "node"]

_ROLES = {Origin.HUMAN: "user", Origin.ASSISTANT: "assistant", Origin.TOOL: "tool"}


def node(
    name: str,
    parent: str | None = None,
    text: str | None = None,
    origin: Origin = Origin.HUMAN,
    **more: object,
) -> Node:
    """A node of the session `s1`; its text is its name unless another is given."""
    return Node(
        id=NodeId(name),
        session=SessionId("s1"),
        provider="chat",
        parent=None if parent is None else NodeId(parent),
        role=_ROLES.get(origin, "system"),
        origin=origin,
        text=f"says {name}" if text is None else text,
        **more,  # type: ignore[arg-type]
    )


def graph(nodes: Iterable[Node], head: str | None = None, live: Iterable[str] = ()) -> Graph:
    """A graph, with names as plain text."""
    return graph_of(nodes, None if head is None else NodeId(head), [NodeId(name) for name in live])
