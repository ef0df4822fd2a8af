"""Laws of whole texts that anybody may write: they are committed well formed, or not at all."""

from hypothesis import event, given, note
from hypothesis import strategies as st

from scriptorium_core.changes import Caller
from scriptorium_core.facts import facts_of
from scriptorium_core.names import BlockId
from scriptorium_core.problem import Code
from scriptorium_core.transaction import Edit, Prepared, Rejected, Rules, Snapshot, prepare
from scriptorium_core.tree import Tree, tree_of
from strategies import awkward_texts, topic_paths
from topic_strategies import Memory, histories, memories

RULES = Rules(Caller(), len)


def snapshot(memory: Memory) -> Snapshot:
    tree = tree_of(memory.files)
    return Snapshot(tree, facts_of(tree))


def flat(tree: Tree) -> Tree:
    found = {path: tree.get(path) for path in tree.under("")}
    return tree_of({path: data for path, data in found.items() if data is not None})


def holds_together(base: Snapshot, outcome: Prepared, deleted: frozenset[BlockId]) -> None:
    """What must hold after every accepted transaction."""
    before, after = base.facts, facts_of(flat(outcome.tree))
    note(outcome.report)
    assert not after.broken
    assert before.records.keys() - after.records.keys() <= deleted
    assert set(outcome.report.created) == after.records.keys() - before.records.keys()
    assert set(outcome.report.deleted) == before.records.keys() - after.records.keys()
    assert before.sources == after.sources
    for known in after.records.values():
        assert all(block in after.records for block in known.record.links)
        assert all(source.place in after.places for source in known.record.sources)


class TestChecks:
    """Every block id of the base remains, links land, sources exist, every touched topic can be read."""

    @given(memories(), st.data())
    def test_any_text_in_a_topic_is_refused_or_committed_well_formed(
        self, memory: Memory, data: st.DataObject
    ) -> None:
        base = snapshot(memory)
        page = data.draw(st.sampled_from(memory.pages))
        written = memory.files[page.path].decode()
        at = data.draw(st.integers(0, len(written)))
        until = data.draw(st.integers(at, min(len(written), at + 80)))
        text = written[:at] + data.draw(awkward_texts()) + written[until:]
        path = data.draw(st.sampled_from([page.path]) | topic_paths())
        outcome = prepare(base, Edit(base.tree.put(path, text.encode())), RULES)
        event(type(outcome).__name__)
        if isinstance(outcome, Prepared):
            holds_together(base, outcome, frozenset())
        else:
            assert outcome.problems
        assert base == snapshot(memory)

    @given(histories(1))
    def test_a_well_formed_edit_is_committed_if_what_it_drops_was_declared(
        self, states: tuple[Memory, ...]
    ) -> None:
        base, new = snapshot(states[0]), states[-1]
        tree = base.tree
        for path in states[0].files.keys() | new.files.keys():
            if path.startswith("topics/"):
                data = new.files.get(path)
                tree = tree.remove(path) if data is None else tree.put(path, data)
        gone = frozenset(map(BlockId, states[0].where.keys() - new.where.keys()))
        outcome = prepare(base, Edit(tree, gone), RULES)
        if isinstance(outcome, Prepared):
            event("prepared")
            holds_together(base, outcome, gone)
            undeclared = prepare(base, Edit(tree), RULES)
            assert isinstance(undeclared, Rejected if gone else Prepared)
            if isinstance(undeclared, Rejected):
                assert {problem.code for problem in undeclared.problems} == {Code.BLOCK_LOST}
        else:
            # A plan may cite what waits for consent; nothing else of it is wrong.
            event("refused")
            codes = {problem.code for problem in outcome.problems}
            assert codes <= {Code.SOURCE_PENDING}, outcome.problems

    @given(
        memories(), st.sampled_from(("sources/chat/_v2/s1.md", "core.md", ".git/hooks/x", "x")), st.binary()
    )
    def test_nothing_but_topics_is_edited(self, memory: Memory, path: str, data: bytes) -> None:
        base = snapshot(memory)
        outcome = prepare(base, Edit(base.tree.put(path, data)), RULES)
        if base.tree.get(path) != data:
            assert isinstance(outcome, Rejected)
            (problem,) = outcome.problems
            assert problem.path == path
            assert problem.code is (
                Code.SOURCES_CHANGED if path.startswith("sources/") else Code.READ_ONLY_PATH
            )
