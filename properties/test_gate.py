"""The law of the one gate: every way out says the same of the same record at the same time."""

from collections.abc import Mapping
from datetime import date, timedelta
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from gate_homes import Home, Kept, doors, gate_home, kept
from scriptorium.plain import plain
from scriptorium.service.scoped import core_in
from scriptorium_core.facts import facts_of
from scriptorium_core.knowledge.assess import Assessment, Decision
from scriptorium_core.knowledge.gate import assessed, barred
from scriptorium_core.tree import tree_of
from standing_strategies import days

EVERYWHERE = (
    "show",
    "topic",
    "why",
    "at",
    "search",
    "explain",
    "grep",
    "recent",
    "relations",
    "memory_search",
    "memory_get",
    "REST",
)


def truth(home: Home, day: date) -> Mapping[str, Assessment]:
    facts = facts_of(tree_of(home.files))
    return {known.record.id: assessed(facts, known.record, day) for known in facts.newest}


def agree(home: Home) -> None:
    """Every way out says what the pure function says, of every record that it delivers or leaves out."""
    expected = truth(home, home.clock.day)
    found: Mapping[str, Mapping[str, Any]] = doors(home, expected)
    for name, said in found.items():
        for block, told in said.items():
            assert told == plain(expected[block]), (name, block)
    assert all(found[name].keys() == expected.keys() for name in EVERYWHERE), found
    assert found["context"].keys() == found["memory_context"].keys() == expected.keys()


def delivered(home: Home) -> None:
    """Nothing that is rejected, or stale under `revalidate`, goes along; what needs a check is marked."""
    expected = truth(home, home.clock.day)
    out = {block for block, found in expected.items() if barred(found) is not None}
    context, core = home.service.context("Where is the lamp?", 4_000), home.service.core()
    assert out.isdisjoint(each.id for each in context.shown)
    reasons = {each.id: each.reason for each in context.left_out}
    assert all(reasons[block] == barred(expected[block]) for block in out)
    assert out.isdisjoint(core.shown)
    assert {each.id for each in core.left_out} == out & {"a0", "a1"}
    layout = home.service.memory().layout
    given_to_sessions = core_in(layout, core.text, "/w", home.clock.day, 2_000).text
    for block in core.shown:
        doubted = expected[block].decision is not Decision.REUSE or expected[block].stale
        assert (f"<!-- ^{block}; " in core.text) == (f"<!-- ^{block}; " in given_to_sessions) == doubted
        assert f"^{block}\n" in given_to_sessions
    for each in context.shown:
        if each.id in expected and expected[each.id].decision is Decision.REVALIDATE:
            (head,) = (line for line in context.text.splitlines() if line.startswith(f"^{each.id} "))
            assert f"revalidate: {', '.join(expected[each.id].reasons)}" in head


class TestGate:
    """The same gate on every way out: each item is delivered with its assessment."""

    @settings(max_examples=5)
    @given(kept(), days, st.integers(1, 900))
    def test_every_way_out_gives_the_same_assessment_at_the_same_time(
        self, records: tuple[Kept, ...], day: date, later: int
    ) -> None:
        with gate_home(records, day) as home:
            agree(home)
            # The process goes on and nothing is written: what turned stale is stale in the next answer.
            home.clock.day = day + timedelta(days=later)
            agree(home)

    @settings(max_examples=12)
    @given(kept(), days)
    def test_what_is_delivered_as_fact_may_be_relied_on(self, records: tuple[Kept, ...], day: date) -> None:
        with gate_home(records, day) as home:
            delivered(home)
