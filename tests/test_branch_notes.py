"""Evidence that stands on an abandoned branch only says so."""

from demo_play import EMPTY, commit, snapshot, whole
from scriptorium_core.facts.derive import facts_of
from scriptorium_core.names import NodeId, SessionId, SourceId
from scriptorium_core.sources.frame import Branch, Context, Origin
from scriptorium_core.transaction.model import Snapshot
from scriptorium_core.tree import tree_of
from scriptorium_core.writing.branches import branch_note, with_branches, with_states
from scriptorium_core.writing.extractive import extract


def context(branch: Branch, session: str = "s1", node: str = "m1") -> Context:
    return Context(SourceId("chat/s1/m1"), Origin.HUMAN, SessionId(session), NodeId(node), branch=branch)


def test_a_branch_note_cannot_be_imitated_by_an_id() -> None:
    assert branch_note(context("abandoned", "s; Until: 2020", "ü\n")) == "s%3B%20Until%3A%202020@%C3%BC%0A"
    assert branch_note(context("live")) == branch_note(context("unknown")) == ""


def note_of(sources: str, base: Snapshot = EMPTY, *contexts: Context) -> str:
    """The definition line of a new record that cites `sources`, once branches are noted."""
    text = f"A fact.[^e1]\n\n[^e1]: Time: `2026-01-01`; Sources: {sources}\n"
    tree = with_branches(base.tree.put("topics/a.md", text.encode()), contexts, base.facts)
    return (tree.get("topics/a.md") or b"").decode().splitlines()[-1].partition("Sources: ")[2]


def test_evidence_of_an_abandoned_branch_is_noted_and_other_evidence_is_not() -> None:
    link = "[x](../sources/chat/_v2/s1.md#source-2a40b6a3e8d71a16)"
    aside, live = context("abandoned"), context("live")
    assert note_of("chat/s1/m1", EMPTY, aside) == "chat/s1/m1; Branch: s1@m1"
    assert note_of("chat/s1/m1; Branch: kept@1", EMPTY, aside) == "chat/s1/m1; Branch: kept@1"
    assert note_of("chat/s1/m1", EMPTY, live) == "chat/s1/m1"
    assert note_of("chat/s1/m1, chat/s1/m2", EMPTY, aside) == "chat/s1/m1, chat/s1/m2"
    assert note_of(link, EMPTY, aside) == link
    assert note_of("chat/s1/m1", EMPTY) == "chat/s1/m1"


def test_a_definition_that_stood_there_is_left_as_it_is() -> None:
    old = b"A fact.[^e-1] ^a1\n\n[^e-1]: Time: `2026-01-01`; Sources: chat/s1/m1\n"
    base = tree_of({"topics/a.md": old, "topics/gone.md": old})
    tree = base.put("topics/a.md", old + b"\n").remove("topics/gone.md").put("core.md", b"stray")
    again = with_branches(tree, [context("abandoned")], facts_of(base))
    assert again.differences() == tree.differences()


def test_an_archived_message_of_an_abandoned_branch_is_noted_when_it_is_cited_later() -> None:
    batch = whole()
    base = snapshot(commit(EMPTY, extract(batch.items, EMPTY.facts).changes, batch))
    assert note_of("native/porto/m7", base) == "native/porto/m7; Branch: porto@m7"
    assert note_of("native/porto/m1", base) == "native/porto/m1"


def demo_base() -> Snapshot:
    batch = whole()
    return snapshot(commit(EMPTY, extract(batch.items, EMPTY.facts).changes, batch))


def turned(base: Snapshot, branch: Branch, *nodes: str) -> list[Context]:
    found = (base.facts.sources[f"native/porto/{node}"].context for node in nodes)
    return [context._replace(branch=branch) for context in found if context]


def test_evidence_is_noted_when_its_branch_is_given_up_and_no_longer_when_it_is_taken_up() -> None:
    base = demo_base()
    given_up = with_states(base.tree, turned(base, "abandoned", "m9"), base.facts)
    (path,) = given_up.differences()
    text = (given_up.get(path) or b"").decode()
    assert "; Branch: porto@m9\n" in text
    later = Snapshot(given_up, base.facts)
    back = with_states(later.tree, turned(base, "live", "m9"), base.facts)
    assert back.get(path) == base.tree.get(path)
    taken_up = with_states(base.tree, turned(base, "live", "m7"), base.facts)
    assert not any(b"Branch:" in (taken_up.get(name) or b"") for name in taken_up.under("topics/"))


def test_nothing_is_noted_where_nothing_is_cited_or_a_note_stands() -> None:
    base = demo_base()
    assert not with_states(base.tree, turned(base, "abandoned", "m2", "m7"), base.facts).differences()


def test_a_definition_of_which_one_source_is_live_gets_no_note_and_a_foreign_note_stays() -> None:
    base = demo_base()
    place, other = (base.facts.sources[f"native/porto/{node}"].place for node in ("m9", "m11"))
    for tail, after in (
        (f", [y](../{other})", f", [y](../{other})"),
        ("; Branch: mine@1", "; Branch: mine@1"),
        ("; Status: sure 1", "; Status: sure 1; Branch: porto@m9"),
    ):
        text = f"A fact.[^e-1] ^a1\r\n\r\n[^e-1]: Time: `2026-01-01`; Sources: [x](../{place}){tail}\r\n"
        sources = {name: base.tree.get(name) or b"" for name in base.tree.under("sources/")}
        tree = tree_of({**sources, "topics/a.md": text.encode()})
        done = with_states(tree, turned(base, "abandoned", "m9"), facts_of(tree)).get("topics/a.md") or b""
        assert done.decode() == text.replace(tail + "\r\n", after + "\r\n")
