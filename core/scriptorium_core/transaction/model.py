"""What goes into a transaction and what comes out of it, as values."""

from collections.abc import Mapping

from attrs import field, frozen

from ..budget import Count
from ..changes.model import Caller
from ..facts.model import Facts
from ..names import BlockId, SourceId, TopicPath
from ..problem import Problem
from ..sources.frame import Context, Frame
from ..topics.model import Topic
from ..topics.normalize import Naming
from ..trailers import Trailer
from ..tree import Tree

__all__ = ["Edit", "Prepared", "Rejected", "Report", "Rules", "Snapshot", "Topics"]

Topics = Mapping[TopicPath, Topic]


@frozen
class Snapshot:
    """A committed state: its tree, and what is known of it."""

    tree: Tree
    facts: Facts


@frozen
class Edit:
    """An edited tree and what goes with it.

    `deleted` are ids that were deleted on purpose; `frames` and `contexts` are archived by this
    transaction; `kind`, `subject` and `batch` go into the commit's message; `shown` is the number of
    records that an organizing pass was shown; `promoted` are held messages that get the owner's consent;
    `overruled` are records whose committed text gave way to what a person wrote at the same time.
    """

    tree: Tree
    deleted: frozenset[BlockId] = frozenset()
    frames: tuple[Frame, ...] = ()
    contexts: tuple[Context, ...] = ()
    kind: str = "edit"
    subject: str = ""
    trailers: tuple[Trailer, ...] = ()
    shown: int | None = None
    promoted: tuple[SourceId, ...] = ()
    overruled: tuple[BlockId, ...] = ()


@frozen
class Rules:
    """What a transaction is measured by; `citable` None allows any trusted source."""

    caller: Caller
    count: Count
    citable: frozenset[SourceId] | None = None
    core_tokens: int = 2000
    recent: int = 50


@frozen
class Report:
    """What a transaction did, by ids in order of occurrence.

    `overruled` are records that were changed here while a person edited them: the person's text stands, and
    the history keeps the other.
    """

    created: tuple[BlockId, ...] = ()
    updated: tuple[BlockId, ...] = ()
    deleted: tuple[BlockId, ...] = ()
    moved: tuple[BlockId, ...] = ()
    superseded: tuple[BlockId, ...] = ()
    archived: tuple[SourceId, ...] = ()
    promoted: tuple[SourceId, ...] = ()
    topics: tuple[TopicPath, ...] = ()
    overruled: tuple[BlockId, ...] = ()
    naming: Naming = field(factory=Naming)


@frozen
class Prepared:
    """A tree that may be committed, with the subject and trailers of its commit."""

    tree: Tree
    subject: str
    trailers: tuple[Trailer, ...]
    report: Report


@frozen
class Rejected:
    """Why nothing is changed: all problems at once."""

    problems: tuple[Problem, ...]
