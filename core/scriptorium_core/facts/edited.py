"""Facts with edited topics laid over them, for edits that build on one another before they are committed."""

from collections.abc import Callable, Iterator, Mapping
from typing import TypeVar

from attrs import frozen

from ..names import TopicPath, path_key
from ..topics.parse import parse_topic
from .model import Facts, Known, TopicFact

__all__ = ["edited_facts"]

V = TypeVar("V")


@frozen(eq=False)
class _Laid(Mapping[str, V]):
    """A mapping over another, of which some values are hidden."""

    own: Mapping[str, V]
    below: Mapping[str, V]
    hides: Callable[[V], bool]

    def __getitem__(self, key: str) -> V:
        if key in self.own:
            return self.own[key]
        found = self.below[key]
        if self.hides(found):
            raise KeyError(key)
        return found

    def __iter__(self) -> Iterator[str]:
        yield from self.own
        yield from (key for key in self.below if key not in self.own and not self.hides(self.below[key]))

    def __len__(self) -> int:
        return sum(1 for _ in self)


def edited_facts(facts: Facts, edits: Mapping[str, bytes | None]) -> Facts:
    """`facts` whose `records` and `topics` are those after `edits` (path to bytes, None: removed)."""
    paths = frozenset(edits)
    records: dict[str, Known] = {}
    topics: dict[str, TopicFact] = {}
    for path, data in sorted(edits.items()):
        if data is None or not path.startswith("topics/"):
            continue
        topic, problems = parse_topic(TopicPath(path), data)
        topics[path_key(path)] = TopicFact(topic.path, topic.ids, problems)
        for record in topic.records:
            for block in record.ids:
                records.setdefault(block, Known(record, facts.created.get(block, -1)))
    return facts._replace(
        records=_Laid(records, facts.records, lambda known: known.record.path in paths),
        topics=_Laid(topics, facts.topics, lambda topic: topic.path in paths),
    )
