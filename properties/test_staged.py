"""Laws of staged edits: what they build on is what is there."""

from hypothesis import given

from memory_plans import Memory
from scriptorium_core.facts import facts_of
from scriptorium_core.facts.edited import edited_facts
from scriptorium_core.tree import tree_of
from topic_strategies import histories


class TestStagedFacts:
    """Facts with edits laid over them say of records and topics what facts from scratch say."""

    @given(histories(steps=1))
    def test_laid_over_is_derived_from_scratch(self, memories: tuple[Memory, ...]) -> None:
        before, after = memories[0].files, memories[1].files
        topics = {path for path in before.keys() | after.keys() if path.startswith("topics/")}
        edits = {path: after.get(path) for path in topics if before.get(path) != after.get(path)}
        kept = {path: data for path, data in before.items() if not path.startswith("topics/")}
        wanted = {path: data for path, data in after.items() if path.startswith("topics/")}
        found = edited_facts(facts_of(tree_of(before)), edits)
        scratch = facts_of(tree_of(kept | wanted))
        assert dict(found.topics) == dict(scratch.topics)
        assert {block: known.record for block, known in found.records.items()} == {
            block: known.record for block, known in scratch.records.items()
        }
        assert len(found.records) == len(scratch.records)
