"""The topics that a request touches, while its operations are carried out one after the other."""

from collections.abc import Mapping

from attrs import evolve, field, frozen
from pyrsistent import PMap, pmap

from ..facts.model import Facts
from ..names import BlockId, TopicPath, path_key
from ..problem import Code, Problem
from ..topics.model import Record, Topic
from ..topics.parse import parse_topic
from ..topics.render import render_topic
from ..tree import Tree

__all__ = ["Working", "find", "load", "missing"]


def _nothing() -> PMap[TopicPath, Topic]:
    return pmap()


@frozen
class Working:
    """The base, the touched topics as they stand now, and the ids that were deleted on purpose.

    `places` maps what a request may call a source (its id, or the label of a new one) to the place
    it gets, for the sources that the request brings itself.
    """

    tree: Tree
    facts: Facts
    places: Mapping[str, str]
    today: str
    topics: PMap[TopicPath, Topic] = field(factory=_nothing)
    deleted: frozenset[BlockId] = frozenset()

    def with_topic(self, topic: Topic) -> "Working":
        """With a topic as it now stands."""
        return evolve(self, topics=self.topics.set(topic.path, topic))

    def without(self, ids: tuple[BlockId, ...]) -> "Working":
        """With some ids declared deleted."""
        return evolve(self, deleted=self.deleted | frozenset(ids))

    def result(self) -> Tree:
        """The edited directory; a topic that was emptied is removed."""
        tree = self.tree
        for path, topic in self.topics.items():
            tree = tree.put(path, render_topic(topic)) if topic.spans else tree.remove(path)
        return tree


def load(work: Working, path: TopicPath) -> Topic | Problem:
    """The topic at `path` as it now stands, empty if there is none; a problem if it may not be touched."""
    if path in work.topics:
        return work.topics[path]
    known = work.facts.topics.get(path_key(path))
    if known is not None and known.path != path:
        message = f"{path} differs from {known.path} only in case or Unicode form"
        return Problem(Code.INVALID_TOPIC_FORMAT, message, remedy=f"write to {known.path}")
    if known is not None and known.problems:
        first = known.problems[0]
        message = f"{path} is quarantined: {first.message}"
        return Problem(Code.INVALID_TOPIC_FORMAT, message, remedy=f"mend line {first.line} of {path} first")
    data = work.tree.get(path)
    return parse_topic(path, data)[0] if data is not None else Topic(path, (), (), {})


def find(work: Working, block: BlockId) -> tuple[Topic, Record] | Problem:
    """The record with that id or alias, and its topic as it now stands."""
    if block in work.deleted:
        return missing(work, block)
    for topic in work.topics.values():
        for record in topic.records:
            if block in record.ids:
                return topic, record
    known = work.facts.records.get(block)
    if known is None or known.record.path in work.topics:
        return missing(work, block)
    loaded = load(work, known.record.path)
    if isinstance(loaded, Problem):
        return loaded
    return next(((loaded, record) for record in loaded.records if block in record.ids), missing(work, block))


def missing(work: Working, block: BlockId) -> Problem:
    """That there is no such record, and whether it was forgotten."""
    if block in work.facts.forgotten:
        message = f"^{block} was forgotten on {work.facts.forgotten[block]}"
        return Problem(Code.FORGOTTEN, message, remedy="leave it out; what was forgotten does not come back")
    return Problem(
        Code.MEMORY_NOT_FOUND, f"there is no record ^{block}", remedy="search for it; ids are never reused"
    )
