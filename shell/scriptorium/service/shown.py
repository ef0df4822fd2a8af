"""Records, topics and messages as the service shows them, and where they come from."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from attrs import field, frozen

from scriptorium_core.problem import Problem

from .cited import Alternative, Citation, Turn

if TYPE_CHECKING:
    from scriptorium_core.knowledge.assess import Assessment
    from scriptorium_core.sources import Branch

__all__ = [
    "Conversation",
    "Group",
    "Linked",
    "Mention",
    "RecordLine",
    "RecordShown",
    "Shown",
    "Sibling",
    "SourceShown",
    "TopicShown",
    "Why",
]


@frozen
class Group:
    """One evidence group of a record: the words it carries, their date, and what they rest on.

    `fields` are the further fields of the definition (`Until`, `Branch`, `Status`, …).
    """

    evidence: str
    quote: str
    date: str
    citations: tuple[Citation, ...]
    fields: tuple[tuple[str, str], ...] = ()


@frozen
class RecordLine:
    """A record in a list; `topic_path` begins with `topics/`, `dates` are those of its evidence."""

    id: str
    content: str
    topic_path: str
    line: int
    headings: tuple[str, ...]
    dates: tuple[str, ...]


@frozen
class RecordShown:
    """A record in full: `links` lead out of it, `backlinks` to it; `order` of creation is -1 if unknown.

    `branches`, `alternatives`, `scopes` and `assessment` are as in a `FoundItem`. `seen` is the key of what
    it says: whoever decides about it gives that back.
    """

    revision: str | None
    record: RecordLine
    aliases: tuple[str, ...]
    groups: tuple[Group, ...]
    links: tuple[RecordLine, ...]
    backlinks: tuple[RecordLine, ...]
    trusted: bool
    branch: Branch
    order: int
    legacy: bool = False
    problems: tuple[Problem, ...] = ()
    branches: tuple[str, ...] = ()
    alternatives: tuple[Alternative, ...] = ()
    scopes: tuple[str, ...] = ()
    assessment: Assessment | None = None
    seen: str = ""


@frozen
class TopicShown:
    """A topic: its text as committed, its records, and why it is quarantined (empty: it is not).

    `assessments` says of each record how far it may be relied on at the time of the answer.
    """

    revision: str | None
    path: str
    text: str
    records: tuple[RecordLine, ...]
    problems: tuple[Problem, ...] = ()
    assessments: Mapping[str, Assessment] = field(factory=dict[str, "Assessment"], hash=False)


@frozen
class SourceShown:
    """A message in full, with the records that cite it."""

    revision: str | None
    turn: Turn
    cited_by: tuple[RecordLine, ...]


Shown = RecordShown | TopicShown | SourceShown


@frozen
class Sibling:
    """Another branch of the conversation: its last message, where it leaves this one, and its state."""

    tip: str
    leaves_at: str
    branch: Branch
    at: str
    speaker: str
    text: str


@frozen
class Conversation:
    """Where a message stands: around it in the archive, and its session.

    `title`, `log` and `siblings` come from the session store; `known` is false where that has no such
    session. `links` say how it came from other sessions (`provider/id`), and which came from it.
    """

    turn: Turn
    before: tuple[Turn, ...]
    after: tuple[Turn, ...]
    known: bool = False
    title: str = ""
    log: str = ""
    siblings: tuple[Sibling, ...] = ()
    links: tuple[Linked, ...] = ()


@frozen
class Linked:
    """A session (`provider/id`) that a conversation came from, or (`comes`) that came from it.

    `kind` is `continues`, `forked_from` or `spawned_by`, `node` the message at which the one left the other,
    empty if the log does not say.
    """

    kind: str
    session: str
    node: str = ""
    comes: bool = False


@frozen
class Mention:
    """What a commit did to an id (`Created`, `Moved`, …), and the batch, session and writer behind it."""

    name: str
    commit: str
    at: str
    subject: str
    batch: str = ""
    session: str = ""
    writer: str = ""


@frozen
class Why:
    """Where a record or a message comes from.

    For a record `shown` is a RecordShown, and `conversations` holds each message that it cites once; for a
    source id it is a SourceShown with its one conversation. `history` is oldest first.
    """

    revision: str | None
    shown: RecordShown | SourceShown
    conversations: tuple[Conversation, ...]
    history: tuple[Mention, ...]
