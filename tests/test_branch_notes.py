"""Evidence that stands on an abandoned branch only says so."""

from demo_play import EMPTY, commit, snapshot, whole
from scriptorium_core.facts.derive import facts_of
from scriptorium_core.names import NodeId, SessionId, SourceId
from scriptorium_core.sources.frame import Branch, Context, Origin
from scriptorium_core.transaction.model import Snapshot
from scriptorium_core.tree import tree_of
from scriptorium_core.writing.branches import branch_note, with_branches
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
