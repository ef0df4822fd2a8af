"""What the laws of a transaction judge, as one value."""

from collections.abc import Mapping

from attrs import field, frozen

from ..changes.model import Caller
from ..facts.model import Facts, SourceFact
from ..markdown.links import without_paths
from ..names import BlockId, SourceId, TopicPath
from ..problem import Problem
from ..topics.model import Record, Topic
from ..tree import Tree

__all__ = ["Case", "substance"]


@frozen
class Case:
    """A transaction before the commit: the touched topics as they were and as they would be.

    `deleted` are the ids that were declared deleted; `archived` the messages that the transaction
    itself archives, by place; `citable` the sources that may be cited anew (None: any trusted one);
    `unread` what could not be read in the edited topics; `shown` how many records an organizing
    pass was shown (None: it is no such pass); `promoted` the messages that get the owner's consent.
    """

    edited: Tree
    before: Mapping[TopicPath, Topic]
    after: Mapping[TopicPath, Topic]
    facts: Facts
    caller: Caller
    deleted: frozenset[BlockId] = frozenset()
    archived: Mapping[str, SourceFact] = field(factory=dict[str, SourceFact])
    citable: frozenset[SourceId] | None = None
    unread: tuple[Problem, ...] = ()
    shown: int | None = None
    promoted: tuple[SourceId, ...] = ()

    def elsewhere(self, block: str) -> Record | None:
        """The record with that id in a topic that the edit does not touch."""
        known = self.facts.records.get(block)
        return known.record if known and not self.touches(known.record.path) else None

    def touches(self, path: TopicPath) -> bool:
        """Whether the edit touches the topic."""
        return path in self.before or path in self.after

    def source(self, place: str) -> SourceFact | None:
        """The archived message at a place, this transaction's own included."""
        if place in self.archived:
            return self.archived[place]
        known = self.facts.places.get(place)
        return self.facts.sources.get(known) if known is not None else None


def substance(record: Record) -> tuple[object, ...]:
    """What a record says and rests on, wherever it stands."""
    evidence = tuple((g.when, tuple(source.place for source in g.sources), g.fields) for g in record.evidence)
    return without_paths(record.content), evidence
