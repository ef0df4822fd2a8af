"""Laws of the derived views."""

import json
from collections.abc import Mapping
from itertools import pairwise

from hypothesis import given

from scriptorium_core.budget import estimate
from scriptorium_core.facts.derive import facts_of
from scriptorium_core.facts.model import Facts
from scriptorium_core.facts.rows import events_of, shard_of
from scriptorium_core.names import CORE_TOPIC, BlockId, TopicPath
from scriptorium_core.topics.model import Topic
from scriptorium_core.topics.parse import parse_topic
from scriptorium_core.tree import tree_of
from scriptorium_core.views.derive import Change, Limits, core_due, derive, derive_all, is_view
from topic_strategies import Memory, histories, memories

LIMITS = Limits(estimate, core_tokens=120, recent=5)


def topics_of(memory: Memory) -> dict[TopicPath, Topic]:
    files = memory.files
    return {page.path: parse_topic(page.path, files[page.path])[0] for page in memory.pages}


def facts_about(memory: Memory, order: Mapping[str, int]) -> Facts:
    standing = memory.where
    return facts_of(
        tree_of(memory.files), {block: number for block, number in order.items() if block in standing}
    )


def every_view(memory: Memory, order: Mapping[str, int], limits: Limits = LIMITS) -> Mapping[str, bytes]:
    return derive_all(facts_about(memory, order), topics_of(memory).get(CORE_TOPIC), limits)


def change_between(old: Memory, new: Memory, order: dict[str, int]) -> Change:
    """What a transaction from `old` to `new` would hand over; new ids are numbered on in `order`."""
    facts, before, after = facts_about(old, order), topics_of(old), topics_of(new)
    was, will_be = old.files, new.files
    touched = [path for path in {**before, **after} if was.get(path) != will_be.get(path)]
    made = tuple(BlockId(block) for block in new.where if block not in old.where)
    order |= {block: facts.next_order + number for number, block in enumerate(made)}
    later = facts_of(tree_of(new.files))
    sources = {
        source.place: source for source in later.sources.values() if facts.sources.get(source.id) != source
    }
    change = Change(facts, _only(before, touched), _only(after, touched), made, sources)
    if core_due(change) and CORE_TOPIC not in touched:
        both = [*touched, CORE_TOPIC]
        return Change(facts, _only(before, both), _only(after, both), made, sources)
    return change


def _only(topics: Mapping[TopicPath, Topic], paths: list[TopicPath]) -> dict[TopicPath, Topic]:
    return {path: topics[path] for path in paths if path in topics}


class TestDerive:
    """The cost of a write follows the change, and the views are those of the memory all the same."""

    @given(histories())
    def test_following_every_change_gives_the_views_from_scratch(self, states: tuple[Memory, ...]) -> None:
        order = dict(states[0].order)
        files: dict[str, bytes] = {**every_view(states[0], order)}
        for old, new in pairwise(states):
            for path, data in derive(change_between(old, new, order), LIMITS).items():
                files.pop(path, None)
                files |= {path: data} if data is not None else {}
            assert files == every_view(new, order)

    @given(memories())
    def test_a_change_of_nothing_alters_no_view(self, memory: Memory) -> None:
        assert derive(change_between(memory, memory, dict(memory.order)), LIMITS) == {"relations.json": None}

    @given(memories())
    def test_touching_a_topic_without_altering_it_alters_no_view(self, memory: Memory) -> None:
        topics = topics_of(memory)
        facts = facts_about(memory, memory.order)
        files = derive_all(facts, topics.get(CORE_TOPIC), LIMITS)
        again = derive(Change(facts, topics, topics, (), {}), LIMITS)
        assert {path: data for path, data in again.items() if files.get(path) != data} == {}

    @given(memories())
    def test_views_are_views_and_nothing_else_is(self, memory: Memory) -> None:
        assert all(map(is_view, every_view(memory, memory.order)))
        assert not any(map(is_view, memory.files))


class TestRelations:
    """Backlinks are the inverse of outbound."""

    @given(memories())
    def test_backlinks_are_the_inverse_of_outbound(self, memory: Memory) -> None:
        shards = {
            path: json.loads(data)
            for path, data in every_view(memory, memory.order).items()
            if path.startswith("relations/")
        }
        out = {(a, b) for shard in shards.values() for a, links in shard["outbound"].items() for b in links}
        back = {(a, b) for shard in shards.values() for b, links in shard["backlinks"].items() for a in links}
        records = [record for topic in topics_of(memory).values() for record in topic.records]
        assert out == back == {(a, b) for record in records for a in record.ids for b in record.links}
        assert all(
            path == f"relations/{shard_of(block)}.json"
            for path, shard in shards.items()
            for block in (*shard["outbound"], *shard["backlinks"])
        )


class TestTimeline:
    """Every dated evidence group goes to the file of its date; undated records appear nowhere."""

    @given(memories())
    def test_each_dated_group_has_one_row_and_each_row_is_one_line(self, memory: Memory) -> None:
        views = every_view(memory, memory.order)
        rows = {
            path: data.decode().split("\n\n")[1:]
            for path, data in views.items()
            if path.startswith("timeline/")
        }
        expected: dict[str, int] = {}
        for topic in topics_of(memory).values():
            for event in (event for record in topic.records for event in events_of(record)):
                path = f"timeline/{event.day.replace('-', '/')}.md"
                expected[path] = expected.get(path, 0) + 1
        assert {path: len(found) for path, found in rows.items()} == expected
        assert all(len(row.rstrip("\n").splitlines()) == 1 for found in rows.values() for row in found)


class TestRecent:
    """The last N records by creation order, oldest first."""

    @given(memories())
    def test_the_last_records_stand_in_creation_order(self, memory: Memory) -> None:
        lines = every_view(memory, memory.order)["recent_events.jsonl"].decode().split("\n")[:-1]
        orders = [json.loads(line)["created_order"] for line in lines]
        everything = sorted(
            memory.order[record.id] for topic in topics_of(memory).values() for record in topic.records
        )
        assert orders == everything[-LIMITS.recent :]
