"""Laws of the way from a topic as somebody wrote it to the topic that is committed."""

from collections.abc import Mapping

from hypothesis import given
from hypothesis import strategies as st

from scriptorium_core.facts import Facts, facts_of
from scriptorium_core.names import TopicPath
from scriptorium_core.topics import Topic, parse_topic, render_topic
from scriptorium_core.topics.normalize import Lookups, normalize
from scriptorium_core.tree import tree_of
from strategies import awkward_texts
from topic_strategies import Memory, memories


def lookups(facts: Facts, own: Mapping[str, TopicPath]) -> Lookups:
    def path_of(block: str) -> str | None:
        known = facts.records.get(block)
        return own.get(block, known.record.path if known else None)

    def place_of_source(name: str) -> str | None:
        known = facts.sources.get(name)
        return known.place if known else None

    return Lookups(lambda name: name in facts.records or name in facts.evidence, path_of, place_of_source)


def drafts(memory: Memory) -> st.SearchStrategy[Topic]:
    """A topic of the memory to which somebody adds records with labels of their own and plain handles."""
    sources = st.lists(st.sampled_from([frame.id for frame in memory.frames]), min_size=1, unique=True)
    record = st.tuples(st.sampled_from(("Bo has it.", "two\nlines", "r^2", "`[^e1]`x")), sources)
    pages = st.sampled_from(memory.pages)
    return st.builds(_draft, st.just(memory), pages, st.lists(record, max_size=3))


def _draft(memory: Memory, page: object, added: list[tuple[str, list[str]]]) -> Topic:
    path = page.path  # type: ignore[attr-defined]
    text = memory.files[path].decode()
    for number, (prose, sources) in enumerate(added):
        cited = ", ".join(f"[said]({source})" for source in sources)
        text += f"\n\n{prose}[^e{number}]\n\n[^e{number}]: 2026-04 · Sources: {cited}\n"
    return parse_topic(path, text.encode())[0]


class TestNormalize:
    """Normalize is idempotent and keeps every known id."""

    @given(st.data())
    def test_it_is_idempotent_keeps_ids_and_names_what_is_new(self, data: st.DataObject) -> None:
        memory = data.draw(memories())
        facts = facts_of(tree_of(memory.files))
        topic = data.draw(drafts(memory))
        before = parse_topic(topic.path, memory.files[topic.path])[0]
        base = before if data.draw(st.booleans()) else None
        once, naming, problems = normalize(topic, base, lookups(facts, {}))
        known = [block for record in topic.records for block in record.ids]
        new = [block for record in once.records for block in record.ids if block not in known]
        assert problems == ()
        assert [block for record in once.records for block in record.ids if block in known] == known
        assert list(naming.blocks.values()) == new
        assert all(record.ids for record in once.records)
        assert len(once.records) == len(topic.records)
        assert not any(source.place == "" for record in once.records for source in record.sources)
        own = dict[str, TopicPath](dict.fromkeys(once.ids, once.path))
        for basis in (once, before, None):
            again, naming, _ = normalize(once, basis, lookups(facts, own))
            assert render_topic(again) == render_topic(once)
            assert not naming.blocks
            assert not naming.evidence

    @given(memories())
    def test_a_topic_that_was_committed_stays_byte_for_byte(self, memory: Memory) -> None:
        facts = facts_of(tree_of(memory.files))
        for page in memory.pages:
            topic = parse_topic(page.path, memory.files[page.path])[0]
            same, _, _ = normalize(topic, topic, lookups(facts, {}))
            assert len(same.spans) <= len(topic.spans)
            headings = {span.text for span in topic.spans} - {span.text for span in same.spans}
            # Only headings without a record below them go.
            assert all(text.lstrip("\ufeff").startswith("#") or not text.strip() for text in headings)
            assert same.records == tuple(record._replace() for record in topic.records)

    @given(awkward_texts(), awkward_texts())
    def test_any_text_is_normalized(self, text: str, before: str) -> None:
        path = TopicPath("topics/keys.md")
        facts = facts_of(tree_of({}))
        old = parse_topic(path, before.encode())[0]
        normalize(parse_topic(path, text.encode())[0], old, lookups(facts, {}))
