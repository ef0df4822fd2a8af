"""Laws of alternatives: what stands on one of several live branches, and how it is shown."""

from collections.abc import Mapping, Sequence

from hypothesis import given
from hypothesis import strategies as st

from scriptorium_core.facts import facts_of
from scriptorium_core.names import NodeId, SessionId, TopicPath
from scriptorium_core.recall.alternatives import alternatives, are_alternatives, side_by_side
from scriptorium_core.sessions.graph import Graph, Link, Node, graph_of, step, walk
from scriptorium_core.sessions.siblings import beginnings
from scriptorium_core.sessions.talk import talks
from scriptorium_core.topics import parse_topic
from scriptorium_core.topics.model import Record
from scriptorium_core.topics.notes import live_branches, live_note
from scriptorium_core.tree import tree_of
from session_strategies import logs, nodes

_PATH = TopicPath("topics/themes.md")
_BEGUN: tuple[tuple[str, ...], ...] = ((), ("a",), ("b",), ("a", "c"), ("a", "d"), ("x",))
_WORDS = ("dark", "light", "theme", "editor", "lamp", "river")


@st.composite
def live_logs(draw: st.DrawFn) -> tuple[Graph, list[NodeId]]:
    """A conversation, its head and the nodes listed as live."""
    graph = graph_of(draw(nodes() | logs()))
    return graph, draw(st.lists(st.sampled_from(sorted(graph.nodes)), min_size=1, max_size=4))


@st.composite
def topics(draw: st.DrawFn) -> tuple[str, tuple[Record, ...]]:
    """A topic of up to five records, each on branches of one session or of none."""
    lines = ["# Themes", ""]
    for number in range(draw(st.integers(1, 5))):
        words = draw(st.lists(st.sampled_from(_WORDS), min_size=1, max_size=4))
        begun = draw(st.sampled_from(_BEGUN))
        fields = "".join(f"; Branch: {live_note(SessionId('s'), NodeId(node))}" for node in begun)
        fields += draw(st.sampled_from(("", "; Until: `2026-04`", "; Branch: s@m1")))
        lines += [f"{' '.join(words)}.[^e-{number}] ^aa{number}", ""]
        lines += [f"[^e-{number}]: Time: `2026-03-01`; Sources: chat/s/m{number}{fields}", ""]
    text = "\n".join(lines)
    return text, parse_topic(_PATH, text.encode())[0].records


def _links(graph: Graph) -> list[Link]:
    found = ((node, step(node, graph.get)) for node in graph.nodes.values())
    return [
        Link(node.id, above.id if above else None, talks(node.origin, node.text)) for node, above in found
    ]


def _above(graph: Graph, node: NodeId) -> set[NodeId]:
    return {above.id for above in walk(graph.nodes[node], graph.get)}


def _spoken(graph: Graph, node: Node) -> NodeId | None:
    return next((above.id for above in walk(node, graph.get) if talks(above.origin, above.text)), None)


class TestBeginnings:
    """Of two messages on live branches one leads to the other, or each has a beginning of its own."""

    @given(live_logs())
    def test_what_leads_to_another_begins_with_it_and_what_parts_does_not(
        self, log: tuple[Graph, list[NodeId]]
    ) -> None:
        graph, live = log
        begun = beginnings(_links(graph), live)
        ends = [end for start in live if (end := _spoken(graph, graph.nodes[start])) is not None]
        covered = set[NodeId]().union(*(_above(graph, end) for end in ends))
        assert begun.keys() <= covered
        for one in covered:
            for other in covered:
                mine, yours = set(begun.get(one, ())), set(begun.get(other, ()))
                up, down = _above(graph, one), _above(graph, other)
                if one in down:
                    assert mine <= yours
                elif other not in up and up & down:
                    assert not mine <= yours
                    assert not yours <= mine

    @given(live_logs())
    def test_one_live_branch_is_one_of_several_nowhere(self, log: tuple[Graph, list[NodeId]]) -> None:
        graph, live = log
        assert not beginnings(_links(graph), live[:1])

    @given(live_logs())
    def test_the_order_of_the_nodes_does_not_matter(self, log: tuple[Graph, list[NodeId]]) -> None:
        graph, live = log
        links = _links(graph)
        assert beginnings(links, live) == beginnings(links[::-1], live[::-1])


class TestAlternatives:
    """Two live branches that disagree are shown as alternatives; nothing is hidden by it."""

    @given(topics())
    def test_alternatives_are_mutual_and_on_branches_that_part(
        self, topic: tuple[str, tuple[Record, ...]]
    ) -> None:
        records = topic[1]
        for one in records:
            assert not are_alternatives(one, one)
            for other in records:
                assert are_alternatives(one, other) == are_alternatives(other, one)
                if are_alternatives(one, other):
                    mine, yours = live_branches(one), live_branches(other)
                    assert mine - yours
                    assert yours - mine

    @given(topics())
    def test_the_alternatives_of_a_record_are_those_of_its_topic(
        self, topic: tuple[str, tuple[Record, ...]]
    ) -> None:
        text, records = topic
        facts = facts_of(tree_of({_PATH: text.encode()}))
        for record in records:
            wanted = [other.id for other in records if are_alternatives(record, other)]
            assert [other.id for other in alternatives(facts, record)] == wanted

    @given(st.dictionaries(st.sampled_from("abcdef"), st.lists(st.sampled_from("abcdefgh"), max_size=3)))
    def test_side_by_side_every_hit_stands_once_and_the_best_first(
        self, others: Mapping[str, Sequence[str]]
    ) -> None:
        names = list(others)
        order = side_by_side(names, others.values())
        assert sorted(order) == list(range(len(names)))
        assert order[:1] == ((0,) if names else ())
        if not any(others.values()):
            assert list(order) == sorted(order)
