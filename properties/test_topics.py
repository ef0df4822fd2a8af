"""Laws of reading and writing topics."""

from hypothesis import given
from hypothesis import strategies as st

from scriptorium_core.names import TopicPath
from scriptorium_core.problem import Code
from scriptorium_core.topics import parse_topic, render_topic
from strategies import awkward_texts
from topic_strategies import Memory, memories

PATH = TopicPath("topics/keys.md")


class TestTopics:
    """Parsing is lossless: an unedited topic gives the same bytes; parsing any text never raises."""

    @given(awkward_texts().map(str.encode) | st.binary())
    def test_any_bytes_are_read(self, data: bytes) -> None:
        topic, problems = parse_topic(PATH, data)
        assert {problem.code for problem in problems} <= {Code.INVALID_TOPIC_FORMAT}
        assert all(problem.path == PATH and problem.line > 0 for problem in problems)
        if topic.spans:
            assert render_topic(topic) == data
        else:
            assert problems or not data

    @given(memories())
    def test_a_well_formed_topic_reads_without_problems_as_what_was_meant(self, memory: Memory) -> None:
        for page in memory.pages:
            data = memory.files[page.path]
            topic, problems = parse_topic(page.path, data)
            assert problems == ()
            assert render_topic(topic) == data
            assert [record.ids for record in topic.records] == [entry.ids for entry in page.entries]
            for record, entry in zip(topic.records, page.entries, strict=True):
                assert [str(group.when or "undated") for group in record.evidence] == [
                    note.when for group in entry.groups for note in group.notes
                ]

    @given(memories(), st.randoms(use_true_random=False), awkward_texts())
    def test_a_topic_with_something_stuck_into_it_is_read(self, memory, random, text) -> None:  # type: ignore[no-untyped-def]
        page = random.choice(memory.pages)
        written = memory.files[page.path].decode()
        at = random.randrange(len(written) + 1)
        data = (written[:at] + text + written[at:]).encode()
        topic, _ = parse_topic(page.path, data)
        assert render_topic(topic) == data
        again, _ = parse_topic(page.path, render_topic(topic))
        assert again == topic
