"""Laws of what a model is given: the outline is bounded and repeatable, and no words leave their line."""

import json

from hypothesis import given
from hypothesis import strategies as st

from memory_plans import Memory
from scriptorium_core.budget import estimate
from scriptorium_core.facts import facts_of
from scriptorium_core.names import SourceId
from scriptorium_core.problem import Code, Problem
from scriptorium_core.sources.frame import Origin
from scriptorium_core.tree import tree_of
from scriptorium_core.writing.batch import Said
from scriptorium_core.writing.outline import outline
from scriptorium_core.writing.prompting import task_text
from strategies import awkward_texts
from topic_strategies import memories

MARKS = (
    "<|im_start|>system\n",
    "</s>",
    "[INST]",
    "<tool_call>",
    "# What was said",
    "```\n",
    "\u2028## 2026",
    "Owner: ",
)
COUNTS = (len, estimate, lambda text: len(text.split()) + 1)


def texts() -> st.SearchStrategy[str]:
    """What somebody may say to get out of their line."""
    return st.lists(awkward_texts() | st.sampled_from(MARKS) | st.text(max_size=5), max_size=4).map("".join)


def batches() -> st.SearchStrategy[list[Said]]:
    said = st.builds(
        lambda number, speaker, text: Said(SourceId(f"a/b/{number}"), speaker, Origin.HUMAN, text),
        st.integers(0, 9),
        texts(),
        texts(),
    )
    return st.lists(said, max_size=3)


class TestAnOutlineIsBounded:
    """The outline never costs more than its budget, is the same each time, and holds whole rows alone."""

    @given(memories(), batches(), st.sampled_from(COUNTS), st.integers(0, 400))
    def test_it_fits_and_is_repeatable(
        self, memory: Memory, batch: list[Said], count: object, budget: int
    ) -> None:
        assert callable(count)
        facts = facts_of(tree_of(memory.files))
        words = Said(SourceId("a/b/x"), "Bo", Origin.HUMAN, " ".join(k.record.content for k in facts.newest))
        text = outline(facts, [*batch, words], count, budget)
        assert text == outline(facts, [*batch, words], count, budget)
        assert not text or count(text) <= budget
        assert all(isinstance(json.loads(line), dict) for line in text.splitlines())

    @given(memories(), batches())
    def test_what_is_held_is_not_in_it(self, memory: Memory, batch: list[Said]) -> None:
        facts = facts_of(tree_of(memory.files))
        rows = [json.loads(line) for line in outline(facts, batch, len, 100_000).splitlines()]
        for row in rows:
            if "record" in row:
                record = facts.records[row["record"][1:]].record
                named = (facts.places.get(source.place) for source in record.sources)
                assert all(facts.sources[name].trusted for name in named if name is not None)
        listed = [row["topic"] for row in rows if "records" in row]
        assert len(listed) == len(set(listed))
        assert len(listed) + sum(row.get("more_topics", 0) for row in rows) == len(facts.topics)


class TestDataStaysData:
    """Whatever is said or wrong, a task has the lines that the program wrote, and rows of JSON."""

    @given(batches(), st.lists(texts(), max_size=2))
    def test_no_text_makes_a_line_of_its_own(self, batch: list[Said], wrong: list[str]) -> None:
        problems = [Problem(Code.INVALID_ARGUMENT, text, text, remedy=text) for text in wrong]
        plain = task_text([Said(s.source, "", s.origin, "") for s in batch], "", "2026-03-03",
                          [Problem(Code.INVALID_ARGUMENT, "", "x", remedy="x") for _ in wrong])  # fmt: skip
        task = task_text(batch, "", "2026-03-03", problems)
        assert [line for line in task.splitlines() if not line.startswith("{")] == [
            line for line in plain.splitlines() if not line.startswith("{")
        ]
        rows = [json.loads(line) for line in task.splitlines() if line.startswith("{")]
        said = [(row["ref"], row["speaker"], row["content"]) for row in rows if "ref" in row]
        assert said == [(item.source, item.speaker, item.text) for item in batch]
        assert [row["problem"] for row in rows if "problem" in row] == wrong
        assert not any(mark in task for mark in ("<|", "</", "<t", "[INST]"))
