"""What the service answers about the history of records."""

from __future__ import annotations

from attrs import frozen

from scriptorium_core.knowledge.words import Piece

from .shown import RecordLine

__all__ = [
    "Blame",
    "Differed",
    "Ground",
    "Restated",
    "Stage",
    "StandingChange",
    "StandingHistory",
    "Step",
    "Version",
]


@frozen
class Ground:
    """An evidence group by the source ids (or what stands in their place) that it cites."""

    evidence: str
    date: str
    sources: tuple[str, ...]
    fields: tuple[tuple[str, str], ...] = ()


@frozen
class Stage:
    """A record in one state: its words, its place, its other ids and its evidence."""

    record: RecordLine
    aliases: tuple[str, ...]
    evidence: tuple[Ground, ...]


@frozen
class Restated:
    """The standing in a record's definitions before and after, as it is written; empty: that by default."""

    before: str
    after: str


@frozen
class Step:
    """What became of a record: `after` is its new state, `before` the old one (None: not there).

    `deeds` are created, changed, evidence, standing, superseded, merged, moved, deleted. `words` lead from
    the old text to the new one, each link in it by the id that it means; they are empty where the text
    stayed. What holds something that was forgotten since is `withheld`: no state of it, and no word.
    `standing` is None where it stayed.
    """

    id: str
    deeds: tuple[str, ...]
    before: Stage | None
    after: Stage | None
    words: tuple[Piece, ...] = ()
    gained: tuple[Ground, ...] = ()
    lost: tuple[Ground, ...] = ()
    withheld: bool = False
    standing: Restated | None = None


@frozen
class Version:
    """What one commit made of a record, and who was behind it; what is not known is empty.

    `session` is `provider/id` of the conversation, `batch` the batch of its messages.
    """

    commit: str
    at: str
    author: str
    kind: str
    subject: str
    batch: str
    session: str
    writer: str
    step: Step


@frozen
class Blame:
    """All versions of a record, newest first; of a forgotten one, only the day and the commit are said."""

    revision: str | None
    id: str
    versions: tuple[Version, ...]
    forgotten: str = ""
    forgotten_by: str = ""


@frozen
class StandingChange:
    """What one commit made of a record's standing, and who was behind it, as in a `Version`."""

    commit: str
    at: str
    author: str
    kind: str
    subject: str
    session: str
    writer: str
    standing: Restated


@frozen
class StandingHistory:
    """All changes of a record's standing, newest first; of a forgotten record only the day is said."""

    revision: str | None
    id: str
    changes: tuple[StandingChange, ...]
    forgotten: str = ""


@frozen
class Differed:
    """What became of the records between two revisions (`old` None: before the first commit)."""

    old: str | None
    new: str
    steps: tuple[Step, ...]
    topics: tuple[str, ...]

    @property
    def withheld(self) -> int:
        """How many of the steps are not shown."""
        return sum(step.withheld for step in self.steps)
