"""Sessions as graphs: branches, tips, gaps, circles."""

from scriptorium_core.names import NodeId
from scriptorium_core.sessions.graph import (
    CUT,
    Graph,
    Link,
    Node,
    branch,
    branch_states,
    gaps,
    message_key,
    raw_parent,
    tips,
    tips_of,
)
from scriptorium_core.sources.frame import Origin
from talk_examples import graph, node


def names(nodes: tuple[Node, ...]) -> list[str]:
    return [found.id for found in nodes]


def path(session: Graph, tip: str) -> list[str]:
    return names(branch(session, NodeId(tip)))


FORK = [node("u1"), node("a1", "u1"), node("u2", "a1"), node("u2b", "a1"), node("a2b", "u2b")]


def test_a_branch_is_the_path_from_the_root_to_a_tip() -> None:
    assert path(graph(FORK), "a2b") == ["u1", "a1", "u2b", "a2b"]
    assert path(graph(FORK), "u2") == ["u1", "a1", "u2"]


def test_the_branch_of_a_node_that_is_not_there_is_empty() -> None:
    assert path(graph(FORK), "zzz") == []


def test_an_edit_makes_two_tips() -> None:
    assert names(tips(graph(FORK))) == ["u2", "a2b"]


def test_tool_calls_below_a_message_make_no_branch_of_their_own() -> None:
    log = [
        node("u1"),
        node("a1", "u1"),
        node("p1", "a1", origin=Origin.TOOL),
        node("p2", "p1", origin=Origin.TOOL),
    ]
    assert names(tips(graph(log))) == ["a1"]
    assert names(tips(graph([*log, node("u2", "a1"), node("a2", "u2")]))) == ["a2"]


def test_a_path_on_which_nobody_spoke_still_has_a_tip() -> None:
    assert names(tips(graph([node("h", origin=Origin.HARNESS), node("t", "h", origin=Origin.TOOL)]))) == ["t"]


def test_tips_are_found_from_links_alone_also_where_a_node_above_is_not_given() -> None:
    links = [Link(NodeId("a"), NodeId("elsewhere"), True), Link(NodeId("b"), NodeId("elsewhere"), False)]
    assert tips_of(links) == ("a", "b")


def test_what_the_head_does_not_stand_on_was_abandoned() -> None:
    states = branch_states(graph(FORK, head="a2b"))
    assert states == {"u1": "live", "a1": "live", "u2b": "live", "a2b": "live", "u2": "abandoned"}


def test_a_rewind_abandons_what_came_after_the_head() -> None:
    assert branch_states(graph(FORK, head="a1"))[NodeId("u2b")] == "abandoned"


def test_a_listed_node_is_live_beside_the_head() -> None:
    assert set(branch_states(graph(FORK, head="a2b", live=["u2"])).values()) == {"live"}


def test_without_a_head_no_state_is_known() -> None:
    assert set(branch_states(graph(FORK)).values()) == {"unknown"}
    states = branch_states(graph(FORK, head="never written", live=["u2"]))
    assert (states[NodeId("u2")], states[NodeId("a2b")]) == ("live", "unknown")


def test_a_parent_that_was_never_written_is_bridged_by_the_order_of_the_log() -> None:
    log = [node(f"a{n}", f"a{n - 1}" if n > 1 else None) for n in range(1, 13)]
    log[6] = node("a7", "zzz")
    session = graph(log)
    assert path(session, "a12") == [f"a{n}" for n in range(1, 13)]
    assert names(gaps(session)) == ["a7"]


def test_a_parent_that_comes_late_closes_the_gap() -> None:
    session = graph([node("x"), node("b", "a"), node("a", "x")])
    assert path(session, "b") == ["x", "a", "b"]
    assert gaps(session) == ()


def test_the_first_node_of_a_log_whose_parent_is_missing_is_a_root() -> None:
    session = graph([node("b", "a")])
    assert path(session, "b") == ["b"]
    assert names(gaps(session)) == ["b"]


def test_a_log_that_stands_upside_down_keeps_its_order() -> None:
    assert path(graph([node("c", "b"), node("b", "a"), node("a")]), "c") == ["a", "b", "c"]


def test_a_node_that_names_itself_becomes_a_root_with_a_gap() -> None:
    session = graph([node("x"), node("a", "a")])
    assert path(session, "a") == ["a"]
    cut = session.nodes[NodeId("a")]
    assert (cut.metadata[CUT], raw_parent(cut)) == ("a", "a")
    assert names(gaps(session)) == ["a"]


def test_a_circle_is_cut_where_it_closes() -> None:
    session = graph([node("a", "c"), node("b", "a"), node("c", "b")])
    assert path(session, "b") == ["c", "a", "b"]
    assert names(gaps(session)) == ["c"]


def test_a_bridge_never_closes_a_circle() -> None:
    # `n` has no parent, and all that stands before it hangs below it.
    session = graph([node("m", "n"), node("n", "never written")])
    assert path(session, "m") == ["n", "m"]
    assert path(session, "n") == ["n"]


def test_of_two_nodes_with_one_id_the_first_is_kept() -> None:
    session = graph([node("a", text="first"), node("a", text="second")])
    assert [found.text for found in session.nodes.values()] == ["first"]


def test_what_stood_before_a_node_is_kept_where_it_is_known() -> None:
    session = graph([node("a"), node("b"), node("c", "gone", after=NodeId("a"))])
    assert path(session, "c") == ["a", "c"]


def test_a_copy_in_a_fork_has_the_key_of_the_message_and_another_message_has_not() -> None:
    first = node("a", "r", "words")
    copy = node("a", "r", "words", at="2026-05-02T09:00:00Z", scope="/w/shop")
    others = [
        node("b", "r", "words"),
        node("a", "q", "words"),
        node("a", "r", "other"),
        node("a", None, "words"),
    ]
    assert message_key(copy) == message_key(first)
    assert message_key(first) not in map(message_key, others)
    assert message_key(node("ab", "c")) != message_key(node("a", "bc"))
