"""Laws of forgetting: what is forgotten never returns, what is erased is nowhere, and the rest stays."""

from collections.abc import Mapping, Sequence
from typing import Any

from hypothesis import given

from erasure_plans import SAID, Played, erased, linked_plans, plans, played
from scriptorium_core.facts import Facts, facts_of
from scriptorium_core.forgetting import cleaned
from scriptorium_core.names import CORE_TOPIC, TopicPath
from scriptorium_core.sources.archive import scan
from scriptorium_core.sources.archived import is_erased
from scriptorium_core.topics.parse import parse_topic
from scriptorium_core.tree import Tree, tree_of
from scriptorium_core.views.derive import Limits, derive_all, is_view


def current(facts: Facts) -> set[str]:
    """The ids that stand, and the messages that are cited."""
    cited = {facts.places[place] for place in facts.citing if place in facts.places and facts.citing[place]}
    return {*facts.records, *cited}


class TestNothingForgottenReturns:
    """Over any sequence of writes, forgets and writing the same again, no forgotten id is current again."""

    @given(plans())
    def test_no_forgotten_name_is_current(self, plan: Sequence[Any]) -> None:
        memory = Played()
        for step, *arguments in plan:
            getattr(memory, step)(*arguments)
            facts = memory.base().facts
            assert current(facts).isdisjoint(facts.forgotten)

    @given(plans())
    def test_what_was_forgotten_is_tombstoned(self, plan: Sequence[Any]) -> None:
        memory = played(plan)
        forgotten = memory.base().facts.forgotten
        for scope in memory.scopes:
            assert {*scope.targets.ids, *scope.targets.sources} <= {*forgotten}


class TestTheRestStays:
    """Retracting leaves a sound memory: all links land, and all views are those that would be derived."""

    @given(plans())
    def test_links_land_and_views_are_derived(self, plan: Sequence[Any]) -> None:
        memory = played(plan)
        base = memory.base()
        assert all(link in base.facts.records for each in base.facts.newest for link in each.record.links)
        assert not base.facts.broken
        core = memory.files.get(CORE_TOPIC)
        topic = parse_topic(CORE_TOPIC, core)[0] if core is not None else None
        views = derive_all(base.facts, topic, Limits(len))
        assert {path: data for path, data in memory.files.items() if is_view(path)} == views

    @given(plans())
    def test_other_records_keep_their_ids(self, plan: Sequence[Any]) -> None:
        memory = Played()
        for step, *arguments in plan:
            before = set(memory.base().facts.records)
            count = len(memory.scopes)
            getattr(memory, step)(*arguments)
            gone = {block for scope in memory.scopes[count:] for block in scope.targets.ids}
            lost = before - set(memory.base().facts.records)
            assert lost == gone or (step == "delete" and len(lost) == 1)


class TestErasedIsNowhere:
    """After erasing, no state of the history names or says what went; all else in it is as it was."""

    @given(linked_plans())
    def test_no_state_holds_it(self, plan: Sequence[Any]) -> None:
        memory = played(plan)
        for scope in memory.scopes:
            words = [SAID[source].encode() for source in scope.targets.sources]
            words += [f"^{block}".encode() for block in scope.targets.ids]
            for left in erased(memory.states, scope.targets):
                for path, data in left.items():
                    assert data is None or not any(word in data for word in words), path

    @given(linked_plans())
    def test_every_file_stays_readable_and_erasing_again_changes_nothing(self, plan: Sequence[Any]) -> None:
        memory = played(plan)
        for scope in memory.scopes:
            for left in erased(memory.states, scope.targets):
                facts = facts_of(_tree(left))
                assert not facts.broken
                assert all(link in facts.records for each in facts.newest for link in each.record.links)
                for path, data in left.items():
                    again = cleaned(path, data or b"", scope.targets)
                    assert data is None or (again.data, again.along) == (data, frozenset())

    @given(linked_plans())
    def test_records_that_rest_on_something_else_stay_and_keep_their_links(self, plan: Sequence[Any]) -> None:
        memory = played(plan)
        for scope in memory.scopes:
            targets = scope.targets
            for state, left in zip(memory.states, erased(memory.states, targets), strict=True):
                old, new = facts_of(tree_of(state)).records, facts_of(_tree(left)).records
                assert {*new} == {
                    name
                    for name, known in old.items()
                    if targets.ids.isdisjoint(known.record.ids)
                    and not targets.places.issuperset(cited.place for cited in known.record.sources)
                }
                for name, known in new.items():
                    links = old[name].record.links
                    assert known.record.links == tuple(link for link in links if link in new)

    @given(plans())
    def test_frames_keep_their_ids_and_others_their_bytes(self, plan: Sequence[Any]) -> None:
        memory = played(plan)
        for scope in memory.scopes:
            for state, left in zip(memory.states, erased(memory.states, scope.targets), strict=True):
                for path in (path for path in state if path.startswith("sources/") and path.endswith(".md")):
                    old, new = scan(path, state[path]), scan(path, left[path] or b"")
                    assert new.complete
                    assert [frame.id for frame in new.frames] == [frame.id for frame in old.frames]
                    for before, after in zip(old.frames, new.frames, strict=True):
                        assert is_erased(after) == (before.id in scope.targets.sources)
                        assert is_erased(after) or after.record == before.record
                        assert after.trusted == before.trusted


def _tree(files: Mapping[str, bytes | None]) -> Tree:
    return tree_of({path: data for path, data in files.items() if data is not None})


def test_a_plan_reaches_what_the_laws_are_about() -> None:
    one, two = sorted(SAID)[:2]
    plan = [
        ("write", [one], "Fact 0 about the key.", "topics/keys.md", None),
        ("write", [one, two], "Fact 1 about the door.", "topics/keys.md", 0),
        ("forget", "sources", 1),
    ]
    memory = played(plan)
    assert len(memory.states) == 3
    assert memory.scopes
    assert memory.base().facts.forgotten
    assert parse_topic(TopicPath("topics/keys.md"), memory.files["topics/keys.md"])[1] == ()
