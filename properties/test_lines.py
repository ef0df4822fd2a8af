"""Laws of looking at topics by their lines, and of answers that are bounded."""

import json
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from memory_plans import Memory
from scriptorium.mcp.capping import capped
from scriptorium_core.facts import facts_of
from scriptorium_core.knowledge.lines import LONGEST, hits_in, lines_for
from scriptorium_core.markdown.spans import BOM, lines_of
from scriptorium_core.names import TopicPath
from scriptorium_core.tree import tree_of
from scriptorium_core.writing.holding import shown
from scriptorium_core.writing.looking import HELD
from strategies import awkward_texts
from topic_strategies import memories

values = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 9) | awkward_texts() | st.text(min_size=300, max_size=900),
    lambda inner: st.lists(inner, max_size=6) | st.dictionaries(st.sampled_from("abc"), inner, max_size=3),
    max_leaves=25,
)


class TestLines:
    """`grep` is literal and bounded; what is held stays out of recall."""

    @given(memories(), st.data())
    def test_a_text_is_found_where_it_stands_and_nowhere_else(
        self, memory: Memory, data: st.DataObject
    ) -> None:
        facts = facts_of(tree_of(memory.files))
        for path, content in memory.files.items():
            if not path.startswith("topics/") or path in facts.broken:
                continue
            text = content.decode().removeprefix(BOM)
            wanted = data.draw(st.sampled_from(sorted({text[n : n + 4] for n in range(len(text))} or {"x"})))
            seen = {line.number: line.text for line in lines_for(facts, TopicPath(path), content)}
            found = [line.number for line in hits_in(facts, TopicPath(path), content, wanted)]
            there = [number for number, line in seen.items() if wanted in line and line != HELD]
            assert found == there

    @given(memories())
    def test_the_lines_are_those_of_the_topic_but_for_what_is_held(self, memory: Memory) -> None:
        facts = facts_of(tree_of(memory.files))
        for topic in facts.topics.values():
            content = memory.files[topic.path]
            lines = lines_for(facts, topic.path, content)
            records = [facts.records[block].record for block in topic.ids]
            open_ones = {record.ids for record in shown(facts, records)}
            if not lines:
                assert records
                assert not open_ones
                continue
            whole = [each.rstrip("\r\n") for each in lines_of(content.decode().removeprefix(BOM))]
            assert [line.number for line in lines] == [*range(1, len(whole) + 1)]
            assert all(line.text in (text, HELD) for line, text in zip(lines, whole, strict=True))
            for record in records:
                mine = {lines[number - 1].text for number in range(record.lines[0], record.lines[1] + 1)}
                assert (mine == {HELD}) is (record.ids not in open_ones)

    @given(memories(), awkward_texts())
    def test_no_hit_is_long_and_no_text_is_too_odd(self, memory: Memory, wanted: str) -> None:
        facts = facts_of(tree_of(memory.files))
        for topic in facts.topics.values():
            for line in hits_in(facts, topic.path, memory.files[topic.path], wanted, ignore_case=True):
                assert len(line.text) <= LONGEST + 2


class TestCapped:
    """Results are capped in size with a note of what was cut."""

    @given(st.dictionaries(st.sampled_from("abcd"), values, max_size=4), st.integers(600, 4_000))
    def test_what_is_left_is_a_beginning_and_what_is_cut_is_told(
        self, answer: dict[str, Any], most: int
    ) -> None:
        made = capped(answer, most)
        assert _begins(answer, {name: made[name] for name in answer})
        assert ("cut" in made) is (_size(answer) > most)
        assert _size(made) <= most or not any(_cuttable(made[name]) for name in answer)


def _size(value: Any) -> int:
    return len(json.dumps(value, ensure_ascii=False, separators=(",", ":")))


def _begins(whole: Any, part: Any) -> bool:
    """Whether a value is another one with ends of lists and of texts taken away."""
    match whole, part:
        case dict(), dict():
            return whole.keys() == part.keys() and all(_begins(whole[name], part[name]) for name in part)
        case list(), list():
            return len(part) <= len(whole) and all(map(_begins, whole, part))
        case str(), str():
            return whole == part or whole.startswith(part.removesuffix("…"))
        case _:
            return bool(whole == part)


def _cuttable(value: Any) -> bool:
    match value:
        case dict():
            return any(map(_cuttable, value.values()))
        case list():
            return bool(value)
        case str():
            return len(value) > 241
        case _:
            return False
