"""The four operations on memory, as values, and who asks for them."""

from enum import StrEnum

from attrs import field, frozen

from ..names import BlockId, TopicPath
from ..sources.frame import Origin, Tier
from ..when import When

__all__ = [
    "Caller",
    "Change",
    "CreateRecord",
    "DeleteRecord",
    "Destination",
    "MoveRecords",
    "NewSource",
    "Position",
    "Request",
    "SourceUse",
    "UpdateRecord",
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

    `provider` is the first part of the source ids that the caller's own sources get.
    """

    principal_id: str = "owner/local"
    speaker_kind: str = "owner"
    speaker_id: str = "owner/local"
    speaker_name: str = "Owner"
    tier: Tier | None = Tier.OWNER
    origin: Origin = Origin.HUMAN
    provider: str = "local"


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
    """A new record; the runtime allocates its ids."""

    content: str
    time: When | None
    sources: tuple[SourceUse, ...]
    destination: Destination
    place: str = ""


@frozen
class UpdateRecord:
    """The complete final content and evidence of a record; `supersede` keeps the earlier evidence, closed."""

    memory_id: BlockId
    content: str
    time: When | None
    sources: tuple[SourceUse, ...]
    supersede: bool = False
    place: str = ""


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
class NewSource:
    """Something said that is to be archived by the request itself; `label` stands for its source id."""

    label: str
    role: str
    content: str
    observed_at: str = ""


@frozen
class Request:
    """Structured changes, the new sources they bring, and the revision that the caller has seen."""

    changes: tuple[Change, ...]
    sources: tuple[NewSource, ...] = ()
    base_revision: str | None = None
    message: str = ""
