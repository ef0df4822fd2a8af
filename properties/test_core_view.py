"""Laws of the resident block."""

from collections.abc import Callable

from hypothesis import given
from hypothesis import strategies as st

from scriptorium_core.budget import Count, estimate
from scriptorium_core.facts import facts_of
from scriptorium_core.names import CORE_TOPIC
from scriptorium_core.topics import Topic, parse_topic
from scriptorium_core.topics.model import Cited
from scriptorium_core.tree import tree_of
from scriptorium_core.views import Change, core_view
from topic_strategies import Memory, memories, pages

# Counters that never shrink when a text grows at its end, and the length in characters.
COUNTERS: tuple[Count, ...] = (len, estimate, lambda text: len(text.encode()), lambda text: len(text.split()))


@st.composite
def masters(draw: st.DrawFn) -> tuple[Topic, Callable[[Cited], bool]]:
    """A topics/core.md, and which of its sources are trusted."""
    memory: Memory = draw(memories())
    page = draw(pages(CORE_TOPIC, 4096, tuple(memory.where)))
    others = tuple(other for other in memory.pages if other.path != CORE_TOPIC)
    files = Memory(memory.frames, (*others, page)).files
    topic, _ = parse_topic(CORE_TOPIC, files[CORE_TOPIC])
    return topic, Change(facts_of(tree_of(files)), {}, {}, (), {}).trusts


class TestCoreView:
    """Rendered ids are a subset of the source's ids, and the tokens stay within the budget."""

    @given(masters(), st.sampled_from(COUNTERS), st.integers(0, 2500))
    def test_ids_are_a_subset_and_tokens_within_the_budget(
        self, master: tuple[Topic, Callable[[Cited], bool]], count: Count, limit: int
    ) -> None:
        topic, trusts = master
        view = core_view(topic, trusts, count, limit)
        assert view.tokens == count(view.text)
        assert view.tokens <= limit or not view.shown
        assert sorted((*view.shown, *view.omitted, *view.withheld)) == sorted(topic.ids)

    @given(masters(), st.integers(0, 400))
    def test_what_is_rendered_reads_back_as_those_records_of_the_master(
        self, master: tuple[Topic, Callable[[Cited], bool]], limit: int
    ) -> None:
        topic, trusts = master
        view = core_view(topic, trusts, estimate, limit)
        again, problems = parse_topic(CORE_TOPIC, view.text.encode())
        assert not problems or not view.shown
        assert again.ids == view.shown
        wanted = [record for record in topic.records if record.ids[-1] in view.shown]
        assert [(r.headings, r.links, r.whens, len(r.evidence)) for r in again.records] == [
            (r.headings, r.links, r.whens, len(r.evidence)) for r in wanted
        ]

    @given(masters())
    def test_only_what_is_pending_is_missing_where_all_fits(
        self, master: tuple[Topic, Callable[[Cited], bool]]
    ) -> None:
        topic, trusts = master
        view = core_view(topic, trusts, len, 10**6)
        assert view.omitted == ()
        assert view.shown == tuple(
            block for r in topic.records if all(map(trusts, r.sources)) for block in r.ids
        )
        assert view.text.endswith(
            f"<!-- core: {len([r for r in topic.records if all(map(trusts, r.sources))])} "
            f"of {len(topic.records)} records -->\n"
        )

    @given(masters(), st.integers(0, 400))
    def test_each_record_that_was_left_out_did_not_fit_beside_those_before_it(
        self, master: tuple[Topic, Callable[[Cited], bool]], limit: int
    ) -> None:
        topic, trusts = master
        view = core_view(topic, trusts, len, limit)
        for record in topic.records:
            if record.id in view.omitted:
                before = topic.records[: topic.records.index(record)]
                kept = {r.id for r in before if r.id in view.shown}
                alone = Topic(
                    topic.path,
                    topic.spans,
                    tuple(r for r in topic.records if r.id in kept or r is record),
                    topic.definitions,
                )
                everything = core_view(alone, trusts, len, 10**6).text
                # The closing line counts the records of the whole master.
                longer = len(str(len(topic.records))) - len(str(len(alone.records)))
                assert len(everything) + longer > limit
