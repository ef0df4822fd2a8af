"""Examples of the write path of somebody who may not do everything: what is refused, and what is told."""

import pytest
from attrs import evolve

from memory_example import KEYS, MIRA, PENDING, S1, memory, snapshot
from scriptorium_core.changes import Caller
from scriptorium_core.names import BlockId, SourceId, TopicPath, archive_path, context_path
from scriptorium_core.policy import AGENT, OWNER, POLICY_FILE, Actor, Policy, Right
from scriptorium_core.policy.rules import Rule
from scriptorium_core.problem import Code, Problem
from scriptorium_core.sources.frame import Frame
from scriptorium_core.transaction import Edit, Prepared, Rejected, Report, Rules
from scriptorium_core.transaction.permitting import Gate, concealed, prepare_for, reported, seen
from scriptorium_core.tree import Tree, tree_of

PATH, PEOPLE = "topics/keys.md", "topics/people/mira.md"
RULES = Rules(Caller(), len)
BASE = snapshot(memory())
ASK = ("ask the owner",)


def gate(*rights: Right, hidden: str = "") -> Gate:
    """An agent that has some rights on topics and sources, and does not see what is hidden."""
    rules = [Rule(("agent",), True, (Right.READ, *rights), ("topics/**", "sources/**"))]
    rules += [Rule(("agent",), False, (Right.READ,), (hidden,))] if hidden else []
    return Gate(Policy(tuple(rules)), AGENT)


def refused(who: Gate, edit: Edit, rules: Rules = RULES) -> list[tuple[Code, str, str, str]]:
    outcome = prepare_for(who, BASE, edit, rules)
    assert isinstance(outcome, Rejected), outcome
    return [(each.code, each.path, each.message, each.remedy) for each in outcome.problems]


def not_allowed(right: str, what: str) -> tuple[Code, str, str, str]:
    return (Code.NOT_PERMITTED, what, f"agent may not {right} {what}", "ask the owner")


def changed(tree: Tree, text: str = MIRA.replace("asked about", "spoke of")) -> Tree:
    return tree.put(PEOPLE, text.encode())


# --- What an edit needs ----------------------------------------------------------------------------


def test_each_kind_of_edit_needs_a_right_of_its_own() -> None:
    nobody = gate()
    for edit, right in (
        (Edit(changed(BASE.tree)), "write"),
        (Edit(changed(BASE.tree), shown=3), "organize"),
        (Edit(changed(BASE.tree), kind="forget"), "forget"),
        (Edit(changed(BASE.tree), kind="erase"), "forget"),
    ):
        assert refused(nobody, edit) == [not_allowed(right, PEOPLE)]
    policy = Edit(BASE.tree.put(POLICY_FILE, b"version = 1\n"))
    assert refused(gate(Right.WRITE), policy) == [not_allowed("manage", POLICY_FILE)]


def test_what_is_archived_needs_the_right_to_write_anywhere() -> None:
    frame = Frame(SourceId("chat/s1/m9"), "user", "More.", "", None, "Bo")
    edit = Edit(BASE.tree, frames=(frame,))
    assert refused(gate(), edit) == [not_allowed("write", "sources")]
    assert isinstance(prepare_for(gate(Right.WRITE), BASE, edit, RULES), Prepared)


def test_what_is_let_in_needs_the_right_to_promote_it() -> None:
    edit = Edit(BASE.tree, promoted=(SourceId(PENDING), SourceId("chat/s1/none")))
    assert refused(gate(), edit) == [
        not_allowed("promote", PENDING),
        not_allowed("promote", "chat/s1/none"),
    ]
    # One that is not there is named by what looks for it, if the right is had at all.
    told = refused(gate(Right.PROMOTE), edit)
    assert [(code, path) for code, path, _, _ in told] == [(Code.MISSING_SOURCE, "chat/s1/none")]


def test_what_is_deleted_or_forgotten_needs_the_right_to_forget_it() -> None:
    without = BASE.tree.remove(PEOPLE)
    named = (("Forgotten", f"{S1} mira1"),)
    edit = Edit(without, frozenset({BlockId("mira1")}), trailers=named)
    assert refused(gate(Right.WRITE), edit) == [not_allowed("forget", S1), not_allowed("forget", PEOPLE)]
    assert isinstance(prepare_for(gate(Right.WRITE, Right.FORGET), BASE, edit, RULES), Prepared)
    # What organizes, or writes of conversations, deletes by other laws.
    organizing = evolve(edit, shown=4, trailers=())
    assert isinstance(prepare_for(gate(Right.ORGANIZE), BASE, organizing, RULES), Prepared)


# --- What is hidden ----------------------------------------------------------------------------------


def test_a_change_that_meets_something_hidden_is_refused_and_not_said_why() -> None:
    who = gate(Right.WRITE, Right.FORGET, hidden=PEOPLE)
    shown = seen(BASE, who.may())
    assert [*shown.tree.under("topics/")] == [PATH]
    assert shown.tree.get(PEOPLE) is None
    assert shown.tree.get("core.md") is None
    # The hidden topic links to the record that goes.
    without = KEYS.split("## Spare")[0].replace("^key1", "^new1").replace("Mara", "Bo")
    edit = Edit(shown.tree.put(PATH, without.encode()), frozenset(map(BlockId, ("key1", "key2", "old2"))))
    message = "the change meets something that is not for you to see"
    assert refused(who, edit) == [(Code.NOT_PERMITTED, "", message, "ask the owner to make it")]


def test_what_is_wrong_with_the_edit_itself_is_said_as_without_what_is_hidden() -> None:
    who = gate(Right.WRITE, hidden=PEOPLE)
    shown = seen(BASE, who.may())
    ((code, path, _, remedy),) = refused(who, Edit(shown.tree.put(PATH, KEYS.encode() + b"\nProse.\n")))
    assert (code, path, remedy) == (Code.INVALID_TOPIC_FORMAT, PATH, "mend line 13 of topics/keys.md")


def test_what_is_known_beside_an_archive_is_seen_with_it() -> None:
    beside, archive = context_path(SourceId(S1)), archive_path(S1)
    base = snapshot({**memory(), beside: b"", "timeline/2026-04.md": b"Mara has the key."})
    assert seen(base, None) is base
    assert set(seen(base, gate().may()).tree.under("")) >= {beside, archive, PATH}
    hidden = seen(base, gate(hidden=archive).may()).tree
    assert [*hidden.under("")] == [PATH, PEOPLE]
    assert (hidden.get(beside), hidden.get("timeline/2026-04.md")) == (None, None)


def test_the_owner_is_told_what_the_core_says_and_takes_files_away() -> None:
    owner = Gate(Policy(), OWNER)
    assert owner.may() is None
    outcome = prepare_for(owner, BASE, Edit(BASE.tree.remove(PEOPLE)), RULES)
    assert isinstance(outcome, Rejected)
    assert [each.code for each in outcome.problems] == [Code.BLOCK_LOST]
    gone = Edit(BASE.tree.remove(PEOPLE), frozenset({BlockId("mira1")}))
    prepared = prepare_for(owner, BASE, gone, RULES)
    assert isinstance(prepared, Prepared)
    assert prepared.tree.get(PEOPLE) is None


# --- What is told -------------------------------------------------------------------------------------


def test_of_problems_beside_the_edit_only_drafts_that_may_be_seen_are_told() -> None:
    drafts = [Problem(Code.DRAFT_IN_THE_WAY, "edited", path, 3, "save it") for path in (PATH, PEOPLE)]
    other = Problem(Code.SOURCES_CHANGED, "changed", PATH, 1, "put it back")
    may = gate(hidden=PEOPLE).may()
    assert concealed([*drafts, other], None) == (*drafts, other)
    assert concealed([*drafts, other], may) == (drafts[0],)
    (problem,) = concealed([drafts[1], other], may)
    assert (problem.code, problem.path) == (Code.NOT_PERMITTED, "")
    assert problem.remedy == "ask the owner to make it"


def test_the_report_tells_of_the_topics_that_the_edit_itself_changed() -> None:
    ids = tuple(map(BlockId, ("key1", "mira1", "key2")))
    whole = Report(ids, ids, ids, ids, ids, overruled=ids, topics=(TopicPath(PATH), TopicPath(PEOPLE)))
    may = gate(hidden=PEOPLE).may()
    assert reported(whole, [PATH], BASE.tree, BASE.tree, None) is whole
    told = reported(whole, [PATH, "policy.toml", "topics/none.md"], tree_of({}), BASE.tree, may)
    own = (BlockId("key1"), BlockId("key2"))
    assert told == Report(own, own, own, own, own, overruled=own, topics=(TopicPath(PATH),))


def test_an_actor_without_any_rule_sees_nothing() -> None:
    stranger = Gate(Policy(), Actor("stranger"))
    assert [*seen(BASE, stranger.may()).tree.under("")] == []


def test_the_facts_that_are_seen_hold_nothing_hidden_and_are_as_long_as_what_they_hold() -> None:
    facts = seen(BASE, gate(hidden=PEOPLE).may()).facts
    assert [known.record.id for known in facts.newest] == ["key2", "key1"]
    assert facts.newest[-1].record.id == "key1"
    assert [known.record.id for known in facts.newest[1:]] == ["key1"]
    assert (len(facts.newest), len(facts.records), len(facts.topics)) == (2, 3, 1)
    assert "mira1" not in facts.records
    with pytest.raises(KeyError):
        facts.records["mira1"]


def test_of_a_message_that_may_not_be_read_its_citation_is_left() -> None:
    facts = seen(BASE, gate(hidden=archive_path(S1)).may()).facts
    source = facts.sources[SourceId(S1)]
    assert (source.withheld, source.text, source.label) == (True, "", "")
    assert SourceId(PENDING) not in facts.sources
    assert facts.archives == {}
