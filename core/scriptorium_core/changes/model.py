"""The four operations on memory, as values, and who asks for them."""

from enum import StrEnum

from attrs import field, frozen

from ..names import BlockId, TopicPath
from ..policy.actor import OWNER, Actor
from ..sources.frame import Origin, Tier
from ..when import When

__all__ = [
    "Caller",
    "Change",
    "CreateRecord",
    "DeleteRecord",
    "DeleteTopic",
    "Destination",
    "FileChange",
    "Hunk",
    "MoveRecords",
    "NewSource",
    "PatchTopic",
    "Position",
    "Request",
    "SourceUse",
    "UpdateRecord",
    "WriteTopic",
]


class Position(StrEnum):
    """Where in a section a record goes."""

    START = "start"
    END = "end"
    BEFORE = "before"
    AFTER = "after"


@frozen
class Caller:
    """Who speaks, from the caller's credential and never from a request.

    `provider` is the first part of the source ids that the caller's own sources get; `actor` is who it
    is to a policy.
    """

    principal_id: str = "owner/local"
    speaker_kind: str = "owner"
    speaker_id: str = "owner/local"
    speaker_name: str = "Owner"
    tier: Tier | None = Tier.OWNER
    origin: Origin = Origin.HUMAN
    provider: str = "local"
    actor: Actor = OWNER

    @classmethod
    def paired(cls, speaker_id: str, name: str = "", principal_id: str = "owner/local") -> "Caller":
        """Somebody whom the owner knows: trusted, but no owner."""
        return cls(principal_id, "human", speaker_id, name, Tier.PAIRED)

    @classmethod
    def unknown(cls, speaker_id: str, name: str = "", principal_id: str = "owner/local") -> "Caller":
        """Somebody whom nobody vouches for: held until the owner consents."""
        return cls(principal_id, "unknown", speaker_id, name, None)


@frozen
class SourceUse:
    """A source that a record cites, the text that the citation shows, and its place in the operation."""

    source: str
    label: str
    place: str = field(default="sources", eq=False)


@frozen
class Destination:
    """A place in a topic; `anchor` is the record that `before` and `after` mean."""

    topic_path: TopicPath
    headings: tuple[str, ...]
    position: Position
    anchor: BlockId | None = None


@frozen
class CreateRecord:
    """A new record; the runtime allocates its ids, and it alone gives `fields` to its definition."""

    content: str
    time: When | None
    sources: tuple[SourceUse, ...]
    destination: Destination
    place: str = ""
    fields: tuple[tuple[str, str], ...] = ()


@frozen
class UpdateRecord:
    """The complete final content and evidence of a record.

    `supersede` keeps the earlier evidence, closed; `add` keeps it as it is: the same is said again.
    """

    memory_id: BlockId
    content: str
    time: When | None
    sources: tuple[SourceUse, ...]
    supersede: bool = False
    place: str = ""
    add: bool = False


@frozen
class DeleteRecord:
    """A record to delete; an alias alone leaves its merged paragraph."""

    memory_id: BlockId
    place: str = ""


@frozen
class MoveRecords:
    """Records to move, in this order; everything else about them stays."""

    memory_ids: tuple[BlockId, ...]
    destination: Destination
    place: str = ""


Change = CreateRecord | UpdateRecord | DeleteRecord | MoveRecords


@frozen
class WriteTopic:
    """The whole text of a topic, new or in the place of the one that is there."""

    path: TopicPath
    content: str
    place: str = ""


@frozen
class DeleteTopic:
    """A topic to remove; it declares no record deleted."""

    path: TopicPath
    place: str = ""


@frozen
class Hunk:
    """Lines with their ends that stand at line `start` (from 1) and those that come in their place.

    Where there are no `old` lines, `start` is the line after which the new ones come. `line` is that of
    the hunk in its patch.
    """

    start: int
    old: tuple[str, ...]
    new: tuple[str, ...]
    line: int = field(eq=False, default=0)


@frozen
class PatchTopic:
    """The hunks of one topic; `made` says that there must be none before, `removed` that none stays."""

    path: TopicPath
    hunks: tuple[Hunk, ...]
    made: bool = False
    removed: bool = False
    line: int = field(eq=False, default=0)


FileChange = WriteTopic | DeleteTopic | PatchTopic


@frozen
class NewSource:
    """Something said that is to be archived by the request itself; `label` stands for its source id."""

    label: str
    role: str
    content: str
    observed_at: str = ""


@frozen
class Request:
    """Structured changes or changes of whole topics, and what goes with them.

    `sources` are new; `base_revision` is what the caller has seen; `deleted` are the ids that changes of
    whole topics declare deleted.
    """

    changes: tuple[Change, ...]
    sources: tuple[NewSource, ...] = ()
    base_revision: str | None = None
    message: str = ""
    files: tuple[FileChange, ...] = ()
    deleted: frozenset[BlockId] = frozenset()
