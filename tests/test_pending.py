"""What is unwritten, and batches of it."""

from collections.abc import Iterable

from attrs import evolve

from scriptorium_core.names import NodeId, WorkspaceId
from scriptorium_core.sessions.evidence import source_of
from scriptorium_core.sessions.graph import Node
from scriptorium_core.sessions.pending import (
    MARK,
    Waiting,
    batch,
    ends,
    is_marked,
    mark,
    over_branches,
    pending,
    taken,
    unmarked,
)
from scriptorium_core.sources.frame import Branch, Origin
from talk_examples import graph, node

OURS = WorkspaceId("w-00000001")
THEIRS = WorkspaceId("w-00000002")
LINE = [node("u1"), node("a1", "u1"), node("u2", "a1"), node("a2", "u2")]


def nothing(_source: str) -> bool:
    return False


def words(text: str) -> int:
    return len(text.split())


def names(items: Iterable[Waiting | Node]) -> list[str]:
    return [item.node.id if isinstance(item, Waiting) else item.id for item in items]


def waiting(*nodes: Node, write: bool = True) -> tuple[Waiting, ...]:
    return tuple(Waiting(found, "live", write) for found in nodes)


def test_pending_goes_from_the_first_marked_node_to_the_tip_oldest_first() -> None:
    session = graph([mark(LINE[0], OURS), *LINE[1:]])
    assert names(pending(session.get, NodeId("a2"), OURS, nothing)) == ["a1", "u2", "a2"]


def test_the_mark_of_another_workspace_does_not_count() -> None:
    session = graph([mark(found, THEIRS) for found in LINE])
    assert names(pending(session.get, NodeId("a2"), OURS, nothing)) == ["u1", "a1", "u2", "a2"]
    assert is_marked(mark(LINE[0], OURS), OURS)
    assert not is_marked(mark(LINE[0], THEIRS), OURS)


def test_no_node_above_the_first_marked_one_is_asked_for() -> None:
    session = graph([*LINE[:2], mark(LINE[2], OURS), LINE[3]])
    asked: list[str] = []

    def get(name: NodeId) -> Node | None:
        asked.append(name)
        return session.get(name)

    pending(get, NodeId("a2"), OURS, nothing)
    assert asked == ["a2", "u2"]


def test_a_tip_that_is_not_there_has_nothing_pending() -> None:
    assert pending(graph(LINE).get, NodeId("zzz"), OURS, nothing) == ()


def test_a_node_that_is_archived_already_only_lacks_its_mark() -> None:
    archived = {source_of(LINE[0]), source_of(LINE[1])}
    found = pending(graph(LINE).get, NodeId("a2"), OURS, archived.__contains__)
    assert [item.write for item in found] == [False, False, True, True]


def test_what_is_no_talk_only_lacks_its_mark() -> None:
    log = [
        node("u1"),
        node("t1", "u1", origin=Origin.TOOL),
        node("b", "t1", "  "),
        node("s", "b", origin=Origin.SUMMARY),
    ]
    found = pending(graph(log).get, NodeId("s"), OURS, nothing)
    assert [(item.node.id, item.write) for item in found] == [
        ("u1", True),
        ("t1", False),
        ("b", False),
        ("s", False),
    ]


def test_over_all_branches_the_head_comes_first_and_the_shared_beginning_once() -> None:
    log = [node("u1"), node("a1", "u1"), node("u2", "a1"), node("u2b", "a1"), node("a2b", "u2b")]
    session = graph(log, head="a2b")
    states: dict[str, Branch] = {"u2": "abandoned"}
    found = over_branches(
        session.get, [NodeId("a2b")], ends(session, OURS), OURS, nothing, states.__getitem__
    )
    assert names(found) == ["u1", "a1", "u2b", "a2b", "u2"]
    assert [item.branch for item in found] == ["live", "live", "live", "live", "abandoned"]


def test_a_node_that_came_late_below_marked_ones_is_not_lost() -> None:
    session = graph([mark(LINE[0], OURS), mark(node("a2", "u2"), OURS), node("u2", "u1")])
    assert names(unmarked(session.get, NodeId("a2"), OURS)) == []
    assert ends(session, OURS) == ("u2",)
    found = over_branches(session.get, [NodeId("a2")], ends(session, OURS), OURS, nothing, lambda _: "live")
    assert names(found) == ["u2"]


def test_a_batch_ends_with_the_node_that_reaches_the_goal() -> None:
    items = waiting(*(node(f"n{n}", text="three small words") for n in range(5)))
    found = batch(items, words, 7)
    assert (names(found.write), names(found.rest), found.tokens, found.reached) == (
        ["n0", "n1", "n2"],
        ["n3", "n4"],
        9,
        True,
    )


def test_a_batch_holds_at_least_one_node_however_long() -> None:
    found = batch(waiting(node("long", text="word " * 100), node("next")), words, 1)
    assert names(found.write) == ["long"]


def test_a_batch_below_the_goal_says_so() -> None:
    found = batch(waiting(node("n", text="two words")), words, 100)
    assert (found.tokens, found.reached, found.rest) == (2, False, ())


def test_the_tokens_of_a_batch_leave_our_own_blocks_out() -> None:
    found = batch(
        waiting(node("n", text="<memory-context>many more words</memory-context>two words")), words, 100
    )
    assert found.tokens == 2


def test_marks_are_set_with_the_batch_they_follow_and_never_before_one() -> None:
    call, late = node("call", origin=Origin.TOOL), node("late", origin=Origin.TOOL)
    items = (
        *waiting(call, write=False),
        *waiting(node("u1")),
        *waiting(late, write=False),
        *waiting(node("u2")),
    )
    found = batch(items, words, 1)
    assert (names(found.write), names(found.mark), names(found.rest)) == (
        ["u1"],
        ["call", "u1", "late"],
        ["u2"],
    )


def test_where_only_marks_are_missing_the_batch_writes_nothing() -> None:
    found = batch(waiting(*LINE, write=False), words, 10)
    assert (found.write, names(found.mark), found.rest, found.reached) == (
        (),
        ["u1", "a1", "u2", "a2"],
        (),
        False,
    )


def test_a_mark_keeps_the_other_metadata() -> None:
    marked = mark(evolve(LINE[0], metadata={"caption": "a beach"}), OURS)
    assert marked.metadata == {"caption": "a beach", MARK: OURS}


def test_a_batch_that_was_named_is_what_waits_first_or_none() -> None:
    items = (*waiting(LINE[0]), *waiting(LINE[1], write=False), *waiting(*LINE[2:]))
    told = [str(source_of(item.node)) for item in items]
    found = taken(items, [told[0]], words)
    assert found is not None
    assert (names(found.write), names(found.mark), names(found.rest)) == (["u1"], ["u1", "a1"], ["u2", "a2"])
    assert found.reached
    assert taken(items, [told[2]], words) is None
    assert taken((), [], words) is None
