"""Laws of answers under a schema and of faults: whatever a model or a provider sends is named."""

import json
from datetime import datetime, timedelta, timezone

from hypothesis import given
from hypothesis import strategies as st

from scriptorium_core.problem import Code
from scriptorium_core.writing.agent import Nothing
from scriptorium_core.writing.faults import Fault, failure_of, spoken_fault
from scriptorium_core.writing.structured import Broken, Changes, Cut, decode_answer

NOW = datetime(2026, 11, 30, 18, 30, tzinfo=timezone(timedelta(hours=1)))

signs = st.sampled_from([*"ab {}[]\"\\'`:,", "緑", "🍵", "\u2028", "```", "nothing_to_keep"])
contents = st.lists(signs, max_size=30).map(lambda parts: f"Tea {''.join(parts)} tea.")
lead_ins = st.sampled_from(["", "```json\n", "Here it is:\n\n```\n", "I thought of {this} and `that`.\n"])
pieces = st.sampled_from(
    ['{"memory_changes": [', '"nothing_to_keep": "', "{", "}", "[", "]", '"', "\\", "```", ", ", "x", "null"]
)


def answer(content: str) -> str:
    """A good answer with one operation."""
    record = {
        "op": "create_record",
        "content": content,
        "time": None,
        "sources": [{"source": "chat/s1/u1", "label": "Owner"}],
        "destination": {"topic_path": "topics/tea.md", "headings": [], "position": "end"},
    }
    return json.dumps({"memory_changes": [record], "summary": "Tea"}, ensure_ascii=False)


class TestAnswers:
    """`nothing extracted` is never the same result as `could not parse`."""

    @given(contents, lead_ins, st.data())
    def test_no_beginning_of_an_answer_is_taken_for_an_answer(
        self, content: str, lead_in: str, data: st.DataObject
    ) -> None:
        whole = answer(content)
        cut = data.draw(st.integers(0, len(whole) - 1))
        assert isinstance(decode_answer(lead_in + whole[:cut]), Cut | Broken)

    @given(contents, lead_ins)
    def test_an_answer_is_read_whatever_stands_around_it(self, content: str, lead_in: str) -> None:
        read = decode_answer(lead_in + answer(content) + "\n```\nThat is all {of it}.")
        # Content that memory cannot hold is named; it is never lost in silence.
        assert isinstance(read, Changes | Broken)
        if isinstance(read, Broken):
            assert all(problem.path == "memory_changes[0].content" for problem in read.problems)

    @given(st.lists(pieces | st.text(max_size=5), max_size=40).map("".join))
    def test_whatever_is_said_is_read_or_named(self, text: str) -> None:
        read = decode_answer(text)
        assert isinstance(read, Changes | Nothing | Cut | Broken)
        if isinstance(read, Nothing):
            assert read.reason.strip()


class TestFaults:
    """Whatever a provider sends instead of an answer has a code of its own."""

    @given(
        st.builds(
            Fault,
            st.integers(0, 999),
            st.text(max_size=20),
            st.text(max_size=400),
            st.dictionaries(
                st.sampled_from(
                    ["retry-after", "retry-after-ms", "x-ratelimit-reset-tokens", "ratelimit-reset"]
                ),
                st.text(st.sampled_from("0123456789.smhdT:-Z "), max_size=20),
            ),
        )
    )
    def test_every_fault_is_a_failure_of_the_model_on_one_line(self, fault: Fault) -> None:
        failed = failure_of(fault, NOW)
        assert failed.code.startswith("MODEL_")
        assert failed.message.isprintable()
        assert not failed.until or datetime.fromisoformat(failed.until) > NOW
        assert failed.code is Code.MODEL_RATE_LIMIT or not failed.until

    @given(st.text(max_size=300))
    def test_an_answer_is_an_error_or_none(self, text: str) -> None:
        failed = spoken_fault(text, NOW)
        assert failed is None or failed.code.startswith("MODEL_")
