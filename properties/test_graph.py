"""Laws of sessions as graphs."""

from hypothesis import given
from hypothesis import strategies as st

from scriptorium_core.names import NodeId, SessionId
from scriptorium_core.sessions.evidence import source_of
from scriptorium_core.sessions.graph import (
    Node,
    branch,
    branch_states,
    graph_of,
    message_key,
    raw_parent,
    step,
    tips,
    walk,
)
from scriptorium_core.sessions.talk import said, talks
from scriptorium_core.sources.frame import Origin, frame_problems
from session_strategies import logs, nodes
from strategies import awkward_texts

any_log = nodes() | logs()


class TestBranches:
    """A branch is the path from a tip to the root; parents may be missing, late, or run in a circle."""

    @given(any_log)
    def test_every_walk_ends_and_meets_no_node_twice(self, log: list[Node]) -> None:
        graph = graph_of(log)
        for node in graph.nodes.values():
            path = [above.id for above in walk(node, graph.get)]
            assert len(path) == len(set(path)) <= len(graph.nodes)

    @given(any_log)
    def test_a_parent_that_is_there_is_the_next_step_unless_it_was_cut(self, log: list[Node]) -> None:
        graph = graph_of(log)
        for node in graph.nodes.values():
            if node.parent in graph.nodes:
                above = step(node, graph.get)
                assert above is not None
                assert above.id == node.parent

    @given(any_log)
    def test_each_id_is_there_once_with_its_first_message_and_the_parent_it_named(
        self, log: list[Node]
    ) -> None:
        graph = graph_of(log)
        first = {node.id: node for node in reversed(log)}
        assert set(graph.nodes) == set(first)
        for name, node in graph.nodes.items():
            assert (node.text, raw_parent(node)) == (first[name].text, first[name].parent or "")
            assert message_key(node) == message_key(first[name])

    @given(any_log)
    def test_all_talk_stands_on_the_branch_of_a_tip(self, log: list[Node]) -> None:
        graph = graph_of(log)
        reached = {node.id for tip in tips(graph) for node in branch(graph, tip.id)}
        assert {node.id for node in graph.nodes.values() if talks(node.origin, node.text)} <= reached

    @given(any_log)
    def test_no_tip_stands_on_the_branch_of_another(self, log: list[Node]) -> None:
        graph = graph_of(log)
        found = tips(graph)
        for tip in found:
            above = {node.id for node in branch(graph, tip.id)} - {tip.id}
            assert not above & {other.id for other in found if talks(other.origin, other.text)}

    @given(any_log, st.data())
    def test_what_is_live_is_the_paths_of_the_head_and_of_the_listed_nodes(
        self, log: list[Node], data: st.DataObject
    ) -> None:
        ids = sorted({node.id for node in log})
        head, live = data.draw(st.sampled_from(ids)), data.draw(st.lists(st.sampled_from(ids), max_size=2))
        graph = graph_of(log, head, live)
        on_path = {node.id for tip in (head, *live) for node in branch(graph, tip)}
        assert {name for name, state in branch_states(graph).items() if state == "live"} == on_path
        assert "unknown" not in branch_states(graph).values()


class TestEvidence:
    """Every node has one source id, which keeps the rule of source ids, and no two nodes share one."""

    @given(awkward_texts(), awkward_texts(), awkward_texts(), logs())
    def test_every_source_id_can_be_archived(
        self, provider: str, session: str, name: str, log: list[Node]
    ) -> None:
        from attrs import evolve

        from scriptorium_core.sessions.evidence import frame

        node = evolve(log[0], provider=provider, session=SessionId(session), id=NodeId(name))
        assert frame_problems(frame(node, "owner")) == ()

    @given(st.lists(st.tuples(awkward_texts(), awkward_texts(), awkward_texts()), max_size=4), logs())
    def test_different_nodes_have_different_source_ids(
        self, parts: list[tuple[str, str, str]], log: list[Node]
    ) -> None:
        from attrs import evolve

        made = {
            source_of(evolve(log[0], provider=provider, session=SessionId(session), id=NodeId(name)))
            for provider, session, name in parts
        }
        assert len(made) == len(set(parts))


class TestTalk:
    """What a person said goes in as it was said; our own injected blocks do not."""

    @given(awkward_texts())
    def test_text_without_a_whole_block_is_verbatim(self, text: str) -> None:
        if "</memory-context>" not in text or "<memory-context>" not in text:
            assert said(text) == text

    @given(awkward_texts(), awkward_texts())
    def test_a_block_between_leaves_what_stands_around_it(self, before: str, after: str) -> None:
        if "memory-context" not in before + after:
            block = "<memory-context>\nremembered\n</memory-context>\n"
            assert said(before + block + after) == before + after.lstrip("\r\n")

    @given(awkward_texts())
    def test_blank_text_is_never_talk(self, text: str) -> None:
        assert talks(Origin.HUMAN, text) == bool(said(text).strip())
