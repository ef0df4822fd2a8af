"""A record as a value: what it says, and the evidence behind it."""

from typing import NamedTuple

from ..names import BlockId, EvidenceId, TopicPath
from ..when import When

__all__ = ["Cited", "Evidence", "Record"]


class Cited(NamedTuple):
    """A source as a record cites it.

    `place` is the archive and the anchor from the root of the directory
    (`sources/chat/_v2/s1.md#source-…`), the same for every topic; empty for a plain handle.
    """

    label: str
    target: str
    place: str


class Evidence(NamedTuple):
    """One evidence group of a record: the text that it carries and the definition behind it."""

    id: EvidenceId
    quote: str
    when: When | None
    sources: tuple[Cited, ...]
    fields: tuple[tuple[str, str], ...] = ()


class Record(NamedTuple):
    """One paragraph of a topic (or one unit of a legacy paragraph).

    `ids` are its block ids as written, the last is its identity, the others are aliases; they are
    empty only in an edit that has not been normalized. `links` are the block ids that it links to.
    `span` is the index of its paragraph in the topic, `lines` the first and last line from 1.
    """

    ids: tuple[BlockId, ...]
    content: str
    evidence: tuple[Evidence, ...]
    links: tuple[BlockId, ...]
    path: TopicPath
    headings: tuple[str, ...]
    lines: tuple[int, int] = (0, 0)
    span: int = -1
    legacy: bool = False

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Record) and self._said == other._said

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __hash__(self) -> int:
        return hash(self._said)

    @property
    def _said(self) -> tuple[object, ...]:
        """What makes a record what it is: not where it happens to stand in its file."""
        return (*self[:6], self.legacy)

    @property
    def id(self) -> BlockId:
        """The identity: the last block id."""
        return self.ids[-1] if self.ids else BlockId("")

    @property
    def aliases(self) -> tuple[BlockId, ...]:
        """The other block ids of a merged paragraph; they stay valid link targets."""
        return self.ids[:-1]

    @property
    def whens(self) -> tuple[When, ...]:
        """The dates of its definitions, in order, without repetition."""
        return tuple(dict.fromkeys(group.when for group in self.evidence if group.when is not None))

    @property
    def when(self) -> When | None:
        """The date of the first dated definition."""
        return next(iter(self.whens), None)

    @property
    def sources(self) -> tuple[Cited, ...]:
        """All cited sources in order; one that is cited twice stands once."""
        return tuple(
            {source.place or source.target: source for g in self.evidence for source in g.sources}.values()
        )
