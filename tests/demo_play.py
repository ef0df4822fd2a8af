"""The demo conversation of `examples/`, read as the importer reads it, and a pass with the core alone."""

from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path

from attrs import frozen

from scriptorium.conversations.formats.native import NATIVE
from scriptorium.conversations.items import Head, Passed, Source, Turn
from scriptorium_core.budget import estimate
from scriptorium_core.changes.apply import Applied, apply_changes
from scriptorium_core.changes.model import Caller, Change
from scriptorium_core.changes.sources import place
from scriptorium_core.facts.derive import facts_of
from scriptorium_core.names import TopicPath, WorkspaceId
from scriptorium_core.sessions.evidence import frames
from scriptorium_core.sessions.graph import Graph, branch_states, graph_of
from scriptorium_core.sessions.pending import Waiting, batch, ends, over_branches
from scriptorium_core.sources.frame import Context, Frame
from scriptorium_core.topics.model import Record
from scriptorium_core.topics.parse import parse_topic
from scriptorium_core.transaction.model import Edit, Prepared, Rejected, Rules, Snapshot
from scriptorium_core.transaction.prepare import prepare
from scriptorium_core.tree import tree_of
from scriptorium_core.writing.batch import Said, said_in
from scriptorium_core.writing.branches import with_branches

__all__ = ["DEMO", "EMPTY", "Batch", "batches", "commit", "demo", "records", "snapshot", "whole"]

DEMO = Path(__file__).parents[1] / "examples"
WORKSPACE = WorkspaceId("w-00000001")
EMPTY = Snapshot(tree_of({}), facts_of(tree_of({})))


@frozen
class Batch:
    """What one pass writes."""

    frames: tuple[Frame, ...]
    contexts: tuple[Context, ...]

    @property
    def items(self) -> tuple[Said, ...]:
        return said_in(self.frames, self.contexts)

    @property
    def refs(self) -> tuple[str, ...]:
        return tuple(frame.id for frame in self.frames)


@cache
def demo() -> Graph:
    """The session as a graph, its head where the last line leaves it."""
    path = DEMO / "demo.jsonl"
    with path.open("rb") as file:
        items = list(
            NATIVE.read(Source(path, file, lambda provider, session: None, lambda provider, session: ()))
        )
    assert all(isinstance(item, Turn | Head | Passed) for item in items), items
    head = None
    for item in items:
        if isinstance(item, Turn):
            head = item.node.id
        elif isinstance(item, Head):
            head = item.head
    return graph_of((item.node for item in items if isinstance(item, Turn)), head)


def whole(goal: int = 16_000) -> Batch:
    """The first batch of the demo over all branches."""
    return _batch(_waiting(), goal)


def batches() -> tuple[Batch, ...]:
    """One batch a branch: the live one, then the abandoned one."""
    waiting = _waiting()
    return tuple(_batch([w for w in waiting if w.branch == state], 16_000) for state in ("live", "abandoned"))


def commit(base: Snapshot, changes: tuple[Change, ...], made: Batch) -> Prepared:
    """The changes of a writer as the transaction accepts them."""
    places = {str(frame.id): place(frame.id) for frame in made.frames}
    applied = apply_changes(base.tree, base.facts, changes, places, "2026-03-21")
    assert isinstance(applied, Applied), applied
    tree = with_branches(applied.tree, made.contexts, base.facts)
    edit = Edit(tree, applied.deleted, made.frames, made.contexts, kind="write")
    rules = Rules(Caller(), estimate, frozenset(frame.id for frame in made.frames))
    prepared = prepare(base, edit, rules)
    assert not isinstance(prepared, Rejected), prepared.problems
    return prepared


def snapshot(prepared: Prepared) -> Snapshot:
    """The committed state, its facts from scratch."""
    tree = tree_of(_files(prepared))
    return Snapshot(tree, facts_of(tree))


def records(prepared: Prepared) -> tuple[Record, ...]:
    """All records after the commit, by topic."""
    return tuple(
        record
        for path in prepared.tree.under("topics/")
        for record in parse_topic(TopicPath(path), prepared.tree.get(path) or b"")[0].records
    )


def _files(prepared: Prepared) -> Mapping[str, bytes]:
    return {path: prepared.tree.get(path) or b"" for path in prepared.tree.under("")}


def _waiting() -> tuple[Waiting, ...]:
    graph = demo()
    assert graph.head is not None
    states = branch_states(graph)
    other = ends(graph, WORKSPACE)
    return over_branches(graph.get, (graph.head,), other, WORKSPACE, lambda source: False, states.__getitem__)


def _batch(waiting: Sequence[Waiting], goal: int) -> Batch:
    return Batch(*frames(batch(waiting, estimate, goal).write, "owner/local"))
