"""The messages around one follow the conversation, and the archive's order where nobody knows better."""

from scriptorium_core.facts import SourceFact
from scriptorium_core.knowledge.around import Talk, around
from scriptorium_core.names import NodeId, SessionId, SourceId
from scriptorium_core.sources.frame import Branch, Context, Origin

PATH = "sources/chat/_v2/s1.md"


def turn(node: str, parent: str | None = None, branch: Branch = "live", path: str = PATH) -> SourceFact:
    name = SourceId(f"chat/s1/{node}")
    above = NodeId(parent) if parent else None
    context = Context(name, Origin.HUMAN, SessionId("s1"), NodeId(node), above, branch)
    return SourceFact(name, f"{path}#{node}", 1, "user", "", node, None, "owner", None, True, context)


# m3 and m4 were given up for m5 and m6; the archive holds what is live first.
FORKED = (
    turn("m1"),
    turn("m2", "m1"),
    turn("m5", "m2"),
    turn("m6", "m5"),
    turn("m3", "m2", "abandoned"),
    turn("m4", "m3", "abandoned"),
)


def nodes(talk: Talk, node: str, many: int = 9, gone: str = "") -> tuple[str, str]:
    source = next(each for each in talk.turns if each.text == node)
    before, after = around(lambda _: talk, source, many, lambda each: each.text != gone)
    return " ".join(each.text for each in before), " ".join(each.text for each in after)


def test_a_message_of_a_fork_stands_among_those_of_its_own_branch() -> None:
    talk = Talk.of(FORKED)
    assert nodes(talk, "m3") == ("m1 m2", "m4")
    assert nodes(talk, "m5") == ("m1 m2", "m6")
    assert nodes(talk, "m4", 1) == ("m3", "")


def test_of_several_replies_the_live_one_leads_on() -> None:
    assert nodes(Talk.of(FORKED), "m1") == ("", "m2 m5 m6")
    assert nodes(Talk.of((*FORKED[:2], *FORKED[4:], *FORKED[2:4])), "m2") == ("m1", "m5 m6")


def test_a_second_root_has_nothing_before_it() -> None:
    assert nodes(Talk.of((*FORKED, turn("m0"))), "m0") == ("", "")


def test_a_message_that_was_forgotten_is_stepped_over() -> None:
    assert nodes(Talk.of(FORKED), "m4", 2, gone="m3") == ("m1 m2", "")


def test_where_no_context_is_known_the_archive_leads() -> None:
    bare = tuple(each._replace(context=None) for each in FORKED)
    assert nodes(Talk.of(bare), "m3", 1) == ("m6", "m4")
    brought = (turn("a"), turn("b"), turn("c"))
    assert nodes(Talk.of(brought), "b") == ("a", "c")


def test_over_what_is_not_archived_the_bridge_leads_and_else_the_order() -> None:
    turns = (turn("m1"), turn("m2", "m1"), turn("m4", "tool"), turn("m3", "other", "abandoned"))
    assert nodes(Talk.of(turns, lambda each: turns[0] if each.text == "m3" else None), "m3") == ("m1", "")
    assert nodes(Talk.of(turns), "m4") == ("m1 m2", "m3")


def test_a_branch_that_begins_in_another_archive_is_followed_into_it() -> None:
    first, second = Talk.of(FORKED), "sources/chat/_v2/s2.md"
    fork = turn("n1", "m4", path=second)
    talks = {PATH: first, second: Talk.of((fork,), lambda _: FORKED[5])}
    before, after = around(talks.__getitem__, fork, 3, lambda _: True)
    assert ([each.text for each in before], after) == (["m2", "m3", "m4"], ())


def test_a_circle_of_parents_ends() -> None:
    circle = (turn("a", "b"), turn("b", "a"))
    assert nodes(Talk.of(circle), "a") == ("b", "b")
    elsewhere = turn("c", "x", path="sources/chat/_v2/s2.md")
    talks = {PATH: Talk.of((turn("d", "y"),), lambda _: elsewhere)}
    talks[elsewhere.path] = Talk.of((elsewhere,), lambda _: talks[PATH].turns[0])
    assert [each.text for each in around(talks.__getitem__, elsewhere, 9, lambda _: True)[0]] == ["d"]
