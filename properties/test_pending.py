"""Laws of what is unwritten: nothing lost, nothing written twice."""

from collections.abc import Sequence, Set

from hypothesis import given
from hypothesis import strategies as st

from scriptorium_core.names import NodeId, SourceId, WorkspaceId
from scriptorium_core.sessions.evidence import source_of
from scriptorium_core.sessions.graph import Graph, Node, graph_of
from scriptorium_core.sessions.pending import (
    Batch,
    Waiting,
    batch,
    ends,
    is_marked,
    mark,
    over_branches,
    pending,
)
from scriptorium_core.sessions.talk import talks
from session_strategies import logs, nodes

OURS, THEIRS = WorkspaceId("w-1"), WorkspaceId("w-2")
CRASHES = ("none", "before the commit", "before the marks", "marks lost")
any_log = nodes() | logs()


def waiting(
    graph: Graph, live_tips: Sequence[NodeId], archived: Set[SourceId] = frozenset()
) -> tuple[Waiting, ...]:
    return over_branches(
        graph.get, live_tips, ends(graph, OURS), OURS, archived.__contains__, lambda _: "abandoned"
    )


def marked(graph: Graph, names: Set[NodeId]) -> Graph:
    kept = {name: mark(node, OURS) if name in names else node for name, node in graph.nodes.items()}
    return Graph(kept, graph.head, graph.live)


def talk_of(graph: Graph) -> list[SourceId]:
    return sorted(source_of(node) for node in graph.nodes.values() if talks(node.origin, node.text))


class TestPending:
    """Pending after marking is empty; a foreign workspace's mark does not count."""

    @given(any_log, st.data())
    def test_after_marking_nothing_is_pending(self, log: list[Node], data: st.DataObject) -> None:
        graph = graph_of(log)
        tip = data.draw(st.sampled_from(sorted(graph.nodes)))
        found = pending(graph.get, tip, OURS, frozenset[str]().__contains__)
        after = marked(graph, {item.node.id for item in found})
        assert pending(after.get, tip, OURS, frozenset[str]().__contains__) == ()

    @given(any_log, st.data())
    def test_over_all_branches_each_unmarked_node_comes_once_and_after_what_stands_above(
        self, log: list[Node], data: st.DataObject
    ) -> None:
        names = sorted({node.id for node in log})
        done = data.draw(st.sets(st.sampled_from(names)))
        tips = data.draw(st.lists(st.sampled_from(names), max_size=3))
        graph = marked(graph_of(log), done)
        found = [item.node.id for item in waiting(graph, tips)]
        assert sorted(found) == sorted(set(names) - done)

    @given(any_log)
    def test_a_node_never_comes_before_one_above_it(self, log: list[Node]) -> None:
        graph = graph_of(log)
        order = {item.node.id: place for place, item in enumerate(waiting(graph, []))}
        for name, node in graph.nodes.items():
            if node.parent in order:
                assert order[node.parent] < order[name]

    @given(any_log)
    def test_the_mark_of_another_workspace_does_not_count(self, log: list[Node]) -> None:
        graph = graph_of(mark(node, THEIRS) for node in log)
        assert len(waiting(graph, [])) == len(graph.nodes)


class TestBatches:
    """The oldest nodes whose tokens reach the threshold, at least one."""

    @given(any_log, st.integers(1, 60))
    def test_batches_cut_what_waits_into_pieces_in_order(self, log: list[Node], goal: int) -> None:
        items = waiting(graph_of(log), [])
        rest = items
        marks: list[Node] = []
        written: list[Waiting] = []
        while rest:
            piece = batch(rest, len, goal)
            assert piece.mark
            assert piece.write or not any(item.write for item in rest)
            assert piece.reached == (piece.tokens >= goal)
            assert piece.reached or not any(item.write for item in piece.rest)
            marks += piece.mark
            written += piece.write
            rest = piece.rest
        assert marks == [item.node for item in items]
        assert written == [item for item in items if item.write]


class TestOnce:
    """Each message is written exactly once, in any order of branches, batches and crashes."""

    @given(any_log, st.data())
    def test_each_message_is_written_exactly_once(self, log: list[Node], data: st.DataObject) -> None:
        arrived = data.draw(st.integers(1, len(log)))
        marks: set[NodeId] = set()
        archive: list[SourceId] = []
        for _ in range(30):
            graph = marked(graph_of(log[:arrived]), marks)
            tips = data.draw(st.lists(st.sampled_from(sorted(graph.nodes)), max_size=2))
            items = waiting(graph, tips, set(archive))
            if not items and arrived == len(log):
                break
            arrived = min(len(log), arrived + data.draw(st.integers(0, 3)))
            if items:
                self.a_pass(items, data, archive, marks)
        else:  # after all the crashes, passes without one
            while items := waiting(marked(graph_of(log), marks), [], set(archive)):
                self.commit(batch(items, len, 5), archive, marks)
        assert sorted(archive) == talk_of(graph_of(log))
        assert all(is_marked(node, OURS) for node in marked(graph_of(log), marks).nodes.values())

    def a_pass(
        self,
        items: tuple[Waiting, ...],
        data: st.DataObject,
        archive: list[SourceId],
        marks: set[NodeId],
    ) -> None:
        piece = batch(items, len, data.draw(st.integers(1, 40)))
        crash = data.draw(st.sampled_from(CRASHES))
        if crash == "before the commit":
            return
        if crash == "before the marks":
            archive += [source_of(item.node) for item in piece.write]
            return
        self.commit(piece, archive, marks)
        if crash == "marks lost":
            marks -= data.draw(st.sets(st.sampled_from(sorted(marks))))

    def commit(self, piece: Batch, archive: list[SourceId], marks: set[NodeId]) -> None:
        archive += [source_of(item.node) for item in piece.write]
        marks |= {node.id for node in piece.mark}
