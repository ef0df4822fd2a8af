"""The topics that an edit touches: read before and after, and normalized together."""

from collections.abc import Iterator

from ..names import BlockId, TopicPath
from ..problem import Problem
from ..topics.model import Topic
from ..topics.normalize import Lookups, Naming, normalize
from ..topics.parse import parse_topic
from ..tree import Tree
from .archiving import Archive
from .model import Snapshot, Topics

__all__ = ["normalized", "touched", "vanished"]


def touched(
    base: Snapshot, tree: Tree
) -> tuple[dict[TopicPath, Topic], dict[TopicPath, Topic], list[Problem]]:
    """The topics that the edit changes, before and after, with those that link to what it moves."""
    before: dict[TopicPath, Topic] = {}
    after: dict[TopicPath, Topic] = {}
    problems: list[Problem] = []
    for path, data in tree.differences().items():
        topic = TopicPath(path)
        if not path.startswith("topics/"):
            continue
        if (old := base.tree.get(path)) is not None:
            before[topic] = parse_topic(topic, old)[0]
        if data is not None:
            after[topic], faults = parse_topic(topic, data)
            problems += faults
    for topic in _linking(base, before, after):
        if (old := base.tree.get(topic)) is not None:
            before[topic] = after[topic] = parse_topic(topic, old)[0]
    return before, after, problems


def vanished(base: Snapshot, tree: Tree) -> frozenset[BlockId]:
    """The ids of the topics that an edit changes that are in none of them any more."""
    before, after, _ = touched(base, tree)
    return frozenset(block for topic in before.values() for block in topic.ids) - _paths(after).keys()


def _linking(base: Snapshot, before: Topics, after: Topics) -> Iterator[TopicPath]:
    """The untouched topics that link to a record which now stands in another topic."""
    old, new = _paths(before), _paths(after)
    found = {
        known.record.path
        for block in new
        if block in old and old[block] != new[block]
        for linking in base.facts.backlinks.get(block, ())
        if (known := base.facts.records.get(linking)) is not None
    }
    # A quarantined topic is not written; its links still name the id, and get their path when it is mended.
    yield from sorted(found - before.keys() - after.keys() - base.facts.broken.keys())


def _paths(topics: Topics) -> dict[str, TopicPath]:
    return {block: path for path, topic in topics.items() for block in topic.ids}


def normalized(
    base: Snapshot, before: Topics, written: Topics, archive: Archive
) -> tuple[dict[TopicPath, Topic], Naming, list[Problem]]:
    """The touched topics as they are committed; ids are unique over all of them."""
    paths = dict[str, TopicPath](_paths(written))
    used = set[str](paths) | {label for topic in written.values() for label in topic.definitions}
    read = before.keys() | written.keys()

    def path_of(block: str) -> str | None:
        known = base.facts.records.get(block)
        elsewhere = known.record.path if known and known.record.path not in read else None
        return paths.get(block, elsewhere)

    def place_of_source(name: str) -> str | None:
        known = base.facts.sources.get(name)
        new = (place for place, source in archive.sources.items() if source.id == name)
        return known.place if known else next(new, None)

    def taken(name: str) -> bool:
        facts = base.facts
        return name in used or name in facts.records or name in facts.evidence or name in facts.forgotten

    lookups = Lookups(taken, path_of, place_of_source)
    topics: dict[TopicPath, Topic] = {}
    naming = Naming()
    problems: list[Problem] = []
    for path in sorted(written):
        topics[path], named, faults = normalize(written[path], before.get(path), lookups)
        used |= set(named.blocks.values()) | set(named.evidence.values())
        naming = Naming({**naming.blocks, **named.blocks}, {**naming.evidence, **named.evidence})
        problems += faults
    return topics, naming, problems
