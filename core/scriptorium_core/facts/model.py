"""What is known of a committed memory without parsing it again.

`Facts` is a set of read-only lookups. In the shell an index answers them from a database that
follows HEAD; in tests `facts_of` builds them as dictionaries. Both must answer alike.
"""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

from ..names import BlockId, SourceId, TopicPath
from ..problem import Problem
from ..sources.kinds import Context, Origin, Tier
from ..topics.records import Cited, Record

__all__ = ["ArchiveFact", "Event", "Facts", "Known", "SourceFact", "TopicFact", "human_of_owner"]


class Known(NamedTuple):
    """A record where it stands, and its creation order (from 0; -1 if no commit names it)."""

    record: Record
    order: int


class TopicFact(NamedTuple):
    """A topic: its path, all its block ids in order, and why it is quarantined (empty: it is not)."""

    path: TopicPath
    ids: tuple[BlockId, ...]
    problems: tuple[Problem, ...] = ()


class SourceFact(NamedTuple):
    """An archived message: where it stands, who said it, and whether it is trusted.

    `place` is archive and anchor from the root; `line` that of its record; `text` what was said.
    `context` is its line beside the archive, None for archives that have none. Of one that is `withheld` from
    whoever asks, nothing of what was said is there.
    """

    id: SourceId
    place: str
    line: int
    label: str
    at: str
    text: str
    speaker_id: str | None
    speaker_kind: str
    tier: Tier | None
    trusted: bool
    context: Context | None = None
    withheld: bool = False

    @property
    def path(self) -> str:
        """The archive."""
        return self.place.partition("#")[0]


class ArchiveFact(NamedTuple):
    """An archive: how many frames it has, and the line in which it breaks (0: it is complete)."""

    path: str
    frames: int
    broken_at: int = 0


class Event(NamedTuple):
    """A dated evidence group: one row of the timeline."""

    day: str
    record: BlockId
    path: TopicPath
    quote: str
    sources: tuple[Cited, ...]


class Facts(NamedTuple):
    """Lookups on one committed state.

    - `records`: block id or alias to the record, with the creation order of that very id; of two records
      with one id, the first by path.
    - `topics`: path key (`names.path_key`) to the topic; two paths with one key: the first by path.
    - `spellings`: what the spellings of a title share (`names.spelling`) to the topics of it, sorted.
    - `evidence`: evidence id to the topics that define it, sorted.
    - `backlinks`: block id to the identities of the records that link to it, sorted.
    - `citing`: a place (`sources/…md#anchor`) to the identities of the records that cite it, sorted.
    - `sources`: source id to the archived message, of two with one id that of version 2, then the first by
      path; `places`: place to source id.
    - `archives`: path to the state of an archive.
    - `days`: a date as written (`2026`, `2026-04`, `2026-04-22`) to its events.
    - `shards`: two hex digits to the identities of records with any id or alias in it that link or are linked
      to, sorted.
    - `newest`: all records, newest first by creation order.
    - `forgotten`: block id or source id to the date on which it was forgotten.
    - `asked`: the key of a question (`questions.question_key`) to the identities of the records that carry
      it, sorted.
    - `created`: block id to the creation order that a commit gave it, whether its record stands or not: one
      that comes back has its old order.
    - `next_order`: the creation order that the next record gets.
    - `broken`: path of a topic or context file to what is wrong in it; topics that `topics` leaves out too.
    """

    records: Mapping[str, Known]
    topics: Mapping[str, TopicFact]
    spellings: Mapping[str, tuple[TopicPath, ...]]
    evidence: Mapping[str, tuple[TopicPath, ...]]
    backlinks: Mapping[str, tuple[BlockId, ...]]
    citing: Mapping[str, tuple[BlockId, ...]]
    sources: Mapping[str, SourceFact]
    places: Mapping[str, SourceId]
    archives: Mapping[str, ArchiveFact]
    days: Mapping[str, tuple[Event, ...]]
    shards: Mapping[str, tuple[BlockId, ...]]
    newest: Sequence[Known]
    forgotten: Mapping[str, str]
    next_order: int
    broken: Mapping[str, tuple[Problem, ...]] = MappingProxyType({})
    created: Mapping[str, int] = MappingProxyType({})
    asked: Mapping[str, tuple[BlockId, ...]] = MappingProxyType({})


def human_of_owner(source: SourceFact) -> bool:
    """Whether a message was said by a person with the owner's tier.

    Archives older than version 2 know no tiers: there, who is called by the role `user` alone was the one
    person whom the program knew, its owner; a named speaker was somebody.
    """
    if source.tier is not Tier.OWNER:
        return _is_older(source) and source.label == "user"
    if source.context is not None:
        return source.context.origin is Origin.HUMAN
    return source.speaker_kind in ("owner", "human")


def _is_older(source: SourceFact) -> bool:
    return "/_v2/" not in source.path and not source.speaker_kind
